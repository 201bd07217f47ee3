//! Document frequencies of features, for the methods that cut by them.

use crate::{config::Frequency, signature::Signature};
use std::collections::HashMap;

/// In how many texts each feature occurs.
pub(crate) struct Frequencies {
    documents: u32,
    counts: HashMap<u64, u32>,
}

impl Frequencies {
    pub(crate) fn new(texts: &[Signature]) -> Self {
        let mut counts = HashMap::new();
        for text in texts {
            let mut features = text.features.clone();
            features.sort_unstable();
            features.dedup();
            for feature in features {
                *counts.entry(feature).or_insert(0) += 1;
            }
        }
        Self { documents: texts.len() as u32, counts }
    }

    /// Takes the features out that the setting does not keep.
    pub(crate) fn cut(&self, frequency: &Frequency, texts: &mut [Signature]) {
        for text in texts {
            text.features.retain(|feature| {
                let count = self.counts.get(feature).copied().unwrap_or(0);
                frequency.keeps(count, self.documents)
            });
        }
    }
}
