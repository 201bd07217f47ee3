//! What is known about each word of a document: its rarity, its form, its surroundings.

use super::{
    features::{Shares, share},
    grams::MOST_GRAM,
    tables::{KnownWord, Lookup},
};
use crate::{scheme::lexicon, tokenized::TokenizedDocument, tokens::Tokens, wide::wide};
use xxhash_rust::xxh3::xxh3_64;

/// Words before a gram among which an antecedent is looked for.
const BEFORE: u32 = 2;
/// Words on either side among which stop words are counted.
const AROUND: usize = 20;
/// Letters of a word that are counted, at most.
const MOST_LETTERS: u64 = (1 << 16) - 1;

/// Sums over the words of a gram, packed into 64 bits: one addition adds all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WordSums(u64);

/// The bits of one sum, with room for the longest gram.
#[derive(Clone, Copy)]
struct BitField {
    from: u32,
    bits: u32,
}

impl BitField {
    /// The packed sums with this value and nothing else.
    #[inline(always)]
    fn holding(self, value: u64) -> u64 {
        value << self.from
    }

    /// All its bits.
    fn all(self) -> u64 {
        ((1 << self.bits) - 1) << self.from
    }
}

const IDF: BitField = BitField { from: 0, bits: 14 };
const TITLES: BitField = BitField { from: 14, bits: 14 };
const LETTERS: BitField = BitField { from: 28, bits: 20 };
const CAPITALS: BitField = BitField { from: 48, bits: 4 };
const DIGITS: BitField = BitField { from: 52, bits: 4 };
const IN_TITLE: BitField = BitField { from: 56, bits: 4 };
const IN_URL: BitField = BitField { from: 60, bits: 4 };
const _: () = assert!((MOST_GRAM as u64) * MOST_LETTERS < 1 << LETTERS.bits);
const _: () = assert!(MOST_GRAM < 1 << IN_URL.bits);

impl WordSums {
    #[inline(always)]
    fn get(self, field: BitField) -> u64 {
        self.0 >> field.from & ((1 << field.bits) - 1)
    }

    /// The sum of rarities, in 1024ths.
    #[inline(always)]
    pub(super) fn idf(self) -> i64 {
        self.get(IDF) as i64
    }

    /// The sum of title frequencies, in 1024ths.
    #[inline(always)]
    pub(super) fn titles(self) -> i64 {
        self.get(TITLES) as i64
    }

    #[inline(always)]
    pub(super) fn letters(self) -> usize {
        self.get(LETTERS) as usize
    }

    #[inline(always)]
    pub(super) fn capitals(self) -> u64 {
        self.get(CAPITALS)
    }

    /// The number of words with a digit.
    #[inline(always)]
    pub(super) fn digits(self) -> u64 {
        self.get(DIGITS)
    }

    #[inline(always)]
    pub(super) fn in_title(self) -> u64 {
        self.get(IN_TITLE)
    }

    #[inline(always)]
    pub(super) fn in_url(self) -> u64 {
        self.get(IN_URL)
    }
}

impl std::ops::Add for WordSums {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// The words of one document after another, reusing their memory.
#[derive(Debug, Default)]
pub(super) struct DocumentWords {
    /// What each word adds to the sums.
    pub(super) sums: Vec<WordSums>,
    /// What the tables say about each word.
    known: Vec<KnownWord>,
    /// Stop words before each word, and in all.
    stops: Vec<u32>,
    /// Whether each word follows an antecedent.
    pub(super) after_stop: Vec<bool>,
    title: Tokens,
}

impl DocumentWords {
    /// Reads the words of another document. Several small loops rather than a large one: each
    /// treats all words alike, without unpredictable branches.
    pub(super) fn read(&mut self, text: &TokenizedDocument<'_>, tables: &Lookup) {
        let TokenizedDocument { document, tokens, .. } = *text;
        wide(
            #[inline(always)]
            || self.look_up(tokens, tables),
        );
        let beyond_ascii = tokens.forms().enumerate().filter(|(_, form)| !form.ascii);
        for (place, _) in beyond_ascii {
            let letters = (tokens.word(place).chars().count() as u64).min(MOST_LETTERS);
            let sums = &mut self.sums[place];
            sums.0 = sums.0 & !LETTERS.all() | LETTERS.holding(letters);
        }
        if let Some(title) = &document.title {
            self.title.read(&text.folding.apply(title));
            mark_among(self.title.hashes(), tokens, IN_TITLE, &mut self.sums);
        }
        if let Some(address) = &document.url {
            mark_among(&words_of_address(address), tokens, IN_URL, &mut self.sums);
        }
        self.find_stops(tables);
    }

    /// What each word adds to the sums, as if all were ASCII and none in the title or the URL.
    #[inline(always)]
    fn look_up(&mut self, tokens: &Tokens, tables: &Lookup) {
        self.known.clear();
        self.known.extend(tokens.hashes().iter().map(|&hash| tables.of(hash)));
        self.sums.clear();
        let forms = tokens.forms().zip(tokens.lengths());
        self.sums.extend(self.known.iter().zip(forms).map(|(&known, (form, bytes))| {
            WordSums(
                IDF.holding(known.idf())
                    | TITLES.holding(known.titles())
                    | LETTERS.holding(u64::from(bytes).min(MOST_LETTERS))
                    | CAPITALS.holding(form.capital.into())
                    | DIGITS.holding(form.digit.into()),
            )
        }));
    }

    fn find_stops(&mut self, tables: &Lookup) {
        let words = self.known.len();
        self.stops.clear();
        self.stops.resize(words + 1, 0);
        self.after_stop.clear();
        self.after_stop.resize(words, false);
        let Some(language) = self.language(tables) else { return };
        let kinds = tables.kinds_in(language);
        // One bit for each of the preceding words.
        let (mut count, mut antecedents) = (0, 0);
        let places = self.stops[1..].iter_mut().zip(&mut self.after_stop);
        for (known, (stops, after_stop)) in self.known.iter().zip(places) {
            let kind = kinds[known.kind()];
            count += u32::from(kind.stop_word);
            *stops = count;
            *after_stop = antecedents != 0;
            antecedents = (antecedents << 1 | u32::from(kind.antecedent)) & ((1 << BEFORE) - 1);
        }
    }

    fn language(&self, tables: &Lookup) -> Option<usize> {
        lexicon::detect_by(&self.known, |known| tables.votes(known.kind()))
    }

    /// The share of stop words around each gram of `words` words, in 1024ths.
    pub(super) fn densities(&self, words: usize, densities: &mut Vec<u32>) {
        let length = self.stops.len() - 1;
        let count = (length + 1).saturating_sub(words);
        let near_ends = |first: usize| {
            let before = first.saturating_sub(AROUND);
            let behind = (first + words + AROUND).min(length);
            share((self.stops[behind] - self.stops[before]) as usize, behind - before) as u32
        };
        densities.clear();
        densities.extend((0..AROUND.min(count)).map(near_ends));
        // Away from the ends, every gram has the same number of words around it.
        let whole = 2 * AROUND + words;
        let of_whole = Shares::of(whole);
        let behind = self.stops.get(whole..).unwrap_or_default();
        densities.extend(
            self.stops
                .iter()
                .zip(behind)
                .map(|(before, behind)| of_whole.part(u64::from(behind - before)) as u32),
        );
        densities.extend((densities.len()..count).map(near_ends));
    }
}

/// Marks the words that are among some others, usually a few.
fn mark_among(others: &[u64], tokens: &Tokens, field: BitField, sums: &mut [WordSums]) {
    let words = tokens.hashes().iter().zip(sums);
    let mark = |is_one: bool, sums: &mut WordSums| sums.0 |= field.holding(is_one.into());
    if let Some((shift, table)) = (0..u64::BITS).step_by(8).find_map(|shift| by_byte(others, shift))
    {
        words.for_each(|(hash, sums)| mark(table[byte(*hash, shift)] == *hash, sums));
    } else {
        let mut others = others.to_vec();
        others.sort_unstable();
        words.for_each(|(hash, sums)| mark(others.binary_search(hash).is_ok(), sums));
    }
}

fn byte(hash: u64, shift: u32) -> usize {
    (hash >> shift & 255) as usize
}

/// A table of a few hashes by one of their bytes, if that distinguishes them.
fn by_byte(few: &[u64], shift: u32) -> Option<(u32, [u64; 256])> {
    // An empty slot holds a hash that belongs elsewhere.
    let mut table = std::array::from_fn(|place| (place as u64 ^ 1) << shift);
    for &hash in few {
        let place = byte(hash, shift);
        let held = std::mem::replace(&mut table[place], hash);
        if byte(held, shift) == place && held != hash {
            return None;
        }
    }
    Some((shift, table))
}

/// The words of a URL.
fn words_of_address(address: &str) -> Vec<u64> {
    let words = address.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| xxh3_64(word.to_lowercase().as_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_sums_do_not_overlap() {
        let word = WordSums(
            IDF.holding(1024)
                | TITLES.holding(1023)
                | LETTERS.holding(MOST_LETTERS)
                | CAPITALS.holding(1)
                | IN_URL.holding(1),
        );
        let sums = (0..MOST_GRAM).fold(WordSums::default(), |sums, _| sums + word);
        assert_eq!((sums.idf(), sums.titles()), (8 * 1024, 8 * 1023));
        assert_eq!((sums.letters(), sums.capitals()), (8 * MOST_LETTERS as usize, 8));
        assert_eq!((sums.digits(), sums.in_title(), sums.in_url()), (0, 0, 8));
    }

    #[test]
    fn words_among_others_are_marked() {
        let text = "the ferry was late and the ferry was full";
        let tokens = Tokens::new(text);
        let hash = |place: usize| tokens.hashes()[place];
        let few = [hash(1), hash(3), hash(1), hash(0) ^ 1 << 40, 0];
        // Too many for a single byte to distinguish.
        let many: Vec<u64> = few
            .into_iter()
            .chain((0..300).map(|n| 0x0101_0101_0101_0101u64.wrapping_mul(n)))
            .collect();
        for others in [&few[..], &many] {
            let mut sums = vec![WordSums::default(); tokens.len()];
            mark_among(others, &tokens, IN_TITLE, &mut sums);
            let noted: Vec<u64> = sums.iter().map(|sums| sums.in_title()).collect();
            assert_eq!(noted, [0, 1, 0, 1, 0, 0, 1, 0, 0]);
        }
        assert!(by_byte(&many, 0).is_none());
        assert_eq!(words_of_address("https://Sea.example/Ferry_2").len(), 5);
    }
}
