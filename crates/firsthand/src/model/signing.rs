//! The grams of a document as weighted features.

use super::{FEATURES, GramFeature, Model, features::FeatureSink, grams::Grams, weight_of};
use crate::{text_features::TextFeatures, tokenized::TokenizedDocument};

/// Sums up features times their coefficients.
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
    /// Fills in the features of a document and their weights: once per occurrence and with the
    /// blocks they touch, if passages may be set aside later; otherwise as a set.
    pub(crate) fn sign(
        &mut self,
        model: &Model,
        document: TokenizedDocument<'_>,
        may_be_set_aside: bool,
        text: &mut TextFeatures,
    ) {
        let mut sums = std::mem::take(&mut self.sums);
        let k = model.written.words;
        self.read(&document, k, &model.tables, WeightSum(model.coefficients), &mut sums);
        if may_be_set_aside {
            self.sign_places(k.min(document.tokens.len()), &mut sums, text);
        } else {
            self.sign_set(&sums, text);
        }
        self.sums = sums;
    }

    /// Fills in the features with a positive weight.
    fn sign_set(&mut self, sums: &[i64], text: &mut TextFeatures) {
        let Self { grams, features, weights, .. } = self;
        // The memory of the last document is reused.
        features.resize(grams.len(), 0);
        weights.resize(grams.len(), 0);
        let mut kept = 0;
        for &(feature, place) in &*grams {
            // A feature of weight 0 is overwritten by the next, which avoids a branch.
            let weight = weight_of(sums[place as usize]);
            (features[kept], weights[kept]) = (feature, weight);
            kept += usize::from(weight > 0);
        }
        text.features = features[..kept].to_vec();
        text.weights = weights[..kept].to_vec();
        text.is_set = true;
    }

    /// Fills in the feature at each position, for grams of `words` words.
    fn sign_places(&mut self, words: usize, sums: &mut [i64], text: &mut TextFeatures) {
        let mut features = vec![0; sums.len()];
        for &(feature, place) in &self.grams {
            features[place as usize] = feature;
        }
        for &(place, first) in &self.again {
            features[place as usize] = features[first as usize];
            sums[place as usize] = sums[first as usize];
        }
        text.weights = sums.iter().map(|&sum| weight_of(sum)).collect();
        text.spans = (0..sums.len()).map(|place| self.blocks_of(place, words)).collect();
        text.features = features;
        text.drop_weightless();
    }
}
