//! The methods of other papers on the same halves, their thresholds chosen on the training half.

use super::{
    labelled::Labelled,
    trials::{Comparison, RunDetails, Trials},
};
use anyhow::{Context, Result};
use firsthand::evaluate::Scored;
use firsthand::learn::LearningPlan;
use firsthand::{
    Detector, Settings,
    collections::{Collection, Signed},
    settings::{Scheme, Threshold},
};
use std::io::Write;

/// The lowest similarity searched for; the next one is tried if there are too many pairs.
const FLOORS: [u64; 5] = [15, 30, 45, 60, 75];

/// Methods, and the words per shingle that replace their own.
const METHODS: [(&str, &str, Option<usize>); 8] = [
    ("spotsigs", "spotsigs", None),
    ("shingles", "shingles", None),
    ("shingles-1", "shingles", Some(1)),
    ("shingles-sketch", "shingles-sketch", None),
    ("super-shingles", "super-shingles", Some(3)),
    ("i-match", "i-match", None),
    ("simhash", "simhash", None),
    ("cosine", "cosine", None),
];

pub(super) fn measure<W: Write>(
    labelled: &Labelled,
    plan: &LearningPlan,
    trials: &mut Trials<'_, W>,
) -> Result<()> {
    for (name, method, words) in METHODS {
        // All methods read the same text as the weights.
        let base = &plan.settings;
        let config =
            Settings { template: base.template, fold: base.fold, ..Settings::method(method)? };
        let config = match words {
            Some(n) => Settings { scheme: Scheme::Words { n }, ..config },
            None => config,
        };
        let detector = Detector::new(config)?;
        let batches = labelled.documents.chunks(64);
        let signed = Signed::new(&detector, batches, |batch| batch.to_vec());
        let collection = Collection::new(signed);
        let scored =
            score(labelled, &collection).with_context(|| format!("{name} finds too many pairs"))?;
        let counted = |at: &usize| labelled.truth.unit(*at).is_some();
        let features: usize = (0..labelled.documents.len())
            .filter(counted)
            .map(|at| collection.features_of(at).len())
            .sum();
        let features = Some(features as f64 / labelled.truth.counted().max(1) as f64);
        for run in 0..trials.halves().len() {
            let way =
                Comparison { part: "methods", name: name.to_owned(), ..Comparison::default() };
            trials.row(&way, run, &scored, RunDetails { features, ..RunDetails::default() })?;
        }
    }
    Ok(())
}

/// All pairs from a low similarity up.
fn score(labelled: &Labelled, collection: &Collection) -> Result<Scored> {
    let mut found = None;
    for floor in FLOORS {
        let floor = Threshold::new(floor, 100)?;
        match collection.matches_at(floor) {
            Ok((pairs, _)) => {
                let pairs: Vec<_> = pairs.iter_capped().collect();
                return Ok(Scored::new(&labelled.truth, pairs, floor.value()));
            }
            Err(error) => found = Some(error),
        }
    }
    Err(found.map_or_else(|| anyhow::anyhow!("no floor"), Into::into))
}
