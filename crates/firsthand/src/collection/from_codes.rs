//! A collection of texts that only pairs are wanted of: full sets only of those that may have a partner.

use super::{Collection, Elsewhere};
use crate::{
    coded::{CodedText, CodedTexts},
    hashed::BuildHashed,
    ids::Ids,
    search::Search,
    settings::Settings,
    signed::SignedDocument,
    summary::Summary,
    template::Templates,
};
use std::{collections::HashMap, sync::Arc};

impl Collection {
    /// A collection, and whether it is whole: not if texts that may have a partner have more than
    /// `most_features`.
    pub(super) fn from_codes(
        settings: Arc<Settings>,
        entries: Vec<SignedDocument>,
        mut coded: CodedTexts,
        split: Option<usize>,
        most_features: usize,
    ) -> (Self, bool) {
        // Ids and texts are looked up at the same time: each takes a search in a large table.
        let texts = std::mem::take(&mut coded.texts);
        let min_features = settings.min_features;
        let ((documents, renamed), texts) =
            rayon::join(|| named(entries, split), || FirstTexts::new(texts));
        let FirstTexts { texts, numbers, lengths } = texts;
        let documents = documents.into_iter().zip(numbers).zip(lengths);
        let documents = documents.map(|(((id, time), text), length)| {
            let features = text.map_or(0, |text| texts[text as usize].features);
            let short = text.is_none() || (features as usize) < min_features;
            Summary { id, time, length, features, short, nothing_but_form: false, text }
        });
        let documents = documents.collect();
        let (sets, is_whole) = coded.sets(texts, &settings, most_features);
        let search = Search::new(&settings, sets, None, Vec::new());
        let collection = Self {
            settings,
            documents,
            search,
            templates: Templates::default(),
            furniture: 0,
            rescued: 0,
            elsewhere: Elsewhere::default(),
            renamed,
            split,
        };
        (collection, is_whole)
    }
}

/// Documents with unique ids and their times, and the number of ids that were changed.
fn named(
    entries: Vec<SignedDocument>,
    split: Option<usize>,
) -> (Vec<(String, Option<i64>)>, usize) {
    let (mut ids, mut renamed) = (Ids::with_capacity(entries.len()), 0);
    let unique = |(at, entry): (usize, SignedDocument)| {
        if Some(at) == split {
            // New documents may have the same ids as documents of the reference.
            renamed += std::mem::take(&mut ids).renamed();
        }
        let SignedDocument { mut id, time, .. } = entry;
        ids.claim(&mut id);
        (id, time)
    };
    let documents = entries.into_iter().enumerate().map(unique).collect();
    (documents, renamed + ids.renamed())
}

/// The different texts of a collection: exact copies share one.
struct FirstTexts {
    texts: Vec<CodedText>,
    /// The number of each document's text; none if it is empty.
    numbers: Vec<Option<u32>>,
    /// The length of each document's text.
    lengths: Vec<u32>,
}

impl FirstTexts {
    fn new(all: Vec<CodedText>) -> Self {
        let mut known: HashMap<u128, u32, BuildHashed> =
            HashMap::with_capacity_and_hasher(all.len(), BuildHashed::default());
        let mut texts = Vec::with_capacity(all.len());
        let lengths = all.iter().map(|text| text.length).collect();
        let number = |text: CodedText| {
            (text.length > 0).then(|| {
                *known.entry(text.fingerprint).or_insert_with(|| {
                    texts.push(text);
                    texts.len() as u32 - 1
                })
            })
        };
        let numbers = all.into_iter().map(number).collect();
        Self { texts, numbers, lengths }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        collection::Collection, detector::Detector, document::Document, measure::Measure,
        pairs::Match, scheme::Scheme, settings::Settings, signed::Signed, summary::Summary,
        threshold::Threshold,
    };
    use proptest::prelude::*;

    type Found = (Vec<Summary>, Vec<Match>);

    fn found(collection: &Collection) -> Found {
        let (pairs, _) = collection.matches().unwrap();
        (collection.documents().to_vec(), pairs.iter().collect())
    }

    /// What is found in full, by features in the order of the text, and by the numbers of words, which
    /// depends on what is expected; with a reference if `split` says so.
    fn in_three_ways(settings: &Settings, texts: &[String], split: Option<usize>) -> [Found; 3] {
        let detector = Detector::new(settings.clone()).unwrap();
        let documents = |texts: &[String]| -> Vec<Vec<Document>> {
            texts
                .chunks(3)
                .map(|texts| texts.iter().map(|t| Document::new("a", t)).collect())
                .collect()
        };
        let sign = |expected: Option<usize>, texts: &[String]| {
            let batches = documents(texts).into_iter();
            match expected {
                None => Signed::new(&detector, batches, |batch| batch),
                Some(expected) => Signed::for_pairs(&detector, expected, batches, |batch| batch),
            }
        };
        [None, Some(9), Some(0)].map(|expected| match split {
            None => found(&Collection::new(sign(expected, texts))),
            Some(split) => {
                let (old, new) = texts.split_at(split.min(texts.len()));
                found(&Collection::against(sign(expected, old), sign(expected, new)).unwrap())
            }
        })
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_full_sets(
            texts in prop::collection::vec(prop::collection::vec("[a-h]{1,2}", 0..30), 1..16),
            copies in prop::collection::vec((0usize..16, 0usize..30, "[a-h]?"), 0..16),
            (n, threshold, measure) in (1usize..4, 30u64..100, 0usize..5),
            (multiset, split) in (any::<bool>(), prop::option::of(0usize..20)),
        ) {
            let mut texts = texts;
            for (of, place, word) in copies {
                let mut copy = texts[of % texts.len()].clone();
                if let Some(old) = copy.get_mut(place) {
                    *old = word;
                }
                texts.push(copy);
            }
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let measures = [
                Measure::Jaccard,
                Measure::MaxOverlap,
                Measure::Cosine,
                Measure::Dice,
                Measure::Containment,
            ];
            let settings = Settings {
                scheme: Scheme::Words { n },
                threshold: Threshold::percent(threshold),
                measure: measures[measure],
                multiset,
                ..Settings::profile("corpus").unwrap()
            };
            let [full, by_features, by_words] = in_three_ways(&settings, &texts, split);
            prop_assert_eq!(&full, &by_features);
            prop_assert_eq!(&full, &by_words);
        }
    }
}
