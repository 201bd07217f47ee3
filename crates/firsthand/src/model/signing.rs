//! The grams of a document as features with weights.

use super::{Model, grams::Grams};
use crate::{reading::Reading, signature::Signature};

impl Grams {
    /// Fills in the features of a document and their weights: with the blocks that they touch, as
    /// often as they occur, where passages may be set aside later; else as a set.
    pub(crate) fn sign(
        &mut self,
        model: &Model,
        reading: Reading<'_>,
        may_be_set_aside: bool,
        signature: &mut Signature,
    ) {
        model.read(self, reading);
        let weighed = |gram: &super::grams::Gram| (gram.feature, model.weight(&gram.values));
        if may_be_set_aside {
            let vector: Vec<(u64, u32)> = self.grams.iter().map(weighed).collect();
            for occurrence in &self.occurrences {
                let (feature, weight) = vector[occurrence.gram as usize];
                if weight > 0 {
                    signature.features.push(feature);
                    signature.weights.push(weight);
                    signature.spans.push(occurrence.blocks);
                }
            }
        } else {
            let mut vector: Vec<(u64, u32)> =
                self.grams.iter().map(weighed).filter(|(_, weight)| *weight > 0).collect();
            vector.sort_unstable_by_key(|gram| gram.0);
            (signature.features, signature.weights) = vector.into_iter().unzip();
            signature.is_set = true;
        }
    }
}
