//! Part of the labels: how often each unit counts.

use super::{random::Random, truth::Truth};

/// How often each unit of a [`Truth`] counts: once, never, or as often as it was drawn.
///
/// A pair within one unit counts as often as the unit, a pair across two as often as their product.
///
/// ```
/// use firsthand::evaluate::{Label, Sample, Truth};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// assert_eq!(Sample::whole(&truth).positives(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    weights: Vec<u32>,
    positives: u64,
}

impl Sample {
    /// All labels, once.
    pub fn whole(truth: &Truth) -> Self {
        Self::new(truth, vec![1; truth.units()])
    }

    /// The given units, once each.
    pub fn only(truth: &Truth, takes: impl Fn(u32) -> bool) -> Self {
        let weights = (0..truth.units() as u32).map(|unit| u32::from(takes(unit))).collect();
        Self::new(truth, weights)
    }

    /// As many units as there are, drawn with replacement; the same seed and number give the same
    /// draw.
    ///
    /// A draw without positive pairs, which has no recall, is drawn again.
    pub fn draw(truth: &Truth, seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed, number);
        loop {
            let mut weights = vec![0; truth.units()];
            for _ in 0..weights.len() {
                let unit = random.below(weights.len());
                weights[unit] += 1;
            }
            let drawn = Self::new(truth, weights);
            if drawn.positives > 0 || truth.positives() == 0 {
                return drawn;
            }
        }
    }

    /// Splits the units into two random halves: those with positive pairs and those without are
    /// each split evenly. `None` if fewer than two have positive pairs, so that a half would have
    /// none.
    pub fn halves(truth: &Truth, seed: u64, number: u64) -> Option<(Self, Self)> {
        let mut random = Random::new(seed, number);
        let first = truth.clusters_first();
        if first < 2 {
            return None;
        }
        let mut weights = vec![0; truth.units()];
        for range in [0..first, first..truth.units()] {
            let mut order: Vec<usize> = range.collect();
            random.shuffle(&mut order);
            order[..order.len().div_ceil(2)].iter().for_each(|&unit| weights[unit] = 1);
        }
        let others = weights.iter().map(|weight| 1 - weight).collect();
        Some((Self::new(truth, weights), Self::new(truth, others)))
    }

    /// Splits the units into `count` random folds, each of which is once the second part, with all
    /// others as the first: those with positive pairs and those without are each dealt out evenly.
    pub fn folds(truth: &Truth, count: usize, seed: u64) -> Vec<(Self, Self)> {
        let mut random = Random::new(seed, 0);
        let first = truth.clusters_first();
        let mut part = vec![0; truth.units()];
        for range in [0..first, first..truth.units()] {
            let mut order: Vec<usize> = range.collect();
            random.shuffle(&mut order);
            order.iter().enumerate().for_each(|(at, &unit)| part[unit] = at % count.max(1));
        }
        let fold = |fold: usize| {
            let is = |held: bool| part.iter().map(|&at| u32::from((at == fold) == held)).collect();
            (Self::new(truth, is(false)), Self::new(truth, is(true)))
        };
        (0..count).map(fold).collect()
    }

    /// The product of both: a unit counts as often as the product of its counts.
    pub fn times(&self, other: &Self, truth: &Truth) -> Self {
        let weights = self.weights.iter().zip(&other.weights).map(|(a, b)| a * b).collect();
        Self::new(truth, weights)
    }

    fn new(truth: &Truth, weights: Vec<u32>) -> Self {
        let units = truth.positives_by_unit().iter().zip(&weights);
        let positives = units.map(|(positives, weight)| positives * u64::from(*weight)).sum();
        Self { weights, positives }
    }

    /// The number of positive pairs, each as often as it counts.
    pub fn positives(&self) -> u64 {
        self.positives
    }

    /// How often a unit counts.
    pub fn unit(&self, unit: u32) -> u64 {
        u64::from(self.weights[unit as usize])
    }

    /// How often a pair of these units counts.
    pub(super) fn pair(&self, a: u32, b: u32) -> u64 {
        if a == b { self.unit(a) } else { self.unit(a) * self.unit(b) }
    }
}
