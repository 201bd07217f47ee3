//! The texts of a stream's documents, put on the shelf of their store once the documents are stored, and
//! before they are acknowledged.

use crate::kept_text::KeptText;
use firsthand::decisions::text_hash;
use firsthand::online::{Answer, Exported, Seq, Store, StoreError, Upkeep};
use firsthand_store::{ManagedStore, NewText, TextShelf};
use std::collections::{HashMap, HashSet};

/// A store with its upkeep.
pub(super) type StoreUpkeep = Upkeep<Box<dyn ManagedStore>>;

/// Texts by the ids of their documents. A round may bring several of one id.
type TextsById<'a> = HashMap<&'a str, Vec<&'a KeptText>>;

/// Puts the texts of documents on the shelf, durably. `first` is the number that the first new document
/// of the round could have got.
pub(super) fn keep_texts(
    upkeep: &mut StoreUpkeep,
    first: Seq,
    answers: &[Answer],
    texts: &[Option<KeptText>],
) -> Result<(), StoreError> {
    let mut wanted = TextsById::new();
    for (answer, text) in answers.iter().zip(texts) {
        if let (Some(id), Some(text)) = (&answer.id, text) {
            wanted.entry(id).or_default().push(text);
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let earlier = stored_earlier(upkeep, answers)?;
    // From here on nobody else can change a document until its text is kept.
    let next = upkeep.store_mut().begin()?.next;
    let kept = found_texts(upkeep, first..next, &earlier, &wanted).and_then(|found| {
        let texts: Vec<NewText<'_>> = found
            .iter()
            .map(|(bucket, stored, text)| NewText {
                bucket: *bucket,
                seq: stored.seq,
                id: stored.answer.id.as_deref().unwrap_or_default(),
                text,
            })
            .collect();
        shelf(upkeep)?.put(&texts)
    });
    upkeep.store_mut().abandon();
    kept
}

/// The shelf of a store that keeps texts.
fn shelf(upkeep: &mut StoreUpkeep) -> Result<&mut dyn TextShelf, StoreError> {
    let lost = || StoreError::Failed("the texts of the store are gone".to_owned());
    upkeep.store_mut().texts(false)?.ok_or_else(lost)
}

/// The numbers of documents that were stored before, but without their texts: a crash came in between.
fn stored_earlier(upkeep: &mut StoreUpkeep, answers: &[Answer]) -> Result<Vec<Seq>, StoreError> {
    let repeated: HashSet<&str> =
        answers.iter().filter(|it| it.repeated).filter_map(|it| it.id.as_deref()).collect();
    if repeated.is_empty() {
        return Ok(Vec::new());
    }
    let repeated: Vec<&str> = repeated.into_iter().collect();
    let mut seqs = Vec::new();
    for id in shelf(upkeep)?.lacking(&repeated)? {
        seqs.extend(upkeep.get(id)?.map(|found| found.document.seq));
    }
    Ok(seqs)
}

/// The documents among these that have one of the texts, each with its bucket and the bytes to keep. Other
/// processes may have stored documents of the same ids meanwhile: their texts are theirs to keep.
fn found_texts(
    upkeep: &mut StoreUpkeep,
    new: std::ops::Range<Seq>,
    earlier: &[Seq],
    wanted: &TextsById<'_>,
) -> Result<Vec<(i64, Exported, Vec<u8>)>, StoreError> {
    let most = usize::try_from(new.end.saturating_sub(new.start)).unwrap_or(usize::MAX);
    let starts = std::iter::once((new.start, most)).chain(earlier.iter().map(|seq| (*seq, 1)));
    let mut found = Vec::new();
    for (start, most) in starts.filter(|(_, most)| *most > 0) {
        let buckets: HashMap<Seq, i64> =
            upkeep.store_mut().scan(start, most)?.iter().map(|it| (it.seq, it.bucket)).collect();
        for stored in upkeep.export(start, most)?.0 {
            let texts = stored.answer.id.as_deref().and_then(|id| wanted.get(id));
            let text = texts.into_iter().flatten().find(|it| text_hash(&it.text) == stored.text);
            if let (Some(text), Some(bucket)) = (text, buckets.get(&stored.seq)) {
                found.push((*bucket, stored, text.to_bytes()?));
            }
        }
    }
    Ok(found)
}
