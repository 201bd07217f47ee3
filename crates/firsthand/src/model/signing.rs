//! The grams of a document as features with weights.

use super::{FEATURES, Model, features::Feature, features::Sink, grams::Grams, weight_of};
use crate::{reading::Reading, signature::Signature};

/// The weight of a gram in the making.
struct Weighed<'a> {
    coefficients: &'a [i32; FEATURES],
    sum: i64,
}

impl Sink for Weighed<'_> {
    #[inline(always)]
    fn set(&mut self, feature: Feature, value: i32) {
        self.sum += i64::from(value) * i64::from(self.coefficients[feature as usize]);
    }
}

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
        let begin = || Weighed { coefficients: &model.coefficients, sum: 0 };
        model.read_as(self, reading, may_be_set_aside, begin, |gram| {
            vector.push((gram.feature, weight_of(gram.values.sum)));
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
            self.ordering.sort(&mut vector);
            signature.features = vector.iter().map(|gram| gram.0).collect();
            signature.weights = vector.iter().map(|gram| gram.1).collect();
            signature.is_set = true;
        }
        self.vector = vector;
    }
}
