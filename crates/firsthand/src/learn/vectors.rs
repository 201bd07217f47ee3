//! The documents that are learned from, as grams with their features.

use super::{Trainer, pairs::Drawn};
use crate::{
    collection::Collection,
    model::{FEATURES, Feature, Grams, Model, Values},
    sign::apply_numbers,
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Coefficients with one feature, and what every gram has.
const fn only(feature: Feature, bias: f64) -> [f64; FEATURES] {
    let mut coefficients = [0.0; FEATURES];
    coefficients[Feature::Bias as usize] = bias;
    coefficients[feature as usize] = 1.0;
    coefficients
}

/// Where learning begins: the rarer, the heavier.
pub(super) const START: [f64; FEATURES] = only(Feature::Idf, 0.1);
/// Frequency in the document times rarity.
pub(super) const TF_IDF: [f64; FEATURES] = only(Feature::CountIdf, 0.0);
/// Every gram counts the same.
pub(super) const BINARY: [f64; FEATURES] = only(Feature::Bias, 1.0);

/// A document as its grams, ascending by what they are compared by.
#[derive(Debug)]
pub(super) struct Vector {
    pub(super) features: Vec<u64>,
    pub(super) values: Vec<Values>,
}

/// Two documents, with the places of the grams that both have.
#[derive(Debug)]
pub(super) struct Couple {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) common: Vec<(u32, u32)>,
}

/// The pairs that were drawn, and their documents.
#[derive(Debug)]
pub(super) struct Vectors {
    pub(super) documents: Vec<Vector>,
    pub(super) couples: Vec<Couple>,
}

impl Vectors {
    /// The pairs that were drawn, as a model reads their documents, without what was set aside of
    /// them in the collection.
    pub(super) fn new(
        lesson: &Trainer<'_>,
        model: &Model,
        collection: &Collection,
        drawn: &Drawn,
    ) -> Self {
        let wanted: BTreeSet<usize> = drawn.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let wanted: Vec<usize> = wanted.into_iter().collect();
        let documents: Vec<Vector> = wanted
            .par_iter()
            .map_init(Grams::default, |grams, &at| {
                vector(lesson, model, grams, at, collection.features_of(at))
            })
            .collect();
        let place = |at: &usize| wanted.binary_search(at).unwrap_or(0);
        let pairs: Vec<(usize, usize)> =
            drawn.pairs.iter().map(|(a, b)| (place(a), place(b))).collect();
        Self::paired(documents, &pairs)
    }

    /// Documents and pairs of them, by their places.
    pub(super) fn paired(documents: Vec<Vector>, pairs: &[(usize, usize)]) -> Self {
        let couple = |&(a, b): &(usize, usize)| {
            let common = common(&documents[a].features, &documents[b].features);
            Couple { a: a as u32, b: b as u32, common }
        };
        let couples = pairs.par_iter().map(couple).collect();
        Self { documents, couples }
    }
}

fn vector(
    lesson: &Trainer<'_>,
    model: &Model,
    grams: &mut Grams,
    at: usize,
    kept: &[u64],
) -> Vector {
    let (document, settings) = (&lesson.documents[at], &lesson.plan.settings);
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
    Vector { features, values }
}

/// The places of what two ascending lists have in common.
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
