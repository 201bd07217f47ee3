//! Which pairs of sets reach the threshold: all of them, and no others.
//!
//! The exact matcher is a prefix-filter join (PPJoin) in integers. Identical sets are collapsed,
//! features that occur once are set aside, and what is left is sorted by size. Two sets that reach
//! the threshold must share one of their rarest features, so each set looks up only that prefix.
//! SpotSigs' partitions by length and its pruned index are the special case of Jaccard.
//!
//! Any total order of the features gives the same pairs; rarest first gives the fewest candidates.
//! That is why approximate counts ([`counts`]) are enough for an exact answer.

mod collapse;
mod counts;
mod index;
mod prefixes;
mod probe;
mod sets;

pub use sets::Sets;

use crate::measure::Rule;
use rayon::prelude::*;

/// Which pairs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All pairs of one collection.
    Within,
    /// Pairs of one set before this position and one from it on: old against new.
    Across(usize),
}

impl Scope {
    /// Bit 0 for the side before the split, bit 1 for the other; one side only without a split.
    fn side(self, set: u32) -> u8 {
        match self {
            Self::Within => 0b11,
            Self::Across(split) => {
                if (set as usize) < split {
                    0b01
                } else {
                    0b10
                }
            }
        }
    }

    /// Whether members of groups on these sides make a pair that is asked for.
    fn joins(a: u8, b: u8) -> bool {
        a & 0b01 != 0 && b & 0b10 != 0 || a & 0b10 != 0 && b & 0b01 != 0
    }
}

/// Two different sets that reach the threshold, by their positions, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The earlier of the two.
    pub a: u32,
    /// The later of the two.
    pub b: u32,
    /// How many features they share.
    pub overlap: u32,
}

/// What the join had to do: the reason why a run took as long as it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cost {
    /// Sets that can have a partner at all: enough of their features occur elsewhere.
    pub probed: u64,
    /// Entries of the index that were looked at.
    pub postings: u64,
    /// Pairs that passed the prefix, length and positional filters.
    pub candidates: u64,
    /// Of those, the pairs that passed the bitmap filter and were compared in full.
    pub verified: u64,
}

impl Cost {
    fn add(mut self, other: Self) -> Self {
        self.probed += other.probed;
        self.postings += other.postings;
        self.candidates += other.candidates;
        self.verified += other.verified;
        self
    }
}

/// The result of a join.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// Groups of identical sets, two or more each, in ascending order. Each group is represented
    /// in `pairs` by its first member; all others have the same partners.
    pub identical: Vec<Vec<u32>>,
    /// The pairs of different sets, in ascending order.
    pub pairs: Vec<Pair>,
    /// What it took.
    pub cost: Cost,
}

/// Finds every pair of sets that reaches the rule's threshold, on the current thread pool.
///
/// Empty sets match nothing. The result does not depend on the number of threads.
pub fn join(sets: &Sets, rule: Rule, scope: Scope) -> Matches {
    let collapsed = collapse::collapse(sets, scope);
    let counts = counts::Counts::new(sets, &collapsed.representatives);
    let prefixes = prefixes::Prefixes::new(sets, &collapsed, &counts, rule);
    drop(counts);
    let index = index::Index::new(&prefixes);
    let (mut pairs, cost) = probe::probe(&prefixes, &index, rule);
    pairs.par_sort_unstable();
    Matches { identical: collapsed.identical, pairs, cost }
}
