//! Learning how much each gram of a document counts, from labelled near-duplicates (ANDD).
//!
//! Pairs of near-duplicates should be more alike than other pairs. For many such pairs of pairs the
//! loss is logistic in the difference of their similarities, and its minimum over the coefficients of
//! the [features](crate::model::DESCRIBED) is found by L-BFGS. What is compared is what will be
//! compared: weights below zero count as zero, furniture is set aside, and the measure is the one that
//! documents are matched by.
//!
//! Other pairs are drawn at random and, if there are such, from those that are hard: much alike by the
//! weights so far, or pages of one site. They are looked for twice, since what is hard changes as the
//! weights do.

mod frequencies;
mod objective;
mod pairs;
mod signatures;
mod solve;
mod threshold;
mod validate;
mod vectors;

pub use frequencies::queries;
pub use signatures::Signatures;

use crate::{
    collection::Collection,
    detector::Detector,
    document::Document,
    evaluate::{Sample, Scored, Truth},
    matcher::TooManyPairs,
    measure::Measure,
    model::{FEATURES, MOST_GRAM, Model, ModelError, ModelFile, Table, Training, written_weights},
    pairs::Match,
    settings::{Settings, SettingsError},
    signed::Signed,
    threshold::Threshold,
};
use std::{collections::BTreeSet, sync::Arc};
use vectors::Vectors;

/// Fewer clusters than this teach little.
pub const FEW_CLUSTERS: usize = 10;

/// How a model is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name of the profile that documents are read and grouped by.
    pub profile: String,
    /// Settings of that profile.
    pub settings: Settings,
    /// Words per gram.
    pub words: usize,
    /// The measure: cosine, extended Jaccard, or Jaccard of weights.
    pub measure: Measure,
    /// Pairs of pairs to learn the order of.
    pub orders: usize,
    /// What random choices follow from.
    pub seed: u64,
    /// How many times a part is held out for the figures in the model.
    pub folds: usize,
    /// Words of titles or queries from elsewhere, in place of the titles of the documents.
    pub titles: Option<Table>,
}

impl Plan {
    /// The plan for a profile: grams of three words, and 80,000 pairs of pairs.
    pub fn new(profile: &str) -> Result<Self, SettingsError> {
        Ok(Self {
            profile: profile.to_owned(),
            settings: Settings::profile(profile)?,
            words: 3,
            measure: Measure::Jaccard,
            orders: 80_000,
            seed: 1,
            folds: 5,
            titles: None,
        })
    }
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Too little to learn from.
    #[error(
        "there are {clusters} clusters of near-duplicates with different texts among {documents} \
         labelled documents: at least 2 are needed, and {FEW_CLUSTERS} or more are better"
    )]
    TooFew {
        /// Clusters with two different texts.
        clusters: usize,
        /// Labelled documents.
        documents: usize,
    },
    /// There are no pairs that are not near-duplicates.
    #[error("all labelled pairs are near-duplicates: label some that are not")]
    NoNegatives,
    /// Grams that are too long, or a measure without weights.
    #[error(
        "a model cannot have grams of {words} words with the measure {measure:?}: use 1 to \
         {MOST_GRAM} words, and cosine, extended-jaccard or jaccard"
    )]
    Plan {
        /// Words per gram.
        words: usize,
        /// The measure.
        measure: Measure,
    },
    /// Settings that cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Numbers that no model can have.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Nearly everything is like everything.
    #[error(transparent)]
    Pairs(#[from] TooManyPairs),
}

/// Learns a model from labelled documents, and says by documents that are held out how good it is.
pub fn learn(documents: &[Document], truth: &Truth, plan: &Plan) -> Result<Model, LearnError> {
    let lesson = Trainer::new(documents, truth, plan)?;
    let mut written = lesson.fit(&Sample::whole(truth))?.written().clone();
    if let Some((learned, tf_idf, folds)) = validate::held_out(&lesson)? {
        written.training.held_out = Some(learned);
        written.training.tf_idf = Some(tf_idf);
        written.training.folds = folds;
    }
    Ok(Model::sealed(written)?)
}

/// Labelled documents that models are learned from, wholly or in part.
#[derive(Debug)]
pub struct Trainer<'a> {
    documents: &'a [Document],
    truth: &'a Truth,
    plan: &'a Plan,
}

/// How many times hard pairs are looked for; a third time changes nothing.
const ROUNDS: u64 = 2;
/// Below this similarity pairs are not looked at.
const FLOOR: u64 = 20;

impl<'a> Trainer<'a> {
    /// A lesson, if there is enough to learn from.
    pub fn new(
        documents: &'a [Document],
        truth: &'a Truth,
        plan: &'a Plan,
    ) -> Result<Self, LearnError> {
        let known = [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];
        if !(1..=MOST_GRAM).contains(&plan.words) || !known.contains(&plan.measure) {
            return Err(LearnError::Plan { words: plan.words, measure: plan.measure });
        }
        Ok(Self { documents, truth, plan })
    }

    /// Learns from part of the labels.
    pub fn fit(&self, sample: &Sample) -> Result<Model, LearnError> {
        let tables = self.tables(sample);
        let positives = pairs::positives(self, sample)?;
        // At the start every gram has a weight: what is there is what is not furniture.
        let mut model = self.weighed(&vectors::START, &tables)?;
        let grams = self.collection(&self.detector(&model)?);
        let mut training = Training::default();
        let mut hard = BTreeSet::new();
        for round in 0..ROUNDS {
            let near = self.near_from(&model)?.0;
            let drawn = pairs::draw(self, sample, &positives, &near, round, &mut hard)?;
            let vectors = Vectors::new(self, &model, &grams, &drawn);
            let solved = solve::solve(vectors, &drawn.orders, self.plan.measure);
            training = Training {
                documents: self.counted(sample),
                clusters: pairs::clusters(self, &positives),
                positives: drawn.positives,
                negatives: drawn.pairs.len() - drawn.positives,
                hard: drawn.hard,
                orders: drawn.orders.len(),
                seed: self.plan.seed,
                steps: training.steps + solved.steps,
                loss: (if round == 0 { solved.loss.0 } else { training.loss.0 }, solved.loss.1),
                ..Training::default()
            };
            model = self.weighed(&solved.coefficients, &tables)?;
        }
        let model = Model::sealed(ModelFile { training, ..model.written().clone() })?;
        self.with_threshold(&model, sample)
    }

    /// TF-IDF weights, with the threshold that suits part of the labels.
    pub fn tf_idf(&self, sample: &Sample) -> Result<Model, LearnError> {
        self.fixed(sample, &vectors::TF_IDF)
    }

    /// Weights that are all one, with the threshold that suits part of the labels.
    pub fn binary(&self, sample: &Sample) -> Result<Model, LearnError> {
        self.fixed(sample, &vectors::BINARY)
    }

    /// The weights that learning begins with, with the threshold that suits part of the labels.
    pub fn untrained(&self, sample: &Sample) -> Result<Model, LearnError> {
        self.fixed(sample, &vectors::START)
    }

    fn fixed(&self, sample: &Sample, coefficients: &[f64; FEATURES]) -> Result<Model, LearnError> {
        self.with_threshold(&self.weighed(coefficients, &self.tables(sample))?, sample)
    }

    fn tables(&self, sample: &Sample) -> (Table, Table) {
        let documents = frequencies::documents(self, sample);
        let titles = self.plan.titles.clone();
        (documents, titles.unwrap_or_else(|| frequencies::titles(self, sample)))
    }

    /// A model with these coefficients.
    fn weighed(
        &self,
        coefficients: &[f64; FEATURES],
        (documents, titles): &(Table, Table),
    ) -> Result<Model, LearnError> {
        Ok(Model::sealed(ModelFile {
            version: crate::model::VERSION,
            fingerprint: String::new(),
            profile: self.plan.profile.clone(),
            words: self.plan.words,
            measure: self.plan.measure,
            threshold: Threshold::percent(FLOOR),
            training: Training::default(),
            weights: written_weights(coefficients),
            documents: documents.clone(),
            titles: titles.clone(),
        })?)
    }

    fn with_threshold(&self, model: &Model, sample: &Sample) -> Result<Model, LearnError> {
        let threshold = self.threshold(&self.score(model)?, sample);
        Ok(Model::sealed(ModelFile { threshold, ..model.written().clone() })?)
    }

    /// All pairs of the documents that are alike at all by a model.
    pub fn score(&self, model: &Model) -> Result<Scored, LearnError> {
        let (near, floor) = self.near_from(model)?;
        Ok(Scored::new(self.truth, near, floor))
    }

    /// All pairs from a low similarity on, as documents are matched, and that similarity.
    fn near_from(&self, model: &Model) -> Result<(Vec<Match>, f64), LearnError> {
        let detector = self.detector(model)?;
        let collection = self.collection(&detector);
        let mut floor = FLOOR;
        loop {
            match collection.matches_at(&detector, Threshold::percent(floor)) {
                Ok((pairs, _)) => {
                    let floor = Threshold::percent(floor).value();
                    return Ok((pairs.iter_capped().collect(), floor));
                }
                Err(too_many) if floor > 60 => return Err(too_many.into()),
                Err(_) => floor += 15,
            }
        }
    }

    fn detector(&self, model: &Model) -> Result<Detector, LearnError> {
        Ok(Detector::new(Arc::new(model.clone()).apply(self.plan.settings.clone()))?)
    }

    fn collection(&self, detector: &Detector) -> Collection {
        let batches = self.documents.chunks(64);
        let signed = Signed::new(detector, batches, |batch| batch.to_vec());
        Collection::new(detector, signed)
    }

    /// How many documents of a part of the labels there are.
    fn counted(&self, sample: &Sample) -> usize {
        (0..self.documents.len()).filter(|&at| self.takes_part(at, sample)).count()
    }

    /// Whether a document belongs to a part of the labels.
    fn takes_part(&self, at: usize, sample: &Sample) -> bool {
        self.truth.unit(at).is_some_and(|unit| sample.unit(unit) > 0)
    }
}
