//! Which runs are merged: as soon as there are `fan` of about the same size, so that a key is written
//! again only each time its bucket has grown by that factor.

use super::run::Run;
use std::{ops::Range, sync::Arc};

/// The runs to merge next, if any. `unit` is the size of the smallest runs.
pub(super) fn due(runs: &[Arc<Run>], unit: u64, fan: usize) -> Option<Range<usize>> {
    let sizes: Vec<u64> = runs.iter().map(|run| run.footer.postings).collect();
    due_by_size(&sizes, unit.max(1), fan.max(2))
}

/// All runs of a bucket that has stopped growing, unless there are few and one holds most keys.
pub(super) fn all(runs: &[Arc<Run>]) -> Option<Range<usize>> {
    let sizes = runs.iter().map(|run| run.footer.postings);
    let (total, largest) = (sizes.clone().sum::<u64>(), sizes.max()?);
    (runs.len() > 4 || runs.len() > 1 && largest < total / 4 * 3).then_some(0..runs.len())
}

fn due_by_size(sizes: &[u64], unit: u64, fan: usize) -> Option<Range<usize>> {
    let level = |size: u64| (size / unit).max(1).ilog(fan as u64);
    let levels: Vec<u32> = sizes.iter().map(|&size| level(size)).collect();
    let highest = levels.iter().copied().max()?;
    for top in 0..=highest {
        let mut start = 0;
        for stretch in levels.split(|&level| level > top) {
            // Smaller runs in between are included. A large run is not merged with smaller ones
            // alone, which would rewrite it again and again.
            let of_the_size = (0..stretch.len()).filter(|&at| stretch[at] == top);
            let chosen: Vec<usize> = of_the_size.take(fan).collect();
            if let (Some(first), Some(last)) = (chosen.first(), chosen.get(fan - 1)) {
                return Some(start + first..start + last + 1);
            }
            start += stretch.len() + 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stay_few_and_each_key_is_written_few_times() {
        let (mut sizes, mut written) = (Vec::new(), 0);
        for _ in 0..1000 {
            sizes.push(11);
            written += 11;
            while let Some(range) = due_by_size(&sizes, 10, 4) {
                let sum = sizes[range.clone()].iter().sum();
                written += sum;
                sizes.splice(range, [sum]);
            }
            assert!(sizes.len() <= 3 * 6, "{sizes:?}");
        }
        assert_eq!(sizes.iter().sum::<u64>(), 11_000);
        assert!(written <= 6 * 11_000, "{written}");
    }

    #[test]
    fn small_ones_between_large_ones_are_merged_too() {
        assert_eq!(due_by_size(&[100, 1, 10, 1, 100], 10, 3), Some(1..4));
        assert_eq!(due_by_size(&[100, 1, 10, 100], 10, 3), None);
        assert_eq!(due_by_size(&[], 10, 3), None);
    }
}
