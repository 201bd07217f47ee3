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
use counters::{SHARES, Singles, SinglesOfMany, Tally};
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

/// The most texts that are looked at together.
const AT_ONCE: usize = 1 << 15;

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
            for &(_, SampledFirst { features, sampled }, size) in &texts {
                let sample = &block.features(features)[..sampled as usize];
                maker.alone.ask(&self.singles, sample, (size, settings.rule()));
            }
            let are_alone = maker.alone.answer(&self.singles);
            let left = texts.into_iter().zip(are_alone).filter(|(_, is_alone)| !is_alone);
            let made = left.map_while(|((at, features, size), _)| {
                let place = features.features;
                is_within(size)
                    .then(|| (at, Self::set_in_block((number, block), place, settings, maker)))
            });
            made.collect::<Vec<_>>()
        });
        let in_blocks: Vec<_> = in_blocks.collect();
        let others = in_groups(others).into_par_iter();
        let others = others.map_init(SetMaker::default, |maker, texts| {
            if made.load(Relaxed) > most {
                return Vec::new();
            }
            for (_, text) in &texts {
                self.features(text, settings, maker);
                let size = (text.features, settings.rule());
                maker.alone.ask(&self.singles, &maker.features, size);
            }
            let are_alone = maker.alone.answer(&self.singles);
            // What is no longer needed goes at once: sets take its place in memory.
            let left = texts.into_iter().zip(are_alone).filter(|(_, is_alone)| !is_alone);
            let sets = left.map_while(|((at, text), _)| {
                is_within(text.features)
                    .then(|| (at, OneSet::Own(self.own_set(&text, settings, maker))))
            });
            sets.collect()
        });
        let others: Vec<_> = others.flatten().collect();

        for (at, set) in in_blocks.into_iter().flatten().chain(others) {
            sets[at] = set;
        }
        (Sets::of_blocks(sets, blocks), made.into_inner() <= most)
    }

    /// The set of a text whose features are in a block, made there.
    fn set_in_block(
        (number, block): (usize, &mut FeatureBlock),
        place: ShelfPlace,
        settings: &Settings,
        maker: &mut SetMaker,
    ) -> OneSet {
        // They are distinct already, unless repetitions count.
        if !settings.multiset
            && let Some(features) = block.features_mut(place)
        {
            maker.sorter.sort(features);
            return OneSet::Shelved(number as u32, place);
        }
        let mut set = block.features(place).to_vec();
        maker.sorter.make_set(&mut set, settings.multiset);
        OneSet::Own(set.into())
    }

    /// The set of a text whose features are by themselves, or have to be made.
    fn own_set(&self, text: &CodedText, settings: &Settings, maker: &mut SetMaker) -> Box<[u64]> {
        self.features(text, settings, maker);
        maker.sorter.make_set(&mut maker.features, settings.multiset);
        maker.features.as_slice().into()
    }

    /// The features of such a text, in any order.
    fn features(&self, text: &CodedText, settings: &Settings, maker: &mut SetMaker) {
        let SetMaker { hashes, features, .. } = maker;
        features.clear();
        match &text.kept {
            Kept::Features(kept) => features.extend_from_slice(&kept.features),
            Kept::Code { dictionary, code } => {
                hashes.clear();
                self.dictionaries[*dictionary as usize].decode(code, hashes);
                features.extend(shingles(hashes, words_per_shingle(settings)));
            }
            Kept::Nothing | Kept::Shelved { .. } => {}
        }
    }
}

/// Texts that are looked at together: as many as there are, but some for each thread.
fn in_groups<T>(mut texts: Vec<T>) -> Vec<Vec<T>> {
    let group = texts.len().div_ceil(8 * rayon::current_num_threads()).clamp(1, AT_ONCE);
    let mut groups = Vec::with_capacity(texts.len() / group + 1);
    while !texts.is_empty() {
        groups.push(texts.split_off(texts.len().saturating_sub(group)));
    }
    groups
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
    alone: AloneTexts,
    sorter: Sorter,
}

/// Which of some texts cannot have a partner: too many of their features occur nowhere else.
#[derive(Default)]
struct AloneTexts {
    singles: SinglesOfMany,
    /// The number of single features that each text may have.
    spare: Vec<usize>,
}

impl AloneTexts {
    /// Asks for a text by the features that are counted, or by all, and by the size of its set.
    fn ask(&mut self, singles: &Singles, features: &[u64], (size, rule): (u32, Rule)) {
        self.singles.ask(singles, features);
        // Repeated ones are met more often than they count.
        let repeated = features.len().saturating_sub(size as usize);
        self.spare.push(spare_features(size, rule) + repeated);
    }

    /// Whether each text is alone, and begins anew.
    fn answer(&mut self, singles: &Singles) -> Vec<bool> {
        let found = self.singles.answer(singles).into_iter().zip(self.spare.drain(..));
        found.map(|(found, spare)| found as usize > spare).collect()
    }
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

/// Of how many of the [`SHARES`] of all features singles are counted. Others are not needed where few singles
/// are enough to rule a text out.
pub(crate) fn sampled_shares(rule: Rule) -> usize {
    const SIZE: u64 = 1 << 20;
    let spare = spare_features(SIZE as u32, rule);
    // Nearly twice as many as may be single: some share a counter, some are not single.
    (spare * SHARES * 15 / 8).div_ceil(SIZE as usize).clamp(SHARES / 16, SHARES)
}
