//! Which parts of two sequences are the same: runs that both have, found from short grams.
//!
//! The later sequence is covered from left to right. Where three words in a row are in the earlier
//! one, too, the longest run around them is taken, and the search goes on behind it. Runs may come in
//! any order in the earlier sequence, so that paragraphs may have moved. A gram is looked up in a few
//! places only, and what a run covers is not looked at again, so that the work is in proportion to
//! the lengths.

use super::{GAP, MASK};

/// Words that both sequences have in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Where it starts in the earlier sequence.
    pub(super) a: usize,
    /// Where it starts in the later one.
    pub(super) b: usize,
    pub(super) len: usize,
}

/// So many words are looked up together.
const GRAM: usize = 3;
/// In so many places.
const PLACES: usize = 8;

/// The runs, in the order of the later sequence.
pub(super) fn runs(a: &[u16], b: &[u16]) -> Vec<Run> {
    let index = Index::new(a);
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    // Up to here the later sequence is covered, and so far the last run goes in the earlier one.
    let (mut covered, mut expected) = (0, 0);
    while at + GRAM <= b.len() {
        let mut best: Option<Run> = None;
        for place in index.places(a, b, at) {
            let back = common(a[..place].iter().rev(), b[covered..at].iter().rev());
            let len = back + GRAM + common(a[place + GRAM..].iter(), b[at + GRAM..].iter());
            let run = Run { a: place - back, b: at - back, len };
            // Of equal runs, the one that goes on where the last one ended.
            let off = |run: &Run| run.a.abs_diff(expected);
            let better = best.is_none_or(|best| {
                run.len > best.len || (run.len == best.len && off(&run) < off(&best))
            });
            if better {
                best = Some(run);
            }
        }
        match best {
            Some(run) => {
                (covered, expected) = (run.b + run.len, run.a + run.len);
                at = covered;
                runs.push(run);
            }
            None => at += 1,
        }
    }
    runs
}

/// How many words from the start are the same, up to the first gap.
fn common<'a>(a: impl Iterator<Item = &'a u16>, b: impl Iterator<Item = &'a u16>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b && **a != GAP).count()
}

/// The grams of a sequence and their places.
struct Index {
    /// For each slot, the last place plus 1.
    heads: Vec<u32>,
    /// For each place, the one before it in the same slot plus 1.
    next: Vec<u32>,
}

impl Index {
    fn new(words: &[u16]) -> Self {
        let slots = (words.len() * 2).next_power_of_two();
        let mut index = Self { heads: vec![0; slots], next: vec![0; words.len()] };
        for (place, gram) in words.windows(GRAM).enumerate() {
            if let Some(slot) = index.slot(gram) {
                index.next[place] = index.heads[slot];
                index.heads[slot] = place as u32 + 1;
            }
        }
        index
    }

    /// Where a gram belongs; none if it says too little.
    fn slot(&self, gram: &[u16]) -> Option<usize> {
        if gram.contains(&GAP) || gram.iter().filter(|&&word| word == MASK).count() > 1 {
            return None;
        }
        let key = gram.iter().fold(0u64, |key, &word| (key << 16) | u64::from(word));
        Some((key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.heads.len() - 1))
    }

    /// The places in `a` of the gram that starts at a place in `b`, the last ones first.
    fn places<'s>(
        &'s self,
        a: &'s [u16],
        b: &'s [u16],
        at: usize,
    ) -> impl Iterator<Item = usize> + 's {
        let gram = &b[at..at + GRAM];
        let head = self.slot(gram).map_or(0, |slot| self.heads[slot]);
        std::iter::successors(Some(head), |&place| {
            self.next.get((place as usize).checked_sub(1)?).copied()
        })
        .take_while(|&place| place != 0)
        // Others may share a slot; a few of them are passed over.
        .take(PLACES * 4)
        .map(|place| place as usize - 1)
        .filter(move |&place| a[place..place + GRAM] == *gram)
        .take(PLACES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(a: usize, b: usize, len: usize) -> Run {
        Run { a, b, len }
    }

    #[test]
    fn parts_that_moved_are_found() {
        let a = [10, 11, 12, 13, MASK, 15, 20, 21, 22, 23];
        assert_eq!(runs(&a, &a), [run(0, 0, 10)]);
        let b = [20, 21, 22, 23, 99, 10, 11, 12, 13, MASK, 15];
        assert_eq!(runs(&a, &b), [run(6, 0, 4), run(0, 5, 6)]);
        assert_eq!(runs(&a, &[]), []);
        assert_eq!(runs(&[], &a), []);
    }

    #[test]
    fn gaps_end_runs_and_repetitions_end_the_search() {
        let a = [10, 11, 12, GAP, 13, 14, 15];
        assert_eq!(runs(&a, &a), [run(0, 0, 3), run(4, 4, 3)]);
        let same = vec![7; 100_000];
        assert_eq!(runs(&same, &same).iter().map(|run| run.len).sum::<usize>(), 100_000);
        let masks = vec![MASK; 1000];
        assert_eq!(runs(&masks, &masks), []);
    }
}
