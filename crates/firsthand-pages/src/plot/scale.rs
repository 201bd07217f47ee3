//! From values to positions in a picture, with ticks at round values.

/// A range of values laid along a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    kind: Spacing,
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug)]
enum Spacing {
    Linear,
    /// Equal ratios take equal room; all values are above 0.
    Ratios,
    /// Like ratios, but from 0 on: for counts.
    Counts,
}

impl Scale {
    /// Equal differences take equal room.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { kind: Spacing::Linear, low, high }
    }

    /// Equal ratios take equal room; the ends are rounded away from each other.
    pub(crate) fn ratios(low: f64, high: f64) -> Self {
        let low = if low > 0.0 { low } else { 1e-6 };
        let high = high.max(low * 1.5);
        let outer = |value: f64, up: bool| {
            let power = 10f64.powf(value.log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
            if up {
                steps.into_iter().find(|step| *step >= value * 0.999).unwrap_or(value)
            } else {
                steps.into_iter().rev().find(|step| *step <= value * 1.001).unwrap_or(value)
            }
        };
        Self { kind: Spacing::Ratios, low: outer(low, false), high: outer(high, true) }
    }

    /// Counts from 0 on, on a log scale.
    pub(crate) fn counts(most: u64) -> Self {
        Self { kind: Spacing::Counts, low: 0.0, high: (most.max(1) as f64) * 1.15 }
    }

    pub(crate) fn low(self) -> f64 {
        self.low
    }

    pub(crate) fn high(self) -> f64 {
        self.high
    }

    /// The position of a value: 0 at the low end and 1 at the high end.
    pub(crate) fn share(self, value: f64) -> f64 {
        let bent = |value: f64| match self.kind {
            Spacing::Linear => value,
            Spacing::Ratios => value.max(1e-12).ln(),
            Spacing::Counts => value.max(0.0).ln_1p(),
        };
        (bent(value) - bent(self.low)) / (bent(self.high) - bent(self.low))
    }

    /// Round values within the range, about `most` of them.
    pub(crate) fn ticks(self, most: usize) -> Vec<f64> {
        match self.kind {
            Spacing::Linear => self.steps(most),
            Spacing::Ratios => self.powers(most),
            Spacing::Counts => {
                let mut ticks = vec![0.0];
                let above = Self { low: 1.0, ..self };
                ticks.extend(above.powers(most));
                ticks
            }
        }
    }

    fn steps(self, most: usize) -> Vec<f64> {
        let rough = (self.high - self.low) / most.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power);
        let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(rough);
        let (first, last) =
            ((self.low / step - 1e-6).ceil() as i64, (self.high / step + 1e-6).floor() as i64);
        (first..=last).map(|number| number as f64 * step).collect()
    }

    /// Powers of ten, with 2 and 5 times them where there is room.
    fn powers(self, most: usize) -> Vec<f64> {
        let (first, last) =
            (self.low.log10().floor() as i32, (self.high.log10() + 1e-9).floor() as i32);
        let decades = (last - first + 1).max(1) as usize;
        let steps: &[f64] = if decades * 3 <= most + 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = decades.div_ceil(most.max(1)).max(1);
        let powers = (first..=last).step_by(every);
        powers
            .flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)))
            .filter(|tick| *tick >= self.low * 0.999 && *tick <= self.high * 1.001)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let shown = |ticks: Vec<f64>| ticks.iter().map(|t| format!("{t:.3}")).collect::<Vec<_>>();
        assert_eq!(
            shown(Scale::linear(0.0, 1.0).ticks(5)),
            ["0.000", "0.200", "0.400", "0.600", "0.800", "1.000"]
        );
        assert_eq!(shown(Scale::linear(0.22, 0.41).ticks(4)), ["0.250", "0.300", "0.350", "0.400"]);
        assert_eq!(Scale::counts(900).ticks(5), [0.0, 1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(shown(Scale::ratios(0.013, 0.4).ticks(6)).len(), 6);
        assert!(Scale::ratios(1e-5, 1e7).ticks(6).len() <= 7);
    }

    #[test]
    fn ends_lie_at_the_ends() {
        for scale in [Scale::linear(0.2, 1.0), Scale::ratios(0.01, 3.0), Scale::counts(17)] {
            assert!(scale.share(scale.low()).abs() < 1e-9);
            assert!((scale.share(scale.high()) - 1.0).abs() < 1e-9);
            assert!(scale.share(scale.low() * 1.2 + 0.1) > 0.0);
        }
    }

    #[test]
    fn a_range_of_nothing_is_a_range_all_the_same() {
        for scale in [Scale::linear(0.5, 0.5), Scale::ratios(0.0, 0.0), Scale::counts(0)] {
            assert!(scale.share(0.7).is_finite());
            assert!(!scale.ticks(5).is_empty());
        }
    }
}
