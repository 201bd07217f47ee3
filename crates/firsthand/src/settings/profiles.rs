//! Settings by name: profiles for kinds of users, and methods from papers.

use super::{
    Bands, Collisions, Confirm, Frequency, Grouping, Matcher, Numbers, Reading, Settings,
    SettingsError, Stream, Window,
};
use crate::{
    measure::Measure,
    scheme::{Scheme, Spot},
    threshold::Threshold,
    weights::Weighting,
};

/// The names of profiles, and what they are for. The first is the default.
pub const PROFILES: [(&str, &str); 5] = [
    ("archive", "web and news archives: clusters of copies, whatever their layout"),
    ("feed", "news feeds: stop copies, and hardly ever an original"),
    ("alert", "situation monitoring: miss no original"),
    ("mail", "mailboxes: find campaigns in spite of changed words"),
    ("corpus", "training text: remove only clear near-duplicates"),
];

/// The names of methods, and the papers that they follow.
pub const METHODS: [(&str, &str); 14] = [
    ("spotsigs", "spot signatures, multi-set Jaccard (Theobald et al. 2008)"),
    ("shingles", "word shingles, Jaccard (Broder et al. 1997)"),
    ("ddd", "character q-grams, overlap over the larger set (DDD)"),
    ("nrc", "sketches that collide, then n-gram overlap; on a stream (Rodier, Carter 2020)"),
    ("cosine", "terms or k-grams with TF-IDF weights, cosine, all pairs"),
    ("lsh", "min-hash bands over shingles, verified (Indyk, Motwani 1998)"),
    ("lsh-s", "min-hash bands over spot signatures, verified (Theobald et al. 2008)"),
    ("i-match", "one fingerprint of terms in an IDF range (Chowdhury et al. 2002)"),
    ("i-match-s", "one fingerprint of spot signatures in an IDF range (Theobald et al. 2008)"),
    ("i-match-r", "fingerprints of eleven randomised lexicons (Kołcz et al. 2004)"),
    ("shingles-sketch", "84 min-hashes of shingles, the share that agrees (Broder 1997)"),
    ("super-shingles", "two of six super-shingles agree (Broder 2000, Fetterly et al. 2003)"),
    ("simhash", "random projections, the share of bits that agrees (Charikar 2002)"),
    ("henzinger", "super-shingles, confirmed by random projections (Henzinger 2006)"),
];

impl Settings {
    /// The settings of a profile.
    ///
    /// # Errors
    ///
    /// If there is no profile of that name.
    pub fn profile(name: &str) -> Result<Self, SettingsError> {
        let base = Self::default();
        Ok(match name {
            "archive" => base,
            "feed" => Self { threshold: Threshold::percent(50), stream: by_the_day(), ..base },
            // A changed number of cases is news.
            "alert" => Self {
                threshold: Threshold::percent(53),
                stream: Stream { numbers: Some(Numbers::Guard), ..base.stream },
                ..base
            },
            // Campaigns change words here and there. Pairs of words survive that, and still tell messages
            // apart that only share a topic. Campaigns also obfuscate words, hence `fold`.
            "mail" => Self {
                scheme: Scheme::Words { n: 2 },
                threshold: Threshold::percent(48),
                multiset: true,
                min_features: 10,
                fold: true,
                reading: Reading { mail: true, ..base.reading },
                ..base
            },
            "corpus" => Self {
                scheme: Scheme::Words { n: 5 },
                threshold: Threshold::percent(80),
                multiset: false,
                template: false,
                ..base
            },
            _ => return Err(unknown("profile", name, &PROFILES)),
        })
    }

    /// The settings of a method as in its paper: without our templates and our rule for short documents.
    ///
    /// # Errors
    ///
    /// If there is no method of that name.
    pub fn method(name: &str) -> Result<Self, SettingsError> {
        let base = Self { template: false, min_features: 1, ..Self::default() };
        Ok(match name {
            "spotsigs" => Self {
                scheme: Scheme::Spot(Spot {
                    distance: 2,
                    chain: 3,
                    min_spots: 1,
                    ..Spot::default()
                }),
                threshold: Threshold::percent(44),
                multiset: true,
                frequency: Frequency::default(),
                ..base
            },
            "shingles" => Self {
                scheme: Scheme::Words { n: 3 },
                threshold: Threshold::percent(50),
                multiset: false,
                ..base
            },
            "ddd" => Self {
                scheme: Scheme::Chars { q: 4 },
                measure: Measure::MaxOverlap,
                threshold: Threshold::percent(70),
                multiset: false,
                // A near-duplicate of any document in the window is a duplicate.
                stream: Stream {
                    matcher: Some(Matcher::Exact),
                    grouping: Some(Grouping::Chain),
                    ..by_the_day()
                },
                ..base
            },
            // The printed overlaps of the paper's examples are Dice coefficients of 4-grams, while
            // its sketches are of 3-grams.
            "nrc" => Self {
                scheme: Scheme::Words { n: 4 },
                measure: Measure::Dice,
                threshold: Threshold::percent(20),
                multiset: false,
                stream: Stream {
                    matcher: Some(Matcher::Collisions(Collisions::default())),
                    grouping: Some(Grouping::Chain),
                    ..Stream::default()
                },
                ..base
            },
            "cosine" => Self {
                scheme: Scheme::Words { n: 1 },
                measure: Measure::Cosine,
                weights: Weighting::TfIdf,
                threshold: Threshold::percent(80),
                ..base
            },
            "lsh" => Self { matcher: Some(papers_bands()), ..Self::method("shingles")? },
            "lsh-s" => Self { matcher: Some(papers_bands()), ..Self::method("spotsigs")? },
            "i-match" => fingerprint(Self { scheme: Scheme::Words { n: 1 }, ..base }),
            "i-match-s" => fingerprint(Self { multiset: false, ..Self::method("spotsigs")? }),
            // At least one of the eleven fingerprints must agree.
            "i-match-r" => Self {
                matcher: Some(Matcher::Fingerprint { lexicons: 11, keep: 0.7 }),
                threshold: Threshold::ratio(1, 11),
                ..Self::method("i-match")?
            },
            "shingles-sketch" => Self {
                matcher: Some(Matcher::Sketch { hashes: 84, group: 1 }),
                ..Self::method("shingles")?
            },
            "super-shingles" => Self {
                scheme: Scheme::Words { n: 8 },
                matcher: Some(Matcher::Sketch { hashes: 84, group: 14 }),
                threshold: Threshold::ratio(2, 6),
                ..base
            },
            "simhash" => Self {
                scheme: Scheme::Words { n: 1 },
                multiset: true,
                matcher: Some(Matcher::Bits { bits: 384 }),
                threshold: Threshold::ratio(372, 384),
                ..base
            },
            "henzinger" => Self {
                confirm: Some(Confirm { bits: 384, threshold: Threshold::ratio(355, 384) }),
                ..Self::method("super-shingles")?
            },
            _ => return Err(unknown("method", name, &METHODS)),
        })
    }
}

/// A window of 24 hours.
fn by_the_day() -> Stream {
    let window = Window { milliseconds: Some(24 * 60 * 60 * 1000), ..Window::default() };
    Stream { window, ..Stream::default() }
}

/// The bands of the SpotSigs paper: 32 of six rows.
fn papers_bands() -> Matcher {
    Matcher::Bands(Bands { bands: Some(32), rows: Some(6), ..Bands::default() })
}

/// One fingerprint of all features in the IDF range of the papers, which must be equal.
fn fingerprint(base: Settings) -> Settings {
    Settings {
        matcher: Some(Matcher::Fingerprint { lexicons: 1, keep: 0.7 }),
        frequency: Frequency { idf: Some((0.4, 0.75)), ..Frequency::default() },
        threshold: Threshold::percent(100),
        // As in the paper: documents with few features, all of them common, agree by chance.
        min_features: 5,
        ..base
    }
}

fn unknown(kind: &'static str, name: &str, known: &[(&str, &str)]) -> SettingsError {
    let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    SettingsError::Unknown { kind, name: name.to_owned(), known: known.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_usable_configuration() {
        for (name, _) in PROFILES {
            Settings::profile(name).unwrap().check_collection().unwrap();
        }
        for (name, _) in METHODS {
            Settings::method(name).unwrap().check_collection().unwrap();
        }
        assert_eq!(Settings::profile(PROFILES[0].0).unwrap(), Settings::default());
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Settings::method("minhash").unwrap_err().to_string();
        assert!(error.starts_with("there is no method \"minhash\": use one of spotsigs, shingles"));
    }
}
