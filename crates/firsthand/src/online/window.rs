//! Windows: which documents are compared, which expire together, and when.

use super::store::{Bucket, Head};
use crate::settings::Window;
use std::collections::VecDeque;

/// A window expires in this many parts: a day by the hour.
const PARTS: i64 = 24;
/// A part is kept for this many parts after its window, for documents that arrive late.
const LATE: i64 = 2;
/// The slices of one part, used where documents or bytes are bounded.
const SLICES: i64 = 1 << 24;

/// The recent documents whose times set the clock.
pub(super) const RECENT: usize = 101;
/// With fewer documents, the clock is too uncertain to forget anything by.
const KNOWN: usize = 21;

/// The time of a stream: the median time of the latest documents, which a few wrong clocks, or a few
/// documents from the past or the future, cannot move.
///
/// Documents are forgotten by the *settled* time, which follows the median in small steps. A median that
/// jumps ahead, after a pause or because a clock is wrong, settles only once it has moved on from there
/// by as much time as late documents are waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    recent: VecDeque<i64>,
    now: Option<i64>,
    settled: Option<i64>,
    /// Where the time has jumped to, until it is settled.
    jumped: Option<i64>,
}

impl Clock {
    /// Whether it has yet to be resumed from a store.
    pub(super) fn is_new(&self) -> bool {
        self.recent.is_empty()
    }

    /// Resumes from the time in a store and the times of its latest documents.
    pub(super) fn resume(&mut self, stored: Option<i64>, jumped: Option<i64>, recent: Vec<i64>) {
        (self.now, self.settled, self.jumped) = (stored, stored, jumped);
        self.recent = recent.into();
    }

    /// Takes in the time of a document.
    pub(super) fn see(&mut self, time: i64, window: Window) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(time);
        let is_known = self.recent.len() >= KNOWN;
        if self.now.is_none() || is_known {
            let mut times: Vec<i64> = self.recent.iter().copied().collect();
            let middle = times.len() / 2;
            let now = *times.select_nth_unstable(middle).1;
            self.now = Some(now);
            if is_known {
                self.settle(now, window.slack());
            }
        }
    }

    fn settle(&mut self, now: i64, slack: i64) {
        let is_step = self.settled.is_none_or(|settled| now <= settled.saturating_add(slack));
        let is_confirmed = self.jumped.is_some_and(|jumped| now >= jumped.saturating_add(slack));
        if is_step || is_confirmed {
            (self.settled, self.jumped) = (Some(now), None);
        } else {
            self.jumped = Some(self.jumped.map_or(now, |jumped| jumped.min(now)));
        }
    }

    /// The median time.
    pub(super) fn now(&self) -> Option<i64> {
        self.now
    }

    /// The time to be stored: the settled one or, with few documents, the median.
    pub(super) fn time(&self) -> Option<i64> {
        self.settled.or(self.now)
    }

    /// Where the time has jumped to, if it is not settled.
    pub(super) fn jumped(&self) -> Option<i64> {
        self.jumped
    }

    /// The time, if it is certain enough to forget documents by.
    fn sure(&self) -> Option<i64> {
        self.settled.filter(|_| self.recent.len() >= KNOWN)
    }
}

impl Window {
    /// The earliest and the latest time of documents that a document of this time is compared with.
    /// Later times count, too, since a document may arrive late.
    pub(super) fn around(&self, time: i64) -> (i64, i64) {
        match self.milliseconds {
            Some(span) => (time.saturating_sub(span), time.saturating_add(span)),
            None => (i64::MIN, i64::MAX),
        }
    }

    fn width(span: i64) -> i64 {
        (span / PARTS).max(1)
    }

    /// How far the time may move at once: as long as late documents are waited for.
    fn slack(&self) -> i64 {
        self.milliseconds.map_or(i64::MAX, |span| LATE * Self::width(span))
    }

    /// Whether a document is so late that no recent document is compared with it. One that is ahead is the
    /// most recent itself: the clock of a slow stream is behind.
    pub(super) fn is_outside(&self, time: i64, clock: &Clock) -> bool {
        let (Some(_), Some(now)) = (self.milliseconds, clock.time()) else { return false };
        time < self.around(now).0
    }

    /// Whether documents of these times expire together, or never expire by time.
    pub(super) fn same_part(&self, a: i64, b: i64) -> bool {
        let bounded = self.documents.is_some() || self.bytes.is_some();
        let width = self.milliseconds.map(Self::width);
        !bounded && width.is_none_or(|width| a.div_euclid(width) == b.div_euclid(width))
    }

    /// The bucket of a document, given the current buckets in `head`.
    pub(super) fn bucket(&self, time: i64, clock: &Clock, head: &Head) -> i64 {
        let Some(span) = self.milliseconds else { return self.slice(0, head) };
        let width = Self::width(span);
        let hour = time.div_euclid(width);
        // Times far ahead are mostly wrong, and each could open a bucket of its own. So a whole window
        // of them shares one bucket, which lasts as long as the last of them.
        let far = clock.now().is_some_and(|now| time > now.saturating_add(span));
        let hour = if far { (hour.div_euclid(PARTS) + 1) * PARTS - 1 } else { hour };
        self.slice(hour, head)
    }

    /// The first slice of a part that is not full.
    fn slice(&self, hour: i64, head: &Head) -> i64 {
        let first = hour.saturating_mul(SLICES);
        let of_hour = first..first.saturating_add(SLICES);
        let last = head.buckets.iter().rev().find(|bucket| of_hour.contains(&bucket.number));
        let Some(last) = last else { return first };
        let full = |have: u64, bound: Option<u64>| {
            bound.is_some_and(|bound| have >= (bound / PARTS as u64).max(1))
        };
        match full(last.documents, self.documents) || full(last.bytes, self.bytes) {
            true => (last.number + 1).min(of_hour.end - 1),
            false => last.number,
        }
    }

    /// The time from which a document is no longer needed, nor any other of its part.
    fn end(time: i64, span: i64) -> i64 {
        let width = Self::width(span);
        let part = time.div_euclid(width).saturating_add(1).saturating_mul(width);
        part.saturating_add(span.saturating_add(LATE * width))
    }

    /// Whether a document arrives too late to be kept.
    pub(super) fn is_past(&self, time: i64, clock: &Clock) -> bool {
        let Some(span) = self.milliseconds else { return false };
        clock.sure().is_some_and(|now| Self::end(time, span) <= now)
    }

    /// The buckets that have expired, and those that are given up because of a bound. Buckets expire by
    /// the latest of their documents, not by their number, so that a window may become another.
    pub(super) fn over(&self, head: &Head, now: Option<i64>) -> (Vec<i64>, Vec<i64>) {
        let is_over = |bucket: &Bucket| match (self.milliseconds, now) {
            (Some(span), Some(now)) => Self::end(bucket.last, span) <= now,
            _ => false,
        };
        let (over, left): (Vec<&Bucket>, Vec<&Bucket>) =
            head.buckets.iter().partition(|bucket| is_over(bucket));
        let mut documents: u64 = left.iter().map(|bucket| bucket.documents).sum();
        let mut bytes: u64 = left.iter().map(|bucket| bucket.bytes).sum();
        let mut given_up = Vec::new();
        for bucket in left {
            let fits = self.documents.is_none_or(|most| documents <= most)
                && self.bytes.is_none_or(|most| bytes <= most);
            if fits {
                break;
            }
            documents -= bucket.documents;
            bytes -= bucket.bytes;
            given_up.push(bucket.number);
        }
        (over.iter().map(|bucket| bucket.number).collect(), given_up)
    }

    /// The same by a clock, unless it is too uncertain.
    pub(super) fn over_by(&self, head: &Head, clock: &Clock) -> (Vec<i64>, Vec<i64>) {
        self.over(head, clock.sure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const DAY: Window = Window { milliseconds: Some(24 * HOUR), documents: None, bytes: None };

    fn clock(times: impl IntoIterator<Item = i64>) -> Clock {
        let mut clock = Clock::default();
        times.into_iter().for_each(|time| clock.see(time, DAY));
        clock
    }

    #[test]
    fn a_few_wrong_clocks_move_nothing() {
        let mut clock = clock((0..200).map(|minute| minute * 60_000));
        let before = clock.now().unwrap();
        (0..20).for_each(|_| clock.see(1_000_000 * HOUR, DAY));
        assert!(clock.now().unwrap() - before < HOUR);
        // A jump that most documents agree on moves the clock.
        (0..60).for_each(|_| clock.see(1_000_000 * HOUR, DAY));
        assert_eq!(clock.now(), Some(1_000_000 * HOUR));
        (0..60).for_each(|minute| clock.see(minute * 60_000, DAY));
        assert!(clock.now().unwrap() < HOUR);
    }

    #[test]
    fn hours_are_forgotten_two_hours_after_the_window() {
        for (hour, past) in [(5, false), (29, false), (31, false), (32, true)] {
            let clock = clock((0..30).map(|_| hour * HOUR));
            assert_eq!(DAY.is_past(5 * HOUR, &clock), past, "{hour}");
        }
        // With few documents the clock is too uncertain.
        assert!(!DAY.is_past(5 * HOUR, &clock([1000 * HOUR])));
    }

    #[test]
    fn times_far_ahead_share_a_bucket_that_lasts() {
        let now = clock((0..30).map(|_| 0));
        let ahead = |hours: i64| DAY.bucket(hours * HOUR, &now, &Head::default());
        assert_ne!(ahead(3), ahead(4));
        assert_eq!(ahead(241), ahead(250));
        assert!(!DAY.is_past(241 * HOUR, &clock((0..30).map(|_| 263 * HOUR))));
    }

    #[test]
    fn times_at_the_ends_of_all_time_do_no_harm() {
        for time in [i64::MIN, -1, 0, i64::MAX] {
            let (from, to) = DAY.around(time);
            assert!(from <= time && time <= to);
            let bucket = DAY.bucket(time, &clock([0]), &Head::default());
            let clock = clock((0..30).map(|_| time));
            DAY.is_past(time, &clock);
            DAY.is_outside(time, &clock);
            let buckets = vec![Bucket::empty(bucket, time)];
            DAY.over_by(&Head { buckets, ..Head::default() }, &clock);
        }
    }

    #[test]
    fn a_jump_is_settled_only_once_time_has_moved_on() {
        let mut clock = clock((0..200).map(|minute| minute * 60_000));
        let before = clock.time().unwrap();
        // As after a restart.
        clock = Clock { recent: VecDeque::new(), ..clock };
        (0..200).for_each(|_| clock.see(72 * HOUR, DAY));
        assert_eq!((clock.now(), clock.time()), (Some(72 * HOUR), Some(before)));
        assert_eq!(clock.jumped(), Some(72 * HOUR));
        assert!(!DAY.is_past(0, &clock));
        // The jump is remembered over another restart.
        let mut again = Clock::default();
        again.resume(clock.time(), clock.jumped(), Vec::new());
        // Documents of the old time show that it was an error.
        let mut wrong = again.clone();
        (0..60).for_each(|_| wrong.see(before, DAY));
        assert_eq!((wrong.time(), wrong.jumped()), (Some(before), None));
        // Two hours of documents show that it was none.
        for minute in 0..300 {
            again.see(72 * HOUR + minute * 60_000, DAY);
            assert_eq!(again.time() > Some(before), minute >= 170, "{minute}");
        }
        assert!(again.jumped().is_none() && DAY.is_past(0, &again));
    }
}
