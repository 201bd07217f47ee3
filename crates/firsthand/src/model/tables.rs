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
    /// Rarer words have lower ranks.
    pub(crate) rank: u8,
    /// Whether it is a stop word, in which languages.
    pub(crate) roles: Roles,
}

impl Known {
    const NOTHING: Self = Self {
        idf: super::features::PARTS as i32,
        titles: 0,
        rank: 0,
        roles: Roles { antecedent: 0, stop_word: 0 },
    };
}

/// The tables of a model, by hashes of words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup(HashMap<u64, Known, BuildHashed>);

impl Lookup {
    pub(crate) fn new(documents: &Table, titles: &Table) -> Self {
        let room = documents.words.len() + titles.words.len() / 2;
        let mut known: HashMap<u64, Known, BuildHashed> =
            HashMap::with_capacity_and_hasher(room, BuildHashed::default());
        for (word, &count) in &documents.words {
            let level = documents.level(count);
            let entry = known.entry(xxh3_64(word.as_bytes())).or_insert(Known::NOTHING);
            entry.idf = parts(1.0 - level);
            entry.rank = (level * 255.0).round() as u8;
        }
        for (word, &count) in &titles.words {
            let entry = known.entry(xxh3_64(word.as_bytes())).or_insert(Known::NOTHING);
            entry.titles = parts(titles.level(count));
        }
        // One look is to tell everything about a word.
        for (word, roles) in lexicon::all() {
            known.entry(word).or_insert(Known::NOTHING).roles = roles;
        }
        Self(known)
    }

    pub(crate) fn of(&self, word: u64) -> Known {
        self.0.get(&word).copied().unwrap_or(Known::NOTHING)
    }
}
