//! The grams of a document with their features, in one pass over its words.

use super::{
    features::{Feature, Logarithms, Shares, Sink, share},
    numbering::Numbering,
    ordering::Ordering,
    surface::{Line, Surface},
    tables::{Known, Lookup},
};
use crate::{
    reading::Reading,
    scheme::{Scheme, lexicon, of_word},
    tokens::Tokens,
};
use xxhash_rust::xxh3::xxh3_64;

/// Words before a gram among which an antecedent is looked for.
const BEFORE: usize = 2;
/// Words on either side among which stop words are counted.
const AROUND: usize = 20;
/// A gram that occurs more often weighs no more for it.
const MOST_COUNTED: usize = 16;
/// The most percent of a document that a gram counts for.
const MOST_PERCENT: i32 = 20;

/// The most words that a gram can have.
pub(crate) const MOST_GRAM: usize = 8;

/// A gram of a document, and what is made of its features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gram<S> {
    /// What it is compared by: the rank of its rarest word in the top byte, then its hash. In
    /// ascending order the rarest come first, in all documents the same.
    pub(crate) feature: u64,
    /// Where it occurs first.
    pub(crate) first: u32,
    pub(crate) values: S,
}

/// A place where a gram occurs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    /// The gram, by its place.
    pub(crate) gram: u32,
    /// The first and the last block that it touches.
    pub(crate) blocks: (u32, u32),
}

/// Reads one document after another with the same memory.
#[derive(Debug, Default)]
pub(crate) struct Grams {
    surface: Surface,
    title: Tokens,
    words: Numbering,
    known: Vec<Word>,
    /// The word at each place.
    at: Vec<u32>,
    /// Stop words before each place.
    stops: Vec<u32>,
    places: Numbering,
    seen: Vec<Seen>,
    /// Where grams occur, if that is asked for.
    pub(crate) occurrences: Vec<Occurrence>,
    /// The vector in the making.
    pub(super) vector: Vec<(u64, u32)>,
    pub(super) ordering: Ordering,
}

/// What is known about a word of the document.
#[derive(Clone, Copy, Debug)]
struct Word {
    known: Known,
    count: u32,
    capitals: u32,
    sums: Sums,
}

/// What is summed over the words of a gram.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Sums {
    idf: i32,
    titles: i32,
    letters: i32,
    in_title: i32,
    in_url: i32,
    /// How much of its occurrences, in parts.
    capitals: i32,
    digits: i32,
}

impl std::ops::Add for Sums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            idf: self.idf + other.idf,
            titles: self.titles + other.titles,
            letters: self.letters + other.letters,
            in_title: self.in_title + other.in_title,
            in_url: self.in_url + other.in_url,
            capitals: self.capitals + other.capitals,
            digits: self.digits + other.digits,
        }
    }
}

/// What is known about a gram when all its occurrences have been seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    hash: u64,
    first: u32,
    end: u32,
    latest: u32,
    count: u32,
    blocks: u32,
    first_block: u32,
    last_block: u32,
    after_stop: bool,
    quoted: bool,
    aside: bool,
}

impl Seen {
    fn new(hash: u64, first: u32, words: u32, block: u32) -> Self {
        Self {
            hash,
            first,
            end: first + words,
            latest: first,
            count: 0,
            blocks: 0,
            first_block: block,
            last_block: u32::MAX,
            after_stop: false,
            quoted: true,
            aside: true,
        }
    }

    /// One more occurrence.
    fn see(&mut self, place: u32, block: u32, line: Line) {
        self.latest = place;
        self.count += 1;
        self.blocks += u32::from(self.last_block != block);
        self.last_block = block;
        self.quoted &= line.quoted;
        self.aside &= line.aside;
    }
}

impl Grams {
    /// Reads a document: its grams of `k` words, and where they occur.
    pub(super) fn read(
        &mut self,
        text: &Reading<'_>,
        k: usize,
        tables: &Lookup,
        with_occurrences: bool,
    ) {
        self.read_words(text, tables);
        let language = self.language();
        self.count_stops(language);
        self.seen.clear();
        self.occurrences.clear();
        match k {
            1 => self.find_words(text, language, with_occurrences),
            _ => self.find_grams(text, k, language, with_occurrences),
        }
    }

    /// The same as [`find_grams`](Self::find_grams) for grams of one word, which are numbered already.
    fn find_words(&mut self, text: &Reading<'_>, language: Option<usize>, with_occurrences: bool) {
        let tokens = text.tokens;
        let mut place = 0usize;
        // One more than the place of the latest antecedent.
        let mut antecedent = 0;
        let blocks = tokens.block_ends().iter().zip(tokens.block_lines());
        for (block, (&end, &line)) in (0u32..).zip(blocks) {
            let line = self.surface.line(line, text.document);
            while place < end as usize {
                let word = self.at[place];
                if word as usize == self.seen.len() {
                    let hash = of_word(tokens.hashes()[place]);
                    self.seen.push(Seen::new(hash, place as u32, 1, block));
                }
                let gram = &mut self.seen[word as usize];
                gram.see(place as u32, block, line);
                gram.after_stop |= antecedent > 0 && place + 1 - antecedent <= BEFORE;
                if with_occurrences {
                    self.occurrences.push(Occurrence { gram: word, blocks: (block, block) });
                }
                place += 1;
                let roles = self.known[word as usize].known.roles;
                if language.is_some_and(|bit| roles.antecedent >> bit & 1 == 1) {
                    antecedent = place;
                }
            }
        }
    }

    fn read_words(&mut self, text: &Reading<'_>, tables: &Lookup) {
        let Reading { document, tokens, .. } = *text;
        self.surface.read(text.plain);
        let title = document.title.as_deref().unwrap_or_default();
        self.title.read(&text.folding.apply(title));
        let url = words_of_address(document.url.as_deref().unwrap_or_default());
        let hashes = tokens.hashes();
        self.words.begin(hashes.len());
        self.known.clear();
        self.at.clear();
        for (place, (&hash, &capital)) in hashes.iter().zip(tokens.capitals()).enumerate() {
            let (word, new) = self.words.of(hash);
            if new {
                let written = tokens.word(place).as_bytes();
                let known = tables.of(hash);
                let sums = Sums {
                    idf: known.idf,
                    titles: known.titles,
                    letters: letters(written),
                    in_title: i32::from(self.title.hashes().contains(&hash)),
                    in_url: i32::from(url.contains(&hash)),
                    capitals: 0,
                    digits: i32::from(written.iter().any(u8::is_ascii_digit)),
                };
                self.known.push(Word { known, count: 0, capitals: 0, sums });
            }
            let known = &mut self.known[word as usize];
            known.count += 1;
            known.capitals += u32::from(capital);
            self.at.push(word);
        }
        for word in &mut self.known {
            word.sums.capitals = of_words(word.capitals as usize, word.count as usize);
        }
    }

    fn language(&self) -> Option<usize> {
        let roles = self.at.iter().map(|&word| self.known[word as usize].known.roles);
        lexicon::detect_among(self.at.len(), roles)
    }

    fn count_stops(&mut self, language: Option<usize>) {
        let mut count = 0;
        self.stops.clear();
        self.stops.push(0);
        for &word in &self.at {
            let roles = self.known[word as usize].known.roles;
            count += language.map_or(0, |language| roles.stop_word >> language & 1);
            self.stops.push(count);
        }
    }

    fn find_grams(
        &mut self,
        text: &Reading<'_>,
        k: usize,
        language: Option<usize>,
        with_occurrences: bool,
    ) {
        self.places.begin(self.at.len());
        let tokens = text.tokens;
        let (ends, lines) = (tokens.block_ends(), tokens.block_lines());
        let Self { places, seen, occurrences, known, at, surface, .. } = self;
        let is_antecedent = |place: usize| {
            let roles = known[at[place] as usize].known.roles;
            language.is_some_and(|bit| roles.antecedent >> bit & 1 == 1)
        };
        let line_of =
            |block: usize| surface.line(lines.get(block).copied().unwrap_or(0), text.document);
        let (mut block, mut line) = (0, line_of(0));
        // One more than the place of the latest antecedent before the gram.
        let mut antecedent = 0;
        Scheme::Words { n: k }.features(tokens, |found| {
            // Grams come in the order of their first words, one after the other.
            let first = found.first as usize;
            while ends[block] <= found.first {
                block += 1;
                line = line_of(block);
            }
            if first > 0 && is_antecedent(first - 1) {
                antecedent = first;
            }
            let more = ends[block..].iter().take_while(|&&end| end <= found.last).count();
            let blocks = (block as u32, (block + more) as u32);
            let place = places.of(found.hash).0;
            if place as usize == seen.len() {
                let words = found.last + 1 - found.first;
                seen.push(Seen::new(found.hash, found.first, words, blocks.0));
            }
            let gram = &mut seen[place as usize];
            gram.see(found.first, blocks.0, line);
            gram.after_stop |= antecedent > 0 && first + 1 - antecedent <= BEFORE;
            if with_occurrences {
                occurrences.push(Occurrence { gram: place, blocks });
            }
        });
    }

    /// Calls `emit` with each gram, in the order of the text. What `begin` gives takes its features.
    pub(super) fn each<S: Sink>(
        &self,
        text: &Reading<'_>,
        begin: impl Fn() -> S,
        mut emit: impl FnMut(Gram<S>),
    ) {
        let length = self.at.len();
        let ln_1 = Logarithms::new();
        let log_length = ln_1.of(length);
        let of_length = Shares::of(length);
        // Away from the ends, as many words are around each gram.
        let words = self.seen.first().map_or(1, |seen| seen.end - seen.first);
        let around = 2 * AROUND + words as usize;
        let of_around = Shares::of(around);
        let lines = text.tokens.block_lines();
        let linked = match text.document.links.is_empty() {
            true => &self.surface.links,
            false => &text.document.links,
        };
        for seen in &self.seen {
            let words = seen.first as usize..seen.end as usize;
            let Whole { sums, median, rank } = self.whole(words.clone());
            // A division by what is known is fast.
            let mean = |sum: i32| match words.len() {
                1 => sum,
                2 => sum / 2,
                3 => sum / 3,
                k => sum / k as i32,
            };
            let of_gram = |part: i32| match part {
                0 => 0,
                _ => of_words(part as usize, words.len()),
            };
            let idf = mean(sums.idf);
            let (before, behind) =
                (words.start.saturating_sub(AROUND), (words.end + AROUND).min(length));
            let stops = self.stops[behind] - self.stops[before];
            let links =
                lines.get(seen.first_block as usize).and_then(|&line| linked.get(line as usize));
            let flag = |is: bool| i32::from(is) << 10;
            let mut values = begin();
            let mut set = |feature: Feature, value: i32| values.set(feature, value);
            let count = seen.count as usize;
            set(Feature::Bias, 1 << 10);
            set(Feature::Count, ln_1.of(count));
            set(Feature::Share, of_length.part(count * 100).min(MOST_PERCENT << 10));
            set(Feature::CountIdf, count.min(MOST_COUNTED) as i32 * idf);
            set(Feature::Idf, idf);
            set(Feature::IdfMedian, median);
            set(Feature::IdfSquare, (idf * idf) >> 10);
            set(Feature::Common, flag(idf < 205));
            set(Feature::Rare, flag(idf > 870));
            set(Feature::TitleCount, mean(sums.titles));
            set(Feature::Untitled, flag(sums.titles == 0));
            set(Feature::Position, of_length.part(words.start));
            set(Feature::Opening, flag(words.start * 10 < length));
            set(Feature::FirstPart, flag(words.start * 10 < length * 4));
            set(Feature::End, flag(seen.latest as usize * 5 >= length * 4));
            set(Feature::Length, log_length);
            set(Feature::Letters, ln_1.of(sums.letters as usize));
            set(Feature::InTitle, of_gram(sums.in_title));
            set(Feature::InUrl, of_gram(sums.in_url));
            set(Feature::Capitals, mean(sums.capitals));
            set(Feature::Digits, flag(sums.digits > 0));
            set(Feature::AfterStop, flag(seen.after_stop));
            let density = match behind - before == around {
                true => of_around.part(stops as usize),
                false => share(stops as usize, behind - before),
            };
            set(Feature::StopDensity, density);
            set(Feature::LinkDensity, i32::from(links.copied().unwrap_or(0)) * 1024 / 100);
            set(Feature::Blocks, ln_1.of(seen.blocks as usize));
            set(Feature::Quoted, flag(seen.quoted));
            set(Feature::Aside, flag(seen.aside));
            let feature = (u64::from(rank) << 56) | (seen.hash >> 8);
            emit(Gram { feature, first: seen.first, values });
        }
    }

    /// What the words of a gram are together.
    fn whole(&self, words: std::ops::Range<usize>) -> Whole {
        match self.at[words] {
            [a] => {
                let a = &self.known[a as usize];
                Whole { sums: a.sums, median: 0, rank: a.known.rank() }
            }
            [a, b, c] => {
                let [a, b, c] = [a, b, c].map(|word| &self.known[word as usize]);
                let (x, y, z) = (a.sums.idf, b.sums.idf, c.sums.idf);
                Whole {
                    sums: a.sums + b.sums + c.sums,
                    median: x.min(y).max(x.max(y).min(z)),
                    rank: a.known.rank().min(b.known.rank()).min(c.known.rank()),
                }
            }
            ref words => {
                let mut whole = Whole { sums: Sums::default(), median: 0, rank: u8::MAX };
                let mut idfs = [0; MOST_GRAM];
                for (word, idf) in
                    words.iter().map(|&word| &self.known[word as usize]).zip(&mut idfs)
                {
                    *idf = word.sums.idf;
                    whole.sums = whole.sums + word.sums;
                    whole.rank = whole.rank.min(word.known.rank());
                }
                let idfs = &mut idfs[..words.len().min(MOST_GRAM)];
                idfs.sort_unstable();
                whole.median = idfs[idfs.len() / 2];
                whole
            }
        }
    }
}

/// How many characters a word has: bytes that do not carry a character on.
fn letters(word: &[u8]) -> i32 {
    word.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as i32
}

/// A share that is mostly none or all.
fn of_words(part: usize, whole: usize) -> i32 {
    match part {
        0 => 0,
        _ if part == whole => share(1, 1),
        _ => share(part, whole),
    }
}

/// What the words of a gram are together.
struct Whole {
    sums: Sums,
    /// Of how rare they are; 0 for a single word.
    median: i32,
    /// That of the rarest.
    rank: u8,
}

/// The words that an address is made of.
fn words_of_address(address: &str) -> Vec<u64> {
    let words = address.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| xxh3_64(word.to_lowercase().as_bytes())).collect()
}
