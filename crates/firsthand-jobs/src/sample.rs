//! Sampling: pairs around the threshold for a person to label, or the histogram of all scores, which
//! needs no labels.

mod collection;
mod copies;
mod excerpt;
mod floor;
mod histogram;
mod pick;
mod table;

pub use histogram::{BINS, ScoreHistogram, ValleyRange};
pub use pick::PAIRS_PER_CLUSTER;

use crate::descriptions::Description;
use crate::error::{InputError, JobError, SampleError};
use crate::observer::Observer;
use crate::reading::StandardInput;
use collection::RereadableCollection;
use copies::CopiesAndClusters;
use excerpt::excerpts;
use firsthand::collections::{Collection, Match, Pairs};
use firsthand::settings::Threshold;
use firsthand::{Settings, explain};
use pick::SamplePlan;
use std::path::PathBuf;

/// The sample that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct SampleOptions {
    /// The lowest score of a pair; half the threshold if unset.
    pub floor: Option<Threshold>,
    /// The most pairs.
    pub pairs: usize,
    /// Determines which pairs are picked.
    pub seed: u64,
}

/// Pairs to label.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSample {
    /// The pairs, in the order in which they should be labelled.
    pub pairs: Vec<SampledPair>,
    /// The lowest score that was looked at.
    pub floor: Threshold,
    /// The threshold of the settings.
    pub threshold: Threshold,
    /// Documents left out because of their ids, which a table of graded pairs cannot hold.
    pub unusable_ids: usize,
    /// Inputs that could not be read.
    pub unreadable: usize,
}

/// A pair to label.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledPair {
    /// The id of one document.
    pub a: String,
    /// The id of the other.
    pub b: String,
    /// Their similarity.
    pub score: f64,
    /// Whether their texts are equal.
    pub exact: bool,
    /// One line of each text, from where they begin to differ.
    pub excerpts: (String, String),
    /// What they are called, and where they are.
    pub descriptions: (Description, Description),
}

/// Picks pairs to label. Inputs are read twice: standard input is copied from `stdin`.
///
/// # Errors
/// If the inputs cannot be read, if there is no pair to pick, or if the observer asks to stop.
pub fn sample(
    inputs: &[PathBuf],
    settings: Settings,
    options: &SampleOptions,
    stdin: Option<StandardInput<'_>>,
    observer: &dyn Observer,
) -> Result<PairSample, JobError> {
    // A floor that cannot be is refused before everything is read.
    floor::resolve(options.floor, settings.threshold)?;
    let collection = RereadableCollection::read(inputs, settings, stdin, observer)?;
    let Picked { pairs: picked, floor, unusable_ids } =
        pick(collection.signed(), options, observer)?;
    let wanted = picked.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let documents = collection.reread(&wanted)?;
    let mut sampled = Vec::new();
    for Match { a, b, score, exact } in picked {
        let ((a, about_a), (b, about_b)) = (&documents[&a], &documents[&b]);
        let explanation = explain(collection.signed(), a, b);
        let explanation = explanation.map_err(|_| InputError::Changed)?;
        let excerpts = excerpts(&explanation.passages);
        let descriptions = (about_a.clone(), about_b.clone());
        let (a, b) = (a.id.clone(), b.id.clone());
        sampled.push(SampledPair { a, b, score, exact, excerpts, descriptions });
    }
    Ok(PairSample {
        pairs: sampled,
        floor,
        threshold: collection.signed().settings().threshold,
        unusable_ids,
        unreadable: collection.unread.unreadable.count,
    })
}

/// Pairs that were picked.
pub(crate) struct Picked {
    /// The pairs, in the order in which they should be labelled.
    pub(crate) pairs: Vec<Match>,
    floor: Threshold,
    unusable_ids: usize,
}

/// Picks pairs of a collection to label.
///
/// # Errors
/// If there is no pair to pick, or if the observer asks to stop.
pub(crate) fn pick(
    collection: &Collection,
    options: &SampleOptions,
    observer: &dyn Observer,
) -> Result<Picked, JobError> {
    let ScoredPairs { floor, threshold, pairs, copies } =
        ScoredPairs::find(collection, options.floor, observer)?;
    let usable: Vec<bool> =
        collection.documents().iter().map(|document| is_usable(&document.id)).collect();
    let plan = SamplePlan {
        floor: floor.value(),
        threshold: threshold.value(),
        pairs: options.pairs,
        seed: options.seed,
    };
    let offered = copies.different(&pairs).filter(|pair| usable[pair.a] && usable[pair.b]);
    let picked = pick::pick(offered, &copies.cluster, &plan);
    if picked.is_empty() {
        return Err(SampleError::UnusableIds.into());
    }
    let unusable_ids = usable.iter().filter(|usable| !**usable).count();
    Ok(Picked { pairs: picked, floor, unusable_ids })
}

/// The histogram of all scores, and the number of inputs that could not be read.
///
/// # Errors
/// If the inputs cannot be read, if there is no pair, or if the observer asks to stop.
pub fn histogram(
    inputs: &[PathBuf],
    settings: Settings,
    floor: Option<Threshold>,
    observer: &dyn Observer,
) -> Result<(ScoreHistogram, usize), JobError> {
    floor::resolve(floor, settings.threshold)?;
    let collection = RereadableCollection::read(inputs, settings, None, observer)?;
    let ScoredPairs { floor, threshold, pairs, copies } =
        ScoredPairs::find(collection.signed(), floor, observer)?;
    let matches = copies.different(&pairs).filter(|pair| !pair.exact);
    let histogram = ScoreHistogram::new(floor.value(), threshold, matches, copies.exact);
    Ok((histogram, collection.unread.unreadable.count))
}

/// All pairs of a collection from the floor on.
struct ScoredPairs {
    floor: Threshold,
    threshold: Threshold,
    pairs: Pairs,
    copies: CopiesAndClusters,
}

impl ScoredPairs {
    fn find(
        collection: &Collection,
        floor: Option<Threshold>,
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        let threshold = collection.settings().threshold;
        let floor = floor::resolve(floor, threshold)?;
        let (pairs, floor) = floor::matches(collection, floor, observer)?;
        let documents = collection.documents().len();
        let copies = CopiesAndClusters::new(&pairs, documents, threshold.value());
        if copies.pairs == 0 && copies.exact == 0 {
            return Err(SampleError::NoPairs { documents, floor }.into());
        }
        Ok(Self { floor, threshold, pairs, copies })
    }
}

/// Whether an id is read back from a table of graded pairs as it is written.
fn is_usable(id: &str) -> bool {
    let plain = !id.is_empty() && id.trim() == id && !id.contains(char::is_control);
    plain && !id.starts_with(['#', '"'])
}
