//! Bounds that a threshold sets on vectors, in doubles with a little slack: they only rule pairs
//! out.
//!
//! The *size* of a vector is its length, or for Jaccard its sum. What two vectors share in a part
//! of their features is at most the product of the sizes of these parts (Cauchy–Schwarz), or for
//! Jaccard the smaller of them.

use crate::{
    measure::{Measure, Rule},
    weights::is_dot,
};

/// More than the accumulated rounding error of a bound, relative to it.
const SLACK: f64 = 1e-8;

/// The bounds of a rule.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    measure: Measure,
    /// The threshold.
    t: f64,
    /// The least share of the size that a part must have to share enough with a partner that is not
    /// larger, and with one that is not smaller.
    pub(super) probed: f64,
    pub(super) indexed: f64,
}

impl Bounds {
    pub(super) fn new(rule: Rule) -> Self {
        let t = rule.threshold.value() * (1.0 - SLACK);
        // Partners of the same size require the least length: x / y + y / x is then smallest.
        let equal = 2.0 * t / (1.0 + t);
        let (probed, indexed) = match rule.measure {
            Measure::Cosine => (t, t),
            Measure::ExtendedJaccard => (equal, equal),
            _ => (t, equal),
        };
        Self { measure: rule.measure, t, probed, indexed }
    }

    /// The size of a vector, or of a part of it, by its mass.
    pub(super) fn size(self, mass: f64) -> f64 {
        if is_dot(self.measure) { mass.sqrt() } else { mass }
    }

    /// What a feature contributes to the mass.
    pub(super) fn mass(self, weight: u32) -> u64 {
        let weight = u64::from(weight);
        if is_dot(self.measure) { weight * weight } else { weight }
    }

    /// The size of the smallest partner of a vector of size `x`.
    pub(super) fn smallest(self, x: f64) -> f64 {
        let t = self.t;
        match self.measure {
            Measure::Cosine => 0.0,
            // Where x / y + y / x = (1 + t) / t.
            Measure::ExtendedJaccard => {
                let root = ((1.0 - t) * (1.0 + 3.0 * t)).max(0.0).sqrt();
                x * 2.0 * t / (1.0 + t + root) * (1.0 - SLACK)
            }
            _ => x * t * (1.0 - SLACK),
        }
    }

    /// The least that vectors of these sizes must share.
    #[inline(always)]
    pub(super) fn least(self, x: f64, y: f64) -> f64 {
        let t = self.t;
        match self.measure {
            Measure::Cosine => t * x * y,
            Measure::ExtendedJaccard => t / (1.0 + t) * (x * x + y * y),
            _ => t / (1.0 + t) * (x + y),
        }
    }
}

/// The nearest `f32` that is not below, for numbers that are not negative.
pub(super) fn up(number: f64) -> f32 {
    // An `f32` is off by less than 2⁻²³ of the number.
    (number * (1.0 + f64::from(f32::EPSILON))) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{threshold::Threshold, weights};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_that_reaches_the_threshold_is_below_a_bound(
            x in prop::collection::vec(0u32..50, 1..6),
            y in prop::collection::vec(0u32..50, 1..6),
            hundredths in 1u64..=100,
            measure in prop::sample::select(
                vec![Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard]),
        ) {
            let features: Vec<u64> = (0..6).collect();
            let (a, b) = ((&features[..x.len()], &x[..]), (&features[..y.len()], &y[..]));
            let rule = Rule { measure, threshold: Threshold::new(hundredths, 100).unwrap() };
            let shared = weights::shared(measure, a, b);
            let (p, q) = (weights::mass(measure, &x), weights::mass(measure, &y));
            if weights::reaches(rule, shared, p, q) {
                let bounds = Bounds::new(rule);
                let (p, q) = (bounds.size(p as f64), bounds.size(q as f64));
                let (small, large) = (p.min(q), p.max(q));
                prop_assert!(shared as f64 >= bounds.least(p, q));
                prop_assert!(small >= bounds.smallest(large));
                let most = |part: f64, other: f64| if weights::is_dot(measure) {
                    part * other
                } else {
                    part
                };
                prop_assert!(bounds.least(p, q) >= most(bounds.probed * large, small) * (1.0 - 1e-6));
                prop_assert!(bounds.least(p, q) >= most(bounds.indexed * small, large) * (1.0 - 1e-6));
            }
        }

        #[test]
        fn rounding_up_is_up(number in 0.0..1e12f64) {
            prop_assert!(f64::from(up(number)) >= number);
            prop_assert!(f64::from(up(number)) <= number * 1.000_001);
        }
    }
}
