//! The texts of a stream's documents, put on the shelf of their store once the documents are stored, and
//! before they are acknowledged.

use crate::error::{JobError, OpenError};
use crate::kept_text::KeptText;
use firsthand::online::{Answer, Seq, Store, StoreError, Upkeep};
use firsthand_store::{ManagedStore, TextShelf};
use std::collections::HashMap;

/// Keeps the texts of documents.
#[derive(Debug)]
pub(super) struct TextKeeper {
    shelf: TextShelf,
}

impl TextKeeper {
    /// Opens the shelf of a store, without the texts of buckets that are gone.
    pub(super) fn open(store: &mut dyn ManagedStore) -> Result<Self, JobError> {
        let folder = store.texts_folder().ok_or(OpenError::NoTexts)?;
        let mut shelf = TextShelf::open(&folder)?;
        let head = store.begin()?;
        store.abandon();
        let live: Vec<i64> = head.buckets.iter().map(|bucket| bucket.number).collect();
        shelf.keep_buckets(&live);
        Ok(Self { shelf })
    }

    /// Puts the texts of documents on the shelf, durably. `first` is the number that the first new
    /// document got.
    pub(super) fn keep(
        &mut self,
        upkeep: &mut Upkeep<Box<dyn ManagedStore>>,
        first: Seq,
        answers: &[Answer],
        texts: &[Option<KeptText>],
    ) -> Result<(), StoreError> {
        let places = places(upkeep, first, answers.len())?;
        for (answer, text) in answers.iter().zip(texts) {
            let (Some(id), Some(text)) = (&answer.id, text) else { continue };
            let place = match places.get(id) {
                Some(place) => Some(*place),
                // It was stored before, but perhaps a crash came before its text was kept.
                None if answer.repeated && !self.shelf.has(id) => place_of(upkeep, id)?,
                None => None,
            };
            if let Some((bucket, seq)) = place {
                self.shelf.put(bucket, seq, id, &text.to_bytes()?)?;
            }
        }
        self.shelf.sync()?;
        let head = upkeep.store_mut().begin()?;
        upkeep.store_mut().abandon();
        let live: Vec<i64> = head.buckets.iter().map(|bucket| bucket.number).collect();
        self.shelf.keep_buckets(&live);
        Ok(())
    }

    /// The text of a document; `None` if it is not there.
    pub(super) fn get(&mut self, id: &str) -> Result<Option<KeptText>, StoreError> {
        self.shelf.get(id)?.map(|bytes| KeptText::from_bytes(&bytes)).transpose()
    }

    /// Erases the text of a document, durably.
    pub(super) fn erase(&mut self, id: &str) -> Result<(), StoreError> {
        self.shelf.erase(id).map(drop)
    }
}

/// The bucket and the number of every document that a round has stored, by its id.
fn places(
    upkeep: &mut Upkeep<Box<dyn ManagedStore>>,
    first: Seq,
    most: usize,
) -> Result<HashMap<String, (i64, Seq)>, StoreError> {
    let buckets: HashMap<Seq, i64> =
        upkeep.store_mut().scan(first, most)?.iter().map(|it| (it.seq, it.bucket)).collect();
    let (stored, _) = upkeep.export(first, most)?;
    let place = |seq: Seq| Some((*buckets.get(&seq)?, seq));
    Ok(stored.into_iter().filter_map(|it| Some((it.answer.id?, place(it.seq)?))).collect())
}

fn place_of(
    upkeep: &mut Upkeep<Box<dyn ManagedStore>>,
    id: &str,
) -> Result<Option<(i64, Seq)>, StoreError> {
    let Some(found) = upkeep.get(id)? else { return Ok(None) };
    let seq = found.document.seq;
    let stored = upkeep.store_mut().scan(seq, 1)?;
    Ok(stored.first().filter(|it| it.seq == seq).map(|it| (it.bucket, seq)))
}
