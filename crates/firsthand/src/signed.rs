//! Signs the documents of a collection on all threads, batch by batch, without keeping any text.

use crate::{
    coded::{self, CodedTexts, MetTexts, TextCoder},
    detector::Detector,
    document::Document,
    hashed::BuildHashed,
    settings::Settings,
    sign::{SignedPage, Signer},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Exact copies with at least this number of features keep none of their own; noting the text of a
/// shorter one would cost almost as much.
const SHARED: usize = 256;

/// A signed document of a collection.
#[derive(Clone, Debug)]
pub(crate) struct SignedDocument {
    pub(crate) id: String,
    pub(crate) time: Option<i64>,
    /// `None` if it has neither a text nor a site.
    pub(crate) signed: Option<Box<SignedPage>>,
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
    /// The texts, if they are kept in little memory and not in `entries`.
    pub(crate) coded: Option<CodedTexts>,
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
        let texts = FirstTexts::default();
        let parts = rayon::broadcast(|_| {
            let mut parts = Vec::new();
            let mut signer = Signer::default();
            while let Some((index, batch)) = next() {
                let documents = open(batch).into_iter().enumerate();
                let entries = documents.map(|(at, document)| {
                    texts.signed(document, (&mut signer, detector), (index, at))
                });
                parts.push((index, entries.collect::<Vec<_>>()));
            }
            parts
        });
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(index, _)| *index);
        let settings = Arc::clone(detector.shared_settings());
        let entries = parts.into_iter().flat_map(|(_, entries)| entries).collect();
        Self { settings, entries, coded: None }
    }

    /// Signs a few documents on this thread: a caller that has many threads busy with documents of their own need
    /// not wait for them.
    ///
    /// ```
    /// use firsthand::{Detector, Document, Settings, collections::Signed};
    ///
    /// let detector = Detector::new(Settings::default())?;
    /// let documents = ["one text", "another"].map(|text| Document::new(text, text));
    /// assert_eq!(Signed::few(&detector, documents).len(), 2);
    /// # Ok::<(), firsthand::SettingsError>(())
    /// ```
    pub fn few(detector: &Detector, documents: impl IntoIterator<Item = Document>) -> Self {
        let (texts, mut signer) = (FirstTexts::default(), Signer::default());
        let sign = |(at, document)| texts.signed(document, (&mut signer, detector), (0, at));
        let entries = documents.into_iter().enumerate().map(sign).collect();
        Self { settings: Arc::clone(detector.shared_settings()), entries, coded: None }
    }

    /// As [`new`](Self::new), in less time and memory where the settings allow it: for a collection of which only the
    /// pairs at the threshold of the settings are asked for. Documents that cannot be in a pair have no
    /// features there, and those of others are good for this collection only. `expected` is about the
    /// number of features of all documents, or 0 if that is not known.
    ///
    /// ```
    /// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
    ///
    /// let detector = Detector::new(Settings::profile("corpus")?)?;
    /// let texts = ["The ferry did not sail on Monday", "the FERRY did not sail on Monday", "A new bridge"];
    /// let batches = [texts.map(|text| Document::new(text, text))].into_iter();
    /// let collection = Collection::new(Signed::for_pairs(&detector, 10, batches, |batch| batch));
    /// assert_eq!(collection.matches()?.0.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_pairs<B, I>(
        detector: &Detector,
        expected: usize,
        batches: impl Iterator<Item = B> + Send,
        open: impl Fn(B) -> I + Sync,
    ) -> Self
    where
        B: Send,
        I: IntoIterator<Item = Document>,
    {
        let settings = Arc::clone(detector.shared_settings());
        if !coded::applies(&settings) {
            return Self::new(detector, batches, open);
        }
        let batches = Mutex::new(batches.enumerate());
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        let met = MetTexts::expecting(expected / IN_TEXT);
        let counters = CodedTexts::counters(&settings, expected);
        let coded = rayon::broadcast(|thread| {
            let mut parts = Vec::new();
            let mut coder = TextCoder::new(&settings, thread.index(), &counters, expected);
            while let Some((index, batch)) = next() {
                let entries = open(batch).into_iter().map(|document| {
                    let text = coder.code(&document, &met);
                    let (id, time) = (document.id, document.time);
                    (SignedDocument { id, time, signed: None }, text)
                });
                let (entries, texts): (Vec<_>, Vec<_>) = entries.unzip();
                parts.push((index, entries, texts));
            }
            (parts, coder.finish())
        });
        let (parts, coders): (Vec<_>, Vec<_>) = coded.into_iter().unzip();
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(index, ..)| *index);
        let documents = parts.iter().map(|(_, entries, _)| entries.len()).sum();
        let (mut entries, mut texts) =
            (Vec::with_capacity(documents), Vec::with_capacity(documents));
        let (all_entries, all_texts): (Vec<_>, Vec<_>) =
            parts.into_iter().map(|(_, entries, texts)| (entries, texts)).unzip();
        rayon::join(
            || all_entries.into_iter().for_each(|part| entries.extend(part)),
            || all_texts.into_iter().for_each(|part| texts.extend(part)),
        );
        let coded = Some(CodedTexts::new(texts, coders, counters));
        Self { settings, entries, coded }
    }

    /// Whether documents that are signed [for pairs](Self::for_pairs) take little memory, less than their
    /// text, until their pairs are looked for.
    pub fn is_compact(settings: &Settings, expected: usize) -> bool {
        coded::are_compact(settings, expected)
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

/// Features of a text, about.
const IN_TEXT: usize = 500;

/// Where each long text occurs first, as far as is known: its batch, and its place in the batch.
struct FirstTexts {
    /// In shards by hash, so that threads rarely wait for each other.
    shards: Vec<Mutex<PlacesByText>>,
}

type PlacesByText = HashMap<u128, (usize, usize), BuildHashed>;

/// The shards of first texts.
const SHARDS: usize = 64;

impl Default for FirstTexts {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl FirstTexts {
    /// Signs a document at a place; its features stay with the first that has its text.
    fn signed(
        &self,
        document: Document,
        (signer, detector): (&mut Signer, &Detector),
        place: (usize, usize),
    ) -> SignedDocument {
        let mut signed = signer.sign(&document, detector.settings());
        self.share(&mut signed, place);
        let is_empty = signed.fingerprint.is_none() && signed.page.is_none();
        let signed = (!is_empty).then(|| Box::new(signed));
        SignedDocument { id: document.id, time: document.time, signed }
    }

    /// Takes the features from an exact copy of a document before it, whose features stand for both.
    fn share(&self, signed: &mut SignedPage, place: (usize, usize)) {
        if signed.text.features.len() + signed.rest.features.len() < SHARED {
            return;
        }
        // Whether a text that does not tell its headline can be a copy depends on how much there is of it.
        if signed.page().is_some_and(|page| !page.head.is_told) {
            return;
        }
        // What is compared of a page depends on its site and on all that it shows.
        let Some(fingerprint) = signed.fingerprint.map(|text| match signed.page() {
            Some(page) => page.fingerprint(text),
            None => text,
        }) else {
            return;
        };
        if self.is_copy(fingerprint, place) {
            (signed.text, signed.rest) = Default::default();
        }
    }

    /// Whether the text is that of a document before this one.
    fn is_copy(&self, text: u128, place: (usize, usize)) -> bool {
        // Tables are addressed by the lower bits.
        let shard = &self.shards[(text >> 64) as usize % SHARDS];
        let mut texts = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let first = texts.entry(text).or_insert(place);
        let is_copy = *first < place;
        if !is_copy {
            *first = place;
        }
        is_copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Collection;

    #[test]
    fn exact_copies_of_long_texts_cost_no_features() {
        let words = |from: usize| {
            let words: Vec<String> = (from..from + 400).map(|n| format!("w{n}")).collect();
            words.join(" ")
        };
        let texts = [words(0), words(0), words(1_000), words(0).to_uppercase(), words(20)];
        let detector = Detector::new(Settings::profile("corpus").unwrap()).unwrap();
        let sign = |of_batch: usize| {
            let batches: Vec<Vec<(usize, &String)>> = texts
                .iter()
                .enumerate()
                .collect::<Vec<_>>()
                .chunks(of_batch)
                .map(<[_]>::to_vec)
                .collect();
            Signed::new(&detector, batches.into_iter(), |batch| {
                batch.into_iter().map(|(at, text)| Document::new(format!("{at}"), text.clone()))
            })
        };
        let kept = |signed: &Signed| -> Vec<bool> {
            let features = |entry: &SignedDocument| {
                entry.signed.as_ref().is_some_and(|signed| !signed.text.features.is_empty())
            };
            signed.entries.iter().map(features).collect()
        };
        // Within a batch the order is certain.
        assert_eq!(kept(&sign(5)), [true, false, true, false, true]);
        for of_batch in [1, 2, 5] {
            let signed = sign(of_batch);
            assert!(kept(&signed)[0], "the first keeps its features");
            let collection = Collection::new(signed);
            let (pairs, _) = collection.matches().unwrap();
            assert!(pairs.get(0, 1).is_some_and(|pair| pair.exact));
            assert!(pairs.get(1, 3).is_some_and(|pair| pair.exact));
            assert!(pairs.get(3, 4).is_some_and(|pair| !pair.exact) && pairs.get(2, 4).is_none());
            assert_eq!(collection.features_of(3), collection.features_of(0));
        }
    }
}
