//! The detector of a stream: what arrives is judged against the store and kept there.

use super::{
    answer::Answer,
    arrival::Arrival,
    bitmap_index::BitmapIndex,
    counters::StoreCounters,
    keys::Keying,
    pages::Pages,
    round::Round,
    round_judge::RoundJudge,
    store::{Store, StoreError},
    window::Clock,
};
use crate::detector::Detector;

/// Judges documents as they arrive.
#[derive(Debug)]
pub struct Online<S> {
    pub(super) detector: Detector,
    pub(super) store: S,
    pub(super) keying: Keying,
    /// For the exact index.
    pub(super) bitmap_index: Option<BitmapIndex>,
    pub(super) clock: Clock,
    pub(super) pages: Pages,
}

impl<S: Store> Online<S> {
    /// Judges by a detector, with a store that was made with the same settings. They must be fit for
    /// a stream: see [`Settings::check_online`](crate::Settings::check_online).
    pub fn new(detector: Detector, store: S) -> Self {
        let settings = detector.settings();
        let keying = Keying::new(settings);
        let bitmap_index = matches!(keying, Keying::Exact);
        let bitmap_index =
            bitmap_index.then(|| BitmapIndex::new(settings.rule(), settings.min_features));
        Self {
            detector,
            store,
            keying,
            bitmap_index,
            clock: Clock::default(),
            pages: Pages::default(),
        }
    }

    /// Judges documents in their order and keeps them. When it returns, they are durable. The answers
    /// do not depend on how documents are gathered into calls.
    pub fn add(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let mut answers = Vec::with_capacity(arrivals.len());
        // A round that ended early has asked for documents in vain: the next asks for fewer.
        let mut most = arrivals.len();
        while answers.len() < arrivals.len() {
            let before = answers.len();
            let end = arrivals.len().min(before.saturating_add(most));
            self.round(&arrivals[before..end], &mut answers)?;
            most = (answers.len() - before).saturating_mul(2).max(2);
        }
        Ok(answers)
    }

    /// Judges documents, each as if it were the next to arrive, and keeps none.
    pub fn check(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let Self { detector, store, keying, bitmap_index, pages, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let mut counters = StoreCounters::default();
        let result = (|| {
            if let Some(bitmap_index) = bitmap_index {
                bitmap_index.follow(&mut round)?;
            }
            let head = round.head.clone();
            let clock = &Clock::default();
            let round_judge = RoundJudge {
                settings: detector.settings(),
                keying,
                bitmap_index: bitmap_index.as_ref(),
                clock,
            };
            let asked = round_judge.ask(&mut round, arrivals)?;
            let mut answers = Vec::with_capacity(arrivals.len());
            for (arrival, asked) in arrivals.iter().zip(asked) {
                answers.push(round_judge.take(&mut round, arrival, asked, &mut counters)?);
                round.undo(&head);
            }
            Ok(answers)
        })();
        round.abandon();
        result
    }

    /// Judges documents in one round with the store, the first at least.
    fn round(&mut self, arrivals: &[Arrival], answers: &mut Vec<Answer>) -> Result<(), StoreError> {
        let Self { detector, store, keying, bitmap_index, clock, pages } = self;
        let settings = detector.settings();
        let mut round = Round::begin(store, pages)?;
        clock.resume(round.head.clock);
        let before = answers.len();
        let result = (|| {
            if let Some(bitmap_index) = bitmap_index {
                bitmap_index.follow(&mut round)?;
            }
            let mut counters = StoreCounters::load(&mut round)?;
            let known = counters.clone();
            let round_judge =
                RoundJudge { settings, keying, bitmap_index: bitmap_index.as_ref(), clock };
            let asked = round_judge.ask(&mut round, arrivals)?;
            for (arrival, asked) in arrivals.iter().zip(asked) {
                let round_judge =
                    RoundJudge { settings, keying, bitmap_index: bitmap_index.as_ref(), clock };
                let answer = round_judge.take(&mut round, arrival, asked, &mut counters)?;
                if !answer.repeated {
                    clock.see(arrival.time);
                }
                answers.push(answer);
                if let (Some(bitmap_index), Some((seq, bucket, record))) =
                    (&mut *bitmap_index, round.fresh_one())
                {
                    bitmap_index.learn(seq, bucket, &record);
                }
                let (over, given_up) = settings.online.window.over_by(&round.head, clock);
                if !over.is_empty() || !given_up.is_empty() {
                    // What is forgotten is so for the next document, whatever round that is in.
                    counters.give_up(&round.head, &given_up);
                    round.changes.forget = over.into_iter().chain(given_up).collect();
                    break;
                }
            }
            round.changes.clock = clock.now();
            counters.save(&known, &mut round);
            Ok(())
        })();
        let result = match result {
            Ok(()) => round.commit(),
            Err(error) => {
                round.abandon();
                Err(error)
            }
        };
        result.inspect_err(|_| {
            answers.truncate(before);
            // It may know of documents that are not stored.
            bitmap_index.iter_mut().for_each(BitmapIndex::reset);
        })
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }
}
