//! What the online detector asks of a store: keys that lead to documents, and what is kept of each.
//!
//! A store knows nothing of texts. It keeps a *payload* for each document under its number, lists of
//! numbers under 64-bit *keys*, a few named values, and it forgets whole *buckets* of documents at
//! once. Everything that decides is on this side of the trait, so that all stores give the same
//! answers.

/// The number of a stored document: ascending in the order of arrival, never used again.
pub type Seq = u64;

/// A place where documents are kept.
///
/// Work is done in *rounds*: `begin`, any number of questions, then `commit` or `abandon`. From the
/// beginning of a round to its end nobody else changes the store, be it another thread or another
/// process, so that two copies that arrive at the same moment see one another.
pub trait Store: Send {
    /// Begins a round, waiting for others to end theirs. A round that was not ended is abandoned.
    fn begin(&mut self) -> Result<Head, StoreError>;

    /// The documents that lie under the keys of each probe, as many as it wants.
    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError>;

    /// The payloads of documents; none for those that are gone.
    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// A named value.
    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Makes changes, all or none, and ends the round. When it returns they are durable; if it
    /// fails, nothing of them may be told to anyone.
    fn commit(&mut self, changes: Changes) -> Result<(), StoreError>;

    /// Ends the round without changes.
    fn abandon(&mut self);

    /// Documents in ascending order of their numbers, from `from` on, at most so many. Within a round
    /// or without one.
    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError>;

    /// What there is to say about the store itself, apart from its documents: label and value, for
    /// people.
    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError>;
}

/// What a round begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The number of the next document; the first is 1.
    pub next: Seq,
    /// How far the clock of the documents has come, as of the last commit.
    pub clock: Option<i64>,
    /// The buckets, ascending.
    pub buckets: Vec<Bucket>,
}

/// Documents that are forgotten together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its number.
    pub number: i64,
    /// How many documents it has.
    pub documents: u64,
    /// How many bytes their payloads have.
    pub bytes: u64,
    /// The earliest time of its documents.
    pub first: i64,
    /// The latest.
    pub last: i64,
}

/// A question: which documents lie under these keys?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// The keys, all different.
    pub keys: Vec<u64>,
    /// The earliest time of the documents that count.
    pub from: i64,
    /// The latest.
    pub to: i64,
    /// How many documents of one key are wanted.
    pub cap: Cap,
}

/// How many documents of one key are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cap {
    /// A key with more documents than this is crowded.
    pub most: usize,
    /// Of a crowded key, so many of the earliest documents are wanted, by number,
    pub first: usize,
    /// and so many of the latest; with the earliest no more than `most`.
    pub last: usize,
}

impl Cap {
    /// No key is crowded.
    pub const NONE: Self = Self { most: usize::MAX, first: 0, last: 0 };

    /// So many at most, the earlier and the later half.
    pub const fn halves(most: usize) -> Self {
        Self { most, first: most - most / 2, last: most / 2 }
    }

    /// How many of the first and how many of the last are wanted, of so many documents in the order
    /// of their numbers.
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

/// The answer to a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What lies under each of its keys, in their order.
    pub lists: Vec<List>,
}

/// The documents under a key, within the times of a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Their numbers, ascending: all of them, or both ends if the key is crowded.
    pub seqs: Vec<Seq>,
    /// Whether the key is crowded.
    pub crowded: bool,
}

impl List {
    /// Cuts an ascending list of documents to what is wanted. It has all of them, or at least both
    /// ends; `total` is how many there are.
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
    /// Its number: that of the head, then ascending without a gap.
    pub seq: Seq,
    /// The bucket it is forgotten with.
    pub bucket: i64,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: i64,
    /// The keys it is found by, all different.
    pub keys: Vec<u64>,
    /// What is kept of it.
    pub payload: Vec<u8>,
}

/// A document that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Its number.
    pub seq: Seq,
    /// Its bucket.
    pub bucket: i64,
    /// Its time.
    pub time: i64,
    /// What is kept of it.
    pub payload: Vec<u8>,
}

/// Everything that one round changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// How far the clock of the documents has come.
    pub clock: Option<i64>,
    /// New documents.
    pub insert: Vec<Entry>,
    /// New payloads of documents that are kept already. Those that are gone are passed over.
    pub replace: Vec<(Seq, Vec<u8>)>,
    /// Further keys of documents that are kept already.
    pub keys: Vec<(Seq, Vec<u64>)>,
    /// New named values.
    pub values: Vec<(String, Vec<u8>)>,
    /// Buckets to forget, with all their documents. This comes last: a new document in one of them is
    /// forgotten at once.
    pub forget: Vec<i64>,
}

impl Changes {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self { clock: self.clock, ..Self::default() }
    }
}

/// Why a store did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else has it open.
    #[error("{0}")]
    InUse(String),
    /// It is of another version, or made with other settings.
    #[error("{0}")]
    Unfit(String),
    /// What is on disk is not what was written.
    #[error("{0}")]
    Damaged(String),
    /// The disk is full, the server is gone: nothing was acknowledged, and trying again may help.
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

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        (**self).facts()
    }
}
