//! The threshold of a model, from labels that show only some of the pairs it will meet.
//!
//! The number of copies grows with a collection, that of similar-looking unrelated pairs with its
//! square. A few dozen documents have hardly any such pairs, and the best threshold for them is far
//! too low elsewhere. So the labels are treated as part of a larger collection: the scores of
//! unrelated pairs are extrapolated beyond the highest known one, and count as often as they would
//! there.

use super::Trainer;
use crate::{
    evaluate::{Sample, Scored},
    measure::Measure,
    threshold::Threshold,
};

/// The number of documents the threshold is meant for, unless more are labelled.
const COLLECTION: f64 = 2000.0;
/// The number of highest scores of unrelated pairs that determine how these fall off.
const HIGHEST: f64 = 50.0;
/// The distance over which scores fall off to 1/e, and the number of unrelated pairs it takes to
/// override it. On mail and news, twice as much was worse for Jaccard with few labels, and the same
/// with many.
const FALL: f64 = 0.05;
const DOUBT: f64 = 2.0;
/// The uncertainty of the copies' scores that a single cluster shows.
const SPREAD: f64 = 0.1;

/// The denominator of a threshold.
const PARTS: usize = 1000;

impl Trainer<'_> {
    /// The threshold with the best expected F1, given part of the labels.
    pub(super) fn threshold(&self, scored: &Scored, sample: &Sample) -> Threshold {
        let clusters = 0..self.truth.clusters_first() as u32;
        let clusters = clusters.filter(|&unit| sample.unit(unit) > 0).count();
        let levels = ScoreLevels::new(scored, sample, clusters);
        let larger = (COLLECTION / self.counted(sample).max(1) as f64).max(1.0);
        let fall = match self.plan.measure {
            // For sets that share little, the cosine is about twice the Jaccard similarity.
            Measure::Cosine => 2.0 * FALL,
            _ => FALL,
        };
        let best = levels.best(fall, larger).unwrap_or(PARTS / 2);
        Threshold::new(best.max(1) as u64, PARTS as u64).unwrap_or(Threshold::percent(50))
    }
}

/// The number of pairs with each score, in steps of 1/[`PARTS`].
struct ScoreLevels {
    copies: Vec<f64>,
    strangers: Vec<f64>,
    floor: usize,
    /// All copies, including those below the floor.
    positives: f64,
    clusters: usize,
}

impl ScoreLevels {
    fn new(scored: &Scored, sample: &Sample, clusters: usize) -> Self {
        let mut levels = Self {
            copies: vec![0.0; PARTS + 1],
            strangers: vec![0.0; PARTS + 1],
            floor: at(scored.floor()),
            positives: sample.positives() as f64,
            clusters,
        };
        for (score, is_copy, times) in scored.counted(sample) {
            let of = if is_copy { &mut levels.copies } else { &mut levels.strangers };
            of[at(score)] += times as f64;
        }
        levels
    }

    /// The level with the best F1 in a collection `larger` times as large; `None` without copies.
    fn best(&self, fall: f64, larger: f64) -> Option<usize> {
        let strangers = self.strangers(fall);
        let f1 = |level: usize| {
            let copies = self.copies(level);
            2.0 * copies / (copies + larger * strangers[level] + self.positives)
        };
        let levels = (self.floor..=PARTS).map(|level| (f1(level), level));
        let best = levels.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        (best.0 > 0.0).then_some(best.1)
    }

    /// The copies from a level up. Other copies score a little lower or higher than the labelled
    /// ones.
    fn copies(&self, level: usize) -> f64 {
        let spread = SPREAD * PARTS as f64 / (self.clusters.max(1) as f64).sqrt();
        let part = |score: usize| 1.0 / (1.0 + ((level as f64 - score as f64) / spread).exp());
        let copies = self.copies.iter().enumerate().filter(|(_, count)| **count > 0.0);
        copies.map(|(score, count)| count * part(score)).sum()
    }

    /// The unrelated pairs from each level up: as counted where there are many, extrapolated above.
    fn strangers(&self, fall: f64) -> Vec<f64> {
        let mut counted = vec![0.0; PARTS + 2];
        for level in (0..=PARTS).rev() {
            counted[level] = counted[level + 1] + self.strangers[level];
        }
        let many = (self.floor..=PARTS).rev().find(|&level| counted[level] >= HIGHEST);
        let from = many.unwrap_or(self.floor);
        let above: f64 =
            (from..=PARTS).map(|level| self.strangers[level] * (level - from) as f64).sum();
        let fall = (above + DOUBT * fall * PARTS as f64) / (counted[from] + DOUBT);
        for level in from..=PARTS {
            counted[level] = (counted[from] + 1.0) * (-((level - from) as f64) / fall).exp();
        }
        counted
    }
}

fn at(score: f64) -> usize {
    (score * PARTS as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten copies at .6 to .9, and unrelated pairs at these scores.
    fn levels(strangers: &[f64], clusters: usize) -> ScoreLevels {
        let mut levels = ScoreLevels {
            copies: vec![0.0; PARTS + 1],
            strangers: vec![0.0; PARTS + 1],
            floor: 200,
            positives: 10.0,
            clusters,
        };
        (0..10).for_each(|copy| levels.copies[600 + copy * 30] += 1.0);
        strangers.iter().for_each(|&score| levels.strangers[at(score)] += 1.0);
        levels
    }

    #[test]
    fn few_labels_count_as_part_of_a_larger_collection() {
        let levels = levels(&[0.25, 0.3], 1000);
        let (same, larger) = (levels.best(FALL, 1.0).unwrap(), levels.best(FALL, 100.0).unwrap());
        assert!((300..larger).contains(&same), "{same}");
        assert!((same..=600).contains(&larger), "{larger}");
    }

    #[test]
    fn copies_of_few_clusters_lower_the_threshold() {
        let best = |clusters| levels(&[0.25, 0.3], clusters).best(FALL, 100.0).unwrap();
        assert!(best(3) < best(1000));
    }

    #[test]
    fn many_unrelated_pairs_override_the_prior() {
        let many: Vec<f64> = (0..1000).map(|at| 0.2 + 0.6 * f64::from(at) / 1000.0).collect();
        let (few, many) = (levels(&many[..3], 100), levels(&many, 100));
        assert_eq!(many.strangers(FALL)[200], 1000.0);
        assert!((many.strangers(FALL)[700] - 167.0).abs() <= 2.0);
        assert!(few.best(FALL, 1.0) < many.best(FALL, 1.0));
    }

    #[test]
    fn without_copies_there_is_no_threshold() {
        let mut levels = levels(&[0.4], 0);
        levels.copies.fill(0.0);
        assert_eq!(levels.best(FALL, 1.0), None);
    }
}
