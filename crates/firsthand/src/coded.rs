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
    matcher::{OneSet, Sets},
    measure::Rule,
    scheme::{Scheme, shingles},
    set::Sorter,
    settings::{Matcher, Settings},
    shelf::{Shelf, ShelfBlock, ShelfPlace},
    sign::read_words,
    tokens::Tokens,
};
pub(crate) use counters::SharedCounters;
use counters::{SHARES, Singles, SinglesOfMany, Tally};
use dictionary::Dictionary;
use distinct::Distinct;
use rayon::prelude::*;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Whether texts can be kept in this form: shingles of words, all alike, whatever the collection is.
pub(crate) fn applies(settings: &Settings) -> bool {
    matches!(settings.scheme, Scheme::Words { .. })
        && matches!(settings.collection_matcher(), Matcher::Exact)
        && settings.needs_collection().is_none()
        && settings.model.is_none()
        && settings.confirm.is_none()
        && !settings.template
}

/// The most blocks of codes that are looked at together.
const AT_ONCE: usize = 4;

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
    shelf: Shelf<u64>,
    codes: Shelf<u16>,
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
        let parts = coders.into_iter().map(|coder| (coder.dictionary, (coder.shelf, coder.codes)));
        let (dictionaries, (shelves, codes)) = parts.unzip();
        Self { texts, dictionaries, shelves, codes, singles: counters.finish() }
    }

    /// Adds the texts of other documents.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.dictionaries.len() as u32;
        self.dictionaries.extend(other.dictionaries);
        self.shelves.extend(other.shelves);
        self.codes.extend(other.codes);
        self.singles.merge(other.singles);
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

    /// The sets of some texts in full; those of texts that cannot have a partner are empty. And whether these
    /// are all: once they have more than `most` features, no further ones are made.
    pub(crate) fn sets(
        mut self,
        wanted: Vec<CodedText>,
        settings: &Settings,
        most: usize,
    ) -> (Sets, bool) {
        let room = SetRoom { made: AtomicUsize::new(0), most };
        let mut sets: Vec<OneSet> = Vec::new();
        sets.resize_with(wanted.len(), || OneSet::Own(Box::default()));
        let (mut blocks, mut codes) = (Vec::new(), Vec::new());
        let shelves = in_one(std::mem::take(&mut self.shelves), &mut blocks);
        let code_shelves = in_one(std::mem::take(&mut self.codes), &mut codes);
        let mut shelved = vec![Vec::new(); blocks.len()];
        let (mut coded, mut others) = (vec![Vec::new(); codes.len()], Vec::new());
        for (at, text) in wanted.into_iter().enumerate() {
            if (text.features as usize) < settings.min_features {
                continue;
            }
            match text.kept {
                Kept::Nothing => {}
                Kept::Shelved { shelf, features } => {
                    let block = shelves[shelf as usize] + features.features.block();
                    shelved[block].push((at, features, text.features));
                }
                Kept::Code { dictionary, code } => {
                    let block = code_shelves[dictionary as usize] + code.block();
                    coded[block].push(CodePlace { at, dictionary, code, size: text.features });
                }
                Kept::Features(_) | Kept::OwnCode { .. } => others.push((at, text)),
            }
        }
        let in_blocks = blocks.par_iter_mut().zip(shelved).enumerate();
        let in_blocks = in_blocks.map_init(SetMaker::default, |maker, (number, (block, texts))| {
            for &(_, SampledFirst { features, sampled }, size) in &texts {
                let sample = &block.items(features)[..sampled as usize];
                maker.alone.ask(&self.singles, sample, (size, settings.rule()));
            }
            let are_alone = maker.alone.answer(&self.singles);
            let left = texts.into_iter().zip(are_alone).filter(|(_, is_alone)| !is_alone);
            let made = left.map_while(|((at, features, size), _)| {
                let place = features.features;
                room.take(size)
                    .then(|| (at, Self::set_in_block((number, block), place, settings, maker)))
            });
            made.collect::<Vec<_>>()
        });
        let in_blocks: Vec<_> = in_blocks.collect();
        let of_codes =
            self.sets_of_codes(codes.into_iter().zip(coded), settings, &room, &mut blocks);
        let others = others.into_par_iter().map_init(SetMaker::default, |maker, (at, text)| {
            self.features(&text, settings, maker);
            maker.alone.ask(&self.singles, &maker.features, (text.features, settings.rule()));
            let is_alone = maker.alone.answer(&self.singles) == [true];
            (!is_alone && room.take(text.features)).then(|| {
                maker.sorter.make_set(&mut maker.features, settings.multiset);
                (at, OneSet::Own(maker.features.as_slice().into()))
            })
        });
        let others: Vec<_> = others.flatten().collect();

        for (at, set) in in_blocks.into_iter().flatten().chain(of_codes).chain(others) {
            sets[at] = set;
        }
        (Sets::of_blocks(sets, blocks), room.has_held())
    }

    /// The sets of texts whose codes are in blocks, on a shelf whose blocks are added to `blocks`.
    fn sets_of_codes(
        &self,
        codes: impl Iterator<Item = (ShelfBlock<u16>, Vec<CodePlace>)>,
        settings: &Settings,
        room: &SetRoom,
        blocks: &mut Vec<ShelfBlock<u64>>,
    ) -> Vec<(usize, OneSet)> {
        // A shelf for each thread, taken while it is needed.
        let free: Mutex<Vec<(usize, Shelf<u64>)>> = Mutex::new(
            (0..rayon::current_num_threads()).map(|number| (number, Shelf::default())).collect(),
        );
        let free = || free.lock().unwrap_or_else(PoisonError::into_inner);
        let groups = in_groups(codes.collect()).into_par_iter();
        let made = groups.map_init(SetMaker::default, |maker, group| {
            if !room.has_held() {
                return Vec::new();
            }
            for (block, texts) in &group {
                for text in texts {
                    self.shingles(text.dictionary, block.items(text.code), settings, maker);
                    let size = (text.size, settings.rule());
                    maker.alone.ask(&self.singles, &maker.features, size);
                }
            }
            let mut are_alone = maker.alone.answer(&self.singles).into_iter();
            let (number, mut shelf) = free().pop().unwrap_or_default();
            let mut made = Vec::new();
            // What is no longer needed goes at once: sets take its place in memory.
            for (block, texts) in group {
                let left = texts.iter().zip(&mut are_alone).filter(|(_, is_alone)| !is_alone);
                for (text, _) in left.take_while(|(text, _)| room.take(text.size)) {
                    self.shingles(text.dictionary, block.items(text.code), settings, maker);
                    maker.sorter.make_set(&mut maker.features, settings.multiset);
                    let set = match shelf.add(&maker.features) {
                        Some(place) => OneSet::Shelved(number as u32, place),
                        None => OneSet::Own(maker.features.as_slice().into()),
                    };
                    made.push((text.at, set));
                }
            }
            free().push((number, shelf));
            made
        });
        let made: Vec<_> = made.collect();
        let mut shelves = std::mem::take(&mut *free());
        shelves.sort_unstable_by_key(|(number, _)| *number);
        let shelves = shelves.into_iter().map(|(_, shelf)| shelf.finish()).collect();
        let firsts = in_one(shelves, blocks);
        let placed = made.into_iter().flatten().map(|(at, set)| match set {
            OneSet::Shelved(shelf, place) => {
                (at, OneSet::Shelved((firsts[shelf as usize] + place.block()) as u32, place))
            }
            own => (at, own),
        });
        placed.collect()
    }

    /// The set of a text whose features are in a block, made there.
    fn set_in_block(
        (number, block): (usize, &mut ShelfBlock<u64>),
        place: ShelfPlace,
        settings: &Settings,
        maker: &mut SetMaker,
    ) -> OneSet {
        // They are distinct already, unless repetitions count.
        if !settings.multiset
            && let Some(features) = block.items_mut(place)
        {
            maker.sorter.sort(features);
            return OneSet::Shelved(number as u32, place);
        }
        let mut set = block.items(place).to_vec();
        maker.sorter.make_set(&mut set, settings.multiset);
        OneSet::Own(set.into())
    }

    /// The features of a text that is by itself, in any order.
    fn features(&self, text: &CodedText, settings: &Settings, maker: &mut SetMaker) {
        match &text.kept {
            Kept::OwnCode { dictionary, code } => self.shingles(*dictionary, code, settings, maker),
            Kept::Features(kept) => {
                maker.features.clear();
                maker.features.extend_from_slice(&kept.features);
            }
            Kept::Nothing | Kept::Shelved { .. } | Kept::Code { .. } => maker.features.clear(),
        }
    }

    /// The features of a text with this code, in the order of the text.
    fn shingles(&self, dictionary: u32, code: &[u16], settings: &Settings, maker: &mut SetMaker) {
        self.dictionaries[dictionary as usize].decode(code, &mut maker.hashes);
        maker.features.clear();
        maker.features.extend(shingles(&maker.hashes, words_per_shingle(settings)));
    }
}

/// A text whose code is on a shelf.
#[derive(Clone, Copy)]
struct CodePlace {
    /// Its place among the texts that are wanted.
    at: usize,
    dictionary: u32,
    code: ShelfPlace,
    /// The number of its features.
    size: u32,
}

/// How many features sets may have in all.
struct SetRoom {
    made: AtomicUsize,
    most: usize,
}

impl SetRoom {
    /// Whether there is room for a set of this size, which is taken.
    fn take(&self, size: u32) -> bool {
        let size = size as usize;
        self.made.fetch_add(size, Relaxed).saturating_add(size) <= self.most
    }

    /// Whether there was room for all so far.
    fn has_held(&self) -> bool {
        self.made.load(Relaxed) <= self.most
    }
}

/// Adds the blocks of all shelves to `blocks`; the number there of the first block of each.
fn in_one<T>(shelves: Vec<Vec<ShelfBlock<T>>>, blocks: &mut Vec<ShelfBlock<T>>) -> Vec<usize> {
    let add = |shelf: Vec<ShelfBlock<T>>| {
        let first = blocks.len();
        blocks.extend(shelf);
        first
    };
    shelves.into_iter().map(add).collect()
}

/// Blocks that are looked at together: as many as there are, but some for each thread.
fn in_groups<T>(mut blocks: Vec<T>) -> Vec<Vec<T>> {
    let group = blocks.len().div_ceil(8 * rayon::current_num_threads()).clamp(1, AT_ONCE);
    let mut groups = Vec::with_capacity(blocks.len() / group + 1);
    while !blocks.is_empty() {
        groups.push(blocks.split_off(blocks.len().saturating_sub(group)));
    }
    groups
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
            shelf: Shelf::default(),
            codes: Shelf::default(),
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
