//! The detector of a stream: what arrives is judged against the store and kept there.

use super::{
    answer::Answer,
    arrival::Arrival,
    desk::Desk,
    keys::Keying,
    order::{ENOUGH, Order},
    pages::Pages,
    record::Record,
    round::Round,
    store::{Seq, Store, StoreError},
    tallies::Tallies,
    window::Clock,
};
use crate::{detector::Detector, measure::Rule};

/// Where the order of the exact index is kept.
const ORDER: &str = "order";

/// Judges documents as they arrive.
#[derive(Debug)]
pub struct Online<S> {
    pub(super) detector: Detector,
    pub(super) store: S,
    pub(super) keying: Keying,
    pub(super) clock: Clock,
    pub(super) pages: Pages,
}

impl<S: Store> Online<S> {
    /// Judges by a detector, with a store that was made with the same settings. They must be fit for
    /// a stream: see [`Config::check_online`](crate::Config::check_online).
    pub fn new(detector: Detector, store: S) -> Self {
        let keying = Keying::new(detector.config());
        Self { detector, store, keying, clock: Clock::default(), pages: Pages::default() }
    }

    /// Judges documents in their order and keeps them. When it returns, they are durable. The answers
    /// do not depend on how documents are gathered into calls.
    pub fn add(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let mut answers = Vec::with_capacity(arrivals.len());
        while answers.len() < arrivals.len() {
            self.round(&arrivals[answers.len()..], &mut answers)?;
        }
        Ok(answers)
    }

    /// Judges documents, each as if it were the next to arrive, and keeps none.
    pub fn check(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let Self { detector, store, keying, pages, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let mut tallies = Tallies::default();
        let result = (|| {
            thaw(&mut round, keying)?;
            let head = round.head.clone();
            let desk = Desk { config: detector.config(), keying, clock: &Clock::default() };
            let asked = desk.ask(&mut round, arrivals)?;
            let mut answers = Vec::with_capacity(arrivals.len());
            for (arrival, asked) in arrivals.iter().zip(&asked) {
                answers.extend(desk.take(&mut round, arrival, asked, &mut tallies)?);
                round.undo(&head);
            }
            Ok(answers)
        })();
        round.abandon();
        result
    }

    /// Judges documents in one round with the store, the first at least.
    fn round(&mut self, arrivals: &[Arrival], answers: &mut Vec<Answer>) -> Result<(), StoreError> {
        let Self { detector, store, keying, clock, pages } = self;
        let config = detector.config();
        let mut round = Round::begin(store, pages)?;
        clock.resume(round.head.clock);
        let before = answers.len();
        let result = (|| {
            thaw(&mut round, keying)?;
            let mut tallies = Tallies::load(&mut round)?;
            let known = tallies.clone();
            // Until there is an order, documents are compared with all: no round may reach beyond the
            // document that makes an order possible.
            let documents: u64 = round.head.buckets.iter().map(|bucket| bucket.documents).sum();
            let most = match keying {
                Keying::Exact { order: None, .. } => ENOUGH.saturating_sub(documents).max(1),
                _ => u64::MAX,
            };
            let arrivals =
                &arrivals[..arrivals.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
            let asked = Desk { config, keying, clock }.ask(&mut round, arrivals)?;
            for (arrival, asked) in arrivals.iter().zip(&asked) {
                let desk = Desk { config, keying, clock };
                let Some(answer) = desk.take(&mut round, arrival, asked, &mut tallies)? else {
                    break;
                };
                if !answer.repeated {
                    clock.see(arrival.time);
                }
                answers.push(answer);
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
        let enough = round.documents() >= ENOUGH;
        let result = match result {
            Ok(()) => round.commit(),
            Err(error) => {
                round.abandon();
                Err(error)
            }
        };
        result.inspect_err(|_| answers.truncate(before))?;
        match keying {
            Keying::Exact { rule, order: order @ None } if enough => {
                freeze(store, pages, *rule).map(|frozen| *order = frozen)
            }
            _ => Ok(()),
        }
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }
}

/// Learns the order of the exact index, if another process has frozen it.
fn thaw<S: Store>(round: &mut Round<'_, S>, keying: &mut Keying) -> Result<(), StoreError> {
    if let Keying::Exact { order: order @ None, .. } = keying
        && let Some(bytes) = round.value(ORDER)?
    {
        let damaged = || StoreError::Damaged("the order of the exact index cannot be read".into());
        *order = Some(Order::from_bytes(&bytes).ok_or_else(damaged)?);
    }
    Ok(())
}

/// Freezes the order of the exact index, now that there are enough documents, and gives these their
/// keys; none if another process was faster.
fn freeze<S: Store>(
    store: &mut S,
    pages: &mut Pages,
    rule: Rule,
) -> Result<Option<Order>, StoreError> {
    let mut round = Round::begin(store, pages)?;
    let result = (|| {
        if round.value(ORDER)?.is_some() {
            return Ok(None);
        }
        let records: Vec<(Seq, Record)> = round.all()?;
        let order = Order::new(records.iter().map(|(_, record)| record.features.as_slice()));
        for (seq, record) in &records {
            if !record.features.is_empty() && !record.dead {
                round.add_keys(*seq, record.time, order.keys(rule, &record.features).keys);
            }
        }
        round.changes.values.push((ORDER.to_owned(), order.to_bytes()));
        Ok(Some(order))
    })();
    match &result {
        Ok(Some(_)) => round.commit()?,
        _ => round.abandon(),
    }
    result
}
