//! The interface of a store: payloads of documents, and keys under which documents are found.
//!
//! A store knows nothing about texts. It keeps a *payload* for each document under its sequence number,
//! lists of sequence numbers under 64-bit *keys*, and a few named values, and it forgets whole
//! *buckets* of documents at once. All decisions are made on this side of the trait, so that all stores
//! give the same answers.

/// The sequence number of a stored document: ascending in the order of arrival, never reused.
pub type Seq = u64;

/// Where a stream keeps what it has seen.
///
/// Work is done in *rounds*: `begin`, any number of lookups, then `commit` or `abandon`. During a round
/// no other thread or process changes the store, so that two copies that arrive at the same moment see
/// each other.
///
/// `examples/own_store.rs` in the repository implements a store of its own. [`Memory`](super::Memory)
/// is the reference:
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Store};
///
/// let mut store = Memory::new();
/// let seq = store.begin()?.next;
/// let entry = Entry { seq, keys: vec![7], payload: b"kept".to_vec(), ..Entry::default() };
/// store.commit(Changes { insert: vec![entry], ..Changes::default() })?;
/// assert_eq!(store.load(&[seq])?, [Some(b"kept".to_vec())]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
pub trait Store: Send {
    /// Begins a round, after waiting for others to end theirs. A round that was not ended is abandoned.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached, is in use, or is damaged.
    fn begin(&mut self) -> Result<Head, StoreError>;

    /// The documents under the keys of each probe, within its times and its cap.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError>;

    /// The payloads of documents; `None` for those that are gone.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// A named value.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Makes all changes or none, and ends the round. They are durable when this returns.
    ///
    /// # Errors
    ///
    /// If the changes could not be made durable. No answer that depends on them may be passed on.
    fn commit(&mut self, changes: Changes) -> Result<(), StoreError>;

    /// Ends the round without changes.
    fn abandon(&mut self);

    /// At most `most` documents in ascending order of sequence number, starting with `from`. May be
    /// called within a round or outside one.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError>;
}

/// The state of a store at the beginning of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The sequence number of the next document; the first is 1.
    pub next: Seq,
    /// The time of the stream as of the last commit, by the times of its documents.
    pub clock: Option<i64>,
    /// The buckets, in ascending order of their numbers.
    pub buckets: Vec<Bucket>,
}

/// Documents that expire together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its number.
    pub number: i64,
    /// The number of its documents.
    pub documents: u64,
    /// The total size of their payloads, in bytes.
    pub bytes: u64,
    /// The earliest time of its documents.
    pub first: i64,
    /// The latest.
    pub last: i64,
}

impl Bucket {
    /// A bucket without documents; its first will have this time.
    pub fn empty(number: i64, time: i64) -> Self {
        Self { number, documents: 0, bytes: 0, first: time, last: time }
    }

    /// Counts a document.
    pub fn add(&mut self, time: i64, bytes: u64) {
        self.documents += 1;
        self.bytes += bytes;
        self.first = self.first.min(time);
        self.last = self.last.max(time);
    }
}

/// A query for the documents under some keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// The keys, without repetitions.
    pub keys: Vec<u64>,
    /// The earliest time of the documents to find.
    pub from: i64,
    /// The latest time of the documents to find.
    pub to: i64,
    /// How many documents per key are wanted.
    pub cap: Cap,
}

/// How many documents per key are wanted.
///
/// ```
/// use firsthand::online::Cap;
///
/// // Of a crowded key, the two earliest and the two latest documents are wanted.
/// assert_eq!(Cap::halves(4).ends(3), (3, 0));
/// assert_eq!(Cap::halves(4).ends(100), (2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cap {
    /// A key with more documents than this is crowded.
    pub most: usize,
    /// The number of documents wanted from the start of a crowded list.
    pub first: usize,
    /// The number of documents wanted from its end. `first` and `last` together are at most `most`.
    pub last: usize,
}

impl Cap {
    /// No key is crowded.
    pub const NONE: Self = Self { most: usize::MAX, first: 0, last: 0 };

    /// At most `most` documents, half of them from each end of a crowded list.
    pub const fn halves(most: usize) -> Self {
        Self { most, first: most - most / 2, last: most / 2 }
    }

    /// How many documents are wanted from the start and from the end of a list of `count`.
    pub fn ends(self, count: usize) -> (usize, usize) {
        if count <= self.most {
            return (count, 0);
        }
        let first = self.first.min(self.most);
        (first, self.last.min(self.most - first))
    }
}

impl Default for Cap {
    fn default() -> Self {
        Self::NONE
    }
}

/// The result of a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// One list for each key of the probe, in the same order.
    pub lists: Vec<List>,
}

/// The documents under a key, within the times of a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Their sequence numbers, ascending: all of them, or both ends if the key is crowded.
    pub seqs: Vec<Seq>,
    /// Whether the key is crowded.
    pub crowded: bool,
}

impl List {
    /// Cuts an ascending list of documents to the cap. `seqs` has at least both ends of the full list,
    /// whose length is `total`.
    pub fn cut(mut seqs: Vec<Seq>, total: usize, cap: Cap) -> Self {
        let crowded = total > cap.most;
        if crowded {
            let (first, last) = cap.ends(total);
            let end = seqs.len().saturating_sub(last);
            seqs.drain(first.min(end)..end);
        }
        Self { seqs, crowded }
    }
}

/// A document to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its sequence number: [`Head::next`] for the first of a round, then ascending without gaps.
    pub seq: Seq,
    /// The bucket it expires with.
    pub bucket: i64,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: i64,
    /// The keys it is found under, without repetitions.
    pub keys: Vec<u64>,
    /// What is kept of it.
    pub payload: Vec<u8>,
}

/// A document in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Its sequence number.
    pub seq: Seq,
    /// Its bucket.
    pub bucket: i64,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: i64,
    /// What is kept of it.
    pub payload: Vec<u8>,
}

/// Everything that one round changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The time of the stream, by the times of its documents.
    pub clock: Option<i64>,
    /// New documents.
    pub insert: Vec<Entry>,
    /// New payloads of stored documents. Documents that are gone are ignored.
    pub replace: Vec<(Seq, Vec<u8>)>,
    /// Further keys of stored documents.
    pub keys: Vec<(Seq, Vec<u64>)>,
    /// New named values.
    pub values: Vec<(String, Vec<u8>)>,
    /// Buckets to forget, with all their documents. This happens last, so that a new document in one
    /// of them is forgotten at once.
    pub forget: Vec<i64>,
}

impl Changes {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self { clock: self.clock, ..Self::default() }
    }
}

/// Why a store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("{0}")]
    InUse(String),
    /// It was made by another version or with other settings.
    #[error("{0}")]
    Unfit(String),
    /// What is on disk is not what was written.
    #[error("{0}")]
    Damaged(String),
    /// The disk is full or the server is gone. Nothing was acknowledged, and trying again may help.
    #[error("{0}")]
    Failed(String),
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn begin(&mut self) -> Result<Head, StoreError> {
        (**self).begin()
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        (**self).find(probes)
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        (**self).load(documents)
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).value(name)
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        (**self).commit(changes)
    }

    fn abandon(&mut self) {
        (**self).abandon();
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        (**self).scan(from, most)
    }
}
