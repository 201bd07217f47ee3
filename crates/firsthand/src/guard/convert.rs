//! The same quantity in another unit: 39 feet are 12 metres.

use super::{value::Decimal, words::unit};

/// Relative difference up to which converted, and so rounded, amounts count as equal.
const TOLERANCE: f64 = 0.1;

/// What a unit measures, and its size in the base unit.
fn basic(unit: u8) -> Option<(char, f64)> {
    Some(match unit {
        unit::MILLIMETRE => ('l', 0.001),
        unit::CENTIMETRE => ('l', 0.01),
        unit::METRE => ('l', 1.0),
        unit::KILOMETRE => ('l', 1000.0),
        unit::INCH => ('l', 0.0254),
        unit::FOOT => ('l', 0.3048),
        unit::YARD => ('l', 0.9144),
        unit::MILE => ('l', 1609.344),
        unit::MILLIGRAM => ('w', 0.001),
        unit::GRAM => ('w', 1.0),
        unit::KILOGRAM => ('w', 1000.0),
        unit::TONNE => ('w', 1e6),
        unit::OUNCE => ('w', 28.35),
        unit::MILLILITRE => ('v', 0.001),
        unit::LITRE => ('v', 1.0),
        unit::GALLON => ('v', 3.785),
        unit::BARREL => ('v', 158.987),
        unit::HECTARE => ('a', 1.0),
        unit::ACRE => ('a', 0.4047),
        unit::SECOND => ('t', 1.0),
        unit::MINUTE => ('t', 60.0),
        unit::HOUR => ('t', 3600.0),
        unit::DAY => ('t', 86_400.0),
        unit::WEEK => ('t', 604_800.0),
        unit::MONTH => ('t', 2_629_746.0),
        unit::YEAR => ('t', 31_556_952.0),
        unit::KILOMETRE_AN_HOUR => ('s', 1.0),
        unit::MILE_AN_HOUR => ('s', 1.609),
        unit::WATT => ('p', 1.0),
        unit::KILOWATT => ('p', 1e3),
        unit::MEGAWATT => ('p', 1e6),
        unit::GIGAWATT => ('p', 1e9),
        unit::MEGABYTE => ('b', 1e6),
        unit::GIGABYTE => ('b', 1e9),
        unit::TERABYTE => ('b', 1e12),
        _ => return None,
    })
}

/// Whether two amounts in different units are about equal.
pub(super) fn alike((a, a_unit): (Decimal, u8), (b, b_unit): (Decimal, u8)) -> bool {
    let (Some((a_sort, a_factor)), Some((b_sort, b_factor))) = (basic(a_unit), basic(b_unit))
    else {
        return false;
    };
    let float = |value: Decimal| value.digits as f64 * 10f64.powi(value.scale.into());
    let (a, b) = (float(a) * a_factor, float(b) * b_factor);
    a_unit != b_unit && a_sort == b_sort && (a - b).abs() <= TOLERANCE * a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_and_metres() {
        let alike =
            |a, a_unit, b, b_unit| alike((Decimal::whole(a), a_unit), (Decimal::whole(b), b_unit));
        assert!(alike(39, unit::FOOT, 12, unit::METRE));
        assert!(alike(16, unit::FOOT, 5, unit::METRE));
        assert!(alike(11, unit::MILE, 18, unit::KILOMETRE));
        assert!(alike(2, unit::WEEK, 14, unit::DAY));
        assert!(!alike(48, unit::HOUR, 48, unit::MINUTE));
        assert!(!alike(5, unit::MILE, 5, unit::KILOMETRE));
        assert!(!alike(5, unit::METRE, 5, unit::LITRE));
        assert!(!alike(5, unit::METRE, 5, unit::METRE));
    }
}
