//! Clusters that are formed without a list of all pairs are those that all pairs give.

use firsthand::collections::{Cluster, Collection, Signed, group};
use firsthand::matcher::SearchLimits;
use firsthand::settings::{
    Bands, Confirm, Grouping, Matcher, Measure, Original, Scheme, Weighting,
};
use firsthand::{Detector, Document, Settings};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Documents of a few words each, many of them nearly the same.
fn documents() -> impl Strategy<Value = Vec<Document>> {
    let words = prop::collection::vec(0u8..12, 1..9);
    let document = (words, prop::option::of(0i64..4));
    prop::collection::vec(document, 2..40).prop_map(|documents| {
        let documents = documents.into_iter().enumerate();
        documents
            .map(|(at, (words, time))| {
                let text: Vec<String> = words.iter().map(|word| format!("word{word}")).collect();
                Document { time, ..Document::new(at.to_string(), text.join(" ")) }
            })
            .collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let matchers = prop_oneof![
        Just(Matcher::Exact),
        Just(Matcher::Bands(Bands { bands: Some(6), rows: Some(2), ..Bands::default() })),
        Just(Matcher::Sketch { hashes: 12, group: 1 }),
        Just(Matcher::Bits { bits: 64 }),
    ];
    let measures = prop::sample::select(vec![
        Measure::Jaccard,
        Measure::Cosine,
        Measure::Dice,
        Measure::Containment,
    ]);
    let originals = prop::sample::select(vec![
        Original::Earliest,
        Original::Latest,
        Original::Longest,
        Original::First,
    ]);
    let confirms = prop::option::of((prop::sample::select(vec![64, 128]), 4u8..10));
    (matchers, measures, originals, 3u8..10, any::<bool>(), confirms).prop_map(
        |(matcher, measure, original, tenths, weighted, confirm)| {
            let tenths_of = |tenths: u8| format!("{tenths}/10").parse().unwrap();
            let is_weighted = weighted && matcher == Matcher::Exact;
            let measure = if is_weighted { Measure::Cosine } else { measure };
            Settings {
                matcher: Some(matcher),
                measure,
                original: Some(original),
                threshold: tenths_of(tenths),
                confirm: confirm
                    .map(|(bits, tenths)| Confirm { bits, threshold: tenths_of(tenths) }),
                weights: if is_weighted { Weighting::TfIdf } else { Weighting::Equal },
                scheme: Scheme::Words { n: 1 },
                min_features: 1,
                template: false,
                ..Settings::default()
            }
        },
    )
}

/// By all pairs, and without them.
fn both(collection: &Collection) -> [Vec<Cluster>; 2] {
    let (all, _) = collection.matches().unwrap();
    assert!(all.is_complete());
    let none = SearchLimits { pairs: 0, ..SearchLimits::default() };
    let (few, _) = collection.near_duplicates(none);
    [group(collection, &all), group(collection, &few)]
}

fn signed(settings: &Settings, documents: Vec<Document>) -> Signed {
    let detector = Detector::new(settings.clone()).unwrap();
    Signed::new(&detector, [documents].into_iter(), |batch| batch)
}

/// Which documents are together, and their original.
fn partition(clusters: &[Cluster]) -> Vec<(usize, Vec<usize>)> {
    let members = |cluster: &Cluster| {
        let mut members: Vec<_> = cluster.members.iter().map(|member| member.document).collect();
        members.sort_unstable();
        (cluster.original, members)
    };
    clusters.iter().map(members).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn stars_are_the_same(settings in settings(), documents in documents()) {
        prop_assume!(settings.check_collection().is_ok());
        let [all, few] = both(&Collection::new(signed(&settings, documents)));
        prop_assert_eq!(all, few);
    }

    #[test]
    fn components_have_the_same_documents(settings in settings(), documents in documents()) {
        let settings = Settings { grouping: Some(Grouping::Component), ..settings };
        prop_assume!(settings.check_collection().is_ok());
        let [all, few] = both(&Collection::new(signed(&settings, documents)));
        prop_assert_eq!(partition(&all), partition(&few));
        // Whoever is near to the original is listed so, with the same score.
        for (all, few) in all.iter().zip(&few) {
            for member in all.members.iter().filter(|member| member.via.is_none()) {
                prop_assert!(few.members.contains(member), "{:?} {:?}", all, few);
            }
        }
    }

    #[test]
    fn new_documents_join_the_same(settings in settings(), documents in documents(), split in 1usize..20) {
        prop_assume!(settings.check_collection().is_ok() && split < documents.len());
        let (old, new) = documents.split_at(split);
        let (old, new) = (signed(&settings, old.to_vec()), signed(&settings, new.to_vec()));
        let [all, few] = both(&Collection::against(old, new).unwrap());
        prop_assert_eq!(all, few);
    }
}

/// A text of a campaign, each with a word of its own.
fn campaign(texts: usize) -> Vec<Document> {
    let text = "The ferry to the island will not sail today because of the storm in the north, and \
                all of the passengers are asked to wait at the old harbour until the morning of the";
    let text = |at: usize| Document::new(at.to_string(), format!("{text} day {at} of May"));
    (0..texts).map(text).collect()
}

#[test]
fn a_campaign_of_many_texts_takes_a_comparison_each() {
    let settings = Settings { template: false, ..Settings::default() };
    let documents = campaign(20_000);
    let collection = Collection::new(signed(&settings, documents));
    let limits = SearchLimits { pairs: 100_000, ..SearchLimits::default() };
    let (pairs, cost) = collection.near_duplicates(limits);
    assert!(!pairs.is_complete());
    assert_eq!((pairs.count(), cost.verified), (19_999, 19_999));
    let clusters = group(&collection, &pairs);
    assert_eq!((clusters.len(), clusters[0].members.len()), (1, 20_000));
}

#[test]
fn a_campaign_is_found_whole_under_a_second_check() {
    // All of them have the same few fingerprints, and differ in the bits of the second check.
    let settings = Settings {
        confirm: Some(Confirm { bits: 128, threshold: "0.6".parse().unwrap() }),
        matcher: Some(Matcher::Sketch { hashes: 8, group: 1 }),
        threshold: "0.4".parse().unwrap(),
        template: false,
        ..Settings::default()
    };
    let collection = Collection::new(signed(&settings, campaign(5_000)));
    let limits = SearchLimits { pairs: 100_000, ..SearchLimits::default() };
    let (pairs, _) = collection.near_duplicates(limits);
    assert_eq!((pairs.is_complete(), pairs.count()), (false, 4_999));
    let clusters = group(&collection, &pairs);
    assert_eq!((clusters.len(), clusters[0].members.len()), (1, 5_000));
}

#[test]
fn a_second_check_can_be_stopped() {
    let settings = Settings {
        confirm: Some(Confirm { bits: 128, threshold: "0.6".parse().unwrap() }),
        matcher: Some(Matcher::Sketch { hashes: 2, group: 1 }),
        threshold: "0.5".parse().unwrap(),
        template: false,
        ..Settings::default()
    };
    let collection = Collection::new(signed(&settings, campaign(1_000)));
    // Equal sketches are found at once; what takes long is to check every two of their texts.
    let asked = AtomicUsize::new(0);
    let go_on = |_: f64| asked.fetch_add(1, Relaxed) < 300;
    let (some, _) =
        collection.near_duplicates(SearchLimits { go_on: &go_on, ..SearchLimits::default() });
    let (all, _) = collection.matches().unwrap();
    assert!(some.is_complete() && 0 < some.count() && some.count() < all.count());
}

#[test]
fn a_search_that_is_stopped_has_what_it_found() {
    let scheme = Scheme::Words { n: 1 };
    let settings = Settings { template: false, min_features: 1, scheme, ..Settings::default() };
    let text = |at: usize| {
        let words = ["ferry", "island", "storm", "north", "harbour"];
        let words = words.map(|word| format!("{word}{}", at / 2));
        format!("{} {at}", words.join(" "))
    };
    let documents: Vec<Document> =
        (0..4_000).map(|at| Document::new(at.to_string(), text(at))).collect();
    let collection = Collection::new(signed(&settings, documents));
    let stop = SearchLimits { go_on: &|share| share < 0.5, ..SearchLimits::default() };
    let (some, _) = collection.near_duplicates(stop);
    let (all, _) = collection.matches().unwrap();
    assert!(some.count() < all.count(), "{} of {}", some.count(), all.count());
    assert!(some.iter().all(|pair| all.get(pair.a, pair.b) == Some(pair)));
}
