//! Every setting that changes an answer, with its default written once.

mod weighing;

use crate::{
    clusters::{Grouping, Original},
    learned::Learned,
    matcher::{Confirm, Matcher},
    measure::{Measure, Rule},
    model::Model,
    online::{Numbers, OnlineSettings},
    scheme::{MOST_WORDS, Scheme},
    threshold::Threshold,
    weights::Weighting,
};
use serde::{Deserialize, Serialize};

/// What a detector does. The same in code, in TOML and in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The measure of similarity.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
    /// Whether repeated features count as often as they occur, or once.
    pub multiset: bool,
    /// What each feature counts. With weights the measure is cosine, extended Jaccard or Jaccard,
    /// and repetitions count in the weight.
    #[serde(default)]
    pub weights: Weighting,
    /// A document with fewer features is *short*: only exact copies of it count.
    pub min_features: usize,
    /// Whether passages that recur over different pages of one site are set aside.
    pub template: bool,
    /// Whether obfuscation is folded before words are cut: characters that cannot be seen, and
    /// letters that stand in for others.
    #[serde(default)]
    pub fold: bool,
    /// How clusters are formed from verified pairs.
    pub grouping: Grouping,
    /// Which document of a cluster is the original.
    pub original: Original,
    /// How documents are turned into features.
    pub scheme: Scheme,
    /// Which features are left out because they are too common or too rare.
    #[serde(default)]
    pub frequency: Frequency,
    /// How near-duplicates are found.
    #[serde(default)]
    pub matcher: Matcher,
    /// A second look at each pair that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// What changed numbers mean. The guard works on a stream; a whole collection is compared
    /// plainly.
    #[serde(default, skip_serializing_if = "is_default")]
    pub numbers: Numbers,
    /// The model that weighs the grams of documents; then the scheme is its grams, and `weights` has
    /// no part in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Learned>,
    /// How documents are judged as they arrive.
    #[serde(default, skip_serializing_if = "is_default")]
    pub online: OnlineSettings,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Cuts by document frequency; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Frequency {
    /// Leave out features of fewer documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_documents: Option<u32>,
    /// Leave out features of more documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_documents: Option<u32>,
    /// Keep features whose normalised IDF, `log(N / df) / log(N)`, lies in this range. The papers'
    /// upper bound deletes what only small clusters share: see the README before using it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idf: Option<(f64, f64)>,
}

impl Frequency {
    /// Whether nothing is cut.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a feature of `df` out of `n` documents stays.
    pub(crate) fn keeps(&self, df: u32, n: u32) -> bool {
        let idf = |(low, high): (f64, f64)| {
            let (df, n) = (f64::from(df), f64::from(n));
            // A single document has no logarithm to divide by, and nothing to compare with.
            let idf = if n > 1.0 { (n / df).ln() / n.ln() } else { 0.0 };
            low <= idf && idf <= high
        };
        self.min_documents.is_none_or(|least| df >= least)
            && self.max_documents.is_none_or(|most| df <= most)
            && self.idf.is_none_or(idf)
    }
}

/// What to do where a model is missing.
const WITH_MODEL: &str = match cfg!(feature = "learn") {
    true => "name its file with --model",
    false => "this firsthand was built without models; one that was built with them takes --model",
};

/// Settings that cannot be used together or at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A size of the scheme that yields no features.
    #[error("{name} = {value} is not usable: it must be from 1 to {most}")]
    Size {
        /// The setting.
        name: &'static str,
        /// What it was set to.
        value: usize,
        /// The largest value that makes sense.
        most: usize,
    },
    /// A range of IDF values that is empty.
    #[error(
        "frequency.idf = [{0}, {1}] is not usable: write the lower bound first, both from 0 to 1"
    )]
    Idf(f64, f64),
    /// A share that leaves nothing or everything.
    #[error("{name} = {value} is not usable: it must be above 0 and below 1")]
    Share {
        /// The setting.
        name: &'static str,
        /// What it was set to.
        value: f64,
    },
    /// Bits that do not fill words.
    #[error("{name} = {bits} is not usable: it must be a multiple of 64 from 64 to 4096")]
    Bits {
        /// The setting.
        name: &'static str,
        /// What it was set to.
        bits: usize,
    },
    /// Groups that do not come out even.
    #[error(
        "matcher.hashes = {hashes} cannot be dealt out into groups of {group}: choose a multiple"
    )]
    Groups {
        /// Min-hashes in all.
        hashes: usize,
        /// Min-hashes in each group.
        group: usize,
    },
    /// Bands or rows alone.
    #[error("matcher.bands and matcher.rows go together: state both, or none to have them chosen")]
    HalfABand,
    /// A measure that says nothing about the Jaccard similarity.
    #[error(
        "bands cannot be chosen for the measure containment, which the smallest overlap can reach: \
         state matcher.bands and matcher.rows, or use the exact matcher"
    )]
    NoBands,
    /// A recall that so few hashes cannot reach.
    #[error(
        "no bands of {hashes} min-hashes meet {recall} of all pairs at threshold {threshold}: raise \
         matcher.hashes, or lower matcher.recall"
    )]
    TooFewHashes {
        /// The wanted recall.
        recall: f64,
        /// At this threshold.
        threshold: Threshold,
        /// The most hashes.
        hashes: usize,
    },
    /// Weights with a measure or a matcher that does not know them.
    #[error("weights do not go with {with}: {instead}")]
    Weights {
        /// What does not know them.
        with: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// A model that is known by its fingerprint only.
    #[error("the settings go with the model {0}, which is not here: {WITH_MODEL}")]
    NoModel(String),
    /// A setting that only whole collections know.
    #[error("{0} does not work on a stream: {1}")]
    NotOnline(&'static str, &'static str),
    /// A name that no profile or method has.
    #[error("there is no {kind} {name:?}: use one of {known}")]
    Unknown {
        /// `profile` or `method`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
}

impl Settings {
    /// The rule that decides about a pair.
    pub fn rule(&self) -> Rule {
        Rule { measure: self.measure, threshold: self.threshold }
    }

    /// The model, if the settings go with one; an error if it is not here.
    pub(crate) fn model(&self) -> Result<Option<&Model>, SettingsError> {
        match &self.model {
            None => Ok(None),
            Some(learned) => match learned.model() {
                Some(model) => Ok(Some(model)),
                None => Err(SettingsError::NoModel(learned.fingerprint().to_owned())),
            },
        }
    }

    /// Whether sketches decide about a pair, as in the papers. With a model they only propose, and
    /// the measure verifies.
    pub(crate) fn is_by_sketch(&self) -> bool {
        self.matcher.is_sketch() && self.model.is_none()
    }

    /// Checks what the types alone cannot.
    pub fn check(&self) -> Result<(), SettingsError> {
        let size = |name, value, most| {
            if (1..=most).contains(&value) {
                Ok(())
            } else {
                Err(SettingsError::Size { name, value, most })
            }
        };
        match &self.scheme {
            Scheme::Prose { n } | Scheme::Words { n } => size("scheme.n", *n, MOST_WORDS)?,
            Scheme::Chars { q } => size("scheme.q", *q, 256)?,
            Scheme::Spot(spot) => {
                size("scheme.distance", spot.distance, 64)?;
                size("scheme.chain", spot.chain, 64)?;
                size("scheme.grams", spot.grams, 256)?;
            }
        }
        self.matcher.check(self.rule())?;
        self.confirm.map_or(Ok(()), |confirm| confirm.check())?;
        self.check_weights()?;
        match self.frequency.idf {
            Some((low, high)) if !(0.0 <= low && low <= high && high <= 1.0) => {
                Err(SettingsError::Idf(low, high))
            }
            _ => Ok(()),
        }
    }
}

impl Settings {
    /// Checks that the settings are fit for a stream: nothing in them depends on a collection as a
    /// whole.
    pub fn check_online(&self) -> Result<(), SettingsError> {
        self.check()?;
        self.online.check(self.rule())?;
        let because = "it needs to know the whole collection";
        if self.weights != Weighting::Equal {
            return Err(SettingsError::NotOnline("weights = \"tf-idf\"", because));
        }
        if !self.frequency.is_off() {
            return Err(SettingsError::NotOnline("a cut by frequency", because));
        }
        let because = "use the exact matcher or bands";
        match self.matcher {
            Matcher::Exact | Matcher::Bands(_) => {}
            Matcher::Sketch { .. } => return Err(SettingsError::NotOnline("a sketch", because)),
            Matcher::Fingerprint { .. } => {
                return Err(SettingsError::NotOnline("a fingerprint", because));
            }
            Matcher::Bits { .. } => return Err(SettingsError::NotOnline("bits", because)),
        }
        match self.confirm {
            Some(_) => Err(SettingsError::NotOnline("a second look", because)),
            None => Ok(()),
        }
    }
}

impl Default for Settings {
    /// The profile `archive`.
    fn default() -> Self {
        Self {
            measure: Measure::Jaccard,
            threshold: Threshold::percent(45),
            multiset: false,
            weights: Weighting::Equal,
            min_features: 5,
            template: true,
            fold: false,
            grouping: Grouping::Star,
            original: Original::Earliest,
            scheme: Scheme::Prose { n: 3 },
            frequency: Frequency::default(),
            matcher: Matcher::Exact,
            confirm: None,
            numbers: Numbers::default(),
            model: None,
            online: OnlineSettings::default(),
        }
    }
}
