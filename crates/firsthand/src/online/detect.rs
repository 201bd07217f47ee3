//! The detector of a stream: judges documents against the store and keeps them there.

use super::{
    answer::Answer,
    arrival::{Arrival, StreamDetector},
    bitmap_index::BitmapIndex,
    counters::StoreCounters,
    round::Round,
    round_judge::RoundJudge,
    store::{Store, StoreError},
    upkeep::Upkeep,
    window::{Clock, RECENT},
};
use crate::keys::StreamKeys;
use std::sync::Arc;

/// Judges documents as they arrive.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector, Verdict}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let arrivals = ["a", "b"].map(|id| detector.sign(&Document::new(id, "The same text"), 0));
/// online.add(&arrivals[..1])?;
/// // A check keeps nothing, so it can be repeated.
/// for _ in 0..2 {
///     assert_eq!(online.check(&arrivals[1..])?[0].verdict, Verdict::Duplicate);
/// }
/// assert_eq!(online.upkeep().holdings()?.documents, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Online<S> {
    upkeep: Upkeep<S>,
    /// Only for the exact matcher.
    bitmap_index: Option<BitmapIndex>,
    compared: u64,
    left: LeftOut,
    /// The time of the document with which the clock jumped.
    jumped_by: Option<i64>,
}

/// Documents that are not in a store because of its window.
///
/// ```
/// use firsthand::{Document, Settings, online::{LeftOut, Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let day = 24 * 3_600_000;
/// let at = |number: i64, time| detector.sign(&Document::new(number.to_string(), "Text"), time);
/// online.add(&(0..30).map(|number| at(number, 0)).collect::<Vec<_>>())?;
/// online.add(&[at(30, -9 * day)])?;
/// assert_eq!(online.left_out(), LeftOut { too_late: 1, forgotten: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Documents that were answered and not kept, because they arrived too late.
    pub too_late: u64,
    /// Documents that were forgotten as the window moved on.
    pub forgotten: u64,
}

impl<S: Store> Online<S> {
    /// A stream judged by the settings of `detector`, with a store that was made with the same settings.
    pub fn new(detector: StreamDetector, store: S) -> Self {
        let settings = detector.shared_settings();
        let upkeep = Upkeep::checked(Arc::clone(settings), store);
        let is_exact = matches!(upkeep.keys, StreamKeys::Exact);
        let bitmap_index =
            is_exact.then(|| BitmapIndex::new(settings.rule(), settings.min_features));
        Self { upkeep, bitmap_index, compared: 0, left: LeftOut::default(), jumped_by: None }
    }

    /// Maintenance of the store: delete, expire, count, export.
    pub fn upkeep(&mut self) -> &mut Upkeep<S> {
        &mut self.upkeep
    }

    /// The time of the stream, by the times of its documents, and where it has jumped to if that is not
    /// settled yet: nothing is forgotten by it before.
    pub fn clock(&self) -> (Option<i64>, Option<i64>) {
        (self.upkeep.clock.time(), self.upkeep.clock.jumped())
    }

    /// What the window has left out so far, by this value.
    pub fn left_out(&self) -> LeftOut {
        self.left
    }

    /// The time of the document with which the clock has jumped, as it was given; `None` if the clock has not
    /// jumped, or did so before this value was made.
    pub fn jumped_by(&self) -> Option<i64> {
        self.jumped_by
    }

    /// The number of candidates that documents were compared with so far, by this value.
    ///
    /// ```
    /// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
    ///
    /// let detector = StreamDetector::new(Settings::profile("feed")?)?;
    /// let mut online = Online::new(detector.clone(), Memory::new());
    /// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
    /// online.add(&[sign("a"), sign("b"), sign("c")])?;
    /// assert_eq!(online.candidates(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn candidates(&self) -> u64 {
        self.compared
    }

    /// Judges documents in order and keeps them. They are durable when this returns. The answers do not
    /// depend on how documents are split into calls.
    ///
    /// # Errors
    ///
    /// If the store fails. Earlier rounds of this call may have been committed, but no answer may be
    /// passed on.
    pub fn add(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let mut answers = Vec::with_capacity(arrivals.len());
        // A round that ended early has looked up documents for nothing: the next one takes fewer.
        let mut most = arrivals.len();
        while answers.len() < arrivals.len() {
            let before = answers.len();
            let end = arrivals.len().min(before.saturating_add(most));
            self.round(&arrivals[before..end], &mut answers)?;
            most = (answers.len() - before).saturating_mul(2).max(2);
        }
        Ok(answers)
    }

    /// Judges documents without keeping them, each as if it were the next to arrive.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn check(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let Self { upkeep, bitmap_index, compared, .. } = self;
        let Upkeep { settings, store, keys, pages, decisions, .. } = upkeep;
        let mut round = Round::begin(store, pages)?;
        let mut counters = StoreCounters::default();
        let result = (|| {
            decisions.follow(&mut round, settings)?;
            if let Some(bitmap_index) = bitmap_index {
                bitmap_index.follow(&mut round)?;
            }
            let head = round.head.clone();
            let mut clock = Clock::default();
            clock.resume(head.clock, None, Vec::new());
            let bitmap_index = bitmap_index.as_ref();
            let round_judge = RoundJudge { settings, keys, bitmap_index, clock: &clock, decisions };
            let lookups = round_judge.look_up(&mut round, arrivals)?;
            let mut answers = Vec::with_capacity(arrivals.len());
            for (arrival, lookup) in arrivals.iter().zip(lookups) {
                answers.push(round_judge.take(&mut round, arrival, lookup, &mut counters)?);
                round.undo(&head);
            }
            Ok(answers)
        })();
        *compared += round.compared;
        round.abandon();
        result.inspect_err(|_| decisions.doubt())
    }

    /// Judges documents in one round: at least the first, and as many as the window allows.
    fn round(&mut self, arrivals: &[Arrival], answers: &mut Vec<Answer>) -> Result<(), StoreError> {
        let Self { upkeep, bitmap_index, compared, left, jumped_by } = self;
        let Upkeep { settings, store, keys, clock, pages, decisions, .. } = upkeep;
        let mut round = Round::begin(store, pages)?;
        let before = answers.len();
        let mut left_now = LeftOut::default();
        let result = (|| {
            if let Some(bitmap_index) = bitmap_index {
                bitmap_index.follow(&mut round)?;
            }
            decisions.follow(&mut round, settings)?;
            let mut counters = StoreCounters::load(&mut round)?;
            let known = counters.clone();
            if clock.is_new() {
                clock.resume(round.head.clock, counters.jumped, round.last_times(RECENT)?);
            }
            let bitmaps = bitmap_index.as_ref();
            let round_judge =
                RoundJudge { settings, keys, bitmap_index: bitmaps, clock, decisions };
            let lookups = round_judge.look_up(&mut round, arrivals)?;
            for (arrival, lookup) in arrivals.iter().zip(lookups) {
                let bitmaps = bitmap_index.as_ref();
                let round_judge =
                    RoundJudge { settings, keys, bitmap_index: bitmaps, clock, decisions };
                let answer = round_judge.take(&mut round, arrival, lookup, &mut counters)?;
                decisions.after(&mut round, settings, &arrival.id)?;
                if !answer.repeated {
                    // A time ahead of the clock on the wall says nothing about the time of the stream.
                    let was_settled = clock.jumped().is_none();
                    clock.see(arrival.time.min(arrival.arrived), settings.stream.window);
                    match clock.jumped() {
                        Some(_) if was_settled => *jumped_by = Some(arrival.time),
                        Some(_) => {}
                        None => *jumped_by = None,
                    }
                }
                answers.push(answer);
                if let (Some(bitmap_index), Some((seq, bucket, record))) =
                    (&mut *bitmap_index, round.take_added())
                {
                    bitmap_index.learn(seq, bucket, &record);
                }
                let (over, given_up) = settings.stream.window.over_by(&round.head, clock);
                if !over.is_empty() || !given_up.is_empty() {
                    // The next document must not see these buckets, whichever round it is in.
                    counters.give_up(&round.head, &given_up);
                    let buried = round.buried_counts()?;
                    left_now.forgotten =
                        buried.living(&round.head, |bucket| over.contains(&bucket));
                    round.changes.forget = over.into_iter().chain(given_up).collect();
                    break;
                }
            }
            round.changes.clock = clock.time();
            counters.jumped = clock.jumped();
            counters.save(&known, &mut round);
            left_now.too_late = counters.late - known.late;
            Ok(())
        })();
        *compared += round.compared;
        let result = match result {
            Ok(()) => round.commit(),
            Err(error) => {
                round.abandon();
                Err(error)
            }
        };
        if result.is_ok() {
            left.too_late += left_now.too_late;
            left.forgotten += left_now.forgotten;
        }
        result.inspect_err(|_| {
            answers.truncate(before);
            decisions.doubt();
            // It may have indexed documents that were not stored.
            bitmap_index.iter_mut().for_each(BitmapIndex::reset);
        })
    }
}
