//! The texts of documents, for stores that are asked to keep them.

use firsthand::online::{Seq, StoreError};

/// How hard texts are compressed.
const LEVEL: i32 = 3;
/// The longest text that is read again; a longer one is damage.
const LONGEST: u64 = 1 << 30;

/// A text to be kept, and the place of its document in the store.
#[derive(Clone, Copy, Debug)]
pub struct NewText<'a> {
    /// The bucket of the document, with which the text is forgotten.
    pub bucket: i64,
    /// The number of the document.
    pub seq: Seq,
    /// Its id.
    pub id: &'a str,
    /// What is kept.
    pub text: &'a [u8],
}

/// The kept texts of a store: compressed, one for each id, each forgotten with the bucket of its document.
///
/// ```
/// use firsthand::{Settings, online::{Changes, Entry, Store}};
/// use firsthand_store::{ManagedStore, NewText, OnOtherSettings, StoredSettings, open};
///
/// let folder = tempfile::tempdir()?;
/// let settings = StoredSettings::new(&Settings::default())?;
/// let address = folder.path().to_string_lossy();
/// let mut store = open(&address, Some(&settings), OnOtherSettings::Refuse)?;
/// assert!(store.texts(false)?.is_none(), "nothing is kept unless it is asked for");
///
/// let (seq, bucket) = (store.begin()?.next, 7);
/// let document = Entry { seq, bucket, time: 0, keys: Vec::new(), payload: b"features".to_vec() };
/// store.commit(Changes { insert: vec![document], ..Changes::default() })?;
/// let shelf = store.texts(true)?.ok_or("a folder can keep texts")?;
/// shelf.put(&[NewText { bucket, seq, id: "a", text: b"The ferry did not sail." }])?;
/// assert_eq!(shelf.get("a")?.as_deref(), Some(&b"The ferry did not sail."[..]));
/// shelf.erase(&["a"])?;
/// assert_eq!(shelf.get("a")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TextShelf {
    /// Keeps texts, durably when it returns, each in place of an earlier one of its id. A round that was
    /// begun is ended by it, so that nobody has changed the documents since they were looked at.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    fn put(&mut self, texts: &[NewText<'_>]) -> Result<(), StoreError>;

    /// Those of the ids that have no text.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn lacking<'a>(&mut self, ids: &[&'a str]) -> Result<Vec<&'a str>, StoreError>;

    /// The text of an id; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read as it was written.
    fn get(&mut self, id: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Erases the texts of ids, durably. Their bytes are gone from the disk after
    /// [`compact`](crate::ManagedStore::compact).
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    fn erase(&mut self, ids: &[&str]) -> Result<(), StoreError>;
}

pub(crate) fn compress(text: &[u8]) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::compress(text, LEVEL)
        .map_err(|error| StoreError::Failed(format!("cannot compress a text: {error}")))
}

/// The text; `None` if these are no bytes of [`compress`].
pub(crate) fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut text = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(bytes).ok()?;
    decoder.take(LONGEST).read_to_end(&mut text).ok()?;
    Some(text)
}
