//! What can be asked and done apart from the stream: delete, expire, take stock, export.

use super::{
    answer::Answer,
    ask,
    counters::StoreCounters,
    pages::Pages,
    round::{Round, decode},
    round_judge::RoundJudge,
    store::{Store, StoreError},
    window::Clock,
};
use crate::{
    keys::StreamKeys,
    settings::{Settings, SettingsError},
};
use std::sync::Arc;

/// What deleting a document has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The member of its cluster that is the original now.
    pub promoted: Option<String>,
}

/// What was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Whole hours, or other parts of the window.
    pub buckets: u64,
    /// Documents in them.
    pub documents: u64,
}

/// What a store holds, and what it gave up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Documents, deleted ones and former generations included.
    pub documents: u64,
    /// Bytes of what is kept of them.
    pub bytes: u64,
    /// Hours, or other parts of the window.
    pub buckets: u64,
    /// The earliest and the latest time of a document.
    pub times: Option<(i64, i64)>,
    /// How far the clock of the documents has come.
    pub clock: Option<i64>,
    /// Documents that the bound on documents or bytes drove out before their time.
    pub given_up: u64,
    /// Documents that came too late to be kept.
    pub late: u64,
    /// Keys with more documents than are looked at.
    pub capped: u64,
}

/// A document as a store has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Its number.
    pub seq: u64,
    /// How often it has changed.
    pub generation: u32,
    /// Its time.
    pub time: i64,
    /// What was said when it arrived.
    pub answer: Answer,
}

/// A store apart from its stream: documents are deleted, forgotten, counted and exported. It signs
/// nothing, and so needs no model.
#[derive(Debug)]
pub struct Upkeep<S> {
    pub(super) settings: Arc<Settings>,
    pub(super) store: S,
    pub(super) keys: StreamKeys,
    pub(super) clock: Clock,
    pub(super) pages: Pages,
}

impl<S: Store> Upkeep<S> {
    /// Looks after a store that was made with these settings.
    ///
    /// # Errors
    ///
    /// If the settings cannot be used on a stream.
    pub fn new(settings: &Settings, store: S) -> Result<Self, SettingsError> {
        settings.check_stream()?;
        Ok(Self::checked(Arc::new(settings.on_stream()), store))
    }

    /// With settings as a stream takes them, which were checked.
    pub(super) fn checked(settings: Arc<Settings>, store: S) -> Self {
        let keys = StreamKeys::new(&settings);
        Self { settings, store, keys, clock: Clock::default(), pages: Pages::default() }
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Deletes a document; none if there is no such id. What was said of others stands, but the
    /// earliest of its copies is the original for those to come.
    pub fn delete(&mut self, id: &str) -> Result<Option<Deleted>, StoreError> {
        let Self { settings, store, keys, clock, pages } = self;
        let mut round = Round::begin(store, pages)?;
        let round_judge = RoundJudge { settings, keys, bitmap_index: None, clock };
        let result = (|| {
            let probe = ask::of_id(id);
            let found = round.find(std::slice::from_ref(&probe))?.remove(0);
            for seq in round.under(&probe, &found) {
                if let Some(record) = round.record(seq)?
                    && record.id == id
                    && !record.dead
                {
                    let promoted = round_judge.retire(&mut round, seq, &record)?;
                    let promoted = promoted.map(|record| record.id.clone());
                    return Ok(Some(Deleted { promoted }));
                }
            }
            Ok(None)
        })();
        match result {
            Ok(Some(deleted)) => round.commit().map(|()| Some(deleted)),
            other => {
                round.abandon();
                other
            }
        }
    }

    /// Forgets what lies before the window, or wholly before a given time.
    pub fn expire(&mut self, before: Option<i64>) -> Result<Forgotten, StoreError> {
        let window = self.settings.stream.window;
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let head = &round.head;
        let over: Vec<i64> = match before {
            Some(before) => {
                let old = head.buckets.iter().filter(|bucket| bucket.last < before);
                old.map(|bucket| bucket.number).collect()
            }
            None => window.over(head, head.clock).0,
        };
        let gone = head.buckets.iter().filter(|bucket| over.contains(&bucket.number));
        let documents = gone.map(|bucket| bucket.documents).sum();
        let forgotten = Forgotten { buckets: over.len() as u64, documents };
        round.changes.forget = over;
        round.commit()?;
        Ok(forgotten)
    }

    /// What the store holds.
    pub fn holdings(&mut self) -> Result<Holdings, StoreError> {
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let counters = StoreCounters::load(&mut round);
        let head = round.head.clone();
        round.abandon();
        let counters = counters?;
        let first = head.buckets.iter().map(|bucket| bucket.first).min();
        let last = head.buckets.iter().map(|bucket| bucket.last).max();
        Ok(Holdings {
            documents: head.buckets.iter().map(|bucket| bucket.documents).sum(),
            bytes: head.buckets.iter().map(|bucket| bucket.bytes).sum(),
            buckets: head.buckets.len() as u64,
            times: first.zip(last),
            clock: head.clock,
            given_up: counters.given_up,
            late: counters.late,
            capped: counters.capped,
        })
    }

    /// Documents from a number on, at most so many; dead ones are left out, so ask again from the
    /// number that is returned until there is none.
    pub fn export(
        &mut self,
        from: u64,
        most: usize,
    ) -> Result<(Vec<Exported>, Option<u64>), StoreError> {
        let stored = self.store.scan(from, most)?;
        let next = stored.last().map(|stored| stored.seq + 1);
        let mut exported = Vec::with_capacity(stored.len());
        for stored in stored {
            let record = decode(stored.seq, &stored.payload)?;
            if !record.dead {
                exported.push(Exported {
                    seq: stored.seq,
                    generation: record.generation,
                    time: record.time,
                    answer: record.said.answer(&record.id, false),
                });
            }
        }
        Ok((exported, next))
    }
}
