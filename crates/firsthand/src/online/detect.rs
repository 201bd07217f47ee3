//! The detector of a stream: what arrives is judged against the store and kept there.

use super::{
    answer::Answer,
    arrival::Arrival,
    desk::Desk,
    keys::Keying,
    pages::Pages,
    round::Round,
    sieve::Sieve,
    store::{Store, StoreError},
    tallies::Tallies,
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
    pub(super) sieve: Option<Sieve>,
    pub(super) clock: Clock,
    pub(super) pages: Pages,
}

impl<S: Store> Online<S> {
    /// Judges by a detector, with a store that was made with the same settings. They must be fit for
    /// a stream: see [`Config::check_online`](crate::Config::check_online).
    pub fn new(detector: Detector, store: S) -> Self {
        let config = detector.config();
        let keying = Keying::new(config);
        let sieve = matches!(keying, Keying::Exact);
        let sieve = sieve.then(|| Sieve::new(config.rule(), config.min_features));
        Self { detector, store, keying, sieve, clock: Clock::default(), pages: Pages::default() }
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
        let Self { detector, store, keying, sieve, pages, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let mut tallies = Tallies::default();
        let result = (|| {
            if let Some(sieve) = sieve {
                sieve.follow(&mut round)?;
            }
            let head = round.head.clone();
            let clock = &Clock::default();
            let desk = Desk { config: detector.config(), keying, sieve: sieve.as_ref(), clock };
            let asked = desk.ask(&mut round, arrivals)?;
            let mut answers = Vec::with_capacity(arrivals.len());
            for (arrival, asked) in arrivals.iter().zip(asked) {
                answers.push(desk.take(&mut round, arrival, asked, &mut tallies)?);
                round.undo(&head);
            }
            Ok(answers)
        })();
        round.abandon();
        result
    }

    /// Judges documents in one round with the store, the first at least.
    fn round(&mut self, arrivals: &[Arrival], answers: &mut Vec<Answer>) -> Result<(), StoreError> {
        let Self { detector, store, keying, sieve, clock, pages } = self;
        let config = detector.config();
        let mut round = Round::begin(store, pages)?;
        clock.resume(round.head.clock);
        let before = answers.len();
        let result = (|| {
            if let Some(sieve) = sieve {
                sieve.follow(&mut round)?;
            }
            let mut tallies = Tallies::load(&mut round)?;
            let known = tallies.clone();
            let desk = Desk { config, keying, sieve: sieve.as_ref(), clock };
            let asked = desk.ask(&mut round, arrivals)?;
            for (arrival, asked) in arrivals.iter().zip(asked) {
                let desk = Desk { config, keying, sieve: sieve.as_ref(), clock };
                let answer = desk.take(&mut round, arrival, asked, &mut tallies)?;
                if !answer.repeated {
                    clock.see(arrival.time);
                }
                answers.push(answer);
                if let (Some(sieve), Some((seq, bucket, record))) = (&mut *sieve, round.fresh_one())
                {
                    sieve.learn(seq, bucket, &record);
                }
                let (over, given_up) = config.online.window.over_by(&round.head, clock);
                if !over.is_empty() || !given_up.is_empty() {
                    // What is forgotten is so for the next document, whatever round that is in.
                    tallies.give_up(&round.head, &given_up);
                    round.changes.forget = over.into_iter().chain(given_up).collect();
                    break;
                }
            }
            round.changes.clock = clock.now();
            tallies.save(&known, &mut round);
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
            sieve.iter_mut().for_each(Sieve::reset);
        })
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }
}
