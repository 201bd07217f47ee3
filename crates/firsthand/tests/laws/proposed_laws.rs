//! Laws of sketches with a model: the measure verifies what they propose, they propose nearly all
//! near-duplicates, and explanations agree with what is found.

use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    explain,
    explain::Outcome,
    model::{DESCRIBED, Model, ModelFile, Table, Training, VERSION},
    settings::{Bands, Matcher, Measure, Threshold},
};
use std::{collections::BTreeMap, sync::Arc};

fn model(measure: Measure) -> Arc<Model> {
    let weights = DESCRIBED.iter().zip([0.4, 0.0, 0.0, 0.0, 1.2]);
    let table = Table {
        documents: 100,
        words: (0..40).map(|word| (format!("w{word}"), 90 - word)).collect(),
    };
    let written = ModelFile {
        version: VERSION,
        fingerprint: String::new(),
        profile: "archive".to_owned(),
        words: 1,
        measure,
        threshold: Threshold::new(60, 100).unwrap(),
        training: Training::default(),
        weights: weights.map(|(feature, weight)| (feature.name.to_owned(), weight)).collect(),
        documents: table,
        titles: Table::default(),
    };
    Arc::new(Model::sealed(written).unwrap())
}

/// Families of texts, more or less similar to the first of each.
fn documents(families: u64) -> Vec<Document> {
    let mut state = 3u64;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut documents = Vec::new();
    for family in 0..families {
        let text: Vec<String> = (0..60).map(|_| format!("w{}", random(3000))).collect();
        for member in 0..5 {
            let mut copy = text.clone();
            for _ in 0..member * 5 {
                copy[random(60) as usize] = format!("w{}", random(3000));
            }
            documents.push(Document::new(format!("{family}-{member}"), copy.join(" ")));
        }
    }
    documents
}

fn found(settings: &Settings, documents: &[Document]) -> BTreeMap<(usize, usize), f64> {
    let detector = Detector::new(settings.clone()).unwrap();
    let signed = Signed::new(&detector, documents.chunks(16), |batch| batch.to_vec());
    let collection = Collection::new(signed);
    let (pairs, _) = collection.matches().unwrap();
    let pairs: BTreeMap<_, _> = pairs.iter().map(|pair| ((pair.a, pair.b), pair.score)).collect();
    // The first of each family against the others.
    for first in (0..documents.len()).step_by(5) {
        for other in first + 1..first + 5 {
            let said = explain(&collection, &documents[first], &documents[other]).unwrap();
            let pair = pairs.get(&(first, other));
            assert_eq!(said.verdict == Outcome::NearDuplicate, pair.is_some(), "{}", said.reason);
            assert!(pair.is_none_or(|score| *score == said.score), "{}", said.reason);
            let missed = said.score >= 0.6 && pair.is_none();
            assert_eq!(missed, said.reason.contains("does not compare them"), "{}", said.reason);
        }
    }
    pairs
}

#[test]
fn sketches_propose_and_the_measure_verifies() {
    let documents = documents(120);
    let bands = |recall| Matcher::Bands(Bands { recall, ..Bands::default() });
    for (measure, matcher, recall) in [
        (Measure::Cosine, Matcher::Bits { bits: 384 }, 0.98),
        (Measure::Cosine, Matcher::Bits { bits: 64 }, 0.98),
        (Measure::ExtendedJaccard, Matcher::Bits { bits: 384 }, 0.98),
        (Measure::Jaccard, Matcher::Sketch { hashes: 80, group: 1 }, 0.98),
        (Measure::Jaccard, Matcher::Sketch { hashes: 8, group: 1 }, 0.98),
        (Measure::Jaccard, bands(0.99), 0.98),
        // So few that some pairs are missed, and reported as missed.
        (Measure::Jaccard, bands(0.5), 0.5),
    ] {
        let settings =
            Settings { template: false, ..Settings::default() }.with_model(&model(measure));
        let exact = found(&settings, &documents);
        assert!(exact.len() > 150, "{measure:?}: {}", exact.len());
        let some = found(&Settings { matcher: Some(matcher.clone()), ..settings }, &documents);
        assert!(some.iter().all(|(pair, score)| exact.get(pair) == Some(score)), "{matcher:?}");
        let share = some.len() as f64 / exact.len() as f64;
        assert!(share >= recall, "{measure:?} {matcher:?}: {share}");
    }
}
