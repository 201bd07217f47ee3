//! How common words were where the model was learned: frozen and bounded.

use super::{features::parts, word_counts::WordCounts};
use crate::{
    languages::Language,
    scheme::lexicon::{self, Roles, Votes},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use xxhash_rust::xxh3::xxh3_64;

/// The most words a table keeps: those in the most documents.
pub(crate) const MOST_WORDS: usize = 20_000;

/// The number of documents in which each word occurs.
///
/// ```
/// use firsthand::model::Table;
///
/// let words = [("ferry".to_owned(), 3)].into_iter().collect();
/// let table = Table { documents: 10, words };
/// assert_eq!(table.words.get("ferry"), Some(3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The number of documents counted.
    pub documents: u32,
    /// The number of documents with each word. Words that are not listed are in few or none.
    pub words: WordCounts,
}

impl Table {
    /// A table of the given counts, without words of a single document, which do not generalise.
    pub(crate) fn new(documents: u32, counts: BTreeMap<String, u32>) -> Self {
        let mut words: Vec<(String, u32)> =
            counts.into_iter().filter(|(_, count)| *count > 1).collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(MOST_WORDS);
        Self { documents, words: words.into_iter().collect() }
    }
}

/// Document frequencies on a logarithmic scale: 0 for none, 1 for all documents.
struct LogFrequencies {
    all: u32,
    of_all: f64,
    /// Those of the smallest counts, which most words have.
    first: Vec<f64>,
}

impl LogFrequencies {
    fn new(table: &Table) -> Self {
        let all = table.documents;
        let mut levels = Self { all, of_all: f64::from(all).ln_1p(), first: Vec::new() };
        levels.first = (0..256).map(|count| levels.made(count)).collect();
        levels
    }

    fn of(&self, count: u32) -> f64 {
        self.first.get(count as usize).copied().unwrap_or_else(|| self.made(count))
    }

    fn made(&self, count: u32) -> f64 {
        match self.all {
            0 => 0.0,
            all => (f64::from(count.min(all)).ln_1p() / self.of_all).min(1.0),
        }
    }
}

/// What the tables say about a word, packed into a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownWord(u32);

/// Bits of idf and title frequency, from the lowest; the kind has the rest.
const IDF: u32 = 11;
const TITLES: u32 = 11;

impl KnownWord {
    /// A word that is in no table.
    const NOTHING: Self = Self(super::features::PARTS as u32);

    /// Its rarity, in 1024ths.
    #[inline(always)]
    pub(crate) fn idf(self) -> u64 {
        u64::from(self.0 & ((1 << IDF) - 1))
    }

    /// Its frequency in titles, in 1024ths.
    #[inline(always)]
    pub(crate) fn titles(self) -> u64 {
        u64::from(self.0 >> IDF & ((1 << TITLES) - 1))
    }

    /// The number of its kind: the set of languages in which it is a stop word.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        (self.0 >> (IDF + TITLES)) as usize
    }

    fn with_idf(self, idf: i32) -> Self {
        Self(self.0 >> IDF << IDF | idf as u32)
    }

    /// These two are set only once.
    fn with_titles(self, titles: i32) -> Self {
        Self(self.0 | (titles as u32) << IDF)
    }

    fn with_kind(self, kind: usize) -> Self {
        Self(self.0 | (kind as u32) << (IDF + TITLES))
    }
}

/// The tables of a model, by word hashes.
///
/// Nearly every word of every document is looked up, so the table is small, a slot has 64 bits, and
/// a word is in one of two slots (a cuckoo table): both are read without branching. A word is
/// identified by its slot and half of its hash; a collision is practically impossible, and would be
/// the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    slots: Vec<u64>,
    /// For each kind, the languages in which its words are stop words; kind 0 has none.
    votes: Vec<Votes>,
    /// The role of each kind's words, language by language.
    kinds: Vec<WordRole>,
}

/// The role of a word in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordRole {
    pub(crate) stop_word: bool,
    pub(crate) antecedent: bool,
}

impl Lookup {
    /// `None` if two words cannot be distinguished, which does not happen in practice.
    pub(crate) fn new(documents: &Table, titles: &Table) -> Option<Self> {
        let words = documents.words.len() + titles.words.len() + lexicon::all().count();
        let room = (2 * words).next_power_of_two();
        [room, 2 * room, 4 * room]
            .into_iter()
            .find_map(|room| Self::within(room, documents, titles))
    }

    /// The same with `room` slots, a power of two; `None` if the words do not fit.
    fn within(room: usize, documents: &Table, titles: &Table) -> Option<Self> {
        let mut nest = CuckooBuilder::new(room);
        let levels = LogFrequencies::new(documents);
        for (word, count) in documents.words.iter() {
            let known = nest.entry(xxh3_64(word.as_bytes()))?;
            *known = known.with_idf(parts(1.0 - levels.of(count)));
        }
        let levels = LogFrequencies::new(titles);
        for (word, count) in titles.words.iter() {
            let known = nest.entry(xxh3_64(word.as_bytes()))?;
            *known = known.with_titles(parts(levels.of(count)));
        }
        // One lookup has to give everything about a word.
        let mut roles_of = vec![Roles::default()];
        let mut numbers: HashMap<(u32, u32), usize> = HashMap::from([((0, 0), 0)]);
        for (word, roles) in lexicon::all() {
            let next = roles_of.len();
            let kind = *numbers.entry((roles.antecedent, roles.stop_word)).or_insert(next);
            if kind == next {
                roles_of.push(roles);
            }
            let known = nest.entry(word)?;
            *known = known.with_kind(kind);
        }
        let votes = roles_of.iter().map(|&roles| Votes::of(roles)).collect();
        let kind = |language: usize, roles: &Roles| WordRole {
            stop_word: roles.stop_word >> language & 1 == 1,
            antecedent: roles.antecedent >> language & 1 == 1,
        };
        let languages = 0..Language::ALL.len();
        let kinds =
            languages.flat_map(|language| roles_of.iter().map(move |roles| kind(language, roles)));
        Some(Self { slots: nest.slots(), votes, kinds: kinds.collect() })
    }

    /// The role of each kind's words in a language.
    pub(crate) fn kinds_in(&self, language: usize) -> &[WordRole] {
        let kinds = self.votes.len();
        &self.kinds[language * kinds..(language + 1) * kinds]
    }

    /// The languages in which the words of a kind are stop words.
    #[inline(always)]
    pub(crate) fn votes(&self, kind: usize) -> &Votes {
        &self.votes[kind]
    }

    #[inline(always)]
    pub(crate) fn of(&self, word: u64) -> KnownWord {
        let room = self.slots.len();
        let [first, second] = places(word, room).map(|place| self.slots[place]);
        let slot = if second >> 32 == word >> 32 { second } else { KnownWord::NOTHING.0.into() };
        KnownWord(if first >> 32 == word >> 32 { first } else { slot } as u32)
    }
}

/// A cuckoo table under construction.
struct CuckooBuilder {
    words: Vec<(u64, KnownWord)>,
    /// The word in each slot, by its index.
    owners: Vec<u32>,
}

/// An empty slot.
const NOBODY: u32 = u32::MAX;

impl CuckooBuilder {
    fn new(room: usize) -> Self {
        Self { words: Vec::with_capacity(room / 2), owners: vec![NOBODY; room] }
    }

    /// The entry of a word, inserted if missing; `None` if there is no room.
    fn entry(&mut self, word: u64) -> Option<&mut KnownWord> {
        // More moves than this form a cycle.
        const MOST_MOVES: usize = 200;
        let room = self.owners.len();
        for owner in places(word, room).map(|place| self.owners[place]) {
            if self.words.get(owner as usize).is_some_and(|known| known.0 == word) {
                return self.words.get_mut(owner as usize).map(|known| &mut known.1);
            }
        }
        let newcomer = self.words.len() as u32;
        self.words.push((word, KnownWord::NOTHING));
        let (mut homeless, mut at) = (newcomer, places(word, room)[0]);
        let mut moves = 0..MOST_MOVES;
        while homeless != NOBODY {
            moves.next()?;
            homeless = std::mem::replace(&mut self.owners[at], homeless);
            if let Some((word, _)) = self.words.get(homeless as usize) {
                let [first, second] = places(*word, room);
                at = if at == first { second } else { first };
            }
        }
        self.words.last_mut().map(|known| &mut known.1)
    }

    fn slots(&self) -> Vec<u64> {
        // An empty slot says nothing even about a word whose upper half is zero.
        let slot = |&owner: &u32| {
            let found = self.words.get(owner as usize).copied();
            let (word, known) = found.unwrap_or((0, KnownWord::NOTHING));
            word >> 32 << 32 | u64::from(known.0)
        };
        self.owners.iter().map(slot).collect()
    }
}

/// The slots in which a word may be; its upper half identifies it there.
#[inline(always)]
fn places(word: u64, room: usize) -> [usize; 2] {
    [word as usize & (room - 1), (word >> 15) as usize & (room - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_return_what_the_tables_say() {
        let words = |step: usize| (0..5000).step_by(step).map(|at| (format!("w{at}"), at as u32));
        let documents = Table { documents: 6000, words: words(1).collect() };
        let titles = Table { documents: 5000, words: words(7).collect() };
        let lookup = Lookup::new(&documents, &titles).unwrap();
        let level = |table: &Table, count: u32| {
            parts(f64::from(count).ln_1p() / f64::from(table.documents).ln_1p())
        };
        for at in 0..5000 {
            let known = lookup.of(xxh3_64(format!("w{at}").as_bytes()));
            // Up to 1, because both are rounded.
            assert!((known.idf() as i32 + level(&documents, at) - 1024).abs() <= 1);
            let titled = if at % 7 == 0 { level(&titles, at) } else { 0 };
            assert_eq!(known.titles() as i32, titled);
        }
        for (word, roles) in lexicon::all() {
            let kind = lookup.of(word).kind();
            for language in 0..Language::ALL.len() {
                let WordRole { stop_word, antecedent } = lookup.kinds_in(language)[kind];
                assert_eq!(stop_word, roles.stop_word >> language & 1 == 1);
                assert_eq!(antecedent, roles.antecedent >> language & 1 == 1);
            }
        }
        let most = 1 << (u32::BITS - IDF - TITLES);
        assert!(lookup.votes.len() <= most, "{} kinds of words", lookup.votes.len());
        assert_eq!(lookup.of(xxh3_64(b"nowhere")), KnownWord::NOTHING);
        let empty = Lookup::new(&Table::default(), &Table::default()).unwrap();
        assert_eq!([0, 5, u64::MAX].map(|word| empty.of(word)), [KnownWord::NOTHING; 3]);
    }
}
