//! Sets as feature ranks, the rarest first, in ascending order of size.
//!
//! SpotSigs processes the inverted lists of a document from the shortest up. With features numbered
//! by rarity, that is numerical order.

use firsthand::matcher::Sets;
use rayon::prelude::*;

/// All sets, by (size, position in the input).
pub(crate) struct Ranked {
    /// The position in the input of each.
    pub(crate) inputs: Vec<u32>,
    starts: Vec<usize>,
    /// The ranks of each set, ascending.
    ranks: Vec<u32>,
}

impl Ranked {
    pub(crate) fn new(sets: &Sets) -> Self {
        let mut inputs: Vec<u32> = (0..sets.len() as u32).collect();
        inputs.par_sort_unstable_by_key(|&set| (sets.get(set as usize).len(), set));
        let mut starts = Vec::with_capacity(sets.len() + 1);
        starts.push(0);
        let mut entries: Vec<(u64, u32)> = Vec::with_capacity(sets.features());
        for (place, &set) in inputs.iter().enumerate() {
            let features = sets.get(set as usize);
            entries.extend(features.iter().map(|&feature| (feature, place as u32)));
            starts.push(entries.len());
        }
        entries.par_sort_unstable();
        // Each run of entries is a feature; ranks are by the length of the run, then by hash.
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for run in entries.chunk_by(|a, b| a.0 == b.0) {
            runs.push((run.len() as u32, runs.len() as u32));
        }
        runs.par_sort_unstable();
        let mut rank_of = vec![0u32; runs.len()];
        for (rank, &(_, run)) in runs.iter().enumerate() {
            rank_of[run as usize] = rank as u32;
        }
        drop(runs);
        let mut next = starts.clone();
        let mut ranks = vec![0u32; entries.len()];
        for (run, entries) in entries.chunk_by(|a, b| a.0 == b.0).enumerate() {
            for &(_, place) in entries {
                ranks[next[place as usize]] = rank_of[run];
                next[place as usize] += 1;
            }
        }
        drop((entries, rank_of, next));
        let mut rest = ranks.as_mut_slice();
        let mut slices = Vec::with_capacity(inputs.len());
        for bounds in starts.windows(2) {
            let (set, behind) = rest.split_at_mut(bounds[1] - bounds[0]);
            slices.push(set);
            rest = behind;
        }
        slices.into_par_iter().for_each(|set| set.sort_unstable());
        Self { inputs, starts, ranks }
    }

    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// The features of the set at a position, rarest first.
    pub(crate) fn get(&self, place: usize) -> &[u32] {
        &self.ranks[self.starts[place]..self.starts[place + 1]]
    }

    pub(crate) fn size(&self, place: usize) -> u64 {
        (self.starts[place + 1] - self.starts[place]) as u64
    }

    /// The first position of a set of at least this size.
    pub(crate) fn first_of_size(&self, size: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.size(middle) < size { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The bytes of the vectors.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.ranks.len() + self.inputs.len()) + 8 * self.starts.len()
    }
}
