//! The interface of a store: payloads of documents, and keys under which documents are found.
//!
//! A store knows nothing about texts. It keeps a *payload* for each document under its sequence number,
//! lists of sequence numbers under 64-bit *keys*, and a few named values, and it forgets whole
//! *buckets* of documents at once. All decisions are made on this side of the trait, so that all stores
//! give the same answers.

/// The sequence number of a stored document: ascending in the order of arrival, never reused.
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Seq, Store};
///
/// let mut store = Memory::new();
/// let first: Seq = store.begin()?.next;
/// let entry = Entry { seq: first, bucket: 5, ..Entry::default() };
/// // The document is forgotten at once, and its number is not given to another one.
/// store.commit(Changes { insert: vec![entry], forget: vec![5], ..Changes::default() })?;
/// assert_eq!((store.load(&[first])?, store.begin()?.next), (vec![None], first + 1));
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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

    /// Several named values, in the order of the names.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn values(&mut self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        names.iter().map(|name| self.value(name)).collect()
    }

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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Store};
///
/// let mut store = Memory::new();
/// let entry = Entry { seq: 1, bucket: 5, time: 5_000, ..Entry::default() };
/// store.commit(Changes { clock: Some(5_000), insert: vec![entry], ..Changes::default() })?;
/// let head = store.begin()?;
/// assert_eq!((head.next, head.clock, head.buckets[0].number), (2, Some(5_000), 5));
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
///
/// ```
/// use firsthand::online::Bucket;
///
/// let mut bucket = Bucket::empty(5, 5_200);
/// for time in [5_200, 5_100, 5_900] {
///     bucket.add(time, 40);
/// }
/// assert_eq!((bucket.documents, bucket.bytes), (3, 120));
/// assert_eq!((bucket.first, bucket.last), (5_100, 5_900));
/// ```
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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Probe, Store};
///
/// let mut store = Memory::new();
/// let entry = |seq, time| Entry { seq, time, keys: vec![7], ..Entry::default() };
/// let insert = vec![entry(1, 1_000), entry(2, 2_000), entry(3, 3_000)];
/// store.commit(Changes { insert, ..Changes::default() })?;
/// let probe = Probe { keys: vec![7], from: 1_500, to: 2_500, ..Probe::default() };
/// assert_eq!(store.find(&[probe])?[0].lists[0].seqs, [2]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Probe, Store};
///
/// let mut store = Memory::new();
/// let entry = Entry { seq: 1, keys: vec![7, 8], ..Entry::default() };
/// store.commit(Changes { insert: vec![entry], ..Changes::default() })?;
/// let found = store.find(&[Probe { keys: vec![9, 8], ..Probe::default() }])?.remove(0);
/// // Nothing is under the key 9.
/// assert_eq!(found.lists.iter().map(|list| list.seqs.len()).collect::<Vec<_>>(), [0, 1]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// One list for each key of the probe, in the same order.
    pub lists: Vec<List>,
}

/// The documents under a key, within the times of a probe.
///
/// ```
/// use firsthand::online::{Cap, List};
///
/// let list = List::cut((1..=100).collect(), 100, Cap::halves(4));
/// assert!(list.crowded);
/// assert_eq!(list.seqs, [1, 2, 99, 100]);
/// ```
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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Store};
///
/// let mut store = Memory::new();
/// let next = store.begin()?.next;
/// let entry = |seq| Entry { seq, keys: vec![7], payload: vec![0; 40], ..Entry::default() };
/// store.commit(Changes { insert: vec![entry(next), entry(next + 1)], ..Changes::default() })?;
/// assert_eq!((store.begin()?.next, store.begin()?.buckets[0].bytes), (next + 2, 80));
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Store};
///
/// let mut store = Memory::new();
/// let entry = |seq| Entry { seq, payload: vec![seq as u8], ..Entry::default() };
/// store.commit(Changes { insert: (1..=5).map(entry).collect(), ..Changes::default() })?;
/// let stored = store.scan(3, 2)?;
/// assert_eq!(stored.iter().map(|stored| stored.seq).collect::<Vec<_>>(), [3, 4]);
/// assert_eq!(stored[0].payload, [3]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Store};
///
/// let mut store = Memory::new();
/// let entry = |seq, bucket| Entry { seq, bucket, ..Entry::default() };
/// store.commit(Changes { insert: vec![entry(1, 5), entry(2, 6)], ..Changes::default() })?;
/// let replace = vec![(2, b"new".to_vec())];
/// let later = Changes { forget: vec![5], replace, ..Changes::default() };
/// assert!(!later.is_empty());
/// store.commit(later)?;
/// assert_eq!(store.load(&[1, 2])?, [None, Some(b"new".to_vec())]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
///
/// ```
/// use firsthand::online::StoreError;
///
/// // What a caller does depends on the kind.
/// let may_try_again = |error: &StoreError| matches!(error, StoreError::Failed(_));
/// let full = StoreError::Failed("no space left on the disk".to_owned());
/// assert!(may_try_again(&full) && !may_try_again(&StoreError::Damaged("bad page".to_owned())));
/// assert_eq!(full.to_string(), "no space left on the disk");
/// ```
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

    fn values(&mut self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        (**self).values(names)
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
