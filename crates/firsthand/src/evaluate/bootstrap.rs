//! Bootstrap intervals: the same figure on many draws of the labels.

use super::{sample::Sample, truth::Truth};
use rayon::prelude::*;

/// A value with its 95 % interval.
///
/// ```
/// use firsthand::evaluate::Interval;
///
/// let interval = Interval::new(0.5, (0..=100).map(|percent| f64::from(percent) / 100.0));
/// assert!(interval.low < interval.value && interval.value < interval.high);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The value on all labels.
    pub value: f64,
    /// 2.5 % of the draws are below this.
    pub low: f64,
    /// 2.5 % of the draws are above this.
    pub high: f64,
}

impl Interval {
    /// The percentile interval; without draws it is just the value. Draws without a figure (NaN)
    /// are left out.
    pub fn new(value: f64, draws: impl IntoIterator<Item = f64>) -> Self {
        let mut draws: Vec<f64> = draws.into_iter().filter(|draw| !draw.is_nan()).collect();
        draws.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| {
            let at = share * draws.len().saturating_sub(1) as f64;
            let low = draws.get(at.floor() as usize).copied().unwrap_or(value);
            let high = draws.get(at.ceil() as usize).copied().unwrap_or(value);
            low + (high - low) * at.fract()
        };
        Self { value, low: quantile(0.025), high: quantile(0.975) }
    }
}

/// A figure on each of many draws of the labels, in order. The same seed gives the same draws, so
/// the figures of two methods are paired.
pub fn draws<T: Send>(
    truth: &Truth,
    count: usize,
    seed: u64,
    figure: impl Fn(&Sample) -> T + Sync,
) -> Vec<T> {
    (0..count as u64)
        .into_par_iter()
        .map(|number| figure(&Sample::draw(truth, seed, number)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_hand() {
        let interval = Interval::new(50.0, (0..=200).rev().map(f64::from));
        assert_eq!(interval, Interval { value: 50.0, low: 5.0, high: 195.0 });
        assert_eq!(Interval::new(0.5, [1.0, 2.0]).low, 1.025);
        assert_eq!(Interval::new(0.5, []), Interval { value: 0.5, low: 0.5, high: 0.5 });
    }
}
