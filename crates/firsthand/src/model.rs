//! A learned measure: how much each gram of a document counts.
//!
//! The weight of a gram is a linear function of its [features](DESCRIBED) in the document: how rare
//! its words are, where it is, what surrounds it. Which of these matter differs from domain to
//! domain and is learned from labelled documents: see [`learn`](crate::learn). Weights are
//! integers, so decisions are exact and the same on every machine.

mod features;
mod gram_sorter;
mod grams;
mod signing;
mod surface;
mod tables;
mod weighted_gram;
mod word_counts;
mod words;

use features::KeepValues;
pub use features::{DESCRIBED, Described};
pub(crate) use features::{FEATURES, GramFeature, PARTS, Values};
pub(crate) use grams::{Gram, Grams, MOST_GRAM};
use tables::Lookup;
pub use tables::Table;
pub use weighted_gram::{Contribution, WeightedGram};
pub use word_counts::WordCounts;

use crate::{measure::Measure, threshold::Threshold, tokenized::TokenizedDocument};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the model format. Computing a feature differently makes a new version.
pub const VERSION: u32 = 3;

/// The denominator of coefficients in a model file.
const WRITTEN: f64 = 1_000_000.0;
/// The denominator of coefficients in memory: a power of two, so that dividing is a shift.
const COEFFICIENT: f64 = (1 << 20) as f64;
/// The largest coefficient, of either sign: with the denominator above it fits into 32 bits.
pub(crate) const MOST_WEIGHT: f64 = 2000.0;
/// The denominator of the weight of a gram.
pub(crate) const WEIGHT: i64 = 64;
/// The heaviest gram: products of weights, summed over the longest text, still fit into 64 bits.
const HEAVIEST: i64 = 1 << 16;

/// A model as written to a file.
///
/// ```
/// use firsthand::{Document, evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// let file = model.written();
/// // Equal weights: every gram weighs 1, whatever its features.
/// assert_eq!((&*file.profile, file.words, file.weights["bias"]), ("corpus", 3, 1.0));
/// // In its table of words, near-duplicates count as one document.
/// assert_eq!(file.documents.documents, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelFile {
    /// The version of the model format.
    pub version: u32,
    /// A hash of the rest of the file, which reveals changes.
    pub fingerprint: String,
    /// The profile by which documents are read and grouped.
    pub profile: String,
    /// Words per gram.
    pub words: usize,
    /// The measure of similarity.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
    /// How the model was trained, for information only.
    pub training: Training,
    /// What each feature adds to the weight of a gram, per unit of its value.
    pub weights: BTreeMap<String, f64>,
    /// The number of documents in which each word occurs.
    pub documents: Table,
    /// The number of titles or queries in which each word occurs.
    pub titles: Table,
}

/// How a model was trained.
///
/// ```
/// use firsthand::model::Training;
///
/// assert_eq!(Training::default().held_out, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Training {
    /// The number of labelled documents.
    pub documents: usize,
    /// The number of clusters with near-duplicates.
    pub clusters: usize,
    /// The number of near-duplicate pairs learned from.
    pub positives: usize,
    /// The number of other pairs learned from.
    pub negatives: usize,
    /// How many of these were hard: very similar, or from the same site.
    pub hard: usize,
    /// The number of pairs of pairs whose order was learned.
    pub orders: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of optimisation steps.
    pub steps: u64,
    /// The loss before and after.
    pub loss: (f64, f64),
    /// The quality on held-out documents; `None` if there were too few clusters.
    pub held_out: Option<HeldOut>,
    /// The same for TF-IDF weights with their own threshold.
    pub tf_idf: Option<HeldOut>,
    /// The number of folds that were held out.
    pub folds: usize,
}

/// The quality of weights on documents they were not learned from, averaged over the folds.
///
/// ```
/// use firsthand::model::HeldOut;
///
/// let quality = HeldOut { precision: 1.0, recall: 0.9, f1: 0.947, recall_at_99: 0.92 };
/// assert!(quality.f1 < quality.precision);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HeldOut {
    /// Precision at a threshold chosen on the other documents.
    pub precision: f64,
    /// Recall at that threshold.
    pub recall: f64,
    /// F1 at that threshold.
    pub f1: f64,
    /// The highest recall at a precision of .99, over all thresholds.
    pub recall_at_99: f64,
}

/// Why a model cannot be used.
///
/// ```
/// use firsthand::{Document, evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
/// use firsthand::model::{Model, ModelError};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// // Somebody edits the file, and forgets that it is sealed.
/// let mut file = model.written().clone();
/// file.words = 2;
/// assert!(matches!(Model::new(file), Err(ModelError::Damaged { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// It was written by another version of the program.
    #[error("the model has version {0}, but this build reads version {VERSION}: learn it again")]
    Version(u32),
    /// It is not what was written.
    #[error(
        "the model was damaged or changed: its stored fingerprint is {said}, that of its content \
         {found}; copy it again, or learn it again"
    )]
    Damaged {
        /// The fingerprint stored in the file.
        said: String,
        /// The fingerprint of its content.
        found: String,
    },
    /// A value is out of range.
    #[error("the model is not usable: {0}")]
    Unusable(String),
}

/// A learned measure.
///
/// ```
/// use firsthand::{settings::Measure, model::{Model, ModelFile, Table, Training, VERSION}};
///
/// let model = Model::sealed(ModelFile {
///     version: VERSION,
///     fingerprint: String::new(),
///     profile: "corpus".to_owned(),
///     words: 2,
///     measure: Measure::Jaccard,
///     threshold: "0.6".parse()?,
///     training: Training::default(),
///     weights: [("bias".to_owned(), 1.0)].into(),
///     documents: Table::default(),
///     titles: Table::default(),
/// })?;
/// assert!(Model::new(model.written().clone()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    written: ModelFile,
    coefficients: [i32; FEATURES],
    tables: Lookup,
    print: u64,
}

impl Model {
    /// A model from a model file.
    ///
    /// # Errors
    ///
    /// The file is of another version, was changed, or has a value out of range.
    pub fn new(written: ModelFile) -> Result<Self, ModelError> {
        if written.version != VERSION {
            return Err(ModelError::Version(written.version));
        }
        let model = Self::unchecked(written)?;
        let found = model.fingerprint();
        match model.written.fingerprint == found {
            true => Ok(model),
            false => Err(ModelError::Damaged { said: model.written.fingerprint, found }),
        }
    }

    /// A new model: its fingerprint is computed from its content.
    ///
    /// # Errors
    ///
    /// A value is out of range.
    pub fn sealed(written: ModelFile) -> Result<Self, ModelError> {
        let mut model = Self::unchecked(written)?;
        model.written.fingerprint = model.fingerprint();
        Ok(model)
    }

    fn unchecked(written: ModelFile) -> Result<Self, ModelError> {
        let unusable = |text: String| Err(ModelError::Unusable(text));
        if !(1..=MOST_GRAM).contains(&written.words) {
            return unusable(format!("words = {}: must be 1 to {MOST_GRAM}", written.words));
        }
        if !matches!(written.measure, Measure::Cosine | Measure::ExtendedJaccard | Measure::Jaccard)
        {
            let known = "only cosine, extended-jaccard and jaccard support weights";
            return unusable(format!("measure = {:?}: {known}", written.measure));
        }
        let mut coefficients = [0; FEATURES];
        for (name, &weight) in &written.weights {
            let Some(place) = DESCRIBED.iter().position(|feature| feature.name == name) else {
                return unusable(format!("there is no feature {name:?}"));
            };
            // A larger weight would drown the other features.
            if weight.is_nan() || weight.abs() > MOST_WEIGHT {
                return unusable(format!(
                    "the weight of {name} is {weight}, but the limit is {MOST_WEIGHT}"
                ));
            }
            coefficients[place] = (weight * COEFFICIENT).round() as i32;
        }
        let Some(tables) = Lookup::new(&written.documents, &written.titles) else {
            return unusable("words of its tables have the same hash".to_owned());
        };
        let print = print(&written, &coefficients);
        Ok(Self { written, coefficients, tables, print })
    }

    /// The model as written to a file.
    pub fn written(&self) -> &ModelFile {
        &self.written
    }

    /// Identifies the model by everything that affects its answers.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.print)
    }

    /// The weight of a gram, in 64ths.
    pub(crate) fn weight(&self, values: &Values) -> u32 {
        let terms = values.iter().zip(&self.coefficients);
        weight_of(
            terms.map(|(&value, &coefficient)| i64::from(value) * i64::from(coefficient)).sum(),
        )
    }

    /// Reads a document and calls `emit` with each of its grams and their features, in text order.
    pub(crate) fn read(
        &self,
        grams: &mut Grams,
        reading: TokenizedDocument<'_>,
        mut emit: impl FnMut(Gram, &Values),
    ) {
        let mut values = Vec::new();
        grams.read(&reading, self.written.words, &self.tables, KeepValues, &mut values);
        let mut found = grams.grams.clone();
        found.sort_unstable_by_key(|gram| gram.1);
        found.into_iter().for_each(|gram| emit(gram, &values[gram.1 as usize]));
    }
}

/// The weight, in 64ths, for a sum of values times coefficients.
fn weight_of(sum: i64) -> u32 {
    // From 1024ths times the denominator of a coefficient to 64ths.
    const UNIT: i64 = 1024 * COEFFICIENT as i64 / WEIGHT;
    const _: () = assert!(UNIT.count_ones() == 1);
    ((sum + UNIT / 2) >> UNIT.trailing_zeros()).clamp(0, HEAVIEST) as u32
}

/// Coefficients as written to a file.
pub(crate) fn written_weights(coefficients: &[f64; FEATURES]) -> BTreeMap<String, f64> {
    let rounded = |value: &f64| (value * WRITTEN).round() / WRITTEN;
    let pairs = DESCRIBED.iter().zip(coefficients);
    pairs.map(|(feature, value)| (feature.name.to_owned(), rounded(value))).collect()
}

/// A hash of everything that affects an answer, independent of how numbers are written.
fn print(written: &ModelFile, coefficients: &[i32; FEATURES]) -> u64 {
    let words = written.documents.words.len() + written.titles.words.len();
    let mut bytes: Vec<u8> = Vec::with_capacity(1024 + 24 * words);
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    text(&mut bytes, &written.profile);
    let rule = format!("{} {:?} {}", written.words, written.measure, written.threshold);
    text(&mut bytes, &rule);
    text(&mut bytes, &format!("{} {coefficients:?}", written.version));
    for table in [&written.documents, &written.titles] {
        bytes.extend(table.documents.to_le_bytes());
        for (word, count) in table.words.iter() {
            text(&mut bytes, word);
            bytes.extend(count.to_le_bytes());
        }
        // No word is this long: it marks the end of a table.
        bytes.extend(u64::MAX.to_le_bytes());
    }
    xxh3_64(&bytes)
}
