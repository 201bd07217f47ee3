//! Maintenance of a store apart from its stream: delete, expire, count, export.

use super::{
    answer::Answer,
    counters::StoreCounters,
    decision_state::DecisionState,
    erase::Deleted,
    page_cache::PageCache,
    record::DocumentRecord,
    round::{Round, decode},
    round_judge::RoundJudge,
    store::{Store, StoreError},
    window::Clock,
};
use crate::{
    decisions::shown_hash,
    keys::StreamKeys,
    settings::{Settings, SettingsError},
};
use std::sync::Arc;

/// The result of expiring documents.
///
/// ```
/// use firsthand::{Document, Settings, online::{Forgotten, Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// online.add(&[detector.sign(&Document::new("a", "The ferry did not sail"), 1_000)])?;
/// assert_eq!(online.upkeep().expire(None)?, Forgotten::default());
/// assert_eq!(online.upkeep().expire(Some(5_000))?.documents, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The number of buckets that were forgotten.
    pub buckets: u64,
    /// The number of documents in them.
    pub documents: u64,
}

/// What a store holds, and what it has dropped over its whole life.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let at = |time: i64| detector.sign(&Document::new(format!("{time}"), "The same text"), time);
/// online.add(&[at(1_000), at(3_000), at(2_000)])?;
/// let holdings = online.upkeep().holdings()?;
/// assert_eq!((holdings.documents, holdings.times), (3, Some((1_000, 3_000))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// The number of documents, including deleted ones and former generations.
    pub documents: u64,
    /// The total size of their records, in bytes.
    pub bytes: u64,
    /// The number of buckets.
    pub buckets: u64,
    /// The earliest and the latest time of a document.
    pub times: Option<(i64, i64)>,
    /// The time of the stream, by the times of its documents.
    pub clock: Option<i64>,
    /// Where the time of the stream has jumped to, if that is not settled yet.
    pub jumped: Option<i64>,
    /// Documents that a bound on documents or bytes evicted before they expired.
    pub given_up: u64,
    /// Documents that arrived too late to be kept.
    pub late: u64,
    /// Times that a crowded key was met, so that not all of its documents were read.
    pub capped: u64,
}

/// A document as exported from a store.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector, Verdict}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
/// let arrivals = [sign("first"), sign("again")];
/// online.add(&arrivals)?;
/// let (exported, next) = online.upkeep().export(2, 100)?;
/// assert_eq!((exported.len(), next), (1, Some(3)));
/// assert_eq!(exported[0].answer.verdict, Verdict::Duplicate);
/// assert_eq!(exported[0].answer.original.as_deref(), Some("first"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Its sequence number.
    pub seq: u64,
    /// How many times it has changed.
    pub generation: u32,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: i64,
    /// Its URL.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its source: the one that it names, or else the host of its URL, or else its site.
    pub source: Option<String>,
    /// The [hash](crate::decisions::text_hash) of its text, by which decisions know it again.
    pub text: String,
    /// The answer that it got when it arrived, without documents that were deleted since.
    pub answer: Answer,
}

impl Exported {
    pub(super) fn new(seq: u64, record: &DocumentRecord) -> Self {
        Self {
            seq,
            generation: record.generation,
            time: record.time,
            url: record.url.clone(),
            title: record.title.clone(),
            source: record.source_name().map(str::to_owned),
            text: shown_hash(record.content),
            answer: record.said.answer(&record.id, false),
        }
    }
}

/// Deletes, expires, counts and exports the documents of a store. It signs nothing, so it needs no
/// model.
///
/// ```
/// use firsthand::{Settings, online::{Memory, Upkeep}};
///
/// let mut upkeep = Upkeep::new(&Settings::profile("feed")?, Memory::new())?;
/// assert_eq!(upkeep.holdings()?.documents, 0);
/// assert_eq!(upkeep.delete("absent")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Upkeep<S> {
    /// Whether changes are only tried: what would happen is returned, and nothing is kept.
    pub dry_run: bool,
    pub(super) settings: Arc<Settings>,
    pub(super) store: S,
    pub(super) keys: StreamKeys,
    pub(super) clock: Clock,
    pub(super) pages: PageCache,
    pub(super) decisions: DecisionState,
}

impl<S: Store> Upkeep<S> {
    /// Maintenance of a store that was made with these settings.
    ///
    /// # Errors
    ///
    /// If the settings cannot be used on a stream.
    pub fn new(settings: &Settings, store: S) -> Result<Self, SettingsError> {
        settings.check_stream()?;
        Ok(Self::checked(Arc::new(settings.on_stream()), store))
    }

    /// The same with settings that were checked and resolved for a stream.
    pub(super) fn checked(settings: Arc<Settings>, store: S) -> Self {
        let keys = StreamKeys::new(&settings);
        let (clock, pages) = (Clock::default(), PageCache::default());
        let decisions = DecisionState::default();
        Self { dry_run: false, settings, store, keys, clock, pages, decisions }
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// The store, when nothing more is to be done.
    pub fn into_store(self) -> S {
        self.store
    }

    /// Deletes a document: see [`Self::delete_all`].
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn delete(&mut self, id: &str) -> Result<Option<Deleted>, StoreError> {
        Ok(self.delete_all(&[id])?.pop().flatten())
    }

    /// Deletes documents one after another, and every mention of them in the records of others and in
    /// decisions; `None` for an id that the store does not know. The earliest copy of a deleted original takes its place.
    /// The bytes are gone from the files or tables of a store once it is compacted.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn delete_all(&mut self, ids: &[&str]) -> Result<Vec<Option<Deleted>>, StoreError> {
        let Self { dry_run, settings, store, keys, clock, pages, decisions } = self;
        let mut round = Round::begin(store, pages)?;
        let result = (|| {
            decisions.follow(&mut round, settings)?;
            let round_judge = RoundJudge { settings, keys, bitmap_index: None, clock, decisions };
            let mut deleted = round_judge.erase(&mut round, ids)?;
            for (deleted, is_named) in deleted.iter_mut().zip(decisions.erase(&mut round, ids)?) {
                if is_named {
                    deleted.get_or_insert_default();
                }
            }
            Ok(deleted)
        })();
        // Where documents stand is found again, whatever came of it.
        decisions.doubt();
        match result {
            Ok(deleted) if !*dry_run => round.commit().map(|()| deleted),
            other => {
                round.abandon();
                other
            }
        }
    }

    /// Forgets the buckets that are past the window, or those that end before a given time.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn expire(&mut self, before: Option<i64>) -> Result<Forgotten, StoreError> {
        let window = self.settings.stream.window;
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let buried = match round.buried_counts() {
            Ok(buried) => buried,
            Err(error) => {
                round.abandon();
                return Err(error);
            }
        };
        let head = &round.head;
        let over: Vec<i64> = match before {
            Some(before) => {
                let old = head.buckets.iter().filter(|bucket| bucket.last < before);
                old.map(|bucket| bucket.number).collect()
            }
            None => window.over(head, head.clock).0,
        };
        let documents = buried.living(head, |bucket| over.contains(&bucket));
        let forgotten = Forgotten { buckets: over.len() as u64, documents };
        round.changes.forget = over;
        match self.dry_run {
            true => round.abandon(),
            false => round.commit()?,
        }
        Ok(forgotten)
    }

    /// What the store holds.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn holdings(&mut self) -> Result<Holdings, StoreError> {
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let counters = StoreCounters::load(&mut round);
        let buried = round.buried_counts();
        let head = round.head.clone();
        round.abandon();
        let (counters, buried) = (counters?, buried?);
        let first = head.buckets.iter().map(|bucket| bucket.first).min();
        let last = head.buckets.iter().map(|bucket| bucket.last).max();
        Ok(Holdings {
            documents: buried.living(&head, |_| true),
            bytes: head.buckets.iter().map(|bucket| bucket.bytes).sum(),
            buckets: head.buckets.len() as u64,
            times: first.zip(last),
            clock: head.clock,
            jumped: counters.jumped,
            given_up: counters.given_up,
            late: counters.late,
            capped: counters.capped,
        })
    }

    /// Exports documents in pages: reads at most `most` documents, starting with the sequence number
    /// `from`, and returns those that are alive with the number where the next page starts. `None`
    /// means that there are no more.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
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
                exported.push(Exported::new(stored.seq, &record));
            }
        }
        Ok((exported, next))
    }
}
