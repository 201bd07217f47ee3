//! The loss and its gradient, for each measure.
//!
//! For a pair of documents with weights `v` the similarity `f` depends on sums over grams.
//! Gradients are propagated back from pairs to documents, and from documents to coefficients, so
//! the cost of a step depends on the length of the documents, not on the number of pairs of pairs.

use super::vectors::{Couple, PairVectors};
use crate::{
    measure::Measure,
    model::{FEATURES, MOST_WEIGHT, PARTS},
};
use rayon::prelude::*;

/// The steepness of the loss.
const GAMMA: f64 = 10.0;

/// How strongly coefficients are pulled to their initial values, where they stay if there is little
/// to learn from. Of 0.003 to 3, this was best on mail; with less, most weights fall to zero and
/// unrelated documents look similar.
const RIDGE: f64 = 0.1;

/// The loss as a function of the coefficients of standardised features.
#[derive(Debug)]
pub(super) struct Objective {
    /// The standardised features of each document, gram by gram.
    documents: Vec<Vec<[f64; FEATURES]>>,
    couples: Vec<Couple>,
    /// Pairs of pairs, of which the first is to be more similar than the second.
    orders: Vec<(u32, u32)>,
    measure: Measure,
    scale: FeatureScale,
    start: [f64; FEATURES],
}

/// The mean and the standard deviation of each feature, 0 if the feature is constant.
#[derive(Clone, Debug)]
struct FeatureScale {
    means: [f64; FEATURES],
    deviations: [f64; FEATURES],
}

impl FeatureScale {
    fn new(vectors: &PairVectors) -> Self {
        let mut sums = [0.0; FEATURES];
        let mut squares = [0.0; FEATURES];
        let mut count = 0.0f64;
        for values in vectors.documents.iter().flat_map(|document| &document.values) {
            count += 1.0;
            for (at, &value) in values.iter().enumerate() {
                let value = f64::from(value) / PARTS;
                sums[at] += value;
                squares[at] += value * value;
            }
        }
        let count = count.max(1.0);
        let means = sums.map(|sum| sum / count);
        let deviation = |at: usize| {
            let variance = squares[at] / count - means[at] * means[at];
            if variance > 1e-9 { variance.sqrt() } else { 0.0 }
        };
        Self { means, deviations: std::array::from_fn(deviation) }
    }

    fn standardise(&self, value: i32, at: usize) -> f64 {
        match at {
            0 => 1.0,
            _ if self.deviations[at] == 0.0 => 0.0,
            _ => (f64::from(value) / PARTS - self.means[at]) / self.deviations[at],
        }
    }

    /// Converts coefficients of standardised features to those of plain ones.
    fn plain(&self, standardised: &[f64]) -> [f64; FEATURES] {
        let mut plain = [0.0; FEATURES];
        plain[0] = standardised[0];
        for at in 1..FEATURES {
            if self.deviations[at] > 0.0 {
                plain[at] = standardised[at] / self.deviations[at];
                plain[0] -= plain[at] * self.means[at];
            }
        }
        plain
    }

    fn standardised(&self, plain: &[f64; FEATURES]) -> [f64; FEATURES] {
        let mut standardised = [0.0; FEATURES];
        standardised[0] = plain[0];
        for at in 1..FEATURES {
            standardised[at] = plain[at] * self.deviations[at];
            standardised[0] += plain[at] * self.means[at];
        }
        standardised
    }
}

/// The similarity of a pair, and its derivatives: by the weight of a common gram, `common` times
/// the weight on the other side; by every weight, `a` or `b` times itself. For min/max the weights
/// do not appear: the smaller of two has `common`, and each has `a` or `b`.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    value: f64,
    common: f64,
    a: f64,
    b: f64,
}

impl Objective {
    pub(super) fn new(
        vectors: PairVectors,
        orders: &[(u32, u32)],
        measure: Measure,
        start: &[f64; FEATURES],
    ) -> Self {
        let scale = FeatureScale::new(&vectors);
        let documents = vectors.documents.par_iter().map(|document| {
            let gram = |values: &[i32; FEATURES]| {
                std::array::from_fn(|at| scale.standardise(values[at], at))
            };
            document.values.iter().map(gram).collect()
        });
        let start = scale.standardised(start);
        Self {
            documents: documents.collect(),
            couples: vectors.couples,
            orders: orders.to_vec(),
            measure,
            start,
            scale,
        }
    }

    /// The initial coefficients.
    pub(super) fn start(&self) -> Vec<f64> {
        self.start.to_vec()
    }

    /// Coefficients of plain features, scaled so that the mean weight of a gram is one, or less
    /// where a coefficient would exceed what a model can hold: the measures do not depend on the
    /// scale.
    pub(super) fn plain(&self, coefficients: &[f64]) -> [f64; FEATURES] {
        let weights = self.weights(coefficients);
        let sum: f64 = weights.iter().flatten().sum();
        let count = weights.iter().map(Vec::len).sum::<usize>().max(1) as f64;
        let mean = if sum > 0.0 { sum / count } else { 1.0 };
        let plain = self.scale.plain(coefficients);
        let most = plain.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        plain.map(|value| value / mean.max(most / MOST_WEIGHT))
    }

    /// The loss and its gradient.
    pub(super) fn at(&self, coefficients: &[f64]) -> (f64, Vec<f64>) {
        let weights = self.weights(coefficients);
        let sizes: Vec<f64> = weights.iter().map(|document| self.size(document)).collect();
        let slopes: Vec<Slope> =
            self.couples.par_iter().map(|couple| self.slope(couple, &weights, &sizes)).collect();

        let share = 1.0 / self.orders.len().max(1) as f64;
        let mut loss = 0.0;
        let mut wanted = vec![0.0; slopes.len()];
        for &(more, less) in &self.orders {
            let margin = GAMMA * (slopes[more as usize].value - slopes[less as usize].value);
            loss += share * softplus(-margin);
            let pull = share * GAMMA / (1.0 + margin.exp());
            wanted[more as usize] -= pull;
            wanted[less as usize] += pull;
        }

        let back = self.back(&weights, &slopes, &wanted);
        let mut gradient = vec![0.0; FEATURES];
        let parts: Vec<[f64; FEATURES]> = self
            .documents
            .par_iter()
            .zip(&weights)
            .zip(&back)
            .map(|((document, weights), back)| {
                let mut sum = [0.0; FEATURES];
                for ((values, &weight), &back) in document.iter().zip(weights).zip(back) {
                    // A weight clipped to zero stays there under small changes.
                    if weight > 0.0 {
                        for (sum, value) in sum.iter_mut().zip(values) {
                            *sum += back * value;
                        }
                    }
                }
                sum
            })
            .collect();
        for part in parts {
            gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        for ((gradient, coefficient), start) in
            gradient.iter_mut().zip(coefficients).zip(&self.start)
        {
            let moved = coefficient - start;
            loss += RIDGE * moved * moved;
            *gradient += 2.0 * RIDGE * moved;
        }
        (loss, gradient)
    }

    /// The weight of each gram of each document.
    fn weights(&self, coefficients: &[f64]) -> Vec<Vec<f64>> {
        let weight = |values: &[f64; FEATURES]| {
            let terms = values.iter().zip(coefficients);
            terms.map(|(value, coefficient)| value * coefficient).sum::<f64>().max(0.0)
        };
        self.documents.par_iter().map(|document| document.iter().map(weight).collect()).collect()
    }

    /// The denominator of the measure: the squared length, or the sum.
    fn size(&self, weights: &[f64]) -> f64 {
        match self.measure {
            Measure::Jaccard => weights.iter().sum(),
            _ => weights.iter().map(|weight| weight * weight).sum(),
        }
    }

    fn slope(&self, couple: &Couple, weights: &[Vec<f64>], sizes: &[f64]) -> Slope {
        let (a, b) = (&weights[couple.a as usize], &weights[couple.b as usize]);
        let (x, y) = (sizes[couple.a as usize], sizes[couple.b as usize]);
        if x <= 0.0 || y <= 0.0 {
            return Slope::default();
        }
        let both = couple.common.iter().map(|&(i, j)| (a[i as usize], b[j as usize]));
        match self.measure {
            Measure::Jaccard => {
                let shared: f64 = both.map(|(v, w)| v.min(w)).sum();
                let all = x + y - shared;
                let rest = -shared / (all * all);
                Slope {
                    value: shared / all,
                    common: (all + shared) / (all * all),
                    a: rest,
                    b: rest,
                }
            }
            Measure::ExtendedJaccard => {
                let dot: f64 = both.map(|(v, w)| v * w).sum();
                let all = x + y - dot;
                let rest = -2.0 * dot / (all * all);
                Slope { value: dot / all, common: (x + y) / (all * all), a: rest, b: rest }
            }
            _ => {
                let dot: f64 = both.map(|(v, w)| v * w).sum();
                let lengths = (x * y).sqrt();
                let value = dot / lengths;
                Slope { value, common: 1.0 / lengths, a: -value / x, b: -value / y }
            }
        }
    }

    /// The derivative of the loss by the weight of each gram of each document.
    fn back(&self, weights: &[Vec<f64>], slopes: &[Slope], wanted: &[f64]) -> Vec<Vec<f64>> {
        let mut whole = vec![0.0; weights.len()];
        let mut back: Vec<Vec<f64>> =
            weights.iter().map(|document| vec![0.0; document.len()]).collect();
        let is_min_max = self.measure == Measure::Jaccard;
        for ((couple, slope), &wanted) in self.couples.iter().zip(slopes).zip(wanted) {
            if wanted == 0.0 {
                continue;
            }
            let (a, b) = (couple.a as usize, couple.b as usize);
            whole[a] += wanted * slope.a;
            whole[b] += wanted * slope.b;
            let common = wanted * slope.common;
            for &(i, j) in &couple.common {
                let (i, j) = (i as usize, j as usize);
                let (v, w) = (weights[a][i], weights[b][j]);
                if !is_min_max {
                    back[a][i] += common * w;
                    back[b][j] += common * v;
                } else if v < w {
                    back[a][i] += common;
                } else if w < v {
                    back[b][j] += common;
                } else {
                    back[a][i] += 0.5 * common;
                    back[b][j] += 0.5 * common;
                }
            }
        }
        for ((back, weights), whole) in back.iter_mut().zip(weights).zip(whole) {
            for (back, weight) in back.iter_mut().zip(weights) {
                *back += if is_min_max { whole } else { whole * weight };
            }
        }
        back
    }
}

/// The logarithm of `1 + exp(x)`, without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate::Random, learn::vectors::GramVector};

    /// A few documents with random features, and pairs of them.
    fn objective(measure: Measure, seed: u64) -> Objective {
        let mut random = Random::new(seed, 0);
        let documents: Vec<GramVector> = (0..8)
            .map(|_| {
                let features: Vec<u64> = (0..30).filter(|_| random.below(3) > 0).collect();
                let value = |at: usize| if at == 0 { 1024 } else { random.below(2048) as i32 };
                let mut value = value;
                let values = features.iter().map(|_| std::array::from_fn(&mut value)).collect();
                GramVector { features, values }
            })
            .collect();
        let pairs: Vec<(usize, usize)> = (0..7).map(|at| (at, at + 1)).collect();
        let vectors = PairVectors::paired(documents, &pairs);
        let orders: Vec<(u32, u32)> =
            (0..40).map(|_| (random.below(3) as u32, 3 + random.below(4) as u32)).collect();
        let mut start = [0.0; FEATURES];
        start.iter_mut().for_each(|value| *value = random.below(1000) as f64 / 1000.0);
        Objective::new(vectors, &orders, measure, &start)
    }

    #[test]
    fn gradients_match_finite_differences() {
        for measure in [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard] {
            for seed in 0..5 {
                let objective = objective(measure, seed);
                let mut random = Random::new(seed, 1);
                // Away from the start, and with some negative weights.
                let mut point: Vec<f64> =
                    (0..FEATURES).map(|_| random.below(1000) as f64 / 1000.0 - 0.5).collect();
                point[0] = 0.5;
                let (_, gradient) = objective.at(&point);
                let weights = objective.weights(&point);
                assert!(weights.iter().flatten().any(|weight| *weight == 0.0));
                assert!(weights.iter().flatten().any(|weight| *weight > 0.0));
                let step = 1e-6;
                for at in 0..FEATURES {
                    let moved = |by: f64| {
                        let mut point = point.clone();
                        point[at] += by;
                        objective.at(&point).0
                    };
                    let slope = (moved(step) - moved(-step)) / (2.0 * step);
                    assert!(
                        (slope - gradient[at]).abs() < 1e-6,
                        "{measure:?} {at}: {slope} {}",
                        gradient[at]
                    );
                }
            }
        }
    }

    #[test]
    fn plain_coefficients_fit_into_a_model() {
        let objective = objective(Measure::Cosine, 3);
        let mut hardly_any = objective.start();
        hardly_any[0] = -1e5;
        for start in [objective.start(), hardly_any] {
            let plain = objective.plain(&start);
            assert!(plain.iter().all(|value| value.abs() <= MOST_WEIGHT + 1e-9), "{plain:?}");
        }
    }

    #[test]
    fn plain_coefficients_give_the_same_weights() {
        let objective = objective(Measure::Cosine, 3);
        let start = objective.start();
        let plain = objective.scale.plain(&start);
        let again = objective.scale.standardised(&plain);
        for (a, b) in start.iter().zip(again) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}
