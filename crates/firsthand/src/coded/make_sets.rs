//! The sets of texts that may have a partner, made of what was kept of them.

use super::{
    CodedText, CodedTexts, Dictionary, Kept, SampledFirst, Singles, SinglesOfMany, spare_features,
    words_per_shingle,
};
use crate::{
    matcher::{OneSet, Sets},
    measure::Rule,
    prefetch::prefetch_first,
    scheme::shingles,
    set::Sorter,
    settings::Settings,
    shelf::{Shelf, ShelfBlock, ShelfPlace, SpareBlocks},
};
use rayon::prelude::*;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The most blocks of codes that are looked at together.
const AT_ONCE: usize = 16;

impl CodedTexts {
    /// The sets of some texts in full; those of texts that cannot have a partner are empty. And whether these
    /// are all: once they have more than `most` features, no further ones are made.
    pub(crate) fn sets(
        self,
        wanted: Vec<CodedText>,
        settings: &Settings,
        most: usize,
    ) -> (Sets, bool) {
        let room = SetRoom { made: AtomicUsize::new(0), most };
        let mut sets: Vec<OneSet> = Vec::new();
        sets.resize_with(wanted.len(), || OneSet::Own(Box::default()));
        let (mut blocks, mut codes) = (Vec::new(), Vec::new());
        let shelves = in_one(self.shelves, &mut blocks);
        let code_shelves = in_one(self.codes, &mut codes);
        let known =
            KnownWords { dictionaries: self.dictionaries, singles: self.counters.singles() };
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
            let sample =
                |SampledFirst { features, sampled }| &block.items(features)[..sampled as usize];
            for (at, &(_, features, size)) in texts.iter().enumerate() {
                if let Some((_, next, _)) = texts.get(at + 1) {
                    prefetch_first(sample(*next));
                }
                let sample = sample(features);
                maker.alone.ask_counted(&known.singles, sample, (size, settings.rule()));
            }
            let are_alone = maker.alone.answer(&known.singles);
            let left = texts.into_iter().zip(are_alone).filter(|(_, is_alone)| !is_alone);
            let mut left = left.map(|(text, _)| text).peekable();
            let made = std::iter::from_fn(|| {
                let (at, features, size) = left.next()?;
                if let Some((_, next, _)) = left.peek() {
                    prefetch_first(block.items(next.features));
                }
                let place = features.features;
                room.take(size).then(|| (at, set_in_block((number, block), place, settings, maker)))
            });
            made.collect::<Vec<_>>()
        });
        let in_blocks: Vec<_> = in_blocks.collect();
        let of_codes =
            known.sets_of_codes(codes.into_iter().zip(coded), settings, &room, &mut blocks);
        let others = others.into_par_iter().map_init(SetMaker::default, |maker, (at, text)| {
            known.features(&text, settings, maker);
            maker.alone.ask(&known.singles, &maker.features, (text.features, settings.rule()));
            let is_alone = maker.alone.answer(&known.singles) == [true];
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
}

/// What is known of the words and features of all texts.
struct KnownWords {
    dictionaries: Vec<Dictionary>,
    singles: Singles,
}

impl KnownWords {
    /// The sets of texts whose codes are in blocks, on a shelf whose blocks are added to `blocks`.
    fn sets_of_codes(
        &self,
        codes: impl Iterator<Item = (ShelfBlock<u16>, Vec<CodePlace>)>,
        settings: &Settings,
        room: &SetRoom,
        blocks: &mut Vec<ShelfBlock<u64>>,
    ) -> Vec<(usize, OneSet)> {
        // A shelf for each thread, taken while it is needed.
        let spare = Arc::new(SpareBlocks::default());
        let shelf = |number| (number, Shelf::with_spare(Arc::clone(&spare)));
        let free: Mutex<Vec<(usize, Shelf<u64>)>> =
            Mutex::new((0..rayon::current_num_threads()).map(shelf).collect());
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
            // Sets take the place of codes that are no longer needed.
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
                spare.add(block);
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
    /// Asks for a text by its features and the size of its set.
    fn ask(&mut self, singles: &Singles, features: &[u64], (size, rule): (u32, Rule)) {
        self.singles.ask(singles, features);
        // Repeated ones are met more often than they count.
        let repeated = features.len().saturating_sub(size as usize);
        self.spare.push(spare_features(size, rule) + repeated);
    }

    /// The same by those of its features that are counted, without repetitions unless these count.
    fn ask_counted(&mut self, singles: &Singles, sample: &[u64], (size, rule): (u32, Rule)) {
        self.singles.ask_counted(singles, sample);
        self.spare.push(spare_features(size, rule));
    }

    /// Whether each text is alone, and begins anew.
    fn answer(&mut self, singles: &Singles) -> Vec<bool> {
        let found = self.singles.answer(singles).into_iter().zip(self.spare.drain(..));
        found.map(|(found, spare)| found as usize > spare).collect()
    }
}
