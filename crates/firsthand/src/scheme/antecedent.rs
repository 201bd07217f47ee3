//! Antecedents in the notation of the paper: `the(2,3)`.

use crate::tokens::Tokens;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// A word at which signatures start, with its own distance and chain length if it states them.
///
/// ```
/// use firsthand::settings::Antecedent;
///
/// let antecedent: Antecedent = "the(2,3)".parse()?;
/// assert_eq!((&*antecedent.word, antecedent.steps), ("the", Some((2, 3))));
/// assert!("the(2".parse::<Antecedent>().is_err());
/// # Ok::<(), firsthand::settings::AntecedentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antecedent {
    /// The word, in lower case.
    pub word: String,
    /// Distance and chain length.
    pub steps: Option<(usize, usize)>,
}

/// An antecedent that cannot be parsed.
///
/// ```
/// use firsthand::settings::Antecedent;
///
/// let error = "of the".parse::<Antecedent>().unwrap_err();
/// assert!(error.to_string().starts_with("antecedent \"of the\" is not usable: write one word"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "antecedent {0:?} is not usable: write one word, with distance and chain length if they differ, such as the(2,3)"
)]
pub struct AntecedentError(String);

impl FromStr for Antecedent {
    type Err = AntecedentError;

    fn from_str(written: &str) -> Result<Self, AntecedentError> {
        let bad = || AntecedentError(written.to_owned());
        let (word, steps) = match written.trim().split_once('(') {
            None => (written.trim(), None),
            Some((word, rest)) => {
                let (distance, chain) =
                    rest.strip_suffix(')').and_then(|rest| rest.split_once(',')).ok_or_else(bad)?;
                let number = |part: &str| part.trim().parse::<usize>().ok().filter(|&n| n > 0);
                let steps = number(distance).zip(number(chain)).ok_or_else(bad)?;
                (word, Some(steps))
            }
        };
        let tokens = Tokens::new(word);
        if tokens.len() != 1 {
            return Err(bad());
        }
        Ok(Self { word: tokens.word(0).to_owned(), steps })
    }
}

impl fmt::Display for Antecedent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.steps {
            Some((distance, chain)) => write!(f, "{}({distance},{chain})", self.word),
            None => f.write_str(&self.word),
        }
    }
}

impl Serialize for Antecedent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Antecedent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_antecedents_are_reported() {
        for written in ["", "two words", "the(", "the(1)", "the(0,2)", "the(a,b)"] {
            let error = written.parse::<Antecedent>().unwrap_err().to_string();
            assert!(error.contains(&format!("{written:?}")), "{error}");
        }
        assert_eq!("The(2, 3)".parse::<Antecedent>().unwrap().to_string(), "the(2,3)");
    }
}
