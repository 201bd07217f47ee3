//! The promises of the waist: near-duplicates share keys, and comparing two documents is what a
//! collection does.

use firsthand::{
    Detector, Document, Features, Settings, SettingsError, Templates,
    collections::{Collection, Signed},
    pages::SignedPage,
    settings::{Bands, Confirm, Matcher, Measure, Scheme, Threshold, Weighting},
};
use proptest::prelude::*;
use std::collections::HashSet;

/// Texts over few words, so that all degrees of similarity occur, at the threshold too.
fn texts() -> impl Strategy<Value = Vec<Document>> {
    let text = prop::collection::vec(0u8..14, 0..16).prop_map(|words| {
        words.iter().map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ")
    });
    prop::collection::vec(text, 2..9).prop_map(|texts| {
        let documents = texts.into_iter().enumerate();
        documents.map(|(at, text)| Document::new(at.to_string(), text)).collect()
    })
}

fn matchers() -> impl Strategy<Value = (Measure, Option<Matcher>, Option<Confirm>)> {
    let exact =
        prop::sample::select(Measure::ALL.to_vec()).prop_map(|measure| (measure, None, None));
    let bits = Threshold::new(40, 64).unwrap();
    let sketches = prop::sample::select(vec![
        (Matcher::Sketch { hashes: 12, group: 1 }, None),
        (Matcher::Sketch { hashes: 12, group: 3 }, None),
        (Matcher::Fingerprint { lexicons: 5, keep: 0.6 }, None),
        (Matcher::Bits { bits: 128 }, None),
        (Matcher::Exact, Some(Confirm { bits: 64, threshold: bits })),
    ]);
    let sketches =
        sketches.prop_map(|(matcher, confirm)| (Measure::Jaccard, Some(matcher), confirm));
    prop_oneof![exact, sketches]
}

fn sign(detector: &Detector, documents: &[Document]) -> Vec<Features> {
    documents.iter().map(|document| detector.sign(document)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// By brute force over all pairs: what `compare` calls near shares the promised keys, and is what
    /// the collection finds.
    #[test]
    fn near_duplicates_share_keys_and_compare_is_the_collection(
        documents in texts(),
        (measure, matcher, confirm) in matchers(),
        (multiset, least_features) in (any::<bool>(), 0usize..4),
        percent in 5u64..=100,
        least in 1u32..7,
    ) {
        let detector = Detector::new(Settings {
            scheme: Scheme::Words { n: 1 },
            measure,
            threshold: Threshold::new(percent, 100).unwrap(),
            multiset,
            min_features: least_features,
            matcher,
            confirm,
            ..Settings::default()
        }).unwrap();
        let batches = [documents.clone()].into_iter();
        let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
        let (pairs, _) = collection.matches().unwrap();
        let features = sign(&detector, &documents);
        for b in 0..features.len() {
            for a in 0..b {
                let comparison = detector.compare(&features[a], &features[b]).unwrap();
                prop_assert_eq!(comparison, detector.compare(&features[b], &features[a]).map(|c| {
                    firsthand::Comparison { sizes: (c.sizes.1, c.sizes.0), ..c }
                }).unwrap());
                let found = pairs.get(a, b);
                prop_assert_eq!(comparison.near, found.is_some(), "{:?}", comparison);
                prop_assert_eq!(comparison.exact, found.is_some_and(|pair| pair.exact));
                if let Some(found) = found {
                    prop_assert_eq!(comparison.score, found.score);
                    let keys = |of: usize| detector.keys_sharing(&features[of], least).unwrap();
                    let (x, y) = (keys(a), keys(b));
                    let other: HashSet<u64> = y.keys.iter().copied().collect();
                    let shared = x.keys.iter().filter(|key| other.contains(key)).count() as u32;
                    let promised = x.least_shared.min(y.least_shared);
                    prop_assert!(promised >= 1 && promised <= least);
                    prop_assert!(shared >= promised, "{shared} of {promised}: {comparison:?}");
                    let (x, y) = (detector.keys(&features[a]), detector.keys(&features[b]));
                    let other: HashSet<u64> = y.unwrap().keys.into_iter().collect();
                    prop_assert!(x.unwrap().keys.iter().any(|key| other.contains(key)));
                }
            }
        }
    }

    /// Templates that are learned from parts of the sites and merged are those of the collection, and
    /// applying them gives what the collection compares.
    #[test]
    fn templates_are_a_value(stories in prop::collection::vec((0u8..3, 0u8..4), 2..12)) {
        let detector = Detector::new(Settings { min_features: 1, ..Settings::default() }).unwrap();
        let documents: Vec<Document> = stories.iter().enumerate().map(|(at, (site, story))| {
            let frame = format!("Welcome to the pages of site number {site} and to its news");
            let story = format!("The story of the {story} ship that was lost at the coast {}", story * 7);
            let host = Some(format!("site{site}.example"));
            Document { host, ..Document::new(at.to_string(), format!("{frame}\n{story} {at}")) }
        }).collect();
        let pages: Vec<_> = documents.iter().map(|document| detector.sign_page(document)).collect();
        let mut merged = Templates::default();
        for site in 0..3 {
            let name = format!("site{site}.example");
            let is_of_site = |page: &&SignedPage| page.page().is_some_and(|page| page.site() == name);
            merged.merge(Templates::learn(pages.iter().filter(is_of_site)));
        }
        let collection = Collection::new(Signed::new(&detector, [documents].into_iter(), |d| d));
        prop_assert_eq!(&merged, collection.templates());
        prop_assert_eq!(&Templates::from_bytes(&merged.to_bytes()).unwrap(), &merged);
        for (at, page) in pages.iter().enumerate() {
            let features = detector.apply(&merged, page);
            prop_assert_eq!(features.hashes(), collection.features_of(at));
        }
    }
}

#[test]
fn misuse_is_an_error() {
    let words = |n| Settings { scheme: Scheme::Words { n }, ..Settings::default() };
    let (one, two) = (Detector::new(words(1)).unwrap(), Detector::new(words(2)).unwrap());
    let document = Document::new("a", "one two three four five six seven");
    let features = one.sign(&document);
    assert_eq!(two.keys(&features), Err(SettingsError::OtherSettings));
    assert_eq!(two.compare(&features, &features), Err(SettingsError::OtherSettings));
    // Features do not depend on measure and threshold, so that one may be compared by another.
    let stricter =
        Detector::new(Settings { threshold: "0.9".parse().unwrap(), ..words(1) }).unwrap();
    assert!(stricter.compare(&features, &features).unwrap().exact);
    let weighted = Settings { weights: Weighting::TfIdf, measure: Measure::Cosine, ..words(1) };
    let weighted = Detector::new(weighted).unwrap();
    let error = weighted.keys(&weighted.sign(&document)).unwrap_err();
    assert_eq!(error, SettingsError::NeedsCollection { setting: "weights" });
}

#[test]
fn what_does_not_apply_is_refused_by_name() {
    use firsthand::{
        online::StreamDetector,
        settings::{Grouping, Numbers, Original, Stream},
    };
    let base = Settings::default;
    let stream = |stream: Stream| Settings { stream, ..base() };
    for (settings, on_collection, on_stream) in [
        (base(), None, None),
        (Settings { original: Some(Original::Longest), ..base() }, None, Some("original")),
        (Settings { original: Some(Original::First), ..base() }, None, None),
        (Settings { grouping: Some(Grouping::Chain), ..base() }, Some("grouping"), None),
        (Settings { numbers: Numbers::Guard, ..base() }, Some("numbers"), None),
        (Settings { matcher: Some(Matcher::Bits { bits: 64 }), ..base() }, None, Some("matcher")),
        (Settings { matcher: Some(Matcher::Bands(Bands::default())), ..base() }, None, None),
        (
            Settings { matcher: Some(Matcher::Collisions(Default::default())), ..base() },
            Some("matcher"),
            None,
        ),
        // What the table of the stream says counts there, and only there.
        (
            stream(Stream { original: Some(Original::Longest), ..Stream::default() }),
            None,
            Some("original"),
        ),
        (stream(Stream { grouping: Some(Grouping::Chain), ..Stream::default() }), None, None),
        (
            Settings {
                original: Some(Original::Longest),
                ..stream(Stream { original: Some(Original::Earliest), ..Stream::default() })
            },
            None,
            None,
        ),
    ] {
        let refused = |error: Option<SettingsError>| match error {
            Some(SettingsError::NotOnCollection { setting, .. })
            | Some(SettingsError::NotOnStream { setting, .. }) => Some(setting),
            Some(other) => panic!("{other}"),
            None => None,
        };
        let said = refused(Detector::new(settings.clone()).err());
        assert_eq!(said, on_collection, "{settings:?}");
        let said = refused(StreamDetector::new(settings.clone()).err());
        assert_eq!(said, on_stream, "{settings:?}");
    }
}
