//! One method on all documents: signing, matching at its threshold and below, and their cost.

use super::evidence::{PageGroups, SuppressedOriginals};
use super::ladder::{self, is_below};
use super::report::MethodCost;
use super::wrong_pairs::WrongPairs;
use super::{ExplainedError, MeasureOptions};
use crate::error::JobError;
use crate::labels::{LabelledDocuments, NamedSettings};
use firsthand::collections::{Collection, Pairs, Signed, group};
use firsthand::evaluate::{Closure, Scored, Subject, Truth};
use firsthand::settings::{Threshold, ThresholdError};
use firsthand::{Detector, Document, explain};
use std::collections::HashMap;
use std::time::Instant;

/// Documents that a thread signs at a time.
const BATCH: usize = 16;

/// The most errors that are explained.
pub(super) const EXPLAINED: usize = 10;

/// Near-duplicates rarely score less than this fraction.
const FLOOR: (u64, u64) = (1, 5);

/// The measurements of one method that do not depend on other methods.
pub(super) struct MethodRun {
    pub(super) subject: Subject,
    pub(super) cost: MethodCost,
    pub(super) errors: WrongPairs,
    /// The originals that it loses.
    pub(super) suppressed: SuppressedOriginals,
    /// The worst errors.
    pub(super) examples: Vec<ExplainedError>,
    /// Pairs of documents with equal features that are too many to be listed one by one.
    pub(super) unlisted: u64,
}

/// The scores of all pairs of one method, down to a low threshold.
///
/// # Errors
/// If the settings cannot be used, or too many pairs reach every threshold.
pub fn scores(
    method: &NamedSettings,
    documents: &LabelledDocuments,
    truth: &Truth,
    floor: Option<Threshold>,
) -> Result<Scored, JobError> {
    let detector = Detector::new(method.settings.clone())?;
    let collection = signed(&detector, &documents.documents);
    let threshold = detector.settings().threshold;
    let ladder = ladder::descend(&collection, floor_of(threshold, floor)?, truth)?;
    let (floor, pairs) = ladder.lowest.ok_or_else(|| {
        let method = method.name.clone();
        JobError::MethodAlwaysTooLoose { method }
    })?;
    Ok(Scored::new(truth, pairs.iter_capped(), floor.value()))
}

/// The documents signed on all threads.
pub(super) fn signed(detector: &Detector, documents: &[Document]) -> Collection {
    let batches = documents.chunks(BATCH);
    let signed = Signed::new(detector, batches, |batch| batch.iter().cloned());
    Collection::new(signed)
}

/// Runs one method.
pub(super) fn measure(
    method: &NamedSettings,
    documents: &LabelledDocuments,
    truth: &Truth,
    groups: &PageGroups,
    options: &MeasureOptions<'_>,
) -> Result<MethodRun, JobError> {
    let parse_seconds = documents.seconds;
    let documents = &documents.documents;
    let detector = Detector::new(method.settings.clone())?;
    let started = Instant::now();
    let collection = signed(&detector, documents);
    let sign_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let (pairs, cost) = collection.matches().map_err(|source| {
        let method = method.name.clone();
        JobError::MethodTooLoose { method, source }
    })?;
    let match_seconds = started.elapsed().as_secs_f64();

    let threshold = detector.settings().threshold;
    let floor = floor_of(threshold, options.floor)?;
    let ladder = ladder::descend(&collection, floor, truth)?;
    let (floor, below) = match &ladder.lowest {
        Some((reached, below)) if !is_below(threshold, *reached) => (*reached, below),
        _ => (threshold, &pairs),
    };
    let subject = Subject {
        direct: Scored::new(truth, pairs.iter_capped(), threshold.value()),
        closure: Closure::new(truth, pairs.iter_capped()),
        scored: Scored::new(truth, below.iter_capped(), floor.value()),
    };
    let errors = WrongPairs::find(truth, &collection, &pairs);
    let clusters = group(&collection, &pairs);
    let suppressed = groups.suppressed(truth, &pairs, &clusters, documents);
    let examples = match options.output.is_some() {
        true => examples(&method.name, &errors, &collection, documents),
        false => Vec::new(),
    };
    let cost = MethodCost {
        parse_seconds,
        sign_seconds,
        match_seconds,
        match_over_threshold: ladder.times,
        peak_memory: None,
        signatures: collection.features() as u64,
        verified: cost.verified,
    };
    Ok(MethodRun { subject, cost, errors, suppressed, examples, unlisted: unlisted(&pairs) })
}

/// The lowest threshold of the descent: well below that of the settings, whatever the measure.
fn floor_of(threshold: Threshold, asked: Option<Threshold>) -> Result<Threshold, ThresholdError> {
    let half = Threshold::new(threshold.numerator(), 2 * threshold.denominator());
    let fifth = Threshold::new(FLOOR.0, FLOOR.1)?;
    Ok(match (asked, half) {
        (Some(asked), _) => asked,
        (None, Ok(half)) if is_below(half, fifth) => half,
        (None, _) => fifth,
    })
}

fn unlisted(pairs: &Pairs) -> u64 {
    let all = pairs.count();
    if all == 0 { 0 } else { all.saturating_sub(pairs.iter_capped().count() as u64) }
}

/// The worst errors with what the method sees in them.
fn examples(
    method: &str,
    errors: &WrongPairs,
    collection: &Collection,
    documents: &[Document],
) -> Vec<ExplainedError> {
    let ids: Vec<String> = documents.iter().map(|document| document.id.clone()).collect();
    let by_id: HashMap<&str, &Document> = ids.iter().map(String::as_str).zip(documents).collect();
    let worst = errors.report(&ids).worst.into_iter().take(EXPLAINED);
    worst
        .filter_map(|wrong| {
            let (a, b) = (by_id.get(wrong.a.as_str())?, by_id.get(wrong.b.as_str())?);
            let explanation = explain(collection, a, b).ok()?;
            Some(ExplainedError { method: method.to_owned(), wrong, explanation })
        })
        .collect()
}
