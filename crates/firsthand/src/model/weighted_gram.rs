//! What a model makes of a document, in readable form.

use super::{DESCRIBED, FEATURES, Grams, Model, WEIGHT, features::PARTS};
use crate::{
    document::Document,
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};

/// A gram of a document, with its weight.
///
/// ```
/// use firsthand::{Document, evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// let grams = model.show(&Document::new("new", "Boats did not sail"), false);
/// let shown: Vec<_> = grams.iter().map(|gram| (&*gram.text, gram.weight)).collect();
/// assert_eq!(shown, [("boats did not", 1.0), ("did not sail", 1.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedGram {
    /// Its words.
    pub text: String,
    /// The feature it is compared by.
    pub feature: u64,
    /// Its weight; grams of weight 0 do not count.
    pub weight: f64,
    /// The terms of the weight: the features that are not 0, largest absolute contribution first.
    pub parts: Vec<Contribution>,
}

/// What a feature contributes to a weight.
///
/// ```
/// use firsthand::{Document, evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.untrained(&Sample::whole(&truth))?;
/// for gram in model.show(&documents[0], false) {
///     let sum: f64 = gram.parts.iter().map(|part| part.adds).sum();
///     assert!((sum - gram.weight).abs() < 0.01, "{gram:?}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// The name of the feature.
    pub name: &'static str,
    /// Its value for the gram.
    pub value: f64,
    /// What it adds to the weight.
    pub adds: f64,
}

impl Model {
    /// The words of each gram of a document, in text order.
    pub(crate) fn texts(&self, reading: TokenizedDocument<'_>) -> Vec<(u64, String)> {
        let words = self.written.words.min(reading.tokens.len());
        let text = |first: usize| {
            (first..first + words).map(|at| reading.tokens.word(at)).collect::<Vec<_>>().join(" ")
        };
        let mut texts = Vec::new();
        self.read(&mut Grams::default(), reading, |(feature, first), _| {
            texts.push((feature, text(first as usize)));
        });
        texts
    }

    /// The grams of a document, heaviest first. `fold` is whether obfuscation is folded.
    pub fn show(&self, document: &Document, fold: bool) -> Vec<WeightedGram> {
        let (folding, plain) = Folding::of(&document.text, fold);
        let tokens = Tokens::new(&plain);
        let reading = TokenizedDocument { document, plain: &plain, folding, tokens: &tokens };
        let words = self.written.words.min(tokens.len());
        let mut shown: Vec<WeightedGram> = Vec::new();
        self.read(&mut Grams::default(), reading, |(feature, first), values| {
            let first = first as usize;
            let text = (first..first + words).map(|at| tokens.word(at)).collect::<Vec<_>>();
            let part = |at: usize| {
                let value = f64::from(values[at]) / PARTS;
                let adds = value * f64::from(self.coefficients[at]) / super::COEFFICIENT;
                Contribution { name: DESCRIBED[at].name, value, adds }
            };
            let mut parts: Vec<Contribution> =
                (0..FEATURES).map(part).filter(|part| part.adds != 0.0).collect();
            parts.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
            shown.push(WeightedGram {
                text: text.join(" "),
                feature,
                weight: f64::from(self.weight(values)) / WEIGHT as f64,
                parts,
            });
        });
        shown.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
        shown
    }
}
