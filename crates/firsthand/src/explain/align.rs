//! Aligns two sequences in bounded time.
//!
//! The bound is on work, not on the clock, so that the same documents always give the same answer.

use std::collections::HashMap;

/// The most cells of a table: 16 MB.
const LARGEST: u64 = 4_000_000;

/// The work that one explanation may still take, in table cells.
#[derive(Debug)]
pub(super) struct Effort(u64);

impl Effort {
    pub(super) fn new() -> Self {
        Self(64_000_000)
    }

    /// Whether a table of `cells` that takes `work` is allowed; if so, the work is subtracted.
    pub(super) fn allows(&mut self, cells: u64, work: u64) -> bool {
        let allowed = cells <= LARGEST && work <= self.0;
        if allowed {
            self.0 -= work;
        }
        allowed
    }
}

/// A longest common subsequence, as positions in both. For very long sequences, only elements that
/// occur once in each are aligned.
pub(super) fn common(a: &[u64], b: &[u64], effort: &mut Effort) -> Vec<(usize, usize)> {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[start..], &b[start..]);
    let end = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&rest_a[..rest_a.len() - end], &rest_b[..rest_b.len() - end]);
    let cells = middle_a.len() as u64 * middle_b.len() as u64;
    let middle = if effort.allows(cells, cells) {
        longest(middle_a, middle_b)
    } else {
        landmarks(middle_a, middle_b)
    };
    let mut pairs: Vec<_> = (0..start).map(|at| (at, at)).collect();
    pairs.extend(middle.into_iter().map(|(i, j)| (start + i, start + j)));
    pairs.extend((0..end).map(|at| (a.len() - end + at, b.len() - end + at)));
    pairs
}

/// A longest common subsequence. Near-duplicates differ in few elements, so most of the table is never needed:
/// with d elements that only one of them has, no longest subsequence pairs positions further apart than d.
fn longest(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let (n, m) = (a.len(), b.len());
    let reach = differing(a, b, m / 4).unwrap_or(n.max(m));
    within(n, m, reach, |i, j| u32::from(a[i] == b[j]))
}

/// How many elements of both are in no longest common subsequence, unless these are more than `most`.
///
/// By E. W. Myers, "An O(ND) difference algorithm and its variations" (1986): for each number of such elements,
/// how far one can get on each diagonal.
fn differing(a: &[u64], b: &[u64], most: usize) -> Option<usize> {
    let (n, m) = (a.len() as isize, b.len() as isize);
    let middle = most as isize + 1;
    // The position in `a` that was reached on each diagonal; the diagonal is how far that is ahead of `b`.
    let mut reached = vec![0isize; 2 * most + 3];
    for count in 0..=most as isize {
        for diagonal in (-count..=count).step_by(2) {
            let at = (middle + diagonal) as usize;
            let is_from_above =
                diagonal == -count || diagonal != count && reached[at - 1] < reached[at + 1];
            let mut i = if is_from_above { reached[at + 1] } else { reached[at - 1] + 1 };
            while i < n && i - diagonal < m && a[i as usize] == b[(i - diagonal) as usize] {
                i += 1;
            }
            reached[at] = i;
            if i >= n && i - diagonal >= m {
                return Some(count as usize);
            }
        }
    }
    None
}

/// The alignment of greatest total weight, in which no pairs cross. Pairs of weight 0 are left out.
pub(super) fn heaviest(
    n: usize,
    m: usize,
    weight: impl Fn(usize, usize) -> u32,
) -> Vec<(usize, usize)> {
    within(n, m, n.max(m), weight)
}

/// The same where no alignment of greatest weight pairs or passes positions further apart than `reach`.
fn within(
    n: usize,
    m: usize,
    reach: usize,
    weight: impl Fn(usize, usize) -> u32,
) -> Vec<(usize, usize)> {
    // A row of the table is that part of the positions j which is within reach of i, or all of them.
    let is_narrow = 2 * reach + 1 < m;
    let width = if is_narrow { 2 * reach + 2 } else { m + 1 };
    let first = |i: usize| if is_narrow { i.saturating_sub(reach) } else { 0 };
    let end = |i: usize| if is_narrow { (i + reach + 1).min(m) } else { m };
    // The greatest total weight from position (i, j) on; nothing beyond the row.
    let mut best = vec![0u32; (n + 1) * width];
    let get = |best: &[u32], i: usize, j: usize| {
        let place = j.checked_sub(first(i)).filter(|place| *place < width);
        place.map_or(0, |place| best[i * width + place])
    };
    for i in (0..n).rev() {
        let (rows, next) = best.split_at_mut((i + 1) * width);
        let (row, next) = (&mut rows[i * width..], &next[..width]);
        let (start, end, next_start) = (first(i), end(i), first(i + 1));
        let below = |j: usize| {
            j.checked_sub(next_start).and_then(|at| next.get(at)).map_or(0, |best| *best)
        };
        let (mut right, mut diagonal) = (0, below(end));
        for j in (start..end).rev() {
            let down = below(j);
            let paired = match weight(i, j) {
                0 => 0,
                weight => weight + diagonal,
            };
            right = down.max(right).max(paired);
            row[j - start] = right;
            diagonal = down;
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < n && j < m {
        let here = get(&best, i, j);
        let weight = weight(i, j);
        if weight > 0 && here == weight + get(&best, i + 1, j + 1) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == get(&best, i + 1, j) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The longest run of pairs, ascending in both sequences, of elements that occur once in each.
fn landmarks(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let (once_a, once_b) = (once(a), once(b));
    let mut pairs: Vec<(usize, usize)> =
        once_a.iter().filter_map(|(key, &i)| Some((i, *once_b.get(key)?))).collect();
    pairs.sort_unstable();
    // Patience sorting: the smallest end of an ascending run of each length, and its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, j)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < j);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        run.push(pairs[at]);
        next = before[at];
    }
    run.reverse();
    run
}

/// The position of each element that occurs once.
fn once(sequence: &[u64]) -> HashMap<u64, usize> {
    let mut places: HashMap<u64, Option<usize>> = HashMap::new();
    for (at, &key) in sequence.iter().enumerate() {
        places.entry(key).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The length of a longest common subsequence, by definition.
    fn longest(a: &[u64], b: &[u64]) -> usize {
        match (a, b) {
            ([x, a @ ..], [y, b @ ..]) if x == y => 1 + longest(a, b),
            ([_, rest_a @ ..], [_, rest_b @ ..]) => longest(rest_a, b).max(longest(a, rest_b)),
            _ => 0,
        }
    }

    fn check(a: &[u64], b: &[u64], pairs: &[(usize, usize)]) {
        assert!(pairs.iter().all(|&(i, j)| a[i] == b[j]));
        assert!(pairs.is_sorted_by(|x, y| x.0 < y.0 && x.1 < y.1), "{pairs:?}");
    }

    proptest! {
        #[test]
        fn a_narrow_table_gives_what_the_whole_one_does(
            a in prop::collection::vec(0u64..6, 0..60),
            edits in prop::collection::vec((0usize..60, 0u64..8, any::<bool>()), 0..8),
        ) {
            let mut b = a.clone();
            for (at, value, is_added) in edits {
                let at = at.min(b.len());
                if is_added { b.insert(at, value) } else if at < b.len() { b[at] = value }
            }
            let whole = heaviest(a.len(), b.len(), |i, j| u32::from(a[i] == b[j]));
            prop_assert_eq!(super::longest(&a, &b), &*whole);
            let differing = differing(&a, &b, a.len() + b.len());
            prop_assert_eq!(differing, Some(a.len() + b.len() - 2 * whole.len()));
        }

        #[test]
        fn nothing_common_is_missed(
            a in prop::collection::vec(0u64..4, 0..9),
            b in prop::collection::vec(0u64..4, 0..9),
        ) {
            let pairs = common(&a, &b, &mut Effort::new());
            check(&a, &b, &pairs);
            prop_assert_eq!(pairs.len(), longest(&a, &b));
        }

        #[test]
        fn landmarks_are_common(
            a in prop::collection::vec(0u64..30, 0..20),
            b in prop::collection::vec(0u64..30, 0..20),
        ) {
            check(&a, &b, &landmarks(&a, &b));
        }
    }

    #[test]
    fn long_sequences_are_compared_by_what_is_unique() {
        // Two elements are swapped and one is new. The others are found, though the table is too large.
        let a: Vec<u64> = (0..100_000).collect();
        let mut b = a.clone();
        b.swap(1, 99_998);
        b.insert(50_000, 1_000_000);
        let pairs = common(&a, &b, &mut Effort::new());
        check(&a, &b, &pairs);
        assert_eq!(pairs.len(), 99_998);
    }

    #[test]
    fn effort_comes_to_an_end() {
        let mut effort = Effort::new();
        assert!(!effort.allows(LARGEST + 1, 1));
        let rounds = (0..).take_while(|_| effort.allows(LARGEST, LARGEST)).count();
        assert_eq!(rounds, 16);
    }
}
