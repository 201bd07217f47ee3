//! One method on all documents: signed, matched at its threshold and below, and what that took.

use super::errors::Mistakes;
use super::ladder::{self, is_below};
use super::methods::Asked;
use super::report::{Cost, Wrong};
use anyhow::{Context, Result};
use firsthand::evaluate::{Closure, Scored, Subject, Truth};
use firsthand::explain::Explanation;
use firsthand::{
    Detector, Document,
    collections::{Collection, Pairs, Signed},
    explain,
    settings::Threshold,
};
use std::collections::HashMap;
use std::time::Instant;

/// Documents that one thread signs before it asks for more.
const BATCH: usize = 16;

/// As many errors are explained.
pub(super) const EXPLAINED: usize = 10;

/// Below this there is hardly ever a near-duplicate.
const FLOOR: (u64, u64) = (1, 5);

/// What was measured of one method, without the figures that need all of them.
pub(super) struct Measured {
    pub(super) subject: Subject,
    pub(super) cost: Cost,
    pub(super) mistakes: Mistakes,
    /// The worst errors, each with both texts.
    pub(super) examples: Vec<(Wrong, Explanation)>,
    /// Pairs of documents with equal features that are too many to be listed one by one.
    pub(super) unlisted: u64,
}

/// The scores of one method alone, down to a low threshold.
pub(crate) fn scores(
    asked: &Asked,
    documents: &[Document],
    truth: &Truth,
    floor: Option<Threshold>,
) -> Result<Scored> {
    let detector = Detector::new(asked.settings.config.clone())?;
    let collection = signed(&detector, documents);
    let threshold = detector.settings().threshold;
    let lowest = ladder::descend(&collection, &detector, floor_of(threshold, floor)?, truth)?;
    let (floor, pairs) = lowest.lowest.with_context(|| {
        format!("{} states too much at every threshold to be measured", asked.name)
    })?;
    Ok(Scored::new(truth, pairs.iter_capped(), floor.value()))
}

fn signed(detector: &Detector, documents: &[Document]) -> Collection {
    let batches = documents.chunks(BATCH);
    let signed = Signed::new(detector, batches, |batch| batch.iter().cloned());
    Collection::new(signed)
}

/// Runs one method; with `explained`, its worst errors are explained.
pub(super) fn measure(
    asked: &Asked,
    documents: &[Document],
    truth: &Truth,
    floor: Option<Threshold>,
    explained: bool,
) -> Result<Measured> {
    let detector = Detector::new(asked.settings.config.clone())?;
    let started = Instant::now();
    let collection = signed(&detector, documents);
    let sign_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let (pairs, cost) = collection
        .matches()
        .with_context(|| format!("{} states too much to be measured", asked.name))?;
    let match_seconds = started.elapsed().as_secs_f64();

    let threshold = detector.settings().threshold;
    let lowest = ladder::descend(&collection, &detector, floor_of(threshold, floor)?, truth)?;
    let (floor, below) = match &lowest.lowest {
        Some((reached, below)) if !is_below(threshold, *reached) => (*reached, below),
        _ => (threshold, &pairs),
    };
    let subject = Subject {
        direct: Scored::new(truth, pairs.iter_capped(), threshold.value()),
        closure: Closure::new(truth, pairs.iter_capped()),
        scored: Scored::new(truth, below.iter(), floor.value()),
    };
    let mistakes = Mistakes::find(truth, &collection, &detector, &pairs);
    let examples = match explained {
        true => examples(&mistakes, &collection, &detector, documents),
        false => Vec::new(),
    };
    let cost = Cost {
        parse_seconds: 0.0,
        sign_seconds,
        match_seconds,
        match_over_threshold: lowest.times,
        peak_memory: None,
        signatures: collection.features() as u64,
        verified: cost.verified,
    };
    Ok(Measured { subject, cost, mistakes, examples, unlisted: unlisted(&pairs) })
}

/// Where the way down ends: well below the threshold, whatever the measure.
fn floor_of(threshold: Threshold, asked: Option<Threshold>) -> Result<Threshold> {
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
    mistakes: &Mistakes,
    collection: &Collection,
    detector: &Detector,
    documents: &[Document],
) -> Vec<(Wrong, Explanation)> {
    let ids: Vec<String> = documents.iter().map(|document| document.id.clone()).collect();
    let places: HashMap<&str, &Document> = ids.iter().map(String::as_str).zip(documents).collect();
    let worst = mistakes.report(&ids).worst.into_iter().take(EXPLAINED);
    worst
        .filter_map(|wrong| {
            let (a, b) = (places.get(wrong.a.as_str())?, places.get(wrong.b.as_str())?);
            let explanation = explain(collection, a, b).ok()?;
            Some((wrong, explanation))
        })
        .collect()
}
