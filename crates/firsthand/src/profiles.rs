//! Named configurations: profiles for kinds of users, methods after papers.

use crate::{
    config::{Config, ConfigError, Frequency},
    measure::Measure,
    scheme::{Scheme, Spot},
    threshold::Threshold,
};

/// Names and what they stand for. The first is the default.
pub const PROFILES: [(&str, &str); 5] = [
    ("archive", "web and news archives: copies in other layouts, collected into sets"),
    ("feed", "a flow of news: copies stopped, hardly ever an original"),
    ("alert", "situation analysis: every original seen"),
    ("mail", "mailboxes: campaigns behind changed words"),
    ("corpus", "training text: only plain near-copies removed"),
];

/// Names and the papers they follow.
pub const METHODS: [(&str, &str); 3] = [
    ("spotsigs", "spot signatures, multi-set Jaccard (Theobald et al. 2008)"),
    ("shingles", "word shingles, Jaccard (Broder et al. 1997)"),
    ("ddd", "character q-grams, overlap over the larger set (DDD)"),
];

impl Config {
    /// The configuration of a profile.
    pub fn profile(name: &str) -> Result<Self, ConfigError> {
        let base = Self::default();
        Ok(match name {
            "archive" => base,
            "feed" => Self { threshold: Threshold::percent(50), ..base },
            "alert" => Self { threshold: Threshold::percent(60), ..base },
            // Campaigns change and shuffle words: a bag of single words bears that best. They also
            // disguise them.
            "mail" => Self {
                scheme: Scheme::Words { n: 1 },
                threshold: Threshold::percent(63),
                multiset: true,
                min_features: 10,
                fold: true,
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

    /// The configuration of a method: as its paper has it, without our templates and short rule.
    pub fn method(name: &str) -> Result<Self, ConfigError> {
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
                ..base
            },
            _ => return Err(unknown("method", name, &METHODS)),
        })
    }
}

fn unknown(kind: &'static str, name: &str, known: &[(&str, &str)]) -> ConfigError {
    let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    ConfigError::Unknown { kind, name: name.to_owned(), known: known.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_usable_configuration() {
        for (name, _) in PROFILES {
            Config::profile(name).unwrap().check().unwrap();
        }
        for (name, _) in METHODS {
            Config::method(name).unwrap().check().unwrap();
        }
        assert_eq!(Config::profile(PROFILES[0].0).unwrap(), Config::default());
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Config::method("minhash").unwrap_err().to_string();
        assert_eq!(error, "there is no method \"minhash\": use one of spotsigs, shingles, ddd");
    }
}
