//! Sorted words with counts: twenty thousand of them in three allocations.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, MapAccess, Visitor},
};
use std::fmt;

/// Words with a count each, in ascending order.
///
/// ```
/// use firsthand::model::WordCounts;
///
/// let counts: WordCounts = [("the".to_owned(), 90), ("ferry".to_owned(), 12)].into_iter().collect();
/// assert_eq!(counts.iter().collect::<Vec<_>>(), [("ferry", 12), ("the", 90)]);
/// assert_eq!((counts.get("the"), counts.get("sea")), (Some(90), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    text: String,
    /// The end of each word in the text.
    ends: Vec<u32>,
    counts: Vec<u32>,
}

impl WordCounts {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The count of a word.
    pub fn get(&self, word: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(self.counts[middle]),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// All words with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        (0..self.len()).map(|at| (self.word(at), self.counts[at]))
    }

    fn word(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[at] as usize]
    }

    /// Ends the word that was added to the text; returns whether it sorts after the previous one.
    fn end_word(&mut self, count: u32) -> bool {
        let bytes = self.text.as_bytes();
        let end = |back: usize| {
            let place = self.ends.len().checked_sub(back);
            place.map_or(0, |place| self.ends[place] as usize)
        };
        let (before, word) = (&bytes[end(2)..end(1)], &bytes[end(1)..]);
        let is_first = self.ends.is_empty();
        let in_order = is_first || before < word;
        self.ends.push(self.text.len() as u32);
        self.counts.push(count);
        in_order
    }
}

impl FromIterator<(String, u32)> for WordCounts {
    /// The last count of a repeated word is kept.
    fn from_iter<I: IntoIterator<Item = (String, u32)>>(words: I) -> Self {
        let sorted: std::collections::BTreeMap<String, u32> = words.into_iter().collect();
        let mut counts = Self::default();
        for (word, count) in sorted {
            counts.text.push_str(&word);
            counts.end_word(count);
        }
        counts
    }
}

impl Serialize for WordCounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for WordCounts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct CountsVisitor;

        impl<'de> Visitor<'de> for CountsVisitor {
            type Value = WordCounts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("words in ascending order, with counts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WordCounts, A::Error> {
                let mut counts = WordCounts::default();
                while map.next_key_seed(Key(&mut counts.text))?.is_some() {
                    let count = map.next_value()?;
                    if !counts.end_word(count) {
                        let word = counts.word(counts.len() - 1);
                        return Err(A::Error::custom(format!("the word {word:?} is out of order")));
                    }
                }
                Ok(counts)
            }
        }

        from.deserialize_map(CountsVisitor)
    }
}

/// A word that is appended to a text as it is read, without an allocation of its own.
struct Key<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<(), E> {
        // Positions in the text have 32 bits.
        if self.0.len() + word.len() > u32::MAX as usize {
            return Err(E::custom("the words are too long"));
        }
        self.0.push_str(word);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn counts_match_a_map(
            words in prop::collection::vec(("[a-cé]{0,3}", any::<u32>()), 0..40),
            other in "[a-cé]{0,3}",
        ) {
            let map: BTreeMap<String, u32> = words.clone().into_iter().collect();
            let counts: WordCounts = words.into_iter().collect();
            prop_assert_eq!((counts.len(), counts.is_empty()), (map.len(), map.is_empty()));
            let pairs: Vec<(&str, u32)> = counts.iter().collect();
            prop_assert!(pairs.iter().copied().eq(map.iter().map(|(word, &count)| (word.as_str(), count))));
            for word in map.keys().chain([&other]) {
                prop_assert_eq!(counts.get(word), map.get(word).copied());
            }
        }
    }
}
