//! Learns how much each gram of a document counts, from labelled near-duplicates (ANDD).
//!
//! Near-duplicates should be more similar than other pairs. For many such pairs of pairs, the loss
//! is logistic in the difference of their similarities, and L-BFGS minimises it over the
//! coefficients of the [features](crate::model::DESCRIBED). Training compares documents the way
//! matching does: negative weights count as zero, page furniture is set aside, and the measure is
//! the same.
//!
//! Other pairs are drawn at random and, where possible, from the hard ones: very similar by the
//! current weights, or pages of the same site. Hard pairs are searched for twice, since they change
//! with the weights.

mod copies;
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
    explain::score_text,
    matcher::TooManyPairs,
    measure::Measure,
    model::{FEATURES, MOST_GRAM, Model, ModelError, ModelFile, Table, Training, written_weights},
    pairs::Match,
    settings::{Settings, SettingsError},
    signed::Signed,
    threshold::Threshold,
};
use std::{collections::BTreeSet, sync::Arc};
use vectors::PairVectors;

/// Fewer clusters than this are too few to learn much from.
pub const FEW_CLUSTERS: usize = 10;

/// How a model is learned.
///
/// ```
/// use firsthand::learn::LearningPlan;
///
/// let plan = LearningPlan { words: 2, ..LearningPlan::new("mail")? };
/// assert_eq!((&*plan.profile, plan.words), ("mail", 2));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LearningPlan {
    /// The name of the profile by which documents are read and grouped.
    pub profile: String,
    /// Settings of that profile.
    pub settings: Settings,
    /// Words per gram.
    pub words: usize,
    /// The measure: cosine, extended Jaccard, or Jaccard of weights.
    pub measure: Measure,
    /// The number of pairs of pairs whose order is learned.
    pub orders: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of folds held out for the quality figures in the model.
    pub folds: usize,
    /// Word frequencies in titles or queries from elsewhere, instead of the documents' own titles.
    pub titles: Option<Table>,
}

impl LearningPlan {
    /// The plan for a profile: grams of three words, and 80,000 pairs of pairs.
    ///
    /// # Errors
    ///
    /// There is no profile of this name.
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
///
/// ```
/// use firsthand::{Document, evaluate::{Label, Truth}, learn::{LearnError, LearningPlan, learn}};
///
/// let documents = ["The same text", "The same text again"].map(|text| Document::new(text, text));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let error = learn(&documents, &truth, &LearningPlan::new("mail")?).unwrap_err();
/// assert!(matches!(error, LearnError::TooFew { clusters: 1, documents: 2 }));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Too few clusters to learn from.
    #[error(
        "clusters of near-duplicates with different texts among {documents} labelled documents: \
         {clusters}; at least 2 are needed, and {FEW_CLUSTERS} or more are better"
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
    /// What is labelled as clusters has little in common.
    #[error(
        "these are not clusters of copies: half of the {pairs} pairs within them that were compared \
         have a similarity of at most {}, and half of those across them of at most {}; copies share \
         most of their text, documents of one site or topic do not",
        score_text(*.within), score_text(*.across)
    )]
    NotCopies {
        /// Pairs within clusters that were compared.
        pairs: usize,
        /// The median of their similarities.
        within: f64,
        /// The median similarity of pairs of different clusters.
        across: f64,
    },
    /// Grams that are too long, or a measure without weights.
    #[error(
        "a model cannot have grams of {words} words with the measure {measure:?}: use 1 to \
         {MOST_GRAM} words, and cosine, extended-jaccard or jaccard"
    )]
    LearningPlan {
        /// Words per gram.
        words: usize,
        /// The measure.
        measure: Measure,
    },
    /// Settings that cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Coefficients that a model cannot have.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Too many pairs are similar.
    #[error(transparent)]
    Pairs(#[from] TooManyPairs),
}

/// Learns a model from labelled documents, and measures its quality on held-out ones.
///
/// # Errors
///
/// The plan cannot be used, or the labels are too few, all of one sort, or not those of copies.
pub fn learn(
    documents: &[Document],
    truth: &Truth,
    plan: &LearningPlan,
) -> Result<Model, LearnError> {
    let trainer = Trainer::new(documents, truth, plan)?;
    trainer.check_copies()?;
    let mut written = trainer.fit(&Sample::whole(truth))?.written().clone();
    if let Some((learned, tf_idf, folds)) = validate::held_out(&trainer)? {
        written.training.held_out = Some(learned);
        written.training.tf_idf = Some(tf_idf);
        written.training.folds = folds;
    }
    Ok(Model::sealed(written)?)
}

/// Refuses clusters that are none of copies, such as a folder per site, as [`learn`] does.
///
/// # Errors
///
/// Half of the pairs within clusters are hardly more alike than those across them, or they cannot be compared.
pub fn check_copies(
    documents: &[Document],
    truth: &Truth,
    plan: &LearningPlan,
) -> Result<(), LearnError> {
    Trainer::new(documents, truth, plan)?.check_copies()
}

/// Labelled documents to learn models from, all or in part.
///
/// ```
/// use firsthand::{Document, evaluate::{Goal, Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let trainer = Trainer::new(&documents, &truth, &plan)?;
/// // How far equal weights get, to compare learned ones with.
/// let whole = Sample::whole(&truth);
/// let scored = trainer.score(&trainer.binary(&whole)?)?;
/// assert_eq!(scored.best(&whole, Goal::F1).map(|best| best.value), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trainer<'a> {
    documents: &'a [Document],
    truth: &'a Truth,
    plan: &'a LearningPlan,
}

/// Searches for hard pairs; a third one changes nothing.
const ROUNDS: u64 = 2;
/// Pairs below this similarity, in percent, are not considered.
const FLOOR: u64 = 20;

impl<'a> Trainer<'a> {
    /// A trainer for these documents.
    ///
    /// # Errors
    ///
    /// The plan has grams that are too long, or a measure without weights.
    pub fn new(
        documents: &'a [Document],
        truth: &'a Truth,
        plan: &'a LearningPlan,
    ) -> Result<Self, LearnError> {
        let known = [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];
        if !(1..=MOST_GRAM).contains(&plan.words) || !known.contains(&plan.measure) {
            return Err(LearnError::LearningPlan { words: plan.words, measure: plan.measure });
        }
        Ok(Self { documents, truth, plan })
    }

    /// Learns from part of the labels.
    ///
    /// # Errors
    ///
    /// The labels are too few or all of one sort, or too many pairs are similar.
    pub fn fit(&self, sample: &Sample) -> Result<Model, LearnError> {
        let tables = self.tables(sample);
        let positives = pairs::positives(self, sample)?;
        // Initially every gram has a weight, so what is kept is what is not page furniture.
        let mut model = self.weighed(&vectors::START, &tables)?;
        let grams = self.collection(&self.detector(&model)?);
        let mut training = Training::default();
        let mut hard = BTreeSet::new();
        for round in 0..ROUNDS {
            let near = self.near_from(&model)?.0;
            let drawn = pairs::draw(self, sample, &positives, &near, round, &mut hard)?;
            let vectors = PairVectors::new(self, &model, &grams, &drawn);
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

    /// TF-IDF weights, with the best threshold for part of the labels.
    ///
    /// # Errors
    ///
    /// Too many pairs are similar.
    pub fn tf_idf(&self, sample: &Sample) -> Result<Model, LearnError> {
        self.fixed(sample, &vectors::TF_IDF)
    }

    /// Equal weights, with the best threshold for part of the labels.
    ///
    /// # Errors
    ///
    /// Too many pairs are similar.
    pub fn binary(&self, sample: &Sample) -> Result<Model, LearnError> {
        self.fixed(sample, &vectors::BINARY)
    }

    /// The initial weights of learning, with the best threshold for part of the labels.
    ///
    /// # Errors
    ///
    /// Too many pairs are similar.
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

    /// All pairs of documents that have any similarity under a model.
    ///
    /// # Errors
    ///
    /// Too many pairs are similar.
    pub fn score(&self, model: &Model) -> Result<Scored, LearnError> {
        let (near, floor) = self.near_from(model)?;
        Ok(Scored::new(self.truth, near, floor))
    }

    /// All pairs from a low similarity up, found as in matching, and that similarity.
    fn near_from(&self, model: &Model) -> Result<(Vec<Match>, f64), LearnError> {
        let detector = self.detector(model)?;
        let collection = self.collection(&detector);
        let mut floor = FLOOR;
        loop {
            match collection.matches_at(Threshold::percent(floor)) {
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
        let settings = self.plan.settings.clone().with_model(&Arc::new(model.clone()));
        Ok(Detector::new(settings)?)
    }

    fn collection(&self, detector: &Detector) -> Collection {
        let batches = self.documents.chunks(64);
        let signed = Signed::new(detector, batches, |batch| batch.to_vec());
        Collection::new(signed)
    }

    /// The number of documents in a part of the labels.
    fn counted(&self, sample: &Sample) -> usize {
        (0..self.documents.len()).filter(|&at| self.takes_part(at, sample)).count()
    }

    /// Whether a document belongs to a part of the labels.
    fn takes_part(&self, at: usize, sample: &Sample) -> bool {
        self.truth.unit(at).is_some_and(|unit| sample.unit(unit) > 0)
    }
}
