//! A round threshold between two scores.

use firsthand::settings::Threshold;

/// The threshold above `low` and not above `high` with the fewest decimals, and of those the one
/// nearest to the middle.
pub(super) fn between(low: f64, high: f64) -> Option<Threshold> {
    let middle = f64::midpoint(low, high);
    for digits in 1..=6u32 {
        let scale = 10u64.pow(digits);
        let at = |number: u64| number as f64 / scale as f64;
        let nearest = (middle * scale as f64).round() as u64;
        let fits = |number: &u64| at(*number) > low && at(*number) <= high;
        let near = [nearest, nearest.saturating_sub(1), nearest + 1];
        if let Some(number) = near.into_iter().find(fits) {
            return Threshold::new(number, scale).ok();
        }
    }
    // No number of six decimals lies between them: the score itself.
    format!("{high:.6}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_decimals_as_possible() {
        for (low, high, expected) in [
            (0.41, 0.57, "0.5"),
            (0.44, 0.47, "0.45"),
            (0.4412, 0.4436, "0.442"),
            (0.95, 1.0, "1"),
            (0.2, 0.9, "0.6"),
            (0.0, 0.04, "0.02"),
            (0.5, 0.5, "0.5"),
            (1.0 / 3.0 - 1e-9, 1.0 / 3.0, "0.333333"),
        ] {
            assert_eq!(between(low, high).unwrap().to_string(), expected, "{low} {high}");
        }
    }
}
