//! Laws of learned weights: documents are compared by the weights a model shows, and whole
//! collections and streams agree.

use super::stream::stream;
use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    evaluate::{Label, Truth},
    find_duplicates,
    learn::{LearnError, LearningPlan, learn},
    model::{DESCRIBED, Model, ModelError, ModelFile, Table, Training, VERSION, WeightedGram},
    settings::{Bands, Matcher, Measure, Stream, Threshold},
};
use proptest::prelude::*;
use std::{collections::BTreeMap, sync::Arc};

const MEASURES: [Measure; 3] = [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];

/// A model with these feature weights, in which `w0` to `w9` are common words.
fn model(words: usize, measure: Measure, hundredths: u64, weights: &[f64]) -> Arc<Model> {
    let weights = DESCRIBED.iter().zip(weights);
    let table = |from: u32| Table {
        documents: 100,
        words: (from..from + 10).map(|word| (format!("w{word}"), 90 - word)).collect(),
    };
    let written = ModelFile {
        version: VERSION,
        fingerprint: String::new(),
        profile: "archive".to_owned(),
        words,
        measure,
        threshold: Threshold::new(hundredths, 100).unwrap(),
        training: Training::default(),
        weights: weights.map(|(feature, weight)| (feature.name.to_owned(), *weight)).collect(),
        documents: table(0),
        titles: table(5),
    };
    Arc::new(Model::sealed(written).unwrap())
}

fn models() -> impl Strategy<Value = Arc<Model>> {
    let weights = prop::collection::vec(-1.0..2.0, DESCRIBED.len());
    (1usize..4, prop::sample::select(MEASURES.to_vec()), 20u64..100, weights).prop_map(
        |(words, measure, hundredths, weights)| model(words, measure, hundredths, &weights),
    )
}

/// Documents over few words, so that many are similar, some of them with a title.
fn collections() -> impl Strategy<Value = Vec<Document>> {
    let text = prop::collection::vec((0u8..24, any::<bool>()), 0..14);
    prop::collection::vec((text, any::<bool>()), 1..40).prop_map(|documents| {
        let document = |(at, (text, title)): (usize, (Vec<(u8, bool)>, bool))| {
            let word =
                |(word, line): &(u8, bool)| format!("w{word}{}", if *line { "\n" } else { " " });
            let title = title.then(|| "W3 w17".to_owned());
            let text: String = text.iter().map(word).collect();
            Document { title, ..Document::new(at.to_string(), text) }
        };
        documents.into_iter().enumerate().map(document).collect()
    })
}

fn settings(model: &Arc<Model>) -> Settings {
    let stream = Stream { matcher: Some(Matcher::Exact), ..Stream::default() };
    Settings { min_features: 1, template: false, stream, ..Settings::default() }.with_model(model)
}

/// The similarity by definition, from what the model shows.
fn similarity(measure: Measure, a: &[WeightedGram], b: &[WeightedGram]) -> f64 {
    let of = |grams: &[WeightedGram]| -> BTreeMap<u64, f64> {
        grams
            .iter()
            .filter(|gram| gram.weight > 0.0)
            .map(|gram| (gram.feature, gram.weight))
            .collect()
    };
    let (a, b) = (of(a), of(b));
    let both = || a.iter().filter_map(|(feature, x)| Some((*x, *b.get(feature)?)));
    let dot: f64 = both().map(|(x, y)| x * y).sum();
    let least: f64 = both().map(|(x, y)| x.min(y)).sum();
    let square = |v: &BTreeMap<u64, f64>| v.values().map(|x| x * x).sum::<f64>();
    let sum = |v: &BTreeMap<u64, f64>| v.values().sum::<f64>();
    let score = match measure {
        Measure::Cosine => dot / (square(&a) * square(&b)).sqrt(),
        Measure::ExtendedJaccard => dot / (square(&a) + square(&b) - dot),
        _ => least / (sum(&a) + sum(&b) - least),
    };
    if score.is_finite() { score } else { 0.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The weights shown add up to the similarity, and the exact search finds all pairs that reach
    /// the threshold by it.
    #[test]
    fn pairs_are_those_of_brute_force(documents in collections(), model in models()) {
        let settings = settings(&model);
        let (measure, threshold) = (settings.measure, settings.threshold.value());
        let detector = Detector::new(settings).unwrap();
        let shown: Vec<Vec<WeightedGram>> =
            documents.iter().map(|document| model.show(document, false)).collect();
        let signed = Signed::new(&detector, documents.chunks(8), |batch| batch.to_vec());
        let collection = Collection::new(signed);
        let (pairs, _) = collection.matches().unwrap();
        let found: Vec<(usize, usize)> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let plain = |at: usize| {
            documents[at].text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        // Of equal texts, the first represents both, whatever their titles.
        let first = |at: usize| (0..at).find(|&other| plain(other) == plain(at)).unwrap_or(at);
        for b in 0..documents.len() {
            for a in 0..b {
                if plain(a) == plain(b) {
                    continue;
                }
                let expected = similarity(measure, &shown[first(a)], &shown[first(b)]);
                let said = collection.similarity(a, b);
                prop_assert!((expected - said).abs() < 1e-9, "{a} {b}: {expected} {said}");
                if (expected - threshold).abs() > 1e-9 {
                    prop_assert_eq!(found.contains(&(a, b)), expected > threshold, "{} {}", a, b);
                }
            }
        }
    }

    /// Batch and stream find the same near-duplicates: all of them with the exact index.
    #[test]
    fn batch_and_stream_agree(documents in collections(), model in models(), bands in any::<bool>()) {
        let mut settings = settings(&model);
        if bands {
            settings.stream.matcher = None;
        }
        let exact = !bands || settings.measure != Measure::Jaccard;
        let answers = stream(&settings, &documents);
        let detector = Detector::new(settings).unwrap();
        let report = find_duplicates(&detector, documents.clone());
        for (at, answer) in answers.iter().enumerate() {
            let near: BTreeMap<String, f64> = report
                .pairs
                .iter()
                .filter(|pair| pair.b == at)
                .map(|pair| (pair.a.to_string(), pair.score))
                .collect();
            match answer.via.as_ref().or(answer.original.as_ref()) {
                Some(named) => {
                    let score = near.get(named);
                    prop_assert!(score.is_some(), "{at} {answer:?}");
                    if answer.via.is_none() {
                        prop_assert!((score.unwrap() - answer.score.unwrap()).abs() < 1e-9);
                    }
                }
                // Only a copy of a copy of a copy may be an original nevertheless.
                None if exact => for other in near.keys() {
                    let other: usize = other.parse().unwrap();
                    prop_assert!(answers[other].via.is_some(), "{at} {other}");
                },
                None => {}
            }
        }
    }
}

#[test]
fn a_stream_by_bands_of_weights_keeps_its_promise() {
    let mut weights = vec![0.0; DESCRIBED.len()];
    (weights[0], weights[4]) = (0.4, 1.2);
    let model = model(1, Measure::Jaccard, 60, &weights);
    let mut state = 11u64;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut documents = Vec::new();
    for family in 0..300u64 {
        let text: Vec<String> = (0..80).map(|_| format!("w{}", random(5000))).collect();
        let mut copy = text.clone();
        for _ in 0..14 {
            copy[random(80) as usize] = format!("w{}", random(5000));
        }
        documents.push(Document::new(format!("{family}"), text.join(" ")));
        documents.push(Document::new(format!("{family} again"), copy.join(" ")));
    }
    let exact = settings(&model);
    let by_bands = Settings {
        stream: Stream { matcher: Some(Matcher::of_stream()), ..exact.stream.clone() },
        ..exact.clone()
    };
    let found = |settings: &Settings| {
        stream(settings, &documents).iter().filter(|answer| answer.original.is_some()).count()
    };
    let (all, met) = (found(&exact), found(&by_bands));
    assert!(all > 100, "{all}");
    assert!(met as f64 >= 0.98 * all as f64, "{met} of {all}");
    // And so does the search by bands in whole collections.
    let settings = Settings { matcher: Some(Matcher::Bands(Bands::default())), ..exact };
    let report = find_duplicates(&Detector::new(settings).unwrap(), documents.clone());
    assert!(report.pairs.count() as f64 >= 0.93 * all as f64, "{} of {all}", report.pairs.count());
}

/// Clusters of three, whose members share a payload and differ in long greetings that all documents
/// share in part.
fn campaigns(count: u32) -> (Vec<Document>, Truth) {
    let mut state = 5u64;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut documents = Vec::new();
    let mut labels = Vec::new();
    for cluster in 0..count {
        let payload: Vec<String> = (0..25).map(|_| format!("p{}", random(4000))).collect();
        for member in 0..3 {
            let mut text: Vec<String> = (0..60).map(|_| format!("g{}", random(120))).collect();
            text.splice(20..20, payload.iter().cloned());
            documents.push(Document::new(format!("{cluster}-{member}"), text.join(" ")));
            labels.push(Label::Cluster(cluster));
        }
    }
    let truth = Truth::clusters(&labels, []);
    (documents, truth)
}

#[test]
fn what_makes_copies_is_learned() {
    let (documents, truth) = campaigns(20);
    let plan = LearningPlan { measure: Measure::Jaccard, ..LearningPlan::new("archive").unwrap() };
    let model = learn(&documents, &truth, &plan).unwrap();
    let training = &model.written().training;
    assert_eq!((training.documents, training.clusters, training.positives), (60, 20, 60));
    assert!(training.loss.1 < training.loss.0, "{training:?}");
    let held_out = training.held_out.unwrap();
    assert!(held_out.f1 > 0.95, "{held_out:?}");
    // The same labels and seed give the same model, also on a single thread.
    assert_eq!(model.written(), learn(&documents, &truth, &plan).unwrap().written());
    let one = rayon_of_one(|| learn(&documents, &truth, &plan).unwrap());
    assert_eq!(model.written(), one.written());
    // A payload weighs more than a greeting.
    let shown = model.show(&documents[0], false);
    assert!(shown[0].text.starts_with('p'), "{:?}", &shown[..3]);
    let parts: f64 = shown[0].parts.iter().map(|part| part.adds).sum();
    assert!((parts - shown[0].weight).abs() < 0.02, "{:?}", shown[0]);
}

fn rayon_of_one<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
}

#[test]
fn too_few_labels_are_reported() {
    let plan = LearningPlan::new("archive").unwrap();
    let (documents, truth) = campaigns(1);
    let error = learn(&documents, &truth, &plan).unwrap_err();
    assert!(matches!(error, LearnError::TooFew { clusters: 1, documents: 3 }), "{error}");
    let truth = Truth::pairs(3, [(0, 1, true), (1, 2, true)]);
    assert!(learn(&documents, &truth, &plan).is_err());
    let plan = LearningPlan { measure: Measure::Dice, ..plan };
    let error = learn(&documents, &truth, &plan).unwrap_err().to_string();
    assert!(error.contains("Dice"), "{error}");
}

/// A folder per site: pages share a menu, and nothing else. A folder per story: pages are copies.
#[test]
fn sites_are_not_clusters_of_copies() {
    let word = |seed: usize| format!("w{}", seed.wrapping_mul(2_654_435_761) % 5_000);
    let article = |number: usize| -> String {
        (0..120).map(|at| word(number * 1_000 + at) + " ").collect::<String>()
    };
    let page = |site: usize, number: usize| {
        let id = format!("{site}/{number}");
        let menu = format!("home of site{site}\nabout us at site{site}\n");
        let host = Some(format!("site{site}.example"));
        Document { host, ..Document::new(id, menu + &article(number)) }
    };
    let plan = LearningPlan { folds: 0, ..LearningPlan::new("archive").unwrap() };
    let labels: Vec<Label> = (0..72).map(|at| Label::Cluster(at / 6)).collect();
    let truth = Truth::clusters(&labels, []);
    let sites: Vec<Document> = (0..72).map(|at| page(at / 6, at)).collect();
    let error = learn(&sites, &truth, &plan).unwrap_err();
    let LearnError::NotCopies { pairs, within, across } = error else { panic!("{error}") };
    assert!(pairs > 100 && within < 0.1 && across < 0.1, "{pairs} {within} {across}");
    assert!(error.to_string().starts_with("these are not clusters of copies"), "{error}");
    let stories: Vec<Document> = (0..72).map(|at| page(at % 12, at / 6)).collect();
    assert!(learn(&stories, &truth, &plan).is_ok());
}

#[test]
fn labelled_pairs_are_enough() {
    let (documents, _) = campaigns(12);
    let at = |cluster: usize, member: usize| cluster * 3 + member;
    let same = (0..12).map(|cluster| (at(cluster, 0), at(cluster, 1), true));
    let other = (0..12).map(|cluster| (at(cluster, 0), at((cluster + 1) % 12, 2), false));
    let truth = Truth::pairs(documents.len(), same.chain(other));
    let plan = LearningPlan {
        measure: Measure::Jaccard,
        folds: 0,
        ..LearningPlan::new("archive").unwrap()
    };
    let model = learn(&documents, &truth, &plan).unwrap();
    assert!(model.written().training.positives > 0);
}

#[test]
fn a_model_that_was_changed_is_refused() {
    let model = model(1, Measure::Cosine, 50, &[1.0]);
    let written = model.written().clone();
    assert!(Model::new(written.clone()).is_ok());
    let other = ModelFile { version: 99, ..written.clone() };
    assert!(matches!(Model::new(other), Err(ModelError::Version(99))));
    let mut other = written.clone();
    other.weights.insert("bias".to_owned(), 1.5);
    assert!(matches!(Model::new(other), Err(ModelError::Damaged { .. })));
    let mut other = written.clone();
    let count = |(word, count): (&str, u32)| (word.to_owned(), count + u32::from(word == "w0"));
    other.documents.words = other.documents.words.iter().map(count).collect();
    assert!(matches!(Model::new(other), Err(ModelError::Damaged { .. })));
    let mut other = written.clone();
    other.weights.insert("shoe-size".to_owned(), 1.0);
    let error = Model::new(other).unwrap_err().to_string();
    assert!(error.contains("shoe-size"), "{error}");
    let other = ModelFile { words: 9, ..written };
    assert!(matches!(Model::new(other), Err(ModelError::Unusable(_))));
}
