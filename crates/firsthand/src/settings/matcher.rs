//! Matchers: the ways of finding near-duplicates.

use super::error::{SettingsError, check_bits, check_share, check_size};
use crate::{
    measure::{Measure, Rule},
    scheme::MOST_WORDS,
    sketch::{Banding, least_agreement, least_jaccard},
    threshold::Threshold,
};
use serde::{Deserialize, Serialize};

/// How near-duplicates are found, and what they are compared by.
///
/// ```
/// use firsthand::{Settings, settings::Matcher};
///
/// let matcher = Matcher::named("bands", false)?;
/// assert_eq!(matcher.name(), "bands");
/// Settings { matcher: Some(matcher), ..Settings::default() }.check_collection()?;
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Matcher {
    /// Every pair that reaches the threshold, and no other.
    #[default]
    Exact,
    /// Pairs that share a band of min-hashes, verified exactly: some are missed, none is wrong.
    Bands(Bands),
    /// Broder's sketch: the similarity is the share of min-hashes that agree, an estimate of the
    /// Jaccard similarity, or the share of groups of them (super-shingles). With a model it only
    /// proposes pairs.
    Sketch {
        /// The total number of min-hashes.
        hashes: usize,
        /// The number of min-hashes in a group, all of which must agree.
        group: usize,
    },
    /// I-Match: the similarity is the share of lexicons whose fingerprints agree.
    Fingerprint {
        /// The number of lexicons: the first is complete, each further one a random part of it.
        lexicons: usize,
        /// The share of features that a random part keeps.
        keep: f64,
    },
    /// Charikar's random projections: the similarity is the share of bits that agree. With a model
    /// they only propose pairs.
    Bits {
        /// The number of bits, a multiple of 64.
        bits: usize,
    },
    /// The method of NRC-GPHIN, on a stream only: documents that share values of a sketch are
    /// candidates, and only the best candidate is compared.
    Collisions(Collisions),
}

/// The parameters of NRC-GPHIN (Rodier, Carter 2020), by the names of its Table 2. Its *n* is the
/// size of the words scheme, its *r* the threshold.
///
/// ```
/// use firsthand::{Settings, settings::{Collisions, Matcher, Stream}};
///
/// // Five values in common, instead of more than two, make a candidate.
/// let collisions = Collisions { collisions: 4, ..Collisions::default() };
/// let matcher = Some(Matcher::Collisions(collisions));
/// let stream = Stream { matcher: matcher.clone(), ..Stream::default() };
/// assert!(Settings { stream, ..Settings::default() }.check_stream().is_ok());
/// assert!(Settings { matcher, ..Settings::default() }.check_collection().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Collisions {
    /// *n*: the number of words in a shingle of the sketch.
    pub n: usize,
    /// *k*: the sketch is made of at most this many shingles, those with the smallest hashes.
    pub sample: usize,
    /// *p*: the number of values in a sketch.
    pub hashes: usize,
    /// *t*: candidates share more than this many values.
    pub collisions: u32,
    /// *f*: the share of each document, from its start, whose n-grams are compared.
    pub first: f64,
    /// Documents with fewer words are short.
    pub short: usize,
    /// The share of a short document that is compared.
    pub first_of_short: f64,
}

impl Default for Collisions {
    fn default() -> Self {
        Self {
            n: 3,
            sample: 1600,
            hashes: 20,
            collisions: 2,
            first: 1.0,
            short: 100,
            first_of_short: 1.0,
        }
    }
}

/// Bands of min-hashes, either set or chosen for the threshold and a recall.
///
/// ```
/// use firsthand::{Settings, settings::Bands};
///
/// let bands = Bands { recall: 0.99, hashes: 256, ..Bands::default() };
/// let banding = bands.banding(Settings::default().rule()).ok_or("no bands")?;
/// assert!(banding.bands * banding.rows <= 256);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Bands {
    /// The number of bands; chosen if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<usize>,
    /// The number of min-hashes in each band; chosen if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The share of pairs at the threshold that are to be found, if bands are chosen. Pairs above the
    /// threshold are found more often.
    pub recall: f64,
    /// The most min-hashes that are used, if bands are chosen.
    pub hashes: usize,
}

impl Default for Bands {
    fn default() -> Self {
        Self { bands: None, rows: None, recall: 0.95, hashes: 128 }
    }
}

/// A second check of each pair that was found: their random projections must agree as well.
///
/// ```
/// use firsthand::{Settings, settings::Confirm};
///
/// let check = |bits| {
///     let confirm = Some(Confirm { bits, threshold: "0.9".parse()? });
///     Settings { confirm, ..Settings::default() }.check_collection()?;
///     Ok::<(), Box<dyn std::error::Error>>(())
/// };
/// assert!(check(384).is_ok());
/// // Bits fill words of 64.
/// assert!(check(100).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Confirm {
    /// The number of projections, a multiple of 64.
    pub bits: usize,
    /// The least share of them that must agree.
    pub threshold: Threshold,
}

/// The most min-hashes, bands, groups or lexicons.
const MOST: usize = 4096;

impl Bands {
    /// The bands that are set, or those chosen for a rule, if there are any.
    pub fn banding(&self, rule: Rule) -> Option<Banding> {
        match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => Some(Banding { bands, rows }),
            _ => Banding::choose(least_jaccard(rule)?, self.recall, self.hashes),
        }
    }

    /// The same with as many rows as reach the recall at the threshold of a rule, if only the number of
    /// bands is set.
    pub fn with_rows(mut self, rule: Rule) -> Self {
        if let (Some(bands @ 1..=MOST), None) = (self.bands, self.rows)
            && let Some(jaccard) = least_jaccard(rule)
        {
            let reaches =
                |rows: &usize| Banding { bands, rows: *rows }.probability(jaccard) >= self.recall;
            self.rows = (1..=MOST / bands).rev().find(reaches).or(Some(1));
        }
        self
    }
}

impl Matcher {
    /// The name of the kind, as in a settings file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Bands(_) => "bands",
            Self::Sketch { .. } => "sketch",
            Self::Fingerprint { .. } => "fingerprint",
            Self::Bits { .. } => "bits",
            Self::Collisions(_) => "collisions",
        }
    }

    /// The default matcher of a stream: more bands, for a higher recall.
    pub fn of_stream() -> Self {
        Self::Bands(Bands { recall: 0.99, hashes: 256, ..Bands::default() })
    }

    /// Whether documents are compared by sketches instead of their sets.
    pub fn is_sketch(&self) -> bool {
        matches!(self, Self::Sketch { .. } | Self::Fingerprint { .. } | Self::Bits { .. })
    }

    /// A matcher by its name, with the parameters of its paper. With a model, sketches have the
    /// parameters of the model's paper.
    ///
    /// # Errors
    ///
    /// If there is no matcher of that name.
    pub fn named(name: &str, has_model: bool) -> Result<Self, SettingsError> {
        Ok(match name {
            "exact" => Self::Exact,
            "bands" => Self::Bands(Bands::default()),
            "sketch" => Self::Sketch { hashes: if has_model { 80 } else { 84 }, group: 1 },
            "fingerprint" => Self::Fingerprint { lexicons: 1, keep: 0.7 },
            "bits" => Self::Bits { bits: 384 },
            "collisions" => Self::Collisions(Collisions::default()),
            _ => {
                let known = "exact, bands, sketch, fingerprint, bits, collisions".to_owned();
                return Err(SettingsError::Unknown {
                    kind: "matcher",
                    name: name.to_owned(),
                    known,
                });
            }
        })
    }

    /// For sketches of vectors, which only propose pairs: the least number of values that agree, and the
    /// number of all values, for 99 of 100 pairs that reach the threshold.
    pub(crate) fn least_agreement(&self, rule: Rule) -> Option<(usize, usize)> {
        let t = rule.threshold.value();
        let (chance, values) = match (self, rule.measure) {
            (Self::Bits { bits }, Measure::Cosine) => (side_by_side(t), *bits),
            // At a given extended Jaccard, the cosine is smallest for vectors of the same length.
            (Self::Bits { bits }, Measure::ExtendedJaccard) => {
                (side_by_side(2.0 * t / (1.0 + t)), *bits)
            }
            (Self::Sketch { hashes, group }, Measure::Jaccard) => {
                (t.powi(*group as i32), hashes / group)
            }
            _ => return None,
        };
        Some((least_agreement(chance, values), values))
    }

    pub(super) fn check(&self, rule: Rule) -> Result<(), SettingsError> {
        match self {
            Self::Exact => Ok(()),
            Self::Bands(bands) => bands.check(rule),
            Self::Sketch { hashes, group } => {
                check_size("matcher.hashes", *hashes, MOST)?;
                check_size("matcher.group", *group, MOST)?;
                match hashes % group {
                    0 => Ok(()),
                    _ => Err(SettingsError::Unusable {
                        setting: "matcher.hashes",
                        value: hashes.to_string(),
                        because: format!(
                            "does not divide into groups of {group}: choose a multiple of {group}"
                        ),
                    }),
                }
            }
            Self::Fingerprint { lexicons, keep } => {
                check_size("matcher.lexicons", *lexicons, MOST)?;
                check_share("matcher.keep", *keep, false)
            }
            Self::Bits { bits } => check_bits("matcher.bits", *bits),
            Self::Collisions(collisions) => collisions.check(),
        }
    }
}

impl Bands {
    fn check(&self, rule: Rule) -> Result<(), SettingsError> {
        check_share("matcher.recall", self.recall, false)?;
        check_size("matcher.hashes", self.hashes, MOST)?;
        match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => {
                check_size("matcher.bands", bands, MOST)?;
                check_size("matcher.rows", rows, MOST)?;
                check_size("matcher.bands times matcher.rows", bands * rows, MOST)
            }
            (None, None) if least_jaccard(rule).is_none() => {
                Err(SettingsError::NoBands { measure: rule.measure })
            }
            (None, None) if self.banding(rule).is_none() => Err(SettingsError::TooFewHashes {
                recall: self.recall,
                threshold: rule.threshold,
                hashes: self.hashes,
            }),
            (None, None) => Ok(()),
            _ => Err(SettingsError::BandsWithoutRows),
        }
    }
}

impl Collisions {
    fn check(&self) -> Result<(), SettingsError> {
        check_size("matcher.n", self.n, MOST_WORDS)?;
        check_size("matcher.sample", self.sample, usize::MAX)?;
        check_size("matcher.hashes", self.hashes, MOST)?;
        check_share("matcher.first", self.first, true)?;
        check_share("matcher.first-of-short", self.first_of_short, true)
    }
}

impl Confirm {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check_bits("confirm.bits", self.bits)
    }
}

/// The probability that vectors with this cosine lie on the same side of a random plane.
fn side_by_side(cosine: f64) -> f64 {
    1.0 - cosine.clamp(-1.0, 1.0).acos() / std::f64::consts::PI
}
