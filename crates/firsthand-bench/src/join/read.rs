//! Turns documents into sets, once for all rows, and computes the figures of the collection.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use firsthand::matcher::Sets;
use firsthand::{
    Detector, Settings,
    collections::{Collection, Signed},
};
use serde::Serialize;

use super::fingerprints;

/// The collection that every row gets.
pub(crate) struct SignedSets {
    /// One set for each document that is not too short.
    pub(crate) sets: Sets,
    pub(crate) figures: CollectionFigures,
}

/// The figures of the collection.
#[derive(Debug, Serialize)]
pub(crate) struct CollectionFigures {
    collection: String,
    documents: usize,
    /// Documents with enough features to be compared.
    compared: usize,
    /// Features of all compared documents together; in multi-sets, with repetitions.
    features: usize,
    /// Distinct features.
    distinct: usize,
    /// Those of them that occur in only one document.
    single: usize,
    /// Distinct features with a normalised IDF from 0.4 to 0.75, the range used by the SpotSigs
    /// paper on WT10g.
    middle: usize,
    /// Features of a document at the 10th, 50th, 90th and 99th percentile.
    percentiles: [usize; 4],
    sign_seconds: f64,
    /// The number of threads for reading, signing and every row.
    threads: usize,
}

/// Reads and signs all documents of a file.
pub(crate) fn sign(input: &Path, config: &Settings) -> Result<SignedSets> {
    let start = Instant::now();
    let detector = Detector::new(config.clone())?;
    let settings = firsthand_input::ReadOptions::default();
    let batches = firsthand_input::open(&[input.to_path_buf()], &settings)
        .with_context(|| format!("cannot read {}", input.display()))?;
    let unread = AtomicUsize::new(0);
    let signed = Signed::new(&detector, batches, |batch| {
        let items: Vec<_> = batch.documents(&settings).collect();
        items.into_iter().filter_map(|item| match item {
            Ok(item) => Some(item.document),
            Err(_) => {
                unread.fetch_add(1, Relaxed);
                None
            }
        })
    });
    let unread = unread.into_inner();
    ensure!(unread == 0, "{unread} records of {} cannot be read", input.display());
    ensure!(!signed.is_empty(), "{} has no documents", input.display());
    let collection = Collection::new(signed);
    let documents = collection.documents().len();
    let sets: Sets = (0..documents)
        .map(|document| collection.features_of(document).to_vec())
        .filter(|set| !set.is_empty())
        .collect();
    let name = input.file_name().unwrap_or(input.as_os_str()).to_string_lossy().into_owned();
    let figures = figures(name, documents, &sets, start.elapsed().as_secs_f64());
    Ok(SignedSets { sets, figures })
}

fn figures(
    collection: String,
    documents: usize,
    sets: &Sets,
    sign_seconds: f64,
) -> CollectionFigures {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    let mut sizes: Vec<usize> = Vec::with_capacity(sets.len());
    for set in 0..sets.len() {
        sizes.push(sets.get(set).len());
        for &feature in sets.get(set) {
            *counts.entry(feature).or_default() += 1;
        }
    }
    sizes.sort_unstable();
    let percentile = |percent: usize| {
        sizes.get((sizes.len() * percent / 100).min(sizes.len().saturating_sub(1))).copied()
    };
    let middle = |&&df: &&u32| {
        let idf = fingerprints::idf(df as usize, sets.len());
        fingerprints::IDF.0 <= idf && idf <= fingerprints::IDF.1
    };
    CollectionFigures {
        collection,
        documents,
        compared: sets.len(),
        features: sets.features(),
        distinct: counts.len(),
        single: counts.values().filter(|&&df| df == 1).count(),
        middle: counts.values().filter(middle).count(),
        percentiles: [10, 50, 90, 99].map(|percent| percentile(percent).unwrap_or(0)),
        sign_seconds,
        threads: rayon::current_num_threads(),
    }
}
