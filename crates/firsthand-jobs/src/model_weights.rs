//! What a model makes of a document: its grams with their weights.

use firsthand::Document;
use firsthand::explain::Explanation;
use firsthand::model::{Model, WeightedGram};
use std::collections::HashSet;

/// The grams of a document by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentWeights {
    /// The id of the document.
    pub id: String,
    /// Its words.
    pub words: usize,
    /// All its grams.
    pub grams: usize,
    /// Passages set aside as page furniture, whose grams are not compared.
    pub set_aside: usize,
    /// The grams that are compared and have a weight, the heaviest first.
    pub weighted: Vec<WeightedGram>,
    /// The sum of their weights.
    pub sum: f64,
}

impl DocumentWeights {
    /// The weights of a document, given the explanation of its comparison with itself. `fold` is
    /// whether disguised letters are folded.
    pub fn new(model: &Model, document: &Document, fold: bool, explanation: &Explanation) -> Self {
        let all = model.show(document, fold);
        let grams = all.len();
        let compared: HashSet<&str> = explanation.shared.iter().map(|gram| &*gram.text).collect();
        let weighted: Vec<WeightedGram> =
            all.into_iter().filter(|gram| compared.contains(&*gram.text)).collect();
        let side = &explanation.a;
        Self {
            id: side.id.clone(),
            words: side.words,
            grams,
            set_aside: side.aside.len(),
            sum: weighted.iter().map(|gram| gram.weight).sum(),
            weighted,
        }
    }
}
