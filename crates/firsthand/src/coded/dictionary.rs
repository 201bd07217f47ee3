//! Words by number: texts as short codes from which the hashes of their words are read again.

use crate::prefetch::prefetch;

/// The most words of a dictionary; those that come later are written out.
const MOST_WORDS: usize = 1 << 20;
/// Numbers below this are one unit of code, others two.
const SHORT: u32 = 0xc000;
/// Places of the first table.
const LEAST: usize = 1 << 12;
/// Places that are looked at for a word: no input can slow it down.
const MOST_PLACES: usize = 64;
/// Words that are looked up together.
const AT_ONCE: usize = 64;
/// A word that is written out: four units with its hash follow.
const WRITTEN_OUT: u16 = u16::MAX;

/// The words of one thread, by their hashes, in the order in which it met them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    hashes: Vec<u64>,
    /// At the place of a hash or after it, its word; three quarters of the places are free, so that words are mostly at theirs.
    table: Vec<WordEntry>,
}

/// A word in a table of two to the power of `bits` places. Its lowest bits, one fewer than that, are the number of the word
/// plus one; the next tells whether the word is at the place of its hash; the others are those of the hash that no place
/// tells. So of a word at its place the whole hash is known. 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WordEntry(u64);

impl WordEntry {
    fn new(bits: u32, hash: u64, number: usize, is_at_home: bool) -> Self {
        let home = u64::from(is_at_home) << (bits - 1);
        Self(hash >> bits << bits | home | (number as u64 + 1))
    }

    /// The number of the word that is at the place of this hash, if it has it.
    #[inline(always)]
    fn at_home(self, bits: u32, hash: u64) -> Option<u32> {
        let number = self.0 ^ hash >> bits << bits ^ 1 << (bits - 1);
        (1..1 << (bits - 1)).contains(&number).then(|| number as u32 - 1)
    }

    /// The bits of the hash that no place tells.
    fn rest(self, bits: u32) -> u64 {
        self.0 >> bits
    }

    /// The number of the word.
    fn number(self, bits: u32) -> u32 {
        (self.0 & ((1 << (bits - 1)) - 1)) as u32 - 1
    }
}

impl Dictionary {
    /// The code of words with these hashes, in place of what is in `code`.
    pub(crate) fn encode(&mut self, hashes: &[u64], code: &mut Vec<u16>) {
        // A word takes one unit, two, or five. Room that is there is not cleared.
        code.resize(code.len().max(5 * hashes.len()), 0);
        let mut length = 0;
        for (at, some) in hashes.chunks(AT_ONCE).enumerate() {
            let mask = self.table.len().wrapping_sub(1);
            for &later in hashes.iter().skip((at + 1) * AT_ONCE).take(AT_ONCE) {
                prefetch(&self.table, later as usize & mask);
            }
            let (bits, looked_up) = (self.bits(), self.look_up(some));
            for (&hash, entry) in some.iter().zip(looked_up) {
                // Mostly the word is known, at its place, and one unit.
                match entry.at_home(bits, hash) {
                    Some(number) if number < SHORT => {
                        code[length] = number as u16;
                        length += 1;
                    }
                    known => {
                        let number = known.or_else(|| self.search(hash));
                        length += write(number, hash, &mut code[length..]);
                    }
                }
            }
        }
        code.truncate(length);
    }

    /// What is at the places of some words. Tables miss the caches: many are looked up before any is looked at, so
    /// that they are waited for together.
    #[inline]
    fn look_up(&self, hashes: &[u64]) -> [WordEntry; AT_ONCE] {
        let mut found = [WordEntry::default(); AT_ONCE];
        let mask = self.table.len().wrapping_sub(1);
        for (found, &hash) in found.iter_mut().zip(hashes) {
            *found = self.table.get(hash as usize & mask).copied().unwrap_or_default();
        }
        found
    }

    /// The bits of a place.
    #[inline(always)]
    fn bits(&self) -> u32 {
        // Of the table that comes first, if there is none yet.
        self.table.len().max(LEAST).trailing_zeros()
    }

    /// The hashes of the words that a code is for, in place of what is in `hashes`.
    pub(crate) fn decode(&self, code: &[u16], hashes: &mut Vec<u64>) {
        hashes.clear();
        let mut rest = code;
        loop {
            // Nearly all units are words by themselves.
            let short = rest.iter().position(|unit| u32::from(*unit) >= SHORT);
            let (words, other) = rest.split_at(short.unwrap_or(rest.len()));
            hashes.extend(words.iter().map(|unit| self.hash(*unit as usize)));
            let mut units = other.iter().map(|unit| u64::from(*unit));
            let Some(unit) = units.next() else { return };
            let mut next = || units.next().unwrap_or_default();
            hashes.push(if unit < u64::from(WRITTEN_OUT) {
                let beyond = (unit - u64::from(SHORT)) << 16 | next();
                self.hash(SHORT as usize + beyond as usize)
            } else {
                next() | next() << 16 | next() << 32 | next() << 48
            });
            rest = &other[other.len() - units.len()..];
        }
    }

    /// The hash of the word with this number. In a code that is damaged, which it may be on a disk, there are others.
    #[inline(always)]
    fn hash(&self, number: usize) -> u64 {
        self.hashes.get(number).copied().unwrap_or_default()
    }

    /// The dictionary that has these words, for decoding only.
    pub(crate) fn of_words(hashes: Vec<u64>) -> Self {
        Self { hashes, table: Vec::new() }
    }

    /// The hashes of all words, in the order of their numbers.
    pub(crate) fn words(&self) -> &[u64] {
        &self.hashes
    }

    /// Forgets all words, and keeps the room for as many.
    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.table.fill(WordEntry::default());
    }

    /// The number of a word, which gets one now if there is room.
    #[inline(never)]
    fn search(&mut self, hash: u64) -> Option<u32> {
        if self.hashes.len() * 4 + 4 >= self.table.len() {
            self.grow();
        }
        let (bits, mask) = (self.bits(), self.table.len() - 1);
        for step in 0..MOST_PLACES {
            let at = (hash as usize).wrapping_add(step) & mask;
            match self.table[at] {
                WordEntry(0) if self.hashes.len() == MOST_WORDS => return None,
                WordEntry(0) => {
                    self.hashes.push(hash);
                    let number = self.hashes.len() - 1;
                    self.table[at] = WordEntry::new(bits, hash, number, step == 0);
                    return Some(number as u32);
                }
                // Another word mostly differs in these bits already, and its hash need not be waited for.
                entry
                    if entry.rest(bits) == hash >> bits
                        && self.hashes[entry.number(bits) as usize] == hash =>
                {
                    return Some(entry.number(bits));
                }
                _ => {}
            }
        }
        None
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(LEAST);
        self.table.clear();
        self.table.resize(size, WordEntry::default());
        let bits = self.bits();
        for (number, &hash) in self.hashes.iter().enumerate() {
            let place = |step| (hash as usize).wrapping_add(step) & (size - 1);
            let free = (0..MOST_PLACES).find(|step| self.table[place(*step)] == WordEntry(0));
            // A word that finds no place any more is written out from now on.
            if let Some(step) = free {
                self.table[place(step)] = WordEntry::new(bits, hash, number, step == 0);
            }
        }
    }
}

/// Writes the number of a word, or its hash if it has none, and returns the number of units.
#[inline]
fn write(number: Option<u32>, hash: u64, units: &mut [u16]) -> usize {
    match number {
        Some(number) if number < SHORT => {
            units[0] = number as u16;
            1
        }
        Some(number) => {
            let number = number - SHORT;
            units[..2].copy_from_slice(&[(SHORT + (number >> 16)) as u16, number as u16]);
            2
        }
        None => {
            let bits = [0, 16, 32, 48].map(|shift| (hash >> shift) as u16);
            units[0] = WRITTEN_OUT;
            units[1..5].copy_from_slice(&bits);
            5
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_read_again(texts in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..50), 1..20)) {
            let hashes = |text: &[u16]| -> Vec<u64> {
                text.iter().map(|word| u64::from(*word).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
            };
            let mut dictionary = Dictionary::default();
            let codes: Vec<Vec<u16>> = texts.iter().map(|text| {
                let mut code = Vec::new();
                dictionary.encode(&hashes(text), &mut code);
                code
            }).collect();
            for (text, code) in texts.iter().zip(codes) {
                let mut read = Vec::new();
                dictionary.decode(&code, &mut read);
                prop_assert_eq!(read, hashes(text));
            }
        }
    }

    #[test]
    fn common_words_are_short_and_a_full_dictionary_writes_words_out() {
        let words: Vec<u64> = (0..MOST_WORDS as u64 + 10)
            .map(|word| (word + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let mut dictionary = Dictionary::default();
        let (mut code, mut read) = (Vec::new(), Vec::new());
        dictionary.encode(&words, &mut code);
        let (short, long) = (SHORT as usize, MOST_WORDS - SHORT as usize);
        assert_eq!(code.len(), short + 2 * long + 5 * 10);
        dictionary.decode(&code, &mut read);
        assert!(read == words);
    }
}
