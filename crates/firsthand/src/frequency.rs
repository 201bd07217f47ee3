//! Document frequencies of features, for methods that filter or weight by them.

use crate::{hashed::BuildHashed, settings::Frequency, sign::SignedPage, weights};
use rayon::prelude::*;
use std::collections::HashMap;

/// Features are partitioned by their leading bits, to be counted on all threads.
const PARTS: usize = 256;
/// Texts per task.
const CHUNK: usize = 4096;

/// In how many texts each feature occurs.
pub(crate) struct Frequencies {
    documents: u32,
    parts: Vec<HashMap<u64, u32, BuildHashed>>,
}

fn part(feature: u64) -> usize {
    (feature >> (64 - PARTS.trailing_zeros())) as usize
}

impl Frequencies {
    pub(crate) fn new(texts: &[SignedPage]) -> Self {
        let dealt: Vec<Vec<Vec<u64>>> = texts
            .par_chunks(CHUNK)
            .map(|texts| {
                let mut parts = vec![Vec::new(); PARTS];
                for text in texts {
                    let mut features = text.text.features.clone();
                    features.sort_unstable();
                    features.dedup();
                    features.into_iter().for_each(|feature| parts[part(feature)].push(feature));
                }
                parts
            })
            .collect();
        let parts = (0..PARTS)
            .into_par_iter()
            .map(|part| {
                let mut counts = HashMap::default();
                for &feature in dealt.iter().flat_map(|parts| &parts[part]) {
                    *counts.entry(feature).or_insert(0) += 1;
                }
                counts
            })
            .collect();
        Self { documents: texts.len() as u32, parts }
    }

    /// In how many texts a feature occurs.
    fn of(&self, feature: u64) -> u32 {
        self.parts[part(feature)].get(&feature).copied().unwrap_or(0)
    }

    /// Removes the features that the setting does not keep.
    pub(crate) fn cut(&self, frequency: &Frequency, texts: &mut [SignedPage]) {
        texts.par_iter_mut().for_each(|text| {
            text.text.features.retain(|&feature| frequency.keeps(self.of(feature), self.documents));
        });
    }

    /// Makes the features distinct; returns the TF-IDF weight of each.
    pub(crate) fn weigh(&self, texts: &mut [SignedPage]) -> Vec<Vec<u32>> {
        let weigh = |text: &mut SignedPage| {
            text.text.features.sort_unstable();
            let runs = text.text.features.chunk_by(|a, b| a == b);
            let weigh =
                |run: &[u64]| weights::tf_idf(run.len() as u32, self.of(run[0]), self.documents);
            let weights = runs.map(weigh).collect();
            text.text.features.dedup();
            text.text.is_set = true;
            weights
        };
        texts.par_iter_mut().map(weigh).collect()
    }
}
