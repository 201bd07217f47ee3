//! How well groups agree with clusters, document by document: B-cubed and the adjusted Rand index.

use super::truth::Truth;

/// Groups against labelled clusters. Clusters count by their documents, not by their pairs.
///
/// ```
/// use firsthand::evaluate::{Closure, Label, Truth};
///
/// let truth = Truth::clusters(&[1, 1, 2, 2].map(Label::Cluster), []);
/// // Nothing was grouped: no group is wrong, and half of each cluster is missing.
/// let agreement = Closure::new(&truth, []).agreement(&truth).ok_or("only pairs are labelled")?;
/// assert_eq!((agreement.b_cubed_precision, agreement.b_cubed_recall), (1.0, 0.5));
/// assert_eq!(agreement.ari, 0.0);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The average share of a document's group that belongs to its cluster.
    pub b_cubed_precision: f64,
    /// The average share of a document's cluster that is in its group.
    pub b_cubed_recall: f64,
    /// The adjusted Rand index: 1 for identical groupings, 0 for agreement by chance.
    pub ari: f64,
}

impl Agreement {
    /// The harmonic mean of both B-cubed values.
    pub fn b_cubed_f1(&self) -> f64 {
        let sum = self.b_cubed_precision + self.b_cubed_recall;
        if sum > 0.0 { 2.0 * self.b_cubed_precision * self.b_cubed_recall / sum } else { 0.0 }
    }

    /// From the groups of two documents or more, each as units with their numbers of documents; all
    /// other documents are singletons.
    pub(super) fn new(groups: &[Vec<(u32, u32)>], truth: &Truth) -> Self {
        let sizes = truth.sizes();
        let all = truth.counted() as f64;
        let size = |unit: u32| f64::from(sizes[unit as usize]);
        let pairs = |count: f64| count * (count - 1.0) / 2.0;
        let (mut precision, mut recall) = (0.0, 0.0);
        let (mut both, mut grouped) = (0.0, 0.0);
        let mut alone: Vec<u32> = sizes.to_vec();
        for group in groups {
            let total: f64 = group.iter().map(|&(_, count)| f64::from(count)).sum();
            grouped += pairs(total);
            for &(unit, count) in group {
                alone[unit as usize] -= count;
                let count = f64::from(count);
                precision += count * count / total;
                recall += count * count / size(unit);
                both += pairs(count);
            }
        }
        let mut clustered = 0.0;
        for (&left, &size) in alone.iter().zip(sizes) {
            precision += f64::from(left);
            recall += f64::from(left) / f64::from(size);
            clustered += pairs(f64::from(size));
        }
        let possible = pairs(all);
        let expected = if possible > 0.0 { grouped * clustered / possible } else { 0.0 };
        let most = f64::midpoint(grouped, clustered);
        // All singletons or all one group on both sides: they agree, and there is nothing to
        // adjust.
        let ari = if most == expected { 1.0 } else { (both - expected) / (most - expected) };
        let mean = |sum: f64| if all > 0.0 { sum / all } else { 1.0 };
        Self { b_cubed_precision: mean(precision), b_cubed_recall: mean(recall), ari }
    }
}
