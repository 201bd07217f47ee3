//! A measure that was learned: how much each gram of a document counts.
//!
//! The weight of a gram is a linear function of its [features](DESCRIBED) in the document: how rare
//! its words are, where it stands, what is around it. Which of these matter differs from domain to
//! domain, and is learned from labelled documents: see [`learn`](crate::learn). Weights are integers,
//! and so decisions are exact and the same everywhere.

mod counts;
mod features;
mod grams;
mod ordering;
mod shown;
mod signing;
mod surface;
mod tables;
mod words;

pub use counts::Counts;
use features::AsTheyAre;
pub use features::{DESCRIBED, Described};
pub(crate) use features::{FEATURES, Feature, PARTS, Values};
pub(crate) use grams::{Gram, Grams, MOST_GRAM};
pub use shown::{Part, Shown};
use tables::Lookup;
pub use tables::Table;

use crate::{measure::Measure, threshold::Threshold, tokenized::TokenizedDocument};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The version of what a model means. Features that are computed in another way are another version.
pub const VERSION: u32 = 2;

/// The parts of one in a coefficient as it is written down.
const WRITTEN: f64 = 1_000_000.0;
/// The parts of one in a coefficient as it is used: a power of two, for a shift is fast.
const COEFFICIENT: f64 = (1 << 20) as f64;
/// The largest coefficient, of either sign: in its parts it fits into 32 bits.
pub(crate) const MOST_WEIGHT: f64 = 2000.0;
/// The parts of one in the weight of a gram.
pub(crate) const WEIGHT: i64 = 64;
/// The heaviest gram: products of weights, summed over the longest text, still fit into 64 bits.
const HEAVIEST: i64 = 1 << 16;

/// A model as it is written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelFile {
    /// The version of what a model means.
    pub version: u32,
    /// What the rest of the file comes to: a file that was changed has another.
    pub fingerprint: String,
    /// The profile that documents are read and grouped by.
    pub profile: String,
    /// Words per gram.
    pub words: usize,
    /// The measure of similarity.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
    /// How the model came about; nothing follows from it.
    pub training: Training,
    /// What each feature adds to the weight of a gram, for a value of 1.
    pub weights: BTreeMap<String, f64>,
    /// In how many documents words occur.
    pub documents: Table,
    /// In how many titles or queries they do.
    pub titles: Table,
}

/// How a model came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Training {
    /// Labelled documents.
    pub documents: usize,
    /// Clusters with near-duplicates.
    pub clusters: usize,
    /// Pairs of near-duplicates that were learned from.
    pub positives: usize,
    /// Other pairs, of which so many are hard: much alike, or of one site.
    pub negatives: usize,
    /// Of these, how many are hard.
    pub hard: usize,
    /// Pairs of pairs whose order was learned.
    pub orders: usize,
    /// What random choices followed from.
    pub seed: u64,
    /// Steps that were taken.
    pub steps: u64,
    /// The loss at the start and at the end.
    pub loss: (f64, f64),
    /// How good it is on documents that were held out; none if there were too few clusters.
    pub held_out: Option<HeldOut>,
    /// The same for TF-IDF weights with a threshold of their own.
    pub tf_idf: Option<HeldOut>,
    /// How many times a part was held out.
    pub folds: usize,
}

/// How good weights are on documents that they were not learned from, on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HeldOut {
    /// At a threshold that was chosen on the other documents.
    pub precision: f64,
    /// The same.
    pub recall: f64,
    /// The same.
    pub f1: f64,
    /// The highest recall at which precision is .99, whatever the threshold.
    pub recall_at_99: f64,
}

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// It was written by another program.
    #[error(
        "the model is of version {0}, and this firsthand knows version {VERSION}: learn it again"
    )]
    Version(u32),
    /// It is not what was written.
    #[error(
        "the model was damaged or changed: its fingerprint says {said}, its content {found}; copy it \
         anew, or learn it again"
    )]
    Damaged {
        /// What the file says.
        said: String,
        /// What is there.
        found: String,
    },
    /// It says something that cannot be.
    #[error("the model is not usable: {0}")]
    Unusable(String),
}

/// A learned measure.
#[derive(Clone, Debug)]
pub struct Model {
    written: ModelFile,
    coefficients: [i32; FEATURES],
    tables: Lookup,
    print: u64,
}

impl Model {
    /// A model from what was written down.
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

    /// A model that is not written down yet: its fingerprint is made from what it says.
    pub fn sealed(written: ModelFile) -> Result<Self, ModelError> {
        let mut model = Self::unchecked(written)?;
        model.written.fingerprint = model.fingerprint();
        Ok(model)
    }

    fn unchecked(written: ModelFile) -> Result<Self, ModelError> {
        let unusable = |text: String| Err(ModelError::Unusable(text));
        if !(1..=MOST_GRAM).contains(&written.words) {
            return unusable(format!("words = {}: write 1 to {MOST_GRAM}", written.words));
        }
        if !matches!(written.measure, Measure::Cosine | Measure::ExtendedJaccard | Measure::Jaccard)
        {
            let known = "cosine, extended-jaccard and jaccard know weights";
            return unusable(format!("measure = {:?}: {known}", written.measure));
        }
        let mut coefficients = [0; FEATURES];
        for (name, &weight) in &written.weights {
            let Some(place) = DESCRIBED.iter().position(|feature| feature.name == name) else {
                return unusable(format!("there is no feature {name:?}"));
            };
            // Beyond this nothing is left of the other features.
            if weight.is_nan() || weight.abs() > MOST_WEIGHT {
                return unusable(format!(
                    "the weight of {name} is {weight}, and {MOST_WEIGHT} is the most"
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

    /// The model as it is written down.
    pub fn written(&self) -> &ModelFile {
        &self.written
    }

    /// What tells it from other models.
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

    /// Reads a document and calls `emit` with each of its grams and their features, in the order of
    /// the text.
    pub(crate) fn read(
        &self,
        grams: &mut Grams,
        reading: TokenizedDocument<'_>,
        mut emit: impl FnMut(Gram, &Values),
    ) {
        let mut values = Vec::new();
        grams.read(&reading, self.written.words, &self.tables, AsTheyAre, &mut values);
        let mut found = grams.grams.clone();
        found.sort_unstable_by_key(|gram| gram.1);
        found.into_iter().for_each(|gram| emit(gram, &values[gram.1 as usize]));
    }
}

/// The weight, in 64ths, that a sum of values times coefficients comes to.
fn weight_of(sum: i64) -> u32 {
    // From 1024ths times the parts of a coefficient to 64ths.
    const UNIT: i64 = 1024 * COEFFICIENT as i64 / WEIGHT;
    const _: () = assert!(UNIT.count_ones() == 1);
    ((sum + UNIT / 2) >> UNIT.trailing_zeros()).clamp(0, HEAVIEST) as u32
}

/// Coefficients as they are written down.
pub(crate) fn written_weights(coefficients: &[f64; FEATURES]) -> BTreeMap<String, f64> {
    let rounded = |value: &f64| (value * WRITTEN).round() / WRITTEN;
    let pairs = DESCRIBED.iter().zip(coefficients);
    pairs.map(|(feature, value)| (feature.name.to_owned(), rounded(value))).collect()
}

/// A hash of everything that changes an answer, of numbers that are the same however they are
/// written.
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
        // No word is as long as this says: tables end here.
        bytes.extend(u64::MAX.to_le_bytes());
    }
    xxh3_64(&bytes)
}
