//! A collection of texts that only pairs are wanted of: full sets only of those that may have a partner.

use super::{Collection, Elsewhere};
use crate::{
    coded::{CodedText, CodedTexts},
    ids::{Ids, all_differ},
    search::Search,
    settings::Settings,
    signed::SignedDocument,
    summary::Summary,
    template::Templates,
};
use rayon::prelude::*;
use std::sync::Arc;

impl Collection {
    /// A collection, and whether it is whole: not if texts that may have a partner have more than
    /// `most_features`.
    pub(super) fn from_codes(
        settings: Arc<Settings>,
        mut entries: Vec<SignedDocument>,
        mut coded: CodedTexts,
        split: Option<usize>,
        most_features: usize,
    ) -> (Self, bool) {
        let FirstTexts { texts, numbers, lengths } =
            FirstTexts::new(std::mem::take(&mut coded.texts));
        let min_features = settings.min_features;
        let renamed = make_unique(&mut entries, split);
        let documents = entries.into_par_iter().zip(numbers).zip(lengths);
        let documents = documents.map(|((entry, text), length)| {
            let SignedDocument { id, time, .. } = entry;
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

/// Makes the ids of documents unique, and returns the number of those that were changed.
fn make_unique(entries: &mut [SignedDocument], split: Option<usize>) -> usize {
    if all_differ(entries.par_iter().map(|entry| entry.id.as_str())) {
        return 0;
    }
    let (mut ids, mut renamed) = (Ids::with_capacity(entries.len()), 0);
    for (at, entry) in entries.iter_mut().enumerate() {
        if Some(at) == split {
            // New documents may have the same ids as documents of the reference.
            renamed += std::mem::take(&mut ids).renamed();
        }
        ids.claim(&mut entry.id);
    }
    renamed + ids.renamed()
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
    fn new(mut all: Vec<CodedText>) -> Self {
        let lengths = all.iter().map(|text| text.length).collect();
        // Of copies, the first is before the others.
        let places = all.par_iter().zip(0u32..all.len() as u32);
        let texts = places.filter(|(text, _)| text.length > 0);
        let mut sorted: Vec<_> = texts.map(|(text, at)| (text.fingerprint, at)).collect();
        sorted.par_sort_unstable();
        let mut firsts: Vec<u32> = (0..all.len() as u32).collect();
        for two in sorted.windows(2).filter(|two| two[0].0 == two[1].0) {
            let (first, copy) = (firsts[two[0].1 as usize], two[1].1);
            firsts[copy as usize] = first;
            // What is kept of a text is kept of the one that was read first.
            if let Ok([first, copy]) = all.get_disjoint_mut([first as usize, copy as usize]) {
                first.take_from(copy);
            }
        }
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(all.len());
        let mut texts = 0;
        for (at, text) in all.iter().enumerate() {
            let first = firsts[at] as usize;
            let is_first = text.length > 0 && first == at;
            numbers.push(if is_first {
                Some(texts)
            } else {
                numbers.get(first).copied().flatten()
            });
            texts += u32::from(is_first);
        }
        let mut are_first = firsts.into_iter().zip(&numbers).zip(0u32..);
        all.retain(|_| {
            are_first.next().is_some_and(|((first, number), at)| first == at && number.is_some())
        });
        Self { texts: all, numbers, lengths }
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
