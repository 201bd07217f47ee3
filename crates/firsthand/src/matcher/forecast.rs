//! What a long search will cost, told before it begins.
//!
//! The lists that a record looks up are counted for a sample of the records. Only where these could make a
//! long search are some of them searched for real, and timed: in other collections a forecast costs the look-ups
//! of a few hundred records.

use super::{Cost, SearchLimits};
use std::time::{Duration, Instant};

/// A search of fewer steps is no matter of waiting: a step takes about a nanosecond.
const LONG: f64 = 1e10;
/// Records of each stratum whose lists are counted.
const COUNTED: usize = 16;
/// Records that are searched for real.
const PROBED: usize = 16;

/// What a search is expected to cost, from a sample of it.
///
/// ```
/// use firsthand::matcher::Forecast;
///
/// let forecast = Forecast { texts: 6_000, pairs: 18_000_000, ..Forecast::default() };
/// assert!(forecast.pairs > forecast.texts);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// The different texts that are compared.
    pub texts: u64,
    /// The comparisons, about: index entries that are read and features that are compared.
    pub steps: u64,
    /// The pairs that are found, about; 0 where the sample does not tell.
    pub pairs: u64,
    /// The time that it takes to find all of them, roughly.
    pub took: Duration,
}

/// Tells the forecast of a search in which all texts are compared in the same way.
pub(super) fn tell_steps(texts: usize, steps: f64, limits: SearchLimits<'_>) {
    if steps >= LONG {
        let took = Duration::from_secs_f64(steps / 1e9 / rayon::current_num_threads() as f64);
        let (texts, steps) = (texts as u64, steps as u64);
        (limits.expect)(Forecast { texts, steps, pairs: 0, took });
    }
}

/// Some records of a join, in proportion to the work that they can make.
pub(super) struct WorkSample {
    records: usize,
    /// The steps that all records take at the most.
    total: f64,
    /// Each stands for the same share of these.
    chosen: Vec<Counted>,
}

impl WorkSample {
    /// `most` is the number of steps that a record can take at the most.
    pub(super) fn new(records: usize, most: impl Fn(usize) -> f64) -> Self {
        let counted: Vec<Counted> = sample(records)
            .map(|(record, stands_for)| Counted { record, stands_for, most: most(record) })
            .collect();
        let total = counted.iter().map(Counted::total).sum();
        Self { records, total, chosen: by_work(&counted, total) }
    }

    /// The records, each with the number of those that it stands for; none if they take more than `most` steps, or if
    /// a few have most of the work: to try them would be the search itself.
    fn tried(&self, most: f64) -> Option<impl Iterator<Item = (usize, f64)>> {
        let steps: f64 = self.chosen.iter().map(|counted| counted.most).sum();
        let share = self.total / PROBED as f64;
        let tried = self.chosen.iter().map(move |counted| (counted.record, share / counted.most));
        (steps <= most.min(self.total / 50.0)).then_some(tried)
    }

    /// About the sum of what is found out of each record by trying some; none if that takes too long.
    pub(super) fn sum(&self, mut of: impl FnMut(usize) -> f64) -> Option<f64> {
        let tried = self.tried(LONG / 100.0)?;
        Some(tried.map(|(record, stands_for)| of(record) * stands_for).sum())
    }

    /// Tells the forecast of the join if it will be long. `probe` searches a record, and returns the number of its
    /// pairs and the length of its comparisons.
    pub(super) fn tell<S>(
        &self,
        limits: SearchLimits<'_>,
        scratch: impl FnOnce() -> S,
        probe: impl Fn(usize, &mut S, &mut Cost) -> (usize, f64),
    ) {
        if self.total < LONG {
            return;
        }
        let Some(tried) = self.tried(self.total) else {
            return tell_steps(self.records, self.total, limits);
        };
        let (mut scratch, mut steps, mut pairs, mut paces) = (scratch(), 0.0, 0.0, Vec::new());
        for (record, stands_for) in tried {
            let (started, mut cost) = (Instant::now(), Cost::default());
            let (found, length) = probe(record, &mut scratch, &mut cost);
            let own = cost.postings as f64 + cost.verified as f64 * length;
            paces.push(started.elapsed().as_secs_f64() / own.max(1.0));
            steps += own * stands_for;
            pairs += found as f64 * stands_for;
        }
        if steps >= LONG {
            // The median, since one may have been interrupted, and the first fills caches.
            paces.sort_unstable_by(f64::total_cmp);
            let pace = paces.get(paces.len() / 2).copied().unwrap_or(0.0);
            let took = Duration::from_secs_f64(steps * pace / rayon::current_num_threads() as f64);
            let (texts, steps, pairs) = (self.records as u64, steps as u64, pairs as u64);
            (limits.expect)(Forecast { texts, steps, pairs, took });
        }
    }
}

/// A record of the sample.
#[derive(Clone, Copy)]
struct Counted {
    record: usize,
    /// The number of records that it stands for.
    stands_for: f64,
    /// The steps that it takes at the most.
    most: f64,
}

impl Counted {
    /// The steps of all that it stands for.
    fn total(&self) -> f64 {
        self.most * self.stands_for
    }
}

/// Records, each with the number of those that it stands for. The last are the largest, and one of them may
/// have all the work: it stands for itself, and others for more and more towards the beginning.
fn sample(records: usize) -> impl Iterator<Item = (usize, f64)> {
    let mut end = records;
    let strata = std::iter::from_fn(move || {
        let size = (records - end).max(1).min(end);
        end -= size;
        (size > 0).then_some((end, size))
    });
    strata.flat_map(|(start, size)| {
        let taken = size.min(COUNTED);
        let place = move |at: usize| start + (2 * at + 1) * size / (2 * taken);
        (0..taken).map(move |at| (place(at), size as f64 / taken as f64))
    })
}

/// Some of the records, chosen in proportion to their work: each stands for the same share of it.
fn by_work(counted: &[Counted], total: f64) -> Vec<Counted> {
    let (share, mut chosen, mut sum) = (total / PROBED as f64, Vec::with_capacity(PROBED), 0.0);
    for counted in counted {
        sum += counted.total();
        while chosen.len() < PROBED && sum > (chosen.len() as f64 + 0.5) * share {
            chosen.push(*counted);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::{Scope, Sets, Wanted, exact};
    use super::*;
    use crate::measure::{Measure, Rule};
    use crate::threshold::Threshold;
    use std::sync::Mutex;

    #[test]
    fn a_sample_stands_for_all_records() {
        for records in [0, 1, 2, 3, 7, 100, 4_097, 200_000] {
            let sampled: Vec<(usize, f64)> = sample(records).collect();
            let all: f64 = sampled.iter().map(|(_, stands_for)| stands_for).sum();
            assert!((all - records as f64).abs() < 1e-6, "{records}: {all}");
            assert!(sampled.iter().all(|(record, _)| *record < records));
            assert!(records == 0 || sampled.contains(&(records - 1, 1.0)));
            assert!(sampled.len() <= 300, "{records}: {}", sampled.len());
        }
    }

    /// What is told, and what is asked while searching, in order; the search is ended when it asks first.
    fn events(sets: &Sets, threshold: u64) -> Vec<Result<Forecast, f64>> {
        let events = Mutex::new(Vec::new());
        let limits = SearchLimits {
            pairs: 1_000_000,
            go_on: &|share| {
                events.lock().unwrap().push(Err(share));
                false
            },
            expect: &|forecast| events.lock().unwrap().push(Ok(forecast)),
        };
        let rule = Rule { measure: Measure::Containment, threshold: Threshold::percent(threshold) };
        exact(sets, Wanted { rule, scope: Scope::Within, limits }).unwrap();
        events.into_inner().unwrap()
    }

    #[test]
    fn a_long_search_is_told_before_it_begins() {
        let spread = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let set = |size: u64| {
            let mut set: Vec<u64> = (0..size).map(spread).collect();
            set.sort_unstable();
            set
        };
        // Each is the beginning of the next.
        let chain: Sets = (1..=3_000).map(set).collect();
        let told = events(&chain, 90);
        let Some(Ok(forecast)) = told.first() else { panic!("{told:?}") };
        assert!(matches!(told[1..], [Err(_), ..]), "{told:?}");
        let pairs = 3_000 * 2_999 / 2;
        assert_eq!(forecast.texts, 3_000);
        assert!(forecast.pairs.abs_diff(pairs) < pairs / 10, "{forecast:?}");

        let short: Sets = (1..=300).map(set).collect();
        assert!(matches!(events(&short, 90)[..], [Err(_), ..]));
    }
}
