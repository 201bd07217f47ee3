//! Texts for finding pairs: which of them can have a partner is told before any set is made.
//!
//! A sample of all shingles is counted as texts are read. Most shingles occur once, and a text that has
//! too many of those cannot have a partner. Only of the others are sets made, so that the matcher sees the
//! few texts that matter, in full. Until then a text is kept as its shingles, those of the sample first;
//! of a large collection as the numbers of its words, which take a quarter of the memory and more time.

pub(crate) mod counters;
mod dictionary;
mod distinct;

use crate::{
    document::Document,
    feature_shelf::{FeatureBlock, FeatureShelf, ShelfPlace},
    matcher::{OneSet, Sets},
    measure::Rule,
    scheme::{Scheme, shingles},
    set::Sorter,
    settings::{Matcher, Settings},
    sign::read_words,
    tokens::Tokens,
};
pub(crate) use counters::SharedCounters;
use counters::{RANGES, Singles, Tally};
use dictionary::Dictionary;
use distinct::Distinct;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    /// The numbers of its words, and the number of the dictionary that has them.
    Code { dictionary: u32, code: Box<[u16]> },
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
    /// The blocks of each thread.
    shelves: Vec<Vec<FeatureBlock>>,
    singles: Singles,
}

/// Makes codes of one text after another, on one thread.
pub(crate) struct TextCoder<'a> {
    settings: &'a Settings,
    /// Words per shingle.
    n: usize,
    /// The number of the thread.
    number: u32,
    tokens: Tokens,
    features: Vec<u64>,
    /// The features, those first that are counted.
    parted: Vec<u64>,
    distinct: Distinct,
    tally: Tally<'a>,
    shelf: FeatureShelf,
    /// If texts are kept by the numbers of their words.
    dictionary: Option<Dictionary>,
    code: Vec<u16>,
}

impl CodedTexts {
    /// Begins with counters for about `features` features.
    pub(crate) fn counters(settings: &Settings, features: usize) -> SharedCounters {
        SharedCounters::new(sampled_ranges(settings.rule()), features)
    }

    pub(crate) fn new(
        texts: Vec<CodedText>,
        coders: Vec<FinishedCoder>,
        counters: SharedCounters,
    ) -> Self {
        let mut coders = coders;
        coders.sort_unstable_by_key(|coder| coder.number);
        let parts = coders.into_iter().map(|coder| (coder.dictionary, coder.shelf));
        let (dictionaries, shelves) = parts.unzip();
        Self { texts, dictionaries, shelves, singles: counters.finish() }
    }

    /// Adds the texts of other documents.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.dictionaries.len() as u32;
        self.dictionaries.extend(other.dictionaries);
        self.shelves.extend(other.shelves);
        self.singles.merge(other.singles);
        let texts = other.texts.into_iter();
        self.texts.extend(texts.map(|mut text| {
            if let Kept::Code { dictionary: number, .. } | Kept::Shelved { shelf: number, .. } =
                &mut text.kept
            {
                *number += before;
            }
            text
        }));
    }

    /// The sets of some texts in full; those of texts that cannot have a partner are empty. And whether these
    /// are all: once they have more than `most` features, no further ones are made.
    pub(crate) fn sets(
        mut self,
        wanted: Vec<CodedText>,
        settings: &Settings,
        most: usize,
    ) -> (Sets, bool) {
        let made = AtomicUsize::new(0);
        let is_within = |features: u32| {
            let features = features as usize;
            made.fetch_add(features, Relaxed).saturating_add(features) <= most
        };
        let mut sets: Vec<OneSet> = Vec::new();
        sets.resize_with(wanted.len(), || OneSet::Own(Box::default()));
        // The number of a thread's first block among all blocks.
        let firsts: Vec<usize> = firsts(self.shelves.iter().map(Vec::len)).collect();
        let mut blocks = std::mem::take(&mut self.shelves).concat();
        let (mut shelved, mut others) = (vec![Vec::new(); blocks.len()], Vec::new());
        for (at, text) in wanted.into_iter().enumerate() {
            if (text.features as usize) < settings.min_features {
                continue;
            }
            match text.kept {
                Kept::Nothing => {}
                Kept::Shelved { shelf, features } => {
                    let block = firsts[shelf as usize] + features.features.block();
                    shelved[block].push((at, features, text.features));
                }
                Kept::Features(_) | Kept::Code { .. } => others.push((at, text)),
            }
        }
        let in_blocks = blocks.par_iter_mut().zip(shelved).enumerate();
        let in_blocks = in_blocks.map_init(SetMaker::default, |maker, (number, (block, texts))| {
            let made = texts.into_iter().filter_map(|(at, features, size)| {
                let set = self.set_in_block((number, block), (features, size), settings, maker)?;
                is_within(size).then_some((at, set))
            });
            made.collect::<Vec<_>>()
        });
        let in_blocks: Vec<_> = in_blocks.collect();
        let others = others.into_par_iter().map_init(SetMaker::default, |maker, (at, text)| {
            let set = match made.load(Relaxed) <= most {
                true => self.own_set(&text, settings, maker),
                false => Box::default(),
            };
            is_within(set.len() as u32).then_some((at, OneSet::Own(set)))
        });
        let others: Vec<_> = others.flatten().collect();

        for (at, set) in in_blocks.into_iter().flatten().chain(others) {
            sets[at] = set;
        }
        (Sets::of_blocks(sets, blocks), made.into_inner() <= most)
    }

    /// The set of a text whose features are in a block, made there; none if it cannot have a partner.
    fn set_in_block(
        &self,
        (number, block): (usize, &mut FeatureBlock),
        (SampledFirst { features: place, sampled }, size): (SampledFirst<ShelfPlace>, u32),
        settings: &Settings,
        maker: &mut SetMaker,
    ) -> Option<OneSet> {
        if self.is_alone(&block.features(place)[..sampled as usize], size, settings.rule()) {
            return None;
        }
        // They are distinct already, unless repetitions count.
        if !settings.multiset
            && let Some(features) = block.features_mut(place)
        {
            maker.sorter.sort(features);
            return Some(OneSet::Shelved(number as u32, place));
        }
        let mut set = block.features(place).to_vec();
        maker.sorter.make_set(&mut set, settings.multiset);
        Some(OneSet::Own(set.into()))
    }

    /// The set of a text whose features are by themselves, or have to be made.
    fn own_set(&self, text: &CodedText, settings: &Settings, maker: &mut SetMaker) -> Box<[u64]> {
        let SetMaker { hashes, features, room, sorter } = maker;
        let (rule, size) = (settings.rule(), text.features);
        features.clear();
        let is_alone = match &text.kept {
            Kept::Features(kept) => {
                features.extend_from_slice(&kept.features);
                self.is_alone(&features[..kept.sampled as usize], size, rule)
            }
            Kept::Code { dictionary, code } => {
                hashes.clear();
                self.dictionaries[*dictionary as usize].decode(code, hashes);
                features.extend(shingles(hashes, words_per_shingle(settings)));
                // Repeated ones are met more often than they count.
                let repeated = features.len() - size as usize;
                let sample = self.singles.sample(features, room);
                self.singles.are_more_than(spare_features(size, rule) + repeated, sample)
            }
            Kept::Nothing | Kept::Shelved { .. } => true,
        };
        if is_alone {
            return Box::default();
        }
        sorter.make_set(features, settings.multiset);
        features.as_slice().into()
    }

    /// Whether too many features of a sample occur nowhere else for a text with `size` features to have a
    /// partner. Those of the sample are all different.
    fn is_alone(&self, sample: &[u64], size: u32, rule: Rule) -> bool {
        self.singles.are_more_than(spare_features(size, rule), sample)
    }
}

/// The sum of what comes before each length.
fn firsts(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    lengths.scan(0, |sum, length| {
        *sum += length;
        Some(*sum - length)
    })
}

fn words_per_shingle(settings: &Settings) -> usize {
    if let Scheme::Words { n } = settings.scheme { n } else { 1 }
}

/// The number of features that a text with `size` of them need not have in common with a partner.
fn spare_features(size: u32, rule: Rule) -> usize {
    let size = u64::from(size);
    size.saturating_sub(rule.least_overlap(size, rule.smallest_partner(size))) as usize
}

/// What makes sets on one thread.
#[derive(Default)]
struct SetMaker {
    hashes: Vec<u64>,
    features: Vec<u64>,
    room: Vec<u64>,
    sorter: Sorter,
}

/// A coder that has seen all its texts.
pub(crate) struct FinishedCoder {
    number: u32,
    dictionary: Dictionary,
    shelf: Vec<FeatureBlock>,
}

impl<'a> TextCoder<'a> {
    /// The coder of the thread with this number, for a collection of about `expected` features.
    pub(crate) fn new(
        settings: &'a Settings,
        number: usize,
        counters: &'a SharedCounters,
        expected: usize,
    ) -> Self {
        let n = words_per_shingle(settings);
        Self {
            settings,
            n,
            number: number as u32,
            tokens: Tokens::default(),
            features: Vec::new(),
            parted: Vec::new(),
            distinct: Distinct::default(),
            tally: Tally::new(counters),
            shelf: FeatureShelf::default(),
            dictionary: is_large(expected).then(Dictionary::default),
            code: Vec::new(),
        }
    }

    /// The code of a document's text. Of one that `is_copy` says is known already, nothing is kept.
    pub(crate) fn code(
        &mut self,
        document: &Document,
        is_copy: &dyn Fn(u128) -> bool,
    ) -> CodedText {
        read_words(document, self.settings, &mut self.tokens);
        let mut text = CodedText {
            fingerprint: self.tokens.fingerprint().unwrap_or_default(),
            length: self.tokens.text().len() as u32,
            features: 0,
            kept: Kept::Nothing,
        };
        if self.tokens.hashes().is_empty() || is_copy(text.fingerprint) {
            return text;
        }
        self.features.clear();
        self.features.extend(shingles(self.tokens.hashes(), self.n));
        let distinct = self.distinct.move_first(&mut self.features);
        let counted = if self.settings.multiset { self.features.len() } else { distinct };
        text.features = counted as u32;
        text.kept = match &mut self.dictionary {
            None => {
                // In memory that is at hand: the shelf is out of reach of the caches, and written once.
                let (different, repeated) = self.features[..counted].split_at(distinct);
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
                self.tally.add_all(&self.features[..distinct]);
                dictionary.encode(self.tokens.hashes(), &mut self.code);
                Kept::Code { dictionary: self.number, code: self.code.as_slice().into() }
            }
        };
        text
    }

    /// Ends coding.
    pub(crate) fn finish(mut self) -> FinishedCoder {
        self.tally.finish();
        let dictionary = self.dictionary.unwrap_or_default();
        FinishedCoder { number: self.number, dictionary, shelf: self.shelf.finish() }
    }
}

/// Of which ranges of the features singles are counted. Others are not needed where few singles are
/// enough to rule a text out.
pub(crate) fn sampled_ranges(rule: Rule) -> usize {
    const SIZE: u64 = 1 << 20;
    let spare = spare_features(SIZE as u32, rule);
    // Nearly twice as many as may be single: some share a counter, some are not single.
    (spare * RANGES * 15 / 8).div_ceil(SIZE as usize).clamp(RANGES / 16, RANGES)
}
