//! Signs the documents of a collection on all threads, batch by batch, without keeping any text.

use crate::{
    detector::Detector,
    document::Document,
    settings::Settings,
    sign::{SignedPage, Signer},
};
use std::sync::{Arc, Mutex, PoisonError};

/// A signed document of a collection.
#[derive(Clone, Debug)]
pub(crate) struct SignedDocument {
    pub(crate) id: String,
    pub(crate) time: Option<i64>,
    pub(crate) signed: SignedPage,
}

/// Signed documents, in the order of the input, with the settings they were signed by.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::Signed};
///
/// let detector = Detector::new(Settings::default())?;
/// // A batch may be anything that can be opened on another thread: here, a range of numbers.
/// let signed = Signed::new(&detector, [0..2, 2..3].into_iter(), |numbers| {
///     numbers.map(|number| Document::new(format!("{number}"), "some text"))
/// });
/// assert_eq!(signed.len(), 3);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Signed {
    pub(crate) settings: Arc<Settings>,
    pub(crate) entries: Vec<SignedDocument>,
}

impl Signed {
    /// Signs batches of documents on all threads of the current pool.
    ///
    /// A free thread takes the next of `batches`, and `open` turns it into documents on that thread.
    pub fn new<B, I>(
        detector: &Detector,
        batches: impl Iterator<Item = B> + Send,
        open: impl Fn(B) -> I + Sync,
    ) -> Self
    where
        B: Send,
        I: IntoIterator<Item = Document>,
    {
        let batches = Mutex::new(batches.enumerate());
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        let parts = rayon::broadcast(|_| {
            let mut parts = Vec::new();
            let mut signer = Signer::default();
            while let Some((index, batch)) = next() {
                let documents = open(batch).into_iter();
                let entries =
                    documents.map(|document| entry(&mut signer, detector.settings(), document));
                parts.push((index, entries.collect::<Vec<_>>()));
            }
            parts
        });
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(index, _)| *index);
        let settings = Arc::clone(detector.shared_settings());
        Self { settings, entries: parts.into_iter().flat_map(|(_, entries)| entries).collect() }
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn entry(signer: &mut Signer, settings: &Settings, document: Document) -> SignedDocument {
    let signed = signer.sign(&document, settings);
    SignedDocument { id: document.id, time: document.time, signed }
}
