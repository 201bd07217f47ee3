//! Laws of the methods: each reports what its definition says, and `explain` agrees with it.

use firsthand::explain::Outcome;
use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    explain, find_duplicates,
    settings::{Banding, Bands, Confirm, METHODS, Matcher, Scheme},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Texts of some families; members of a family differ in a few words.
fn families(count: usize) -> Vec<Document> {
    let mut numbers = Numbers(1);
    let stop = ["the", "is", "a", "was", "can"];
    let mut documents = Vec::new();
    for family in 0..count {
        let base: Vec<String> = (0..80)
            .map(|at| match at % 4 {
                0 => stop[numbers.next(5) as usize].to_owned(),
                _ => format!("word{}", numbers.next(400)),
            })
            .collect();
        for copy in 0..4 {
            let mut words = base.clone();
            for _ in 0..copy * 3 {
                let at = numbers.next(80) as usize;
                words[at] = format!("other{}", numbers.next(1000));
            }
            documents.push(Document::new(format!("{family}-{copy}"), words.join(" ")));
        }
    }
    documents
}

fn found(settings: &Settings, documents: &[Document]) -> BTreeMap<(usize, usize), f64> {
    let detector = Detector::new(settings.clone()).unwrap();
    let report = find_duplicates(&detector, documents.to_vec());
    report.pairs.iter().map(|found| ((found.a, found.b), found.score)).collect()
}

#[test]
fn explain_agrees_with_every_method_on_every_pair() {
    let documents = families(6);
    let mut stated = 0;
    for (name, _) in METHODS {
        let settings = Settings::method(name).unwrap();
        let detector = Detector::new(settings.clone()).unwrap();
        let pairs = found(&settings, &documents);
        stated += pairs.len();
        let batches = [documents.clone()].into_iter();
        let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
        for b in 0..documents.len() {
            for a in 0..b {
                let told = explain(&collection, &documents[a], &documents[b]).unwrap();
                let near = !matches!(
                    told.verdict,
                    Outcome::Different | Outcome::TooShort | Outcome::Empty
                );
                let score = pairs.get(&(a, b));
                assert_eq!(near, score.is_some(), "{name} {a} {b} {}", told.reason);
                if let Some(score) = score {
                    assert!((told.score - score).abs() < 1e-12, "{name} {a} {b} {}", told.reason);
                }
                assert_eq!(told.score, collection.similarity(a, b), "{name}");
            }
        }
    }
    assert!(stated > 100, "{stated}");
}

#[test]
fn no_method_depends_on_the_number_of_threads() {
    let documents = families(20);
    for (name, _) in METHODS {
        let settings = Settings::method(name).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| found(&settings, &documents))
        };
        assert_eq!(run(1), run(3), "{name}");
    }
}

/// Pairs of texts that share `shared` of `shared + own` words each, in a collection of their own.
fn pairs_of(count: usize, shared: usize, own: usize) -> Vec<Document> {
    let text = |pair: usize, side: usize| {
        let common = (0..shared).map(|at| format!("p{pair}w{at}"));
        common
            .chain((0..own).map(|at| format!("p{pair}s{side}w{at}")))
            .collect::<Vec<_>>()
            .join(" ")
    };
    (0..count * 2).map(|at| Document::new(at.to_string(), text(at / 2, at % 2))).collect()
}

fn banded(threshold: &str, bands: Bands) -> Settings {
    Settings {
        scheme: Scheme::Words { n: 1 },
        threshold: threshold.parse().unwrap(),
        matcher: Some(Matcher::Bands(bands)),
        template: false,
        min_features: 1,
        ..Settings::default()
    }
}

#[test]
fn bands_meet_at_the_promised_rate() {
    let count = 2000;
    for (threshold, shared, own, bands) in [
        // On the threshold: 60 of 100, 44 of 100.
        ("0.6", 60, 20, Bands::default()),
        ("0.44", 44, 28, Bands { recall: 0.9, ..Bands::default() }),
        ("0.8", 80, 10, Bands { recall: 0.99, ..Bands::default() }),
        // The bands of the paper, on its threshold.
        ("0.44", 44, 28, Bands { bands: Some(32), rows: Some(6), ..Bands::default() }),
    ] {
        let settings = banded(threshold, bands.clone());
        let banding = bands.banding(settings.rule()).unwrap();
        let promised = banding.probability(settings.threshold.value());
        let met = found(&settings, &pairs_of(count, shared, own)).len() as f64 / count as f64;
        let deviation = (promised * (1.0 - promised) / count as f64).sqrt();
        assert!((met - promised).abs() < 5.0 * deviation, "{banding:?}: {met} for {promised}");
    }
}

#[test]
fn bands_report_no_wrong_pair_and_wide_bands_report_all() {
    let documents = families(30);
    let exact = Settings { matcher: Some(Matcher::Exact), ..banded("0.5", Bands::default()) };
    let all = found(&exact, &documents);
    let some = found(&banded("0.5", Bands::default()), &documents);
    assert!(some.iter().all(|(pair, score)| all.get(pair) == Some(score)));
    assert!(some.len() as f64 > 0.9 * all.len() as f64);
    let sure = Bands { bands: Some(400), rows: Some(1), ..Bands::default() };
    assert_eq!(found(&banded("0.5", sure), &documents), all);
}

#[test]
fn banding_is_known_before_it_is_used() {
    let bands = Bands { recall: 0.95, ..Bands::default() };
    let settings = banded("0.44", bands.clone());
    assert_eq!(bands.banding(settings.rule()), Some(Banding { bands: 34, rows: 3 }));
    for (change, part) in [
        (Bands { bands: Some(3), ..Bands::default() }, "go together"),
        (Bands { recall: 1.0, ..Bands::default() }, "matcher.recall = 1"),
        (Bands { hashes: 2, recall: 0.999, ..Bands::default() }, "raise matcher.hashes"),
        (Bands { bands: Some(100), rows: Some(100), ..Bands::default() }, "matcher.bands times"),
    ] {
        let error = Detector::new(banded("0.44", change)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// The definition: TF times the logarithm of N over DF, cosine of the two vectors.
#[test]
fn cosine_is_what_the_definition_says() {
    let mut documents = families(12);
    documents.push(Document::new("often", "word1 word1 word1 word2 the the the the a a"));
    let bags: Vec<HashMap<&str, f64>> = documents
        .iter()
        .map(|document| {
            let mut bag = HashMap::new();
            document.text.split(' ').for_each(|word| *bag.entry(word).or_insert(0.0) += 1.0);
            bag
        })
        .collect();
    let n = documents.len() as f64;
    let df = |word: &str| bags.iter().filter(|bag| bag.contains_key(word)).count() as f64;
    let vectors: Vec<HashMap<&str, f64>> = bags
        .iter()
        .map(|bag| bag.iter().map(|(&word, &tf)| (word, tf * (n / df(word)).ln())).collect())
        .collect();
    let norm = |vector: &HashMap<&str, f64>| vector.values().map(|w| w * w).sum::<f64>().sqrt();
    let cosine = |a: usize, b: usize| {
        let dot: f64 = vectors[a]
            .iter()
            .map(|(word, weight)| weight * vectors[b].get(word).copied().unwrap_or(0.0))
            .sum();
        dot / norm(&vectors[a]) / norm(&vectors[b])
    };
    for threshold in ["0.05", "0.3", "0.6", "0.8"] {
        let settings = Settings {
            threshold: threshold.parse().unwrap(),
            ..Settings::method("cosine").unwrap()
        };
        let pairs = found(&settings, &documents);
        let limit = settings.threshold.value();
        let mut expected = BTreeSet::new();
        for b in 0..documents.len() {
            for a in 0..b {
                let exact = cosine(a, b);
                // Weights are rounded to 64ths; pairs closer to the threshold than that are
                // skipped.
                if exact > limit + 0.002 {
                    expected.insert((a, b));
                    let score = pairs.get(&(a, b)).copied().unwrap_or_default();
                    assert!((score - exact).abs() < 0.002, "{a} {b}: {score} for {exact}");
                } else if exact > limit - 0.002 && pairs.contains_key(&(a, b)) {
                    expected.insert((a, b));
                }
            }
        }
        assert!(!expected.is_empty());
        assert_eq!(pairs.keys().copied().collect::<BTreeSet<_>>(), expected, "{threshold}");
    }
}

#[test]
fn a_fingerprint_ignores_what_is_too_common_or_too_rare() {
    // Each pair shares twenty words of its own; "x..." occurs once, "common" everywhere.
    let text = |pair: usize, extra: &str| {
        let words: Vec<String> = (0..20).map(|at| format!("p{pair}w{at}")).collect();
        format!("common {} {extra}", words.join(" "))
    };
    let documents: Vec<Document> =
        (0..40).map(|at| Document::new(at.to_string(), text(at / 2, &format!("x{at}")))).collect();
    let mut settings = Settings::method("i-match").unwrap();
    settings.frequency.idf = Some((0.1, 0.9));
    let pairs = found(&settings, &documents);
    assert_eq!(pairs.len(), 20);
    assert!(pairs.iter().all(|(&(a, b), &score)| a / 2 == b / 2 && score == 1.0));
    // Without the upper bound no document has a near-duplicate.
    settings.frequency.idf = Some((0.1, 1.0));
    assert!(found(&settings, &documents).is_empty());
    // Random lexicons keep some of those that differ slightly.
    let random =
        Settings { frequency: settings.frequency, ..Settings::method("i-match-r").unwrap() };
    assert!(found(&random, &documents).len() > 10);
}

#[test]
fn confirmation_removes_pairs_and_adds_none() {
    let documents = families(30);
    let first = Settings {
        matcher: Some(Matcher::Sketch { hashes: 84, group: 2 }),
        threshold: "0.05".parse().unwrap(),
        ..Settings::method("super-shingles").unwrap()
    };
    let confirm = Some(Confirm { bits: 384, threshold: "0.75".parse().unwrap() });
    let second = Settings { confirm, ..first.clone() };
    let (first, second) = (found(&first, &documents), found(&second, &documents));
    assert!(second.iter().all(|(pair, score)| first.get(pair) == Some(score)));
    assert!(!second.is_empty() && second.len() < first.len(), "{} {}", second.len(), first.len());
}
