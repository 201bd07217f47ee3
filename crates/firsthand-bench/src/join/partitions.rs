//! SpotSigs' partitions by length, each with its own inverted lists.

use rayon::prelude::*;

use super::ranked::Ranked;
use firsthand::settings::Threshold;

/// The sets in a range of sizes, and for each feature those that have it.
pub(crate) struct Partition {
    /// The smallest size of the next partition; `None` for the last.
    pub(crate) next_size: Option<u64>,
    features: Vec<u32>,
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Partition {
    fn new(ranked: &Ranked, from: usize, to: usize, next_size: Option<u64>) -> Self {
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for place in from..to {
            entries.extend(ranked.get(place).iter().map(|&feature| (feature, place as u32)));
        }
        entries.par_sort_unstable();
        let (mut features, mut starts) = (Vec::new(), Vec::new());
        for (at, &(feature, _)) in entries.iter().enumerate() {
            if features.last() != Some(&feature) {
                features.push(feature);
                starts.push(at as u32);
            }
        }
        starts.push(entries.len() as u32);
        let places = entries.into_iter().map(|(_, place)| place).collect();
        Self { next_size, features, starts, places }
    }

    /// The positions of the sets with the feature, ascending and so by size.
    pub(crate) fn list(&self, feature: u32) -> &[u32] {
        match self.features.binary_search(&feature) {
            Ok(at) => &self.places[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * (self.features.len() + self.starts.len() + self.places.len())
    }
}

/// The partitions of a collection, and the partition of each set.
pub(crate) struct Partitions {
    pub(crate) all: Vec<Partition>,
    /// The first position of each partition.
    firsts: Vec<usize>,
}

impl Partitions {
    /// Wide enough that a pair lies in one partition or in two adjacent ones: p' = floor(p / t) +
    /// 1.
    pub(crate) fn by_length(ranked: &Ranked, threshold: Threshold) -> Self {
        let (n, d) = (threshold.numerator(), threshold.denominator());
        let largest = ranked.len().checked_sub(1).map_or(0, |last| ranked.size(last));
        let mut bounds = vec![1u64];
        let mut size = 1;
        while size <= largest {
            size = size * d / n + 1;
            bounds.push(size);
        }
        let ranges: Vec<(usize, usize, u64)> = bounds
            .windows(2)
            .map(|b| (ranked.first_of_size(b[0]), ranked.first_of_size(b[1]), b[1]))
            .collect();
        let all = ranges
            .par_iter()
            .map(|&(from, to, next)| {
                Partition::new(ranked, from, to, (next <= largest).then_some(next))
            })
            .collect();
        Self { all, firsts: ranges.iter().map(|range| range.0).collect() }
    }

    /// A single partition.
    pub(crate) fn single(ranked: &Ranked) -> Self {
        Self { all: vec![Partition::new(ranked, 0, ranked.len(), None)], firsts: vec![0] }
    }

    /// The partition of the set at a position.
    pub(crate) fn of(&self, place: usize) -> usize {
        self.firsts.partition_point(|&first| first <= place) - 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.iter().map(Partition::bytes).sum()
    }
}
