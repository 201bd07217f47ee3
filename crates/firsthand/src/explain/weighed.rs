//! Features weighed by a model: what each adds to the similarity of two documents.

use super::{Phrase, View};
use crate::{
    measure::Measure,
    weights::{self, Vector},
};
use serde::Serialize;
use std::collections::HashMap;

/// The weight of a feature, where a model weighs features.
///
/// ```
/// # #[cfg(feature = "learn")] {
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
/// use firsthand::{evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
/// use std::sync::Arc;
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// let detector = Detector::new(Settings::profile("corpus")?.with_model(&Arc::new(model)))?;
/// let batches = [documents.to_vec()].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &documents[0], &documents[1])?;
/// let weights = explanation.shared.iter().filter_map(|phrase| phrase.weight);
/// let sum: f64 = weights.map(|weight| weight.adds).sum();
/// assert!(sum > 0.0 && (sum - explanation.score).abs() < 1e-9);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PhraseWeight {
    /// Its weight in `a`; 0 if it is not there.
    pub a: f64,
    /// Its weight in `b`; 0 if it is not there.
    pub b: f64,
    /// What it adds to the similarity, which is the sum over all shared features.
    pub adds: f64,
}

/// The sums that a similarity of weights is computed from.
///
/// ```
/// # #[cfg(feature = "learn")] {
/// # use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
/// # use firsthand::{evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
/// # use std::sync::Arc;
/// # let text = "The ferry to the island did not sail because of the storm over the coast";
/// # let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// # let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// # let plan = LearningPlan::new("corpus")?;
/// # let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// let settings = Settings::profile("corpus")?.with_model(&Arc::new(model));
/// # let detector = Detector::new(settings)?;
/// # let batches = [documents.to_vec()].into_iter();
/// # let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &documents[0], &documents[1])?;
/// let sums = explanation.sums.ok_or("no model")?;
/// // Jaccard of weights: what they share, of all that they have.
/// let jaccard = sums.shared / (sums.a + sums.b - sums.shared);
/// assert!((jaccard - explanation.score).abs() < 1e-9);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sums {
    /// Over shared features, the sum of the smaller weights or of the products of weights.
    pub shared: f64,
    /// Over the features of `a`, the sum of weights or of their squares.
    pub a: f64,
    /// The same for `b`.
    pub b: f64,
    /// How the similarity is computed from these, in one sentence.
    pub formula: String,
}

/// Weights are stored in units of 1/64.
const PARTS: f64 = 64.0;

/// The shared and the other features of two documents with weights.
pub(super) struct ComparedPair {
    pub(super) shared: Vec<Phrase>,
    pub(super) only_a: Vec<Phrase>,
    pub(super) only_b: Vec<Phrase>,
    pub(super) sums: Sums,
}

/// Compares the vectors of two documents, the heaviest features first; `None` without weights.
pub(super) fn compare(measure: Measure, a: &View<'_>, b: &View<'_>) -> Option<ComparedPair> {
    let (x, y) = (vector(a)?, vector(b)?);
    let (in_a, in_b) = (by_feature(x), by_feature(y));
    let sums = sums(measure, x, y);
    let whole = match measure {
        Measure::Cosine => (sums.a * sums.b).sqrt(),
        _ => sums.a + sums.b - sums.shared,
    };
    let weighed = |(feature, phrase): &(u64, Phrase)| {
        let weight =
            |of: &HashMap<u64, u32>| of.get(feature).map_or(0.0, |w| f64::from(*w) / PARTS);
        let (a, b) = (weight(&in_a), weight(&in_b));
        let common = if weights::is_dot(measure) { a * b } else { a.min(b) };
        let adds = if common > 0.0 { common / whole } else { 0.0 };
        Phrase { weight: Some(PhraseWeight { a, b, adds }), ..phrase.clone() }
    };
    let both = |phrase: &Phrase| phrase.weight.is_some_and(|w| w.a > 0.0 && w.b > 0.0);
    let (mut shared, mut only_a): (Vec<_>, Vec<_>) = a.phrases.iter().map(weighed).partition(both);
    let mut only_b: Vec<Phrase> =
        b.phrases.iter().map(weighed).filter(|phrase| !both(phrase)).collect();
    for list in [&mut shared, &mut only_a, &mut only_b] {
        let key = |phrase: &Phrase| phrase.weight.map_or(0.0, |w| w.adds + w.a.max(w.b) * 1e-9);
        list.sort_by(|p, q| key(q).total_cmp(&key(p)).then_with(|| p.text.cmp(&q.text)));
    }
    Some(ComparedPair { shared, only_a, only_b, sums })
}

/// The similarity of two documents by a measure of weights.
pub(super) fn score(measure: Measure, a: &View<'_>, b: &View<'_>) -> Option<f64> {
    let (x, y) = (vector(a)?, vector(b)?);
    let mass = |vector: Vector<'_>| weights::mass(measure, vector.1);
    Some(weights::score(measure, weights::shared(measure, x, y), mass(x), mass(y)))
}

/// Whether a measure is defined for weights.
pub(super) fn knows_weights(measure: Measure) -> bool {
    matches!(measure, Measure::Jaccard | Measure::Cosine | Measure::ExtendedJaccard)
}

fn vector<'v>(view: &'v View<'_>) -> Option<Vector<'v>> {
    Some((&view.set, view.weights.as_deref()?))
}

fn by_feature((features, weights): Vector<'_>) -> HashMap<u64, u32> {
    features.iter().copied().zip(weights.iter().copied()).collect()
}

fn sums(measure: Measure, x: Vector<'_>, y: Vector<'_>) -> Sums {
    let unit = if weights::is_dot(measure) { PARTS * PARTS } else { PARTS };
    let in_units = |sum: u64| sum as f64 / unit;
    let shared = in_units(weights::shared(measure, x, y));
    let (a, b) = (in_units(weights::mass(measure, x.1)), in_units(weights::mass(measure, y.1)));
    let formula = match measure {
        Measure::Cosine => format!(
            "The products of shared weights add up to {shared:.2}, the squared weights to {a:.2} \
             in a and {b:.2} in b: {shared:.2} / sqrt({a:.2} x {b:.2})."
        ),
        Measure::ExtendedJaccard => format!(
            "The products of shared weights add up to {shared:.2}, the squared weights to {a:.2} \
             in a and {b:.2} in b: {shared:.2} / ({a:.2} + {b:.2} - {shared:.2})."
        ),
        _ => format!(
            "The smaller weights of shared grams add up to {shared:.2}, all weights to {a:.2} in a \
             and {b:.2} in b: {shared:.2} / ({a:.2} + {b:.2} - {shared:.2})."
        ),
    };
    Sums { shared, a, b, formula }
}

#[cfg(all(test, feature = "learn"))]
mod tests {
    use super::*;
    use crate::explain::Outcome;
    use crate::model::{Model, ModelError, ModelFile, Table, Training, VERSION};
    use crate::{
        collection::Collection, detector::Detector, document::Document, explain::explain,
        settings::Settings, signed::Signed, threshold::Threshold,
    };
    use std::sync::Arc;

    fn model(measure: Measure) -> Result<Model, ModelError> {
        let weights = [("idf", 2.0), ("bias", 0.25), ("opening", 0.5)];
        let words = ["the", "ship", "morning", "harbour"].map(|word| (word.to_owned(), 3));
        Model::sealed(ModelFile {
            version: VERSION,
            fingerprint: String::new(),
            profile: "archive".to_owned(),
            words: 1,
            measure,
            threshold: Threshold::percent(50),
            training: Training::default(),
            weights: weights.map(|(name, weight)| (name.to_owned(), weight)).into(),
            documents: Table { documents: 4, words: words.into_iter().collect() },
            titles: Table::default(),
        })
    }

    #[test]
    fn what_shared_grams_add_is_the_score() {
        let documents = vec![
            Document::new("a", "The ferry ran aground at night and none of the forty was hurt"),
            Document::new("b", "A ferry ran aground at noon and all of the forty were hurt, alas"),
            Document::new("c", "Nothing else happened anywhere in our peaceful little country"),
            Document::new("d", "The ferry"),
        ];
        for measure in [Measure::Jaccard, Measure::Cosine, Measure::ExtendedJaccard] {
            let model = Arc::new(model(measure).unwrap());
            let detector = Detector::new(Settings::default().with_model(&model)).unwrap();
            let batches = [documents.clone()].into_iter();
            let collection = Collection::new(Signed::new(&detector, batches, |all| all));
            let said = |a, b| explain(&collection, &documents[a], &documents[b]).unwrap();
            let pair = said(0, 1);
            assert_eq!(pair.score, collection.similarity(0, 1));
            let adds = |list: &[Phrase]| list.iter().map(|gram| gram.weight.unwrap().adds).sum();
            let sum: f64 = adds(&pair.shared);
            assert!((sum - pair.score).abs() < 1e-12 && sum > 0.3, "{sum} {}", pair.score);
            // The common word comes last, and features of only one document add nothing.
            assert_eq!(pair.shared.last().unwrap().text, "the");
            assert_eq!((pair.only_a.len(), pair.only_b.len()), (3, 5));
            assert_eq!(adds(&pair.only_a) + adds(&pair.only_b), 0.0);
            assert!(pair.only_a.iter().all(|gram| gram.weight.unwrap().b == 0.0));
            assert_eq!(pair.scores.len(), 3);
            assert!(pair.reason.contains("of their learned weights"), "{}", pair.reason);
            let verdict = |a, b| said(a, b).verdict;
            assert_eq!((verdict(0, 2), verdict(0, 3)), (Outcome::Different, Outcome::TooShort));
            assert_eq!(said(0, 0).score, 1.0);
        }
    }
}
