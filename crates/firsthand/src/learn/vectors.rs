//! The documents learned from, as grams with their features.

use super::{Trainer, pairs::DrawnPairs};
use crate::{
    collection::Collection,
    model::{FEATURES, GramFeature, Grams, Model, Values},
    sign::apply_numbers,
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Coefficients of a single feature and the bias.
const fn only(feature: GramFeature, bias: f64) -> [f64; FEATURES] {
    let mut coefficients = [0.0; FEATURES];
    coefficients[GramFeature::Bias as usize] = bias;
    coefficients[feature as usize] = 1.0;
    coefficients
}

/// The initial coefficients: the rarer, the heavier.
pub(super) const START: [f64; FEATURES] = only(GramFeature::Idf, 0.1);
/// Frequency in the document times rarity.
pub(super) const TF_IDF: [f64; FEATURES] = only(GramFeature::CountIdf, 0.0);
/// Every gram counts the same.
pub(super) const BINARY: [f64; FEATURES] = only(GramFeature::Bias, 1.0);

/// A document as its grams, ascending by their features.
#[derive(Debug)]
pub(super) struct GramVector {
    pub(super) features: Vec<u64>,
    pub(super) values: Vec<Values>,
}

/// Two documents, with the positions of the grams they share.
#[derive(Debug)]
pub(super) struct Couple {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) common: Vec<(u32, u32)>,
}

/// The drawn pairs, and their documents.
#[derive(Debug)]
pub(super) struct PairVectors {
    pub(super) documents: Vec<GramVector>,
    pub(super) couples: Vec<Couple>,
}

impl PairVectors {
    /// The drawn pairs, with documents as a model reads them, without the passages set aside in the
    /// collection.
    pub(super) fn new(
        trainer: &Trainer<'_>,
        model: &Model,
        collection: &Collection,
        drawn: &DrawnPairs,
    ) -> Self {
        let wanted: BTreeSet<usize> = drawn.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let wanted: Vec<usize> = wanted.into_iter().collect();
        let documents: Vec<GramVector> = wanted
            .par_iter()
            .map_init(Grams::default, |grams, &at| {
                vector(trainer, model, grams, at, collection.features_of(at))
            })
            .collect();
        let place = |at: &usize| wanted.binary_search(at).unwrap_or(0);
        let pairs: Vec<(usize, usize)> =
            drawn.pairs.iter().map(|(a, b)| (place(a), place(b))).collect();
        Self::paired(documents, &pairs)
    }

    /// Documents and pairs of them, by their positions.
    pub(super) fn paired(documents: Vec<GramVector>, pairs: &[(usize, usize)]) -> Self {
        let couple = |&(a, b): &(usize, usize)| {
            let common = common(&documents[a].features, &documents[b].features);
            Couple { a: a as u32, b: b as u32, common }
        };
        let couples = pairs.par_iter().map(couple).collect();
        Self { documents, couples }
    }
}

fn vector(
    trainer: &Trainer<'_>,
    model: &Model,
    grams: &mut Grams,
    at: usize,
    kept: &[u64],
) -> GramVector {
    let (document, settings) = (&trainer.documents[at], &trainer.plan.settings);
    let (folding, plain) = Folding::of(&document.text, settings.fold);
    let plain = apply_numbers(&plain, settings);
    let tokens = Tokens::new(&plain);
    let mut pairs: Vec<(u64, Values)> = Vec::new();
    let reading = TokenizedDocument { document, plain: &plain, folding, tokens: &tokens };
    model.read(grams, reading, |(feature, _), values| {
        if kept.binary_search(&feature).is_ok() {
            pairs.push((feature, *values));
        }
    });
    pairs.sort_unstable_by_key(|pair| pair.0);
    let (features, values) = pairs.into_iter().unzip();
    GramVector { features, values }
}

/// The positions of the common elements of two ascending lists.
fn common(a: &[u64], b: &[u64]) -> Vec<(u32, u32)> {
    let (mut i, mut j, mut common) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let (left, right) = (a[i], b[j]);
        if left == right {
            common.push((i as u32, j as u32));
        }
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    common
}
