//! Texts for finding pairs: which of them can have a partner is told before any set is made.
//!
//! A sample of all shingles is counted as texts are read. Most shingles occur once, and a text that has
//! too many of those cannot have a partner. Only of the others are sets made, so that the matcher sees the
//! few texts that matter, in full. Until then a text is kept as its shingles, those of the sample first;
//! of a large collection as the numbers of its words, which take a quarter of the memory and more time.

pub(crate) mod counters;
pub(crate) mod dictionary;
mod distinct;
mod make_sets;
mod met_texts;
mod ranges;
pub(crate) mod singles;
mod word_reader;

use crate::{
    document::Document,
    measure::Rule,
    scheme::Scheme,
    settings::{Matcher, Settings},
    shelf::{Shelf, ShelfBlock, ShelfPlace},
};
pub(crate) use counters::SharedCounters;
use counters::{FinishedCounters, Tally};
use dictionary::Dictionary;
pub(crate) use distinct::Distinct;
pub(crate) use met_texts::MetTexts;
use ranges::SHARES;
use singles::{Singles, SinglesOfMany};
pub(crate) use word_reader::WordReader;

/// Whether texts can be kept in this form: shingles of words, all alike, whatever the collection is.
pub(crate) fn applies(settings: &Settings) -> bool {
    matches!(settings.scheme, Scheme::Words { .. })
        && matches!(settings.collection_matcher(), Matcher::Exact)
        && settings.needs_collection().is_none()
        && settings.model.is_none()
        && settings.confirm.is_none()
        && !settings.template
}

/// A collection with this number of features, or an unknown number, is kept by the numbers of words.
const MANY_FEATURES: usize = 40_000_000;

/// Whether texts of about `expected` features in all, or 0 if that is not known, are kept by the numbers of
/// their words.
pub(crate) fn are_compact(settings: &Settings, expected: usize) -> bool {
    applies(settings) && is_large(expected)
}

fn is_large(expected: usize) -> bool {
    expected == 0 || expected >= MANY_FEATURES
}

/// A text from which its set can be made.
#[derive(Clone, Debug)]
pub(crate) struct CodedText {
    /// The hash of the normalised text; meaningless if that is empty.
    pub(crate) fingerprint: u128,
    /// The length of the normalised text.
    pub(crate) length: u32,
    /// The number of its features.
    pub(crate) features: u32,
    kept: Kept,
}

/// What is kept of a text.
#[derive(Clone, Debug)]
enum Kept {
    /// Nothing: it has no features, or those of a copy.
    Nothing,
    /// Its features on the shelf with this number.
    Shelved { shelf: u32, features: SampledFirst<ShelfPlace> },
    /// The same by themselves.
    Features(SampledFirst<Box<[u64]>>),
    /// The numbers of its words, on the shelf with the number of the dictionary that has them.
    Code { dictionary: u32, code: ShelfPlace },
    /// The same by themselves.
    OwnCode { dictionary: u32, code: Box<[u16]> },
}

/// Features in any order, but those first that are counted, without repetitions unless these count.
#[derive(Clone, Copy, Debug)]
struct SampledFirst<T> {
    features: T,
    /// The number of those that are counted.
    sampled: u32,
}

/// The texts of a collection, in the order of its documents, and what is known of their features.
#[derive(Clone, Debug)]
pub(crate) struct CodedTexts {
    pub(crate) texts: Vec<CodedText>,
    dictionaries: Vec<Dictionary>,
    /// The blocks of each thread: of features, and of codes.
    shelves: Vec<Vec<ShelfBlock<u64>>>,
    codes: Vec<Vec<ShelfBlock<u16>>>,
    counters: FinishedCounters,
}

/// Makes codes of one text after another, on one thread.
pub(crate) struct TextCoder<'a> {
    reader: WordReader<'a>,
    /// The number of the thread.
    number: u32,
    /// The features, those first that are counted.
    parted: Vec<u64>,
    tally: Tally<'a>,
    shelf: Shelf<u64>,
    codes: Shelf<u16>,
    /// If texts are kept by the numbers of their words.
    dictionary: Option<Dictionary>,
    code: Vec<u16>,
}

impl CodedText {
    /// Takes what is kept of a copy if nothing is kept of this one.
    pub(crate) fn take_from(&mut self, copy: &mut Self) {
        if matches!(self.kept, Kept::Nothing) {
            self.features = copy.features;
            self.kept = std::mem::replace(&mut copy.kept, Kept::Nothing);
        }
    }
}

impl CodedTexts {
    /// Begins with counters for about `features` features. Tables that are too small grow; those that are too
    /// large would miss the caches.
    pub(crate) fn counters(settings: &Settings, features: usize) -> SharedCounters {
        SharedCounters::new(sampled_shares(settings.rule()), features, 4)
    }

    pub(crate) fn new(
        texts: Vec<CodedText>,
        coders: Vec<FinishedCoder>,
        counters: SharedCounters,
    ) -> Self {
        let mut coders = coders;
        coders.sort_unstable_by_key(|coder| coder.number);
        let parts = coders.into_iter().map(|coder| (coder.dictionary, (coder.shelf, coder.codes)));
        let (dictionaries, (shelves, codes)) = parts.unzip();
        Self { texts, dictionaries, shelves, codes, counters: counters.finish() }
    }

    /// Adds the texts of other documents.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.dictionaries.len() as u32;
        self.dictionaries.extend(other.dictionaries);
        self.shelves.extend(other.shelves);
        self.codes.extend(other.codes);
        self.counters.merge(other.counters);
        let texts = other.texts.into_iter();
        self.texts.extend(texts.map(|mut text| {
            if let Kept::Code { dictionary: number, .. }
            | Kept::OwnCode { dictionary: number, .. }
            | Kept::Shelved { shelf: number, .. } = &mut text.kept
            {
                *number += before;
            }
            text
        }));
    }
}

pub(crate) fn words_per_shingle(settings: &Settings) -> usize {
    if let Scheme::Words { n } = settings.scheme { n } else { 1 }
}

/// The number of features that a text with `size` of them need not have in common with a partner.
fn spare_features(size: u32, rule: Rule) -> usize {
    let size = u64::from(size);
    size.saturating_sub(rule.least_overlap(size, rule.smallest_partner(size))) as usize
}

/// A coder that has seen all its texts.
pub(crate) struct FinishedCoder {
    number: u32,
    dictionary: Dictionary,
    shelf: Vec<ShelfBlock<u64>>,
    codes: Vec<ShelfBlock<u16>>,
}

impl<'a> TextCoder<'a> {
    /// The coder of the thread with this number, for a collection of about `expected` features.
    pub(crate) fn new(
        settings: &'a Settings,
        number: usize,
        counters: &'a SharedCounters,
        expected: usize,
    ) -> Self {
        Self {
            reader: WordReader::new(settings),
            number: number as u32,
            parted: Vec::new(),
            tally: Tally::new(counters),
            shelf: Shelf::default(),
            codes: Shelf::default(),
            dictionary: is_large(expected).then(Dictionary::default),
            code: Vec::new(),
        }
    }

    /// The code of a document's text. Of one that was met before, nothing is kept.
    pub(crate) fn code(&mut self, document: &Document, met: &MetTexts) -> CodedText {
        let read = self.reader.read(document);
        let mut text = CodedText {
            fingerprint: read.fingerprint.unwrap_or_default(),
            length: read.length,
            features: 0,
            kept: Kept::Nothing,
        };
        if self.reader.words().is_empty() || met.meet(text.fingerprint) {
            return text;
        }
        let (features, distinct) = self.reader.shingles();
        let counted = features.len();
        text.features = counted as u32;
        text.kept = match &mut self.dictionary {
            None => {
                // In memory that is at hand: the shelf is out of reach of the caches, and written once.
                let (different, repeated) = features.split_at(distinct);
                self.parted.resize(counted.max(self.parted.len()), 0);
                let parted = &mut self.parted[..counted];
                parted[distinct..].copy_from_slice(repeated);
                let sampled = self.tally.add_and_part(different, &mut parted[..distinct]) as u32;
                match self.shelf.add(parted) {
                    Some(features) => {
                        let features = SampledFirst { features, sampled };
                        Kept::Shelved { shelf: self.number, features }
                    }
                    None => Kept::Features(SampledFirst { features: (&*parted).into(), sampled }),
                }
            }
            Some(dictionary) => {
                self.tally.add_all(&features[..distinct]);
                dictionary.encode(self.reader.words(), &mut self.code);
                let dictionary = self.number;
                match self.codes.add(&self.code) {
                    Some(code) => Kept::Code { dictionary, code },
                    None => Kept::OwnCode { dictionary, code: self.code.as_slice().into() },
                }
            }
        };
        text
    }

    /// Ends coding.
    pub(crate) fn finish(mut self) -> FinishedCoder {
        self.tally.finish();
        let dictionary = self.dictionary.unwrap_or_default();
        let (shelf, codes) = (self.shelf.finish(), self.codes.finish());
        FinishedCoder { number: self.number, dictionary, shelf, codes }
    }
}

/// Of how many of the [`SHARES`] of all features singles are counted. Others are not needed where few singles
/// are enough to rule a text out.
pub(crate) fn sampled_shares(rule: Rule) -> usize {
    const SIZE: u64 = 1 << 20;
    let spare = spare_features(SIZE as u32, rule);
    // Nearly twice as many as may be single: some share a counter, some are not single.
    (spare * SHARES * 15 / 8).div_ceil(SIZE as usize).clamp(SHARES / 16, SHARES)
}
