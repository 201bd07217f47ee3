//! Scores as they are printed, everywhere.

/// Decimals of a score.
const DECIMALS: usize = 3;

/// A score with three decimals, cut rather than rounded: only 1 is shown as 1, and what is below a
/// threshold is shown below it. What is not a number is `-`.
///
/// ```
/// use firsthand::explain::score_text;
///
/// assert_eq!([0.4609, 0.9999, 1.0].map(score_text), ["0.460", "0.999", "1.000"]);
/// ```
pub fn score_text(score: f64) -> String {
    cut(score, DECIMALS)
}

/// The same beside a threshold: with as many decimals more as it takes to show which is higher.
pub(super) fn beside(score: f64, threshold: f64) -> String {
    let same_side = |digits: &usize| {
        let shown: f64 = cut(score, *digits).parse().unwrap_or(score);
        (shown < threshold) == (score < threshold) || score == threshold
    };
    cut(score, (DECIMALS..7).find(same_side).unwrap_or(7))
}

fn cut(score: f64, digits: usize) -> String {
    if !score.is_finite() {
        return "-".to_owned();
    }
    let parts = 10f64.powi(digits as i32);
    // What stands for 0.29 may be a little less; that must not make it 0.289.
    format!("{:.digits$}", (score * parts + 1e-6).floor() / parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_shown_as_one() {
        let scores = [1.0, 0.999_9, 0.29, 0.44, 2.0 / 3.0, -0.02, f64::NAN];
        let shown = ["1.000", "0.999", "0.290", "0.440", "0.666", "-0.020", "-"];
        assert_eq!(scores.map(score_text), shown);
    }

    #[test]
    fn what_is_shown_never_contradicts_the_verdict() {
        assert_eq!(beside(0.788_46, 0.44), "0.788");
        assert_eq!(beside(0.439_9, 0.44), "0.439");
        assert_eq!(beside(0.44, 0.44), "0.440");
        assert_eq!(beside(1.0 / 3.0, 1.0 / 3.0), "0.333");
        assert_eq!(beside(0.855_7, 0.855_5), "0.8557");
        assert_eq!(beside(244.0 / 245.0, 0.44), "0.995");
        assert_eq!(beside(1.0, 1.0), "1.000");
    }
}
