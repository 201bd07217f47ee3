//! The methods of other papers on the same halves, their thresholds chosen on the training half.

use super::{
    labelled::Labelled,
    trials::{Beside, Trials, Way},
};
use anyhow::{Context, Result};
use firsthand::evaluate::Scored;
use firsthand::learn::Plan;
use firsthand::{Collection, Detector, Scheme, Settings, Signed, Threshold};
use std::io::Write;

/// Pairs that are less alike are not looked for, unless even so there are too many.
const FLOORS: [u64; 5] = [15, 30, 45, 60, 75];

/// Methods, and how many words their shingles have in place of their own.
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
    plan: &Plan,
    trials: &mut Trials<'_, W>,
) -> Result<()> {
    for (name, method, words) in METHODS {
        // All methods read what the weights are of.
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
        let collection = Collection::new(&detector, signed);
        let scored = score(labelled, &detector, &collection)
            .with_context(|| format!("{name} finds too many pairs"))?;
        let counted = |at: &usize| labelled.truth.unit(*at).is_some();
        let features: usize = (0..labelled.documents.len())
            .filter(counted)
            .map(|at| collection.features_of(at).len())
            .sum();
        let features = Some(features as f64 / labelled.truth.counted().max(1) as f64);
        for run in 0..trials.halves().len() {
            let way = Way { part: "methods", name: name.to_owned(), ..Way::default() };
            trials.row(&way, run, &scored, Beside { features, ..Beside::default() })?;
        }
    }
    Ok(())
}

/// All pairs from a low similarity on.
fn score(labelled: &Labelled, detector: &Detector, collection: &Collection) -> Result<Scored> {
    let mut found = None;
    for floor in FLOORS {
        let floor = Threshold::new(floor, 100)?;
        match collection.matches_at(detector, floor) {
            Ok((pairs, _)) => {
                let pairs: Vec<_> = pairs.iter_capped().collect();
                return Ok(Scored::new(&labelled.truth, pairs, floor.value()));
            }
            Err(error) => found = Some(error),
        }
    }
    Err(found.map_or_else(|| anyhow::anyhow!("no floor"), Into::into))
}
