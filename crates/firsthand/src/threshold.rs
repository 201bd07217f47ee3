//! Thresholds as exact fractions: a pair exactly on the threshold is decided in integers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// The largest denominator; decimals may have up to six digits.
const LARGEST: u64 = 1_000_000;

/// A similarity threshold, a fraction in (0, 1].
///
/// Doubles lose pairs that lie exactly on the threshold (`1 - 0.9` is not `0.1`), so a threshold is
/// kept as written, `0.44` as 11/25, and every decision multiplies instead of dividing.
///
/// ```
/// use firsthand::settings::Threshold;
///
/// let threshold: Threshold = "0.44".parse()?;
/// assert_eq!((threshold.numerator(), threshold.denominator()), (11, 25));
/// assert!("1.2".parse::<Threshold>().is_err());
/// # Ok::<(), firsthand::settings::ThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    numerator: u64,
    denominator: u64,
}

/// A threshold that cannot be used.
///
/// ```
/// use firsthand::settings::Threshold;
///
/// // As percent, it would be above 1.
/// let error = "80".parse::<Threshold>().unwrap_err();
/// assert!(error.to_string().starts_with("threshold \"80\" is not usable"));
/// assert!(Threshold::new(80, 100).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "threshold {0:?} is not usable: write a decimal or a fraction above 0 and up to 1, such as 0.8 or 4/5 (at most six decimals)"
)]
pub struct ThresholdError(String);

impl Threshold {
    /// The fraction `numerator / denominator`, reduced.
    ///
    /// # Errors
    ///
    /// The fraction is not in (0, 1], or its reduced denominator exceeds a million.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, ThresholdError> {
        let bad = || ThresholdError(format!("{numerator}/{denominator}"));
        if numerator == 0 || denominator == 0 || numerator > denominator {
            return Err(bad());
        }
        let divisor = gcd(numerator, denominator);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        if denominator > LARGEST {
            return Err(bad());
        }
        Ok(Self { numerator, denominator })
    }

    /// A threshold in hundredths, for settings written in code.
    pub(crate) const fn percent(hundredths: u64) -> Self {
        Self::ratio(hundredths, 100)
    }

    /// A ratio of small integers, for settings written in code.
    pub(crate) const fn ratio(numerator: u64, denominator: u64) -> Self {
        let divisor = gcd(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator of the reduced fraction.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest double, for display.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(written: &str) -> Result<Self, ThresholdError> {
        let bad = || ThresholdError(written.to_owned());
        let text = written.trim();
        if let Some((numerator, denominator)) = text.split_once('/') {
            let number = |part: &str| part.trim().parse::<u64>().map_err(|_| bad());
            return Self::new(number(numerator)?, number(denominator)?).map_err(|_| bad());
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if decimals.len() > 6
            || !digits(whole)
            || !digits(decimals)
            || text.len() < 2 && text != "1"
        {
            return Err(bad());
        }
        let scale = 10u64.pow(decimals.len() as u32);
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| bad())? };
        let part: u64 =
            if decimals.is_empty() { 0 } else { decimals.parse().map_err(|_| bad())? };
        let numerator =
            whole.checked_mul(scale).and_then(|w| w.checked_add(part)).ok_or_else(bad)?;
        Self::new(numerator, scale).map_err(|_| bad())
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As a decimal where that is exact, otherwise as a fraction.
        if LARGEST.is_multiple_of(self.denominator) {
            let millionths = self.numerator * (LARGEST / self.denominator);
            let decimals = format!("{millionths:07}");
            let (whole, part) = decimals.split_at(decimals.len() - 6);
            let part = part.trim_end_matches('0');
            return if part.is_empty() {
                write!(f, "{whole}")
            } else {
                write!(f, "{whole}.{part}")
            };
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrText {
            Text(String),
            Whole(u64),
            Decimal(f64),
        }
        // The shortest decimal that reads back as the same double is what the user wrote.
        let text = match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Text(text) => text,
            NumberOrText::Whole(number) => number.to_string(),
            NumberOrText::Decimal(number) => number.to_string(),
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_decimals_and_fractions() {
        for (written, numerator, denominator, shown) in [
            ("0.8", 4, 5, "0.8"),
            (".44", 11, 25, "0.44"),
            ("1", 1, 1, "1"),
            ("1.0", 1, 1, "1"),
            ("0.333333", 333_333, 1_000_000, "0.333333"),
            ("1/3", 1, 3, "1/3"),
            (" 9/10 ", 9, 10, "0.9"),
        ] {
            let threshold: Threshold = written.parse().unwrap();
            assert_eq!((threshold.numerator, threshold.denominator), (numerator, denominator));
            assert_eq!(threshold.to_string(), shown);
        }
    }

    #[test]
    fn refuses_values_outside_0_to_1() {
        for written in ["", "0", "0.0", "1.1", "-0.5", "80%", "0,8", ".", "3/2", "1/0", "0.1234567"]
        {
            let error = written.parse::<Threshold>().unwrap_err().to_string();
            assert!(error.contains(&format!("{written:?}")), "{error}");
        }
    }
}
