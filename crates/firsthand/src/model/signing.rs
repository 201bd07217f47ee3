//! The grams of a document as features with weights.

use super::{FEATURES, GramFeature, Model, features::FeatureSink, grams::Grams, weight_of};
use crate::{reading::Reading, signature::Signature};

/// Sums up features, each times its coefficient.
#[derive(Clone, Copy)]
struct WeightSum([i32; FEATURES]);

impl FeatureSink for WeightSum {
    type Sum = i64;

    #[inline(always)]
    fn add(&self, sum: &mut i64, feature: GramFeature, value: i64) {
        *sum += value * i64::from(self.0[feature as usize]);
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
        let mut sums = std::mem::take(&mut self.sums);
        let k = model.written.words;
        self.read(&reading, k, &model.tables, WeightSum(model.coefficients), &mut sums);
        if may_be_set_aside {
            self.sign_places(k.min(reading.tokens.len()), &mut sums, signature);
        } else {
            self.sign_set(&sums, signature);
        }
        self.sums = sums;
    }

    /// Fills in what weighs something.
    fn sign_set(&mut self, sums: &[i64], signature: &mut Signature) {
        let Self { grams, features, weights, .. } = self;
        // The memory of what was read is used again.
        features.resize(grams.len(), 0);
        weights.resize(grams.len(), 0);
        let mut kept = 0;
        for &(feature, place) in &*grams {
            // What weighs nothing is written over by the next, so that nothing has to be guessed.
            let weight = weight_of(sums[place as usize]);
            (features[kept], weights[kept]) = (feature, weight);
            kept += usize::from(weight > 0);
        }
        signature.features = features[..kept].to_vec();
        signature.weights = weights[..kept].to_vec();
        signature.is_set = true;
    }

    /// Fills in what is at each place, for grams of so many words.
    fn sign_places(&mut self, words: usize, sums: &mut [i64], signature: &mut Signature) {
        let mut features = vec![0; sums.len()];
        for &(feature, place) in &self.grams {
            features[place as usize] = feature;
        }
        for &(place, first) in &self.again {
            features[place as usize] = features[first as usize];
            sums[place as usize] = sums[first as usize];
        }
        signature.weights = sums.iter().map(|&sum| weight_of(sum)).collect();
        signature.spans = (0..sums.len()).map(|place| self.blocks_of(place, words)).collect();
        signature.features = features;
        signature.drop_weightless();
    }
}
