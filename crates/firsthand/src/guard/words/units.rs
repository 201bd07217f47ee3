//! Units, told apart by number. `units.txt` lists them.

use std::sync::LazyLock;

/// Currencies that have a sign.
pub(crate) mod money {
    pub(crate) const DOLLAR: u8 = 2;
    pub(crate) const EURO: u8 = 3;
    pub(crate) const POUND: u8 = 4;
    pub(crate) const YEN: u8 = 5;
    pub(crate) const RUPEE: u8 = 7;
    pub(crate) const ROUBLE: u8 = 10;
    pub(crate) const CENT: u8 = 11;
    pub(crate) const OTHER: u8 = 13;
}

/// Units of measurement that are read in a way of their own.
pub(crate) mod unit {
    pub(crate) const METRE: u8 = 32;
    pub(crate) const INCH: u8 = 34;
    pub(crate) const FOOT: u8 = 35;
    pub(crate) const DEGREE: u8 = 49;
    pub(crate) const SECOND: u8 = 50;
    pub(crate) const MINUTE: u8 = 51;
    pub(crate) const HOUR: u8 = 52;
    pub(crate) const YEAR: u8 = 56;
}

/// A line of `units.txt`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) number: u8,
    pub(crate) name: &'static str,
    /// What it measures, and its size in the base unit.
    pub(crate) measures: Option<(&'static str, f64)>,
}

static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
    let parse = |line: &'static str| {
        let mut parts = line.split(' ');
        let (number, name) = (parts.next()?.parse().ok()?, parts.next()?);
        let size = |part: &str| part.parse().ok();
        let measures = parts.next().zip(parts.next().and_then(size));
        Some(Unit { number, name, measures })
    };
    include_str!("units.txt").lines().filter_map(parse).collect()
});

impl Unit {
    /// The unit with this number.
    pub(crate) fn numbered(number: u8) -> Option<Self> {
        UNITS.iter().copied().find(|unit| unit.number == number)
    }

    /// The unit with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        UNITS.iter().copied().find(|unit| unit.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_units_have_the_numbers_of_the_list() {
        let units = [
            ("dollar", money::DOLLAR),
            ("euro", money::EURO),
            ("pound", money::POUND),
            ("yen", money::YEN),
            ("rupee", money::RUPEE),
            ("rouble", money::ROUBLE),
            ("cent", money::CENT),
            ("other", money::OTHER),
            ("metre", unit::METRE),
            ("inch", unit::INCH),
            ("foot", unit::FOOT),
            ("degree", unit::DEGREE),
            ("second", unit::SECOND),
            ("minute", unit::MINUTE),
            ("hour", unit::HOUR),
            ("year", unit::YEAR),
        ];
        for (name, number) in units {
            assert_eq!(Unit::named(name), Unit::numbered(number), "{name}");
        }
    }
}
