//! Aligns two sequences of words: the runs that both have, found from short grams.
//!
//! The later sequence is covered from left to right. Where three consecutive words also occur in
//! the earlier one, the longest run around them is taken, and the search continues after it. Runs
//! may come in any order in the earlier sequence, so paragraphs may have moved. A gram is looked up
//! at only a few positions, and what a run covers is not looked at again, so the work is linear in
//! the lengths. Where only a few words separate two runs, the longest common subsequence aligns
//! those words.

use super::{GAP, MASK};

/// A word that both sequences share, by its position in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AlignedWord {
    /// Position in the earlier sequence.
    pub(super) a: u32,
    /// Position in the later one.
    pub(super) b: u32,
}

/// Consecutive words that both sequences share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordRun {
    /// Its start in the earlier sequence.
    a: usize,
    /// Its start in the later one.
    b: usize,
    len: usize,
}

/// Words looked up together.
const GRAM: usize = 3;
/// Positions at which a gram is looked up, at most.
const PLACES: usize = 8;

/// Words of each sequence that are aligned between two runs, at most.
const BETWEEN: usize = 16;
/// Comparisons spent on aligning words between runs, at most, over all gaps.
const MOST_COMPARISONS: usize = 1 << 18;

/// The aligned positions, in the order of the later sequence.
pub(super) fn places(a: &[u16], b: &[u16]) -> Vec<AlignedWord> {
    let mut places = Vec::with_capacity(b.len());
    let mut budget = MOST_COMPARISONS;
    let mut last: Option<WordRun> = None;
    for run in runs(a, b) {
        if let Some(last) = last {
            let (a_end, b_end) = (last.a + last.len, last.b + last.len);
            let (a_len, b_len) = (run.a.wrapping_sub(a_end), run.b - b_end);
            let cells = a_len.saturating_mul(b_len);
            if a_len <= BETWEEN && b_len <= BETWEEN && cells <= budget && cells > 0 {
                budget -= cells;
                subsequence(&a[a_end..run.a], &b[b_end..run.b], |a, b| {
                    places.push(AlignedWord { a: (a_end + a) as u32, b: (b_end + b) as u32 });
                });
            }
        }
        let place = |step| AlignedWord { a: (run.a + step) as u32, b: (run.b + step) as u32 };
        places.extend((0..run.len).map(place));
        last = Some(run);
    }
    places
}

/// Calls `emit` with the positions of the longest common subsequence of two short sequences. A
/// number counts less than a word, because all numbers are masked alike.
fn subsequence(a: &[u16], b: &[u16], mut emit: impl FnMut(usize, usize)) {
    let worth = |a: u16, b: u16| match a == b {
        false => 0,
        true if a == GAP => 0,
        true if a == MASK => 2,
        true => 3u16,
    };
    let mut best = [[0u16; BETWEEN + 1]; BETWEEN + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let pair = worth(a[i], b[j]);
            let taken = if pair > 0 { best[i + 1][j + 1] + pair } else { 0 };
            best[i][j] = taken.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let pair = worth(a[i], b[j]);
        if pair > 0 && best[i][j] == best[i + 1][j + 1] + pair {
            emit(i, j);
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

/// The runs, in the order of the later sequence.
fn runs(a: &[u16], b: &[u16]) -> Vec<WordRun> {
    let index = GramIndex::new(a);
    let mut runs: Vec<WordRun> = Vec::new();
    let mut at = 0;
    // The later sequence is covered up to here, and the last run ended there in the earlier one.
    let (mut covered, mut expected) = (0, 0);
    while at + GRAM <= b.len() {
        let mut best: Option<WordRun> = None;
        for place in index.places(a, b, at) {
            let back = common(a[..place].iter().rev(), b[covered..at].iter().rev());
            let len = back + GRAM + common(a[place + GRAM..].iter(), b[at + GRAM..].iter());
            let run = WordRun { a: place - back, b: at - back, len };
            // Of equally long runs, prefer the one that continues where the last one ended.
            let off = |run: &WordRun| run.a.abs_diff(expected);
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

/// The length of the common prefix, up to the first gap.
fn common<'a>(a: impl Iterator<Item = &'a u16>, b: impl Iterator<Item = &'a u16>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b && **a != GAP).count()
}

/// The grams of a sequence and their positions.
struct GramIndex {
    /// For each slot, its last position plus 1.
    heads: Vec<u32>,
    /// For each position, the previous one in the same slot plus 1.
    next: Vec<u32>,
}

impl GramIndex {
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

    /// The slot of a gram; `None` if the gram says too little.
    fn slot(&self, gram: &[u16]) -> Option<usize> {
        if gram.contains(&GAP) || gram.iter().filter(|&&word| word == MASK).count() > 1 {
            return None;
        }
        let key = gram.iter().fold(0u64, |key, &word| (key << 16) | u64::from(word));
        Some((key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.heads.len() - 1))
    }

    /// The positions in `a` of the gram that starts at a position in `b`, the last ones first.
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
        // Other grams may share the slot; a few of them are passed over.
        .take(PLACES * 4)
        .map(|place| place as usize - 1)
        .filter(move |&place| a[place..place + GRAM] == *gram)
        .take(PLACES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(a: usize, b: usize, len: usize) -> WordRun {
        WordRun { a, b, len }
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
    fn few_words_between_runs_are_aligned() {
        let a = [10, 11, 12, 50, MASK, 51, 20, 21, 22];
        let b = [10, 11, 12, 60, 61, MASK, 51, 62, 20, 21, 22];
        let pairs: Vec<_> = places(&a, &b).iter().map(|place| (place.a, place.b)).collect();
        let between = [(4, 5), (5, 6)];
        assert_eq!(pairs[3..5], between);
        assert_eq!(pairs.len(), 8);
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
