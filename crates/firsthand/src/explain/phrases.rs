//! The features of two documents as text.

use super::PhraseWeight;
use crate::{scheme::Scheme, set::occurrence, tokens::Tokens};
use serde::Serialize;
use std::collections::{HashMap, hash_map::Entry};

/// A feature as a person reads it.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let a = Document::new("a", "The ferry to the island did not sail.");
/// let b = Document::new("b", "The ferry to the island will not sail.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &a, &b)?;
/// assert_eq!(explanation.shared[0].text, "the ferry to the island");
/// assert_eq!(explanation.only_a[0].text, "ferry to the island did");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phrase {
    /// Its words or characters.
    pub text: String,
    /// How many times it counts; more than once only in a multi-set.
    pub times: usize,
    /// Its weight, where a model weighs features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<PhraseWeight>,
}

impl Phrase {
    /// A feature that occurs once.
    pub(super) fn once(text: &str) -> Self {
        Self { text: text.to_owned(), times: 1, weight: None }
    }
}

/// The features of a text that are in its set, by their hashes, in the order of the text.
pub(super) fn of(
    scheme: &Scheme,
    tokens: &Tokens,
    multiset: bool,
    set: &[u64],
) -> Vec<(u64, Phrase)> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut found: Vec<(u64, Phrase)> = Vec::new();
    scheme.described(tokens, |feature, text| match places.entry(feature.hash) {
        Entry::Vacant(free) => {
            free.insert(found.len());
            found.push((feature.hash, Phrase::once(text)));
        }
        Entry::Occupied(place) => found[*place.get()].1.times += 1,
    });
    for (hash, phrase) in &mut found {
        phrase.times = counted(*hash, phrase.times, multiset, set);
    }
    found.retain(|(_, phrase)| phrase.times > 0);
    found
}

/// How many of a feature's occurrences are in the set, which holds the first of them.
fn counted(hash: u64, occurrences: usize, multiset: bool, set: &[u64]) -> usize {
    let has = |element: u64| set.binary_search(&element).is_ok();
    if !has(hash) {
        return 0;
    }
    let (mut least, mut most) = (1, if multiset { occurrences } else { 1 });
    while least < most {
        let middle = least + (most - least) / 2;
        if has(occurrence(hash, middle as u64)) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}

/// The features of both documents, only of the first, and only of the second.
pub(super) fn compare(
    a: &[(u64, Phrase)],
    b: &[(u64, Phrase)],
) -> (Vec<Phrase>, Vec<Phrase>, Vec<Phrase>) {
    let (in_a, in_b) = (times(a), times(b));
    let least = |(hash, phrase): &(u64, Phrase)| {
        let other = in_b.get(hash).copied().unwrap_or(0);
        with_times(phrase, phrase.times.min(other))
    };
    let more = |others: &HashMap<u64, usize>, (hash, phrase): &(u64, Phrase)| {
        let other = others.get(hash).copied().unwrap_or(0);
        with_times(phrase, phrase.times.saturating_sub(other))
    };
    (
        a.iter().filter_map(least).collect(),
        a.iter().filter_map(|phrase| more(&in_b, phrase)).collect(),
        b.iter().filter_map(|phrase| more(&in_a, phrase)).collect(),
    )
}

fn times(phrases: &[(u64, Phrase)]) -> HashMap<u64, usize> {
    phrases.iter().map(|(hash, phrase)| (*hash, phrase.times)).collect()
}

fn with_times(phrase: &Phrase, times: usize) -> Option<Phrase> {
    (times > 0).then(|| Phrase { times, ..phrase.clone() })
}
