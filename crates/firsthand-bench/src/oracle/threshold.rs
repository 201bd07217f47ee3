//! A threshold as a fraction, so that a pair exactly on it is not lost to rounding.

use std::fmt;
use std::str::FromStr;

/// A share above 0 and up to 1, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OracleThreshold {
    numerator: u64,
    denominator: u64,
}

impl OracleThreshold {
    /// Whether `both` out of `either` reaches the threshold.
    pub(crate) fn reached(self, both: u32, either: u32) -> bool {
        u128::from(both) * u128::from(self.denominator)
            >= u128::from(either) * u128::from(self.numerator)
    }
}

/// The text is not a decimal number above 0 and up to 1.
#[derive(Debug)]
pub(crate) struct BadThreshold;

impl fmt::Display for BadThreshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a threshold is a decimal number above 0 and at most 1, such as 0.8")
    }
}

impl std::error::Error for BadThreshold {}

impl FromStr for OracleThreshold {
    type Err = BadThreshold;

    fn from_str(text: &str) -> Result<Self, BadThreshold> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) || decimals.is_empty() || decimals.len() > 15 {
            return Err(BadThreshold);
        }
        let numerator = format!("{whole}{decimals}").parse().map_err(|_| BadThreshold)?;
        let denominator = 10u64.pow(decimals.len() as u32);
        match (1..=denominator).contains(&numerator) {
            true => Ok(Self { numerator, denominator }),
            false => Err(BadThreshold),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_fractions() {
        for (text, numerator, denominator) in
            [("0.8", 8, 10), (".75", 75, 100), ("1", 10, 10), ("1.00", 100, 100)]
        {
            let read: OracleThreshold = text.parse().expect(text);
            assert_eq!(read, OracleThreshold { numerator, denominator }, "{text}");
        }
    }

    #[test]
    fn values_outside_0_to_1_are_refused() {
        for text in ["", "0", "0.0", "1.01", "-0.5", "0,8", "0.8x", "0.", "1e-1"] {
            assert!(text.parse::<OracleThreshold>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_edge_is_inside() {
        // In doubles 0.14 * 50 is 7.000000000000001, and the pair would be lost.
        let threshold: OracleThreshold = "0.14".parse().expect("a threshold");
        assert!(threshold.reached(7, 50));
        assert!(!threshold.reached(7, 51));
    }
}
