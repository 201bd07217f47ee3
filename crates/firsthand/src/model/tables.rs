//! How common words are where the model was learned: frozen, bounded, and the same ever after.

use super::features::parts;
use crate::{
    hashed::BuildHashed,
    scheme::lexicon::{self, Roles},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};
use xxhash_rust::xxh3::xxh3_64;

/// The most words that a table keeps: those of the most documents.
pub(crate) const MOST_WORDS: usize = 20_000;

/// In how many documents words occur.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// How many documents were counted.
    pub documents: u32,
    /// The documents that each word is in. Words that are not listed are in few or none.
    #[serde(deserialize_with = "in_order")]
    pub words: BTreeMap<String, u32>,
}

impl Table {
    /// The table of some counts: words of one document tell nothing about another.
    pub(crate) fn new(documents: u32, counts: BTreeMap<String, u32>) -> Self {
        let mut words: Vec<(String, u32)> =
            counts.into_iter().filter(|(_, count)| *count > 1).collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        words.truncate(MOST_WORDS);
        Self { documents, words: words.into_iter().collect() }
    }

    /// The share of a count on a logarithmic scale: 0 for none, 1 for all documents.
    fn level(&self, count: u32) -> f64 {
        match self.documents {
            0 => 0.0,
            all => (f64::from(count.min(all)).ln_1p() / f64::from(all).ln_1p()).min(1.0),
        }
    }
}

/// Reads a map whose keys come in order, as they are written: made from a list it is made at once.
fn in_order<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, u32>, D::Error> {
    struct Words;

    impl<'de> Visitor<'de> for Words {
        type Value = BTreeMap<String, u32>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("words with counts")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut words = Vec::new();
            while let Some(entry) = map.next_entry::<String, u32>()? {
                words.push(entry);
            }
            Ok(words.into_iter().collect())
        }
    }

    from.deserialize_map(Words)
}

/// What is known about a word from tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// How rare it is, in parts.
    pub(crate) idf: i32,
    /// How common it is in titles, in parts.
    pub(crate) titles: i32,
    /// Whether it is a stop word, in which languages.
    pub(crate) roles: Roles,
}

impl Known {
    const NOTHING: Self = Self {
        idf: super::features::PARTS as i32,
        titles: 0,
        roles: Roles { antecedent: 0, stop_word: 0 },
    };

    /// Rarer words have lower ranks.
    pub(crate) fn rank(&self) -> u8 {
        ((Self::NOTHING.idf - self.idf) >> 2).min(255) as u8
    }
}

/// The tables of a model, by hashes of words.
///
/// Nearly every word of every document is looked up, so the table is small and one look is enough: a slot
/// is 64 bits. A word is known by where it is and by half of its hash; that another one is there by
/// chance is as good as impossible, and would be so on every machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    slots: Vec<u64>,
    /// The roles that slots name by their place; the first are none.
    roles: Vec<Roles>,
}

/// Bits of a slot for idf, titles and roles, from the lowest on; the rest are of the hash.
const IDF: u32 = 11;
const TITLES: u32 = 11;
const ROLES: u32 = 10;
const REST: u32 = IDF + TITLES + ROLES;

impl Lookup {
    pub(crate) fn new(documents: &Table, titles: &Table) -> Self {
        let room = documents.words.len() + titles.words.len() / 2;
        let mut known: HashMap<u64, Known, BuildHashed> =
            HashMap::with_capacity_and_hasher(room, BuildHashed::default());
        for (word, &count) in &documents.words {
            let entry = known.entry(xxh3_64(word.as_bytes())).or_insert(Known::NOTHING);
            entry.idf = parts(1.0 - documents.level(count));
        }
        for (word, &count) in &titles.words {
            let entry = known.entry(xxh3_64(word.as_bytes())).or_insert(Known::NOTHING);
            entry.titles = parts(titles.level(count));
        }
        // One look is to tell everything about a word.
        for (word, roles) in lexicon::all() {
            known.entry(word).or_insert(Known::NOTHING).roles = roles;
        }
        Self::packed(known.into_iter().collect())
    }

    fn packed(mut known: Vec<(u64, Known)>) -> Self {
        known.sort_unstable_by_key(|(word, _)| *word);
        let mut lookup = Self {
            slots: vec![0; (2 * known.len() + 1).next_power_of_two()],
            roles: vec![Known::NOTHING.roles],
        };
        let mut places: HashMap<(u32, u32), usize> = HashMap::from([((0, 0), 0)]);
        for (word, Known { idf, titles, roles }) in known {
            let next = lookup.roles.len();
            let place = *places.entry((roles.antecedent, roles.stop_word)).or_insert(next);
            if place == next {
                lookup.roles.push(roles);
            }
            let values = idf as u64 | (titles as u64) << IDF | (place as u64) << (IDF + TITLES);
            let mut at = lookup.first(word);
            while lookup.slots[at] != 0 {
                at = (at + 1) & (lookup.slots.len() - 1);
            }
            lookup.slots[at] = word >> REST << REST | values;
        }
        lookup
    }

    /// The slot that a word is looked for in first.
    fn first(&self, word: u64) -> usize {
        word as usize & (self.slots.len() - 1)
    }

    pub(crate) fn of(&self, word: u64) -> Known {
        if self.slots.is_empty() {
            return Known::NOTHING;
        }
        let mut at = self.first(word);
        loop {
            match self.slots[at] {
                0 => return Known::NOTHING,
                slot if slot >> REST == word >> REST => {
                    let field = |from: u32, bits: u32| (slot >> from & ((1 << bits) - 1)) as usize;
                    return Known {
                        idf: field(0, IDF) as i32,
                        titles: field(IDF, TITLES) as i32,
                        roles: self.roles[field(IDF + TITLES, ROLES)],
                    };
                }
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_words_is_found_again() {
        let words = |step: usize| (0..5000).step_by(step).map(|at| (format!("w{at}"), at as u32));
        let documents = Table { documents: 6000, words: words(1).collect() };
        let titles = Table { documents: 5000, words: words(7).collect() };
        let lookup = Lookup::new(&documents, &titles);
        for at in 0..5000 {
            let known = lookup.of(xxh3_64(format!("w{at}").as_bytes()));
            assert_eq!(known.idf, parts(1.0 - documents.level(at)));
            let titled = if at % 7 == 0 { parts(titles.level(at)) } else { 0 };
            assert_eq!(known.titles, titled);
        }
        for (word, roles) in lexicon::all() {
            assert_eq!(lookup.of(word).roles, roles);
        }
        assert!(lookup.roles.len() < 1 << ROLES, "{} kinds of roles", lookup.roles.len());
        assert_eq!(lookup.of(xxh3_64(b"nowhere")), Known::NOTHING);
        assert_eq!(Lookup::default().of(5), Known::NOTHING);
    }

    #[test]
    fn rarer_words_have_lower_ranks() {
        let rank = |idf| Known { idf, ..Known::NOTHING }.rank();
        assert_eq!((rank(1024), rank(512), rank(0)), (0, 128, 255));
    }
}
