//! Stands in for models in a build without the feature `learn`.

use crate::{text_features::TextFeatures, tokenized::TokenizedDocument};

/// A learned measure. Uninhabited in a build without the feature `learn`.
#[derive(Clone, Copy, Debug)]
pub enum Model {}

impl Model {
    /// Identifies the model.
    pub fn fingerprint(&self) -> String {
        match *self {}
    }

    pub(crate) fn texts(&self, _: TokenizedDocument<'_>) -> Vec<(u64, String)> {
        match *self {}
    }
}

/// Reads documents for a model.
#[derive(Debug, Default)]
pub(crate) struct Grams;

impl Grams {
    pub(crate) fn sign(
        &mut self,
        model: &Model,
        _: TokenizedDocument<'_>,
        _: bool,
        _: &mut TextFeatures,
    ) {
        match *model {}
    }
}
