//! The same quantity in another unit: 39 feet are 12 metres.

use super::{value::Decimal, words::Unit};

/// Relative difference up to which converted, and so rounded, amounts count as equal.
const TOLERANCE: f64 = 0.1;

/// Whether two amounts in different units are about equal.
pub(super) fn alike((a, a_unit): (Decimal, u8), (b, b_unit): (Decimal, u8)) -> bool {
    let measures = |unit| Unit::numbered(unit)?.measures;
    let (Some((a_sort, a_factor)), Some((b_sort, b_factor))) = (measures(a_unit), measures(b_unit))
    else {
        return false;
    };
    if a_unit == b_unit || a_sort != b_sort {
        return false;
    }
    // The same unit under another name: nothing was rounded.
    if a_factor == b_factor {
        return a == b;
    }
    let float = |value: Decimal| value.digits as f64 * 10f64.powi(value.scale.into());
    let (a, b) = (float(a) * a_factor, float(b) * b_factor);
    (a - b).abs() <= TOLERANCE * a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_and_metres() {
        let alike = |a, a_unit, b, b_unit| {
            let number = |name| Unit::named(name).unwrap().number;
            alike((Decimal::whole(a), number(a_unit)), (Decimal::whole(b), number(b_unit)))
        };
        assert!(alike(39, "foot", 12, "metre"));
        assert!(alike(16, "foot", 5, "metre"));
        assert!(alike(11, "mile", 18, "kilometre"));
        assert!(alike(2, "week", 14, "day"));
        assert!(!alike(48, "hour", 48, "minute"));
        assert!(!alike(5, "mile", 5, "kilometre"));
        assert!(!alike(5, "metre", 5, "litre"));
        assert!(!alike(5, "metre", 5, "metre"));
    }
}
