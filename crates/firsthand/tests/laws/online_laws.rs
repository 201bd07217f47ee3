//! Laws of the stream, against brute force and against the engine for whole collections.

use super::stream::{self, HOUR, arrivals, day, letters, online, stream};
use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    online::{Store, Verdict},
    settings::{Matcher, Stream, Threshold},
};
use proptest::prelude::*;

/// Documents over few words, so that many are similar.
fn collections() -> impl Strategy<Value = Vec<Document>> {
    let text = prop::collection::vec(0u8..24, 0..12);
    prop::collection::vec((text, 0i64..72), 1..60).prop_map(|documents| {
        let document = |(at, (text, hour)): (usize, (Vec<u8>, i64))| {
            let text: Vec<String> = text.iter().map(|word| format!("w{word}")).collect();
            let time = Some(hour * HOUR);
            Document { time, ..Document::new(at.to_string(), text.join(" ")) }
        };
        documents.into_iter().enumerate().map(document).collect()
    })
}

/// The similarity of all pairs by the batch engine.
fn similarities(settings: &Settings, documents: &[Document]) -> impl Fn(usize, usize) -> f64 {
    let detector = Detector::new(settings.clone()).unwrap();
    let batches = documents.chunks(16).map(<[Document]>::to_vec).collect::<Vec<_>>();
    let signed = Signed::new(&detector, batches.into_iter(), |batch| batch);
    let collection = Collection::new(signed);
    move |a, b| collection.similarity(a, b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// DDD in a window equals a comparison with every document in it.
    #[test]
    fn ddd_is_brute_force(mut documents in collections(), late in 0i64..2 * HOUR) {
        // In order of time, except for some that are late.
        let order = |(at, document): &(usize, Document)| {
            document.time.unwrap() + if at % 3 == 0 { late } else { 0 }
        };
        let mut order: Vec<_> = documents.drain(..).enumerate().map(|d| (order(&d), d.1)).collect();
        order.sort_by_key(|(arrival, _)| *arrival);
        let documents: Vec<Document> = (0..)
            .zip(order)
            .map(|(at, (_, document))| Document { id: format!("{at}"), ..document })
            .collect();
        let settings = Settings::method("ddd").unwrap();
        let answers = stream(&settings, &documents);
        let similarity = similarities(&settings, &documents);
        let near = |a: usize, b: usize| {
            let apart = (documents[a].time.unwrap() - documents[b].time.unwrap()).abs();
            apart <= 24 * HOUR && similarity(a, b) >= 0.7
        };
        for (at, answer) in answers.iter().enumerate() {
            let any = (0..at).any(|other| near(at, other));
            prop_assert_eq!(answer.verdict == Verdict::Duplicate, any, "{} {:?}", at, answer);
            if let Some(named) = answer.via.as_ref().or(answer.original.as_ref()) {
                let named: usize = named.parse().unwrap();
                prop_assert!(near(at, named));
                prop_assert!((answer.score.unwrap() - similarity(at, named)).abs() < 1e-9);
            }
        }
    }

    /// How documents are gathered into rounds changes nothing.
    #[test]
    fn rounds_do_not_matter(documents in collections(), size in 1usize..20, bands in any::<bool>()) {
        let mut settings = day(letters(&Settings::default()));
        settings.template = true;
        if bands {
            settings.stream.matcher = Some(Matcher::of_stream());
        }
        let documents: Vec<Document> = documents
            .into_iter()
            .map(|document| Document { host: Some("site".to_owned()), ..document })
            .collect();
        let whole = stream(&settings, &documents);
        let (detector, mut online) = online(&settings);
        let mut parts = Vec::new();
        for chunk in arrivals(&detector, &documents).chunks(size) {
            // A check says the same, and changes nothing.
            let checked = online.check(&chunk[..1]).unwrap();
            let answers = online.add(chunk).unwrap();
            prop_assert_eq!(&checked[0], &answers[0]);
            parts.extend(answers);
        }
        prop_assert_eq!(whole, parts);
    }

    /// Batch and stream find the same near-duplicates: exactly all.
    #[test]
    fn batch_and_stream_agree(documents in collections(), hundredths in 20u64..100) {
        let base = letters(&Settings::default());
        let settings = Settings { threshold: Threshold::new(hundredths, 100).unwrap(), ..base };
        let answers = stream(&settings, &documents);
        let report = firsthand::find_duplicates(
            &Detector::new(settings.clone()).unwrap(), documents.clone());
        let pairs: Vec<(usize, usize)> = report.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        for (at, answer) in answers.iter().enumerate() {
            let near: Vec<usize> =
                pairs.iter().filter(|pair| pair.1 == at).map(|pair| pair.0).collect();
            let named = answer.via.as_ref().or(answer.original.as_ref());
            match named {
                Some(named) => prop_assert!(near.contains(&named.parse().unwrap()), "{at}"),
                // Only a copy of a copy of a copy may be an original nevertheless.
                None => for other in near {
                    prop_assert!(answers[other].via.is_some(), "{at} {other}");
                },
            }
        }
    }
}

#[test]
fn the_exact_index_finds_all_beyond_the_point_where_its_order_is_frozen() {
    // Two thousand documents: every third is near an earlier one, some just at the threshold.
    let settings = letters(&Settings::default());
    let mut state = 7u64;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut texts: Vec<Vec<u64>> = Vec::new();
    for at in 0..2000u64 {
        let text = match at % 3 {
            2 => {
                let mut text = texts[random(at) as usize].clone();
                for _ in 0..random(12) {
                    let place = random(text.len() as u64) as usize;
                    text[place] = random(3000);
                }
                text
            }
            _ => (0..20 + random(40)).map(|_| random(60) * random(60)).collect(),
        };
        texts.push(text);
    }
    let documents: Vec<Document> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let text: Vec<String> = text.iter().map(|word| format!("w{word}")).collect();
            Document::new(at.to_string(), text.join(" "))
        })
        .collect();
    let answers = stream(&settings, &documents);
    let detector = Detector::new(settings).unwrap();
    let report = firsthand::find_duplicates(&detector, documents);
    let mut has_near = vec![false; answers.len()];
    let mut via = vec![false; answers.len()];
    for (at, answer) in answers.iter().enumerate() {
        via[at] = answer.via.is_some();
    }
    for pair in report.pairs.iter().filter(|pair| !via[pair.a]) {
        has_near[pair.b] = true;
    }
    for (at, answer) in answers.iter().enumerate() {
        if has_near[at] {
            assert_eq!(answer.verdict, Verdict::Duplicate, "{at}");
        }
    }
    assert!(has_near.iter().filter(|near| **near).count() > 300);
}

#[test]
fn bands_keep_their_promise_on_a_stream() {
    // Pairs of documents with a similarity of 0.6 to 0.7 at a threshold of 0.6.
    let settings = Settings {
        threshold: Threshold::new(6, 10).unwrap(),
        stream: Stream::default(),
        ..letters(&Settings::default())
    };
    let (detector, mut online) = online(&settings);
    let pairs = 600;
    let mut found = 0;
    for pair in 0..pairs {
        let text = |side: &str| {
            let shared = (0..40).map(|at| format!("p{pair}s{at}"));
            let own = (0..12).map(|at| format!("p{pair}{side}{at}"));
            shared.chain(own).collect::<Vec<_>>().join(" ")
        };
        for side in ["x", "y"] {
            let document = Document::new(format!("{pair}{side}"), text(side));
            let answer = online.add(&[stream::arrival(&detector, &document)]).unwrap().remove(0);
            match side {
                "x" => assert_eq!(answer.verdict, Verdict::Original),
                _ => found += usize::from(answer.verdict == Verdict::Duplicate),
            }
        }
    }
    // 0.99 is promised at the threshold; seven deviations below that.
    assert!(found as f64 >= 0.96 * f64::from(pairs), "{found} of {pairs}");
    online.upkeep().store_mut().begin().unwrap();
}
