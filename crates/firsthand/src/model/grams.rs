//! The grams of a document with their features, in one pass over its words.
//!
//! Most grams occur once. All are taken for such first, place by place; when they have been put in
//! order, those that occur again are next to one another, and theirs are made anew.

use super::{
    features::{Feature, Logarithms, Means, Shares, Sink},
    ordering::Ordering,
    surface::{Line, Surface},
    tables::Lookup,
    words::{Sums, Words},
};
use crate::{scheme::Scheme, tokenized::TokenizedDocument, wide::wide};

/// A gram that occurs more often weighs no more for it.
const MOST_COUNTED: usize = 16;
/// The most percent of a document that a gram counts for.
const MOST_PERCENT: i64 = 20;

/// The most words that a gram can have.
pub(crate) const MOST_GRAM: usize = 8;

/// A gram of a document: what it is compared by, and where it occurs first.
///
/// It is compared by the rank of its rarest word in the top byte and then its hash. In ascending
/// order the rarest come first, in all documents the same.
pub(crate) type Gram = (u64, u32);

/// Reads one document after another with the same memory.
#[derive(Debug, Default)]
pub(crate) struct Grams {
    words: Words,
    /// The block of each word, and what is known of its line.
    blocks: Vec<u32>,
    lines: Vec<Line>,
    /// What the gram at each place is compared by.
    pub(super) features: Vec<u64>,
    /// The share of stop words around it, in parts.
    densities: Vec<u32>,
    /// The grams, ascending.
    pub(super) grams: Vec<Gram>,
    /// Where grams occur again, and where they did first.
    pub(super) again: Vec<(u32, u32)>,
    ordering: Ordering,
    /// What weights are made of, by places, and weights.
    pub(super) sums: Vec<i64>,
    pub(super) weights: Vec<u32>,
}

/// A document as far as all its grams need to know it.
struct Whole<'a, S: Sink> {
    words: &'a Words,
    /// Words per gram.
    k: usize,
    densities: &'a [u32],
    scale: Scale,
    sink: S,
    /// Where the first tenth ends, the first four tenths, and all but a fifth.
    parts: [usize; 3],
    /// What is the same for all grams, and for those that occur once.
    all: S::Sum,
    once: S::Sum,
}

/// What numbers are made into features by.
#[derive(Clone, Copy, Debug)]
struct Scale {
    of_length: Shares,
    of_gram: Shares,
    means: Means,
    logarithm: Logarithms,
}

impl Grams {
    /// Reads a document: its grams of `k` words, ascending. What the features of each come to is at
    /// the place where it occurs first.
    pub(super) fn read<S: Sink>(
        &mut self,
        reading: &TokenizedDocument<'_>,
        k: usize,
        tables: &Lookup,
        sink: S,
        sums: &mut Vec<S::Sum>,
    ) {
        let tokens = reading.tokens;
        let k = k.clamp(1, tokens.len().max(1));
        self.words.read(reading, tables);
        self.words.densities(k, &mut self.densities);
        let whole = Whole::new(&self.words, &self.densities, k, sink);
        let mut surface = Surface::new(reading);
        self.blocks.clear();
        self.lines.clear();
        sums.clear();
        for (block, &end) in tokens.block_ends().iter().enumerate() {
            let line = surface.line(block);
            self.blocks.resize(end as usize, block as u32);
            self.lines.push(line);
            whole.of_block(line, end as usize, sums);
        }
        self.features.clear();
        Scheme::Words { n: k }.features(tokens, |found| self.features.push(found.hash >> 8));
        // The last grams begin before the last words.
        sums.truncate(self.features.len());
        wide(
            #[inline(always)]
            || whole.of_all_words(sums, &mut self.features),
        );
        self.ordering.sort(&self.features, &mut self.grams);
        let Self { blocks, lines, again, .. } = self;
        again.clear();
        self.grams.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                again.push((next.1, first.1));
            }
            same
        });
        let block_of =
            |place: u32| (blocks[place as usize], lines[blocks[place as usize] as usize]);
        for places in again.chunk_by(|a, b| a.1 == b.1) {
            let first = places[0].1;
            sums[first as usize] = whole.of_repeated(first, places, block_of);
        }
    }

    /// The blocks that a gram of so many words touches, the first and the last.
    pub(super) fn blocks_of(&self, first: usize, words: usize) -> (u32, u32) {
        (self.blocks[first], self.blocks[first + words - 1])
    }
}

#[inline(always)]
fn flag(is: bool) -> i64 {
    i64::from(is) << 10
}

impl<'a, S: Sink> Whole<'a, S> {
    fn new(words: &'a Words, densities: &'a [u32], k: usize, sink: S) -> Self {
        let length = words.sums.len();
        let logarithm = Logarithms::new();
        let mut whole = Self {
            words,
            k,
            densities,
            scale: Scale {
                of_length: Shares::of(length),
                of_gram: Shares::of(k),
                means: Means::of(k),
                logarithm,
            },
            sink,
            parts: [length.div_ceil(10), (4 * length).div_ceil(10), (4 * length).div_ceil(5)],
            all: S::Sum::default(),
            once: S::Sum::default(),
        };
        sink.add(&mut whole.all, Feature::Bias, flag(true));
        sink.add(&mut whole.all, Feature::Length, logarithm.of(length));
        whole.once = whole.of_counts(1, 1);
        whole
    }

    /// Takes what follows from how often a gram occurs, and in how many blocks.
    fn of_counts(&self, count: usize, blocks: usize) -> S::Sum {
        let Scale { of_length, logarithm, .. } = self.scale;
        let percent = of_length.part(count as u64 * 100);
        let mut sum = self.all;
        self.sink.add(&mut sum, Feature::Count, logarithm.of(count));
        self.sink.add(&mut sum, Feature::Share, percent.min(MOST_PERCENT << 10));
        self.sink.add(&mut sum, Feature::Blocks, logarithm.of(blocks));
        sum
    }

    /// Adds what follows from where a gram occurs: its first and its latest place, and its line.
    fn of_places(&self, mut sum: S::Sum, first: usize, latest: usize, line: Line) -> S::Sum {
        let [opening, first_part, last_part] = self.parts;
        let mut add = |feature: Feature, value: i64| self.sink.add(&mut sum, feature, value);
        add(Feature::Opening, flag(first < opening));
        add(Feature::FirstPart, flag(first < first_part));
        add(Feature::End, flag(latest >= last_part));
        add(Feature::LinkDensity, i64::from(line.links) * 1024 / 100);
        add(Feature::Quoted, flag(line.quoted));
        add(Feature::Aside, flag(line.aside));
        sum
    }

    /// What all but its words comes to for each gram of the next block, as if it occurred once.
    fn of_block(&self, line: Line, end: usize, sums: &mut Vec<S::Sum>) {
        while sums.len() < end {
            // Up to the end of a part of the text all is the same.
            let first = sums.len();
            let part = self.parts.into_iter().filter(|&part| first < part).fold(end, usize::min);
            sums.resize(part, self.of_places(self.once, first, first, line));
        }
    }

    /// All features of a gram that occurs several times: first here, and again at places that are in
    /// the order of the text. Each place has a block and a line.
    fn of_repeated(
        &self,
        first: u32,
        again: &[(u32, u32)],
        block_of: impl Fn(u32) -> (u32, Line),
    ) -> S::Sum {
        let (mut block, mut lines) = block_of(first);
        let (mut blocks, mut latest) = (1, first);
        let mut after_stop = self.words.after_stop[first as usize];
        for &(place, _) in again {
            let (next, line) = block_of(place);
            blocks += usize::from(next != block);
            (block, latest) = (next, place);
            // It is quoted or set aside if all of it is.
            lines.quoted &= line.quoted;
            lines.aside &= line.aside;
            after_stop |= self.words.after_stop[place as usize];
        }
        let (first, latest, count) = (first as usize, latest as usize, 1 + again.len());
        let sum = self.of_places(self.of_counts(count, blocks), first, latest, lines);
        let place = Place { first, count, after_stop, density: self.densities[first].into() };
        let together = together(&self.words.sums[first..first + self.k]);
        self.scale.of_words(&self.sink, sum, &together, place)
    }

    /// Adds what follows from words and what is around them to the sums of all places, and the rank
    /// to what their grams are compared by.
    #[inline(always)]
    fn of_all_words(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        match self.k {
            1 => self.of_few_words::<1>(sums, features),
            2 => self.of_few_words::<2>(sums, features),
            3 => self.of_few_words::<3>(sums, features),
            _ => self.of_more_words(sums, features),
        }
    }

    /// The same for up to three words: one plain loop, so that the processor takes several grams at
    /// once.
    #[inline(always)]
    fn of_few_words<const K: usize>(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        // Copies of all that stays the same: nothing that is written can change them.
        let (scale, sink) = (self.scale, self.sink);
        // All are as long, and the loop need not ask.
        let count = sums.len();
        let features = &mut features[..count];
        let (after_stop, densities) = (&self.words.after_stop[..count], &self.densities[..count]);
        let words = |word: usize| &self.words.sums[word.min(K - 1)..][..count];
        let (a, b, c) = (words(0), words(1), words(2));
        for at in 0..count {
            let together = together(&[a[at], b[at], c[at]][..K]);
            let (after_stop, density) = (after_stop[at], densities[at].into());
            let place = Place { first: at, count: 1, after_stop, density };
            sums[at] = scale.of_words(&sink, sums[at], &together, place);
            features[at] |= rank(together.most) << 56;
        }
    }

    /// The same for more.
    fn of_more_words(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        for (first, (sum, feature)) in sums.iter_mut().zip(features).enumerate() {
            let together = together(&self.words.sums[first..first + self.k]);
            let after_stop = self.words.after_stop[first];
            let place =
                Place { first, count: 1, after_stop, density: self.densities[first].into() };
            *sum = self.scale.of_words(&self.sink, *sum, &together, place);
            *feature |= rank(together.most) << 56;
        }
    }
}

/// Where a gram is, and what is around it.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    count: usize,
    after_stop: bool,
    density: i64,
}

impl Scale {
    /// Adds what follows from the words of a gram and what is around them.
    #[inline(always)]
    fn of_words<S: Sink>(&self, sink: &S, mut sum: S::Sum, gram: &Together, at: Place) -> S::Sum {
        let sums = gram.sums;
        let idf = self.means.mean(sums.idf());
        sink.add(&mut sum, Feature::CountIdf, at.count.min(MOST_COUNTED) as i64 * idf);
        sink.add(&mut sum, Feature::Idf, idf);
        sink.add(&mut sum, Feature::IdfMedian, gram.median);
        sink.add(&mut sum, Feature::IdfSquare, (idf * idf) >> 10);
        sink.add(&mut sum, Feature::Common, flag(idf < 205));
        sink.add(&mut sum, Feature::Rare, flag(idf > 870));
        sink.add(&mut sum, Feature::TitleCount, self.means.mean(sums.titles()));
        sink.add(&mut sum, Feature::Untitled, flag(sums.titles() == 0));
        sink.add(&mut sum, Feature::Position, self.of_length.part(u64::from(at.first as u32)));
        sink.add(&mut sum, Feature::Letters, self.logarithm.of_few(sums.letters()));
        sink.add(&mut sum, Feature::InTitle, self.of_gram.part(sums.in_title()));
        sink.add(&mut sum, Feature::InUrl, self.of_gram.part(sums.in_url()));
        sink.add(&mut sum, Feature::Capitals, self.of_gram.part(sums.capitals()));
        sink.add(&mut sum, Feature::Digits, flag(sums.digits() > 0));
        sink.add(&mut sum, Feature::AfterStop, flag(at.after_stop));
        sink.add(&mut sum, Feature::StopDensity, at.density);
        sum
    }
}

/// The rank of a gram by its rarest word, of which rarity is in parts: the rarest have the lowest.
#[inline(always)]
fn rank(idf: i64) -> u64 {
    ((1024 - idf) >> 2).min(255) as u64
}

/// What the words of a gram are together.
struct Together {
    sums: Sums,
    /// Of how rare they are; 0 for a single word.
    median: i64,
    /// How rare the rarest is.
    most: i64,
}

#[inline(always)]
fn together(words: &[Sums]) -> Together {
    match *words {
        [a, b, c] => {
            let (x, y, z) = (a.idf(), b.idf(), c.idf());
            let (low, high) = (x.min(y), x.max(y));
            Together { sums: a + b + c, median: low.max(high.min(z)), most: high.max(z) }
        }
        [a, b] => {
            let most = a.idf().max(b.idf());
            Together { sums: a + b, median: most, most }
        }
        [a] => Together { sums: a, median: 0, most: a.idf() },
        _ => {
            let sums = words.iter().fold(Sums::default(), |sums, word| sums + *word);
            let mut idfs = [0; MOST_GRAM];
            let idfs = &mut idfs[..words.len().min(MOST_GRAM)];
            idfs.iter_mut().zip(words).for_each(|(idf, word)| *idf = word.idf());
            idfs.sort_unstable();
            let most = idfs.last().copied().unwrap_or(0);
            Together { sums, median: idfs[idfs.len() / 2], most }
        }
    }
}

#[cfg(test)]
mod tests;
