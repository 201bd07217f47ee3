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
        let mut vector = std::mem::take(&mut self.vector);
        vector.clear();
        model.read(self, reading, may_be_set_aside, |gram| {
            vector.push((gram.feature, model.weight(&gram.values)));
        });
        if may_be_set_aside {
            for occurrence in &self.occurrences {
                let (feature, weight) = vector[occurrence.gram as usize];
                if weight > 0 {
                    signature.features.push(feature);
                    signature.weights.push(weight);
                    signature.spans.push(occurrence.blocks);
                }
            }
        } else {
            vector.retain(|(_, weight)| *weight > 0);
            vector.sort_unstable_by_key(|gram| gram.0);
            signature.features = vector.iter().map(|gram| gram.0).collect();
            signature.weights = vector.iter().map(|gram| gram.1).collect();
            signature.is_set = true;
        }
        self.vector = vector;
    }
}
