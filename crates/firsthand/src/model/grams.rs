//! The grams of a document with their features, in one pass over its words.
//!
//! Most grams occur once. At first all are treated as if they did, position by position; once they
//! are sorted, repeated grams are adjacent, and their features are recomputed.

use super::{
    features::{FeatureSink, GramFeature, Logarithms, Means, Shares},
    gram_sorter::GramSorter,
    surface::{LineSurface, Surface},
    tables::Lookup,
    words::{DocumentWords, WordSums},
};
use crate::{scheme::Scheme, tokenized::TokenizedDocument, wide::wide};

/// Further occurrences of a gram do not increase its weight.
const MOST_COUNTED: usize = 16;
/// The largest share of a document, in percent, that a gram counts for.
const MOST_PERCENT: i64 = 20;

/// The most words that a gram can have.
pub(crate) const MOST_GRAM: usize = 8;

/// A gram of a document: the feature it is compared by, and its first position.
///
/// The feature has the rank of the rarest word in its top byte, followed by the hash. In ascending
/// order the rarest come first, and the order is the same in all documents.
pub(crate) type Gram = (u64, u32);

/// Reads one document after another, reusing its memory.
#[derive(Debug, Default)]
pub(crate) struct Grams {
    words: DocumentWords,
    /// The block of each word, and what is known about its line.
    blocks: Vec<u32>,
    lines: Vec<LineSurface>,
    /// The feature of the gram at each position.
    pub(super) features: Vec<u64>,
    /// The share of stop words around it, in 1024ths.
    densities: Vec<u32>,
    /// The grams, ascending.
    pub(super) grams: Vec<Gram>,
    /// The repeated positions of grams, each with the gram's first position.
    pub(super) again: Vec<(u32, u32)>,
    ordering: GramSorter,
    /// The sums that weights are computed from, by position, and the weights.
    pub(super) sums: Vec<i64>,
    pub(super) weights: Vec<u32>,
}

/// What all grams of a document have in common.
struct DocumentContext<'a, S: FeatureSink> {
    words: &'a DocumentWords,
    /// Words per gram.
    k: usize,
    densities: &'a [u32],
    scale: FeatureScales,
    sink: S,
    /// The ends of the first tenth, the first four tenths, and the first four fifths.
    parts: [usize; 3],
    /// The part that is the same for all grams, and the part for those that occur once.
    all: S::Sum,
    once: S::Sum,
}

/// Converts numbers to features.
#[derive(Clone, Copy, Debug)]
struct FeatureScales {
    of_length: Shares,
    of_gram: Shares,
    means: Means,
    logarithm: Logarithms,
}

impl Grams {
    /// Reads a document: its grams of `k` words, ascending. The sum for each gram is at its first
    /// position.
    pub(super) fn read<S: FeatureSink>(
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
        let whole = DocumentContext::new(&self.words, &self.densities, k, sink);
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
        // The last grams start before the last words.
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

    /// The first and the last block that a gram of `words` words touches.
    pub(super) fn blocks_of(&self, first: usize, words: usize) -> (u32, u32) {
        (self.blocks[first], self.blocks[first + words - 1])
    }
}

#[inline(always)]
fn flag(is: bool) -> i64 {
    i64::from(is) << 10
}

impl<'a, S: FeatureSink> DocumentContext<'a, S> {
    fn new(words: &'a DocumentWords, densities: &'a [u32], k: usize, sink: S) -> Self {
        let length = words.sums.len();
        let logarithm = Logarithms::new();
        let mut whole = Self {
            words,
            k,
            densities,
            scale: FeatureScales {
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
        sink.add(&mut whole.all, GramFeature::Bias, flag(true));
        sink.add(&mut whole.all, GramFeature::Length, logarithm.of(length));
        whole.once = whole.of_counts(1, 1);
        whole
    }

    /// The sum of the features that depend on how often a gram occurs, and in how many blocks.
    fn of_counts(&self, count: usize, blocks: usize) -> S::Sum {
        let FeatureScales { of_length, logarithm, .. } = self.scale;
        let percent = of_length.part(count as u64 * 100);
        let mut sum = self.all;
        self.sink.add(&mut sum, GramFeature::Count, logarithm.of(count));
        self.sink.add(&mut sum, GramFeature::Share, percent.min(MOST_PERCENT << 10));
        self.sink.add(&mut sum, GramFeature::Blocks, logarithm.of(blocks));
        sum
    }

    /// Adds the features that depend on where a gram occurs: its first and last position, and its
    /// line.
    fn of_places(&self, mut sum: S::Sum, first: usize, latest: usize, line: LineSurface) -> S::Sum {
        let [opening, first_part, last_part] = self.parts;
        let mut add = |feature: GramFeature, value: i64| self.sink.add(&mut sum, feature, value);
        add(GramFeature::Opening, flag(first < opening));
        add(GramFeature::FirstPart, flag(first < first_part));
        add(GramFeature::End, flag(latest >= last_part));
        add(GramFeature::LinkDensity, i64::from(line.links) * 1024 / 100);
        add(GramFeature::Quoted, flag(line.quoted));
        add(GramFeature::Aside, flag(line.aside));
        sum
    }

    /// The sum without the features of the words, for each gram of the next block, as if it
    /// occurred once.
    fn of_block(&self, line: LineSurface, end: usize, sums: &mut Vec<S::Sum>) {
        while sums.len() < end {
            // All is the same up to the end of a part of the text.
            let first = sums.len();
            let part = self.parts.into_iter().filter(|&part| first < part).fold(end, usize::min);
            sums.resize(part, self.of_places(self.once, first, first, line));
        }
    }

    /// All features of a gram that occurs several times: first here, then at further positions in
    /// text order. Each position has a block and a line.
    fn of_repeated(
        &self,
        first: u32,
        again: &[(u32, u32)],
        block_of: impl Fn(u32) -> (u32, LineSurface),
    ) -> S::Sum {
        let (mut block, mut lines) = block_of(first);
        let (mut blocks, mut latest) = (1, first);
        let mut after_stop = self.words.after_stop[first as usize];
        for &(place, _) in again {
            let (next, line) = block_of(place);
            blocks += usize::from(next != block);
            (block, latest) = (next, place);
            // It is quoted or set aside only if every occurrence is.
            lines.quoted &= line.quoted;
            lines.aside &= line.aside;
            after_stop |= self.words.after_stop[place as usize];
        }
        let (first, latest, count) = (first as usize, latest as usize, 1 + again.len());
        let sum = self.of_places(self.of_counts(count, blocks), first, latest, lines);
        let place = GramContext { first, count, after_stop, density: self.densities[first].into() };
        let together = together(&self.words.sums[first..first + self.k]);
        self.scale.of_words(&self.sink, sum, &together, place)
    }

    /// Adds the features of words and their surroundings to the sums of all positions, and the rank
    /// to the features of their grams.
    #[inline(always)]
    fn of_all_words(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        match self.k {
            1 => self.of_few_words::<1>(sums, features),
            2 => self.of_few_words::<2>(sums, features),
            3 => self.of_few_words::<3>(sums, features),
            _ => self.of_more_words(sums, features),
        }
    }

    /// The same for up to three words: one plain loop, so that the processor handles several grams
    /// at once.
    #[inline(always)]
    fn of_few_words<const K: usize>(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        // Local copies of everything constant, which no write can alias.
        let (scale, sink) = (self.scale, self.sink);
        // Equal lengths make bounds checks unnecessary.
        let count = sums.len();
        let features = &mut features[..count];
        let (after_stop, densities) = (&self.words.after_stop[..count], &self.densities[..count]);
        let words = |word: usize| &self.words.sums[word.min(K - 1)..][..count];
        let (a, b, c) = (words(0), words(1), words(2));
        for at in 0..count {
            let together = together(&[a[at], b[at], c[at]][..K]);
            let (after_stop, density) = (after_stop[at], densities[at].into());
            let place = GramContext { first: at, count: 1, after_stop, density };
            sums[at] = scale.of_words(&sink, sums[at], &together, place);
            features[at] |= rank(together.most) << 56;
        }
    }

    /// The same for more than three words.
    fn of_more_words(&self, sums: &mut [S::Sum], features: &mut [u64]) {
        for (first, (sum, feature)) in sums.iter_mut().zip(features).enumerate() {
            let together = together(&self.words.sums[first..first + self.k]);
            let after_stop = self.words.after_stop[first];
            let place =
                GramContext { first, count: 1, after_stop, density: self.densities[first].into() };
            *sum = self.scale.of_words(&self.sink, *sum, &together, place);
            *feature |= rank(together.most) << 56;
        }
    }
}

/// Where a gram is, and what surrounds it.
#[derive(Clone, Copy)]
struct GramContext {
    first: usize,
    count: usize,
    after_stop: bool,
    density: i64,
}

impl FeatureScales {
    /// Adds the features of the words of a gram and their surroundings.
    #[inline(always)]
    fn of_words<S: FeatureSink>(
        &self,
        sink: &S,
        mut sum: S::Sum,
        gram: &WordSummary,
        at: GramContext,
    ) -> S::Sum {
        let sums = gram.sums;
        let idf = self.means.mean(sums.idf());
        sink.add(&mut sum, GramFeature::CountIdf, at.count.min(MOST_COUNTED) as i64 * idf);
        sink.add(&mut sum, GramFeature::Idf, idf);
        sink.add(&mut sum, GramFeature::IdfMedian, gram.median);
        sink.add(&mut sum, GramFeature::IdfSquare, (idf * idf) >> 10);
        sink.add(&mut sum, GramFeature::Common, flag(idf < 205));
        sink.add(&mut sum, GramFeature::Rare, flag(idf > 870));
        sink.add(&mut sum, GramFeature::TitleCount, self.means.mean(sums.titles()));
        sink.add(&mut sum, GramFeature::Untitled, flag(sums.titles() == 0));
        sink.add(&mut sum, GramFeature::Position, self.of_length.part(u64::from(at.first as u32)));
        sink.add(&mut sum, GramFeature::Letters, self.logarithm.of_few(sums.letters()));
        sink.add(&mut sum, GramFeature::InTitle, self.of_gram.part(sums.in_title()));
        sink.add(&mut sum, GramFeature::InUrl, self.of_gram.part(sums.in_url()));
        sink.add(&mut sum, GramFeature::Capitals, self.of_gram.part(sums.capitals()));
        sink.add(&mut sum, GramFeature::Digits, flag(sums.digits() > 0));
        sink.add(&mut sum, GramFeature::AfterStop, flag(at.after_stop));
        sink.add(&mut sum, GramFeature::StopDensity, at.density);
        sum
    }
}

/// The rank of a gram, given the rarity of its rarest word in 1024ths; the rarest have the lowest.
#[inline(always)]
fn rank(idf: i64) -> u64 {
    ((1024 - idf) >> 2).min(255) as u64
}

/// The words of a gram, summed up.
struct WordSummary {
    sums: WordSums,
    /// The median rarity; 0 for a single word.
    median: i64,
    /// The rarity of the rarest word.
    most: i64,
}

#[inline(always)]
fn together(words: &[WordSums]) -> WordSummary {
    match *words {
        [a, b, c] => {
            let (x, y, z) = (a.idf(), b.idf(), c.idf());
            let (low, high) = (x.min(y), x.max(y));
            WordSummary { sums: a + b + c, median: low.max(high.min(z)), most: high.max(z) }
        }
        [a, b] => {
            let most = a.idf().max(b.idf());
            WordSummary { sums: a + b, median: most, most }
        }
        [a] => WordSummary { sums: a, median: 0, most: a.idf() },
        _ => {
            let sums = words.iter().fold(WordSums::default(), |sums, word| sums + *word);
            let mut idfs = [0; MOST_GRAM];
            let idfs = &mut idfs[..words.len().min(MOST_GRAM)];
            idfs.iter_mut().zip(words).for_each(|(idf, word)| *idf = word.idf());
            idfs.sort_unstable();
            let most = idfs.last().copied().unwrap_or(0);
            WordSummary { sums, median: idfs[idfs.len() / 2], most }
        }
    }
}

#[cfg(test)]
mod tests;
