//! The stream: one story after another, and laws against brute force.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use firsthand::{
    Collection, Config, Detector, Document, Measure, Scheme, Signed, Threshold,
    online::{
        Answer, Arrival, Index, Memory, Naming, Numbers, Online, OnlineSettings, Policy, Store,
        Verdict, Window,
    },
};
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;

fn online(config: &Config) -> (Detector, Online<Memory>) {
    config.check_online().unwrap();
    let detector = Detector::new(config.clone()).unwrap();
    (detector.clone(), Online::new(detector, Memory::new()))
}

fn arrivals(detector: &Detector, documents: &[Document]) -> Vec<Arrival> {
    documents.iter().map(|document| Arrival::new(detector, document, 0)).collect()
}

fn stream(config: &Config, documents: &[Document]) -> Vec<Answer> {
    let (detector, mut online) = online(config);
    let arrivals = arrivals(&detector, documents);
    online.add(&arrivals).unwrap()
}

/// Answers in short: `original`, `duplicate of a`, `duplicate of a via b`.
fn said(answers: &[Answer]) -> Vec<String> {
    answers
        .iter()
        .map(|answer| {
            let mut said = serde_name(answer.verdict).to_owned();
            if let Some(original) = &answer.original {
                said += &format!(" of {original}");
            }
            if let Some(via) = &answer.via {
                said += &format!(" via {via}");
            }
            if let Some(replaces) = &answer.replaces {
                said += &format!(" instead of {replaces}");
            }
            if answer.repeated {
                said += " repeated";
            }
            said
        })
        .collect()
}

fn serde_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Original => "original",
        Verdict::Duplicate => "duplicate",
        Verdict::Update => "update",
        Verdict::TooShort => "too short",
        Verdict::Error => "error",
    }
}

/// Sets of words as documents: `a b c` is the text, each letter a word.
fn letters(config: &Config) -> Config {
    Config {
        scheme: Scheme::Words { n: 1 },
        measure: Measure::Jaccard,
        threshold: Threshold::new(1, 2).unwrap(),
        multiset: false,
        template: false,
        min_features: 1,
        online: OnlineSettings { index: Index::Exact, ..config.online.clone() },
        ..config.clone()
    }
}

fn words(id: &str, text: &str) -> Document {
    let text: Vec<String> = text.chars().map(|c| format!("word{c}")).collect();
    Document::new(id, text.join(" "))
}

#[test]
fn the_capybaras_of_the_paper() {
    // The sentences of Rodier and Carter's Table 1, with its verdicts.
    let documents = [
        "A couple of capricious capybaras chatted coolly by the cactus, curiously considering \
         another capy capably chewing on cantaloupe",
        "A pair of capricious capybaras chatted coolly by the cactus, curiously considering another \
         capy capably chewing",
        "Yesterday, a pair of capricious pigeons prattled placidly by the cactus, curiously \
         considering another pigeon capably pecking at cantaloupe",
        "The pair of capricious capybaras chatted placidly by the cactus, curiously pondering \
         another capy capably chewing on cantaloupe",
        "The lazy llama lightly limped through the lilacs, laboriously longing for a lozenge",
    ];
    let documents: Vec<Document> =
        (1..).zip(documents).map(|(id, text)| Document::new(id.to_string(), text)).collect();
    let answers = stream(&Config::method("nrc").unwrap(), &documents);
    let expected = ["original", "duplicate of 1", "original", "duplicate of 1", "original"];
    assert_eq!(said(&answers), expected);
    let scores: Vec<Option<String>> =
        answers.iter().map(|answer| answer.score.map(|score| format!("{score:.2}"))).collect();
    assert_eq!(scores[1].as_deref(), Some("0.79"));
    assert_eq!(scores[3].as_deref(), Some("0.33"));
}

#[test]
fn the_policies_differ_in_chains() {
    // Each is near the next, and the first near the second only.
    let documents =
        [words("a", "abcdef"), words("b", "cdefgh"), words("c", "efghij"), words("d", "ghijkl")];
    let with = |policy| {
        let base = letters(&Config::default());
        let online = OnlineSettings { policy, ..base.online.clone() };
        said(&stream(&Config { online, ..base }, &documents))
    };
    let star = ["original", "duplicate of a", "duplicate of a via b", "original"];
    assert_eq!(with(Policy::Star), star);
    let chain = ["original", "duplicate of a", "duplicate of a via b", "duplicate of a via c"];
    assert_eq!(with(Policy::Chain), chain);
    assert_eq!(with(Policy::Component), chain);
}

#[test]
fn a_component_joins_what_a_document_connects() {
    let documents =
        [words("a", "abcd"), words("b", "wxyz"), words("c", "abcdwxyz"), words("d", "wxyzv")];
    let with = |policy| {
        let base = letters(&Config::default());
        let online = OnlineSettings { policy, ..base.online.clone() };
        said(&stream(&Config { online, ..base }, &documents))
    };
    assert_eq!(with(Policy::Chain)[3], "duplicate of b");
    assert_eq!(with(Policy::Component)[3], "duplicate of a via b");
}

#[test]
fn the_same_document_gets_the_same_answer_and_a_changed_one_a_new() {
    let config = letters(&Config::default());
    let documents = [
        words("a", "abcdef"),
        words("b", "abcdeg"),
        words("b", "abcdeg"),
        words("a", "abcdef"),
        // The original changes: its copy takes its place.
        words("a", "uvwxyz"),
        words("c", "abcdeh"),
        words("a", "uvwxyz"),
        // And back again.
        words("a", "abcdef"),
        words("d", "abcdef"),
    ];
    let expected = [
        "original",
        "duplicate of a",
        "duplicate of a repeated",
        "original repeated",
        "original",
        "duplicate of b",
        "original repeated",
        "duplicate of b",
        "duplicate of b",
    ];
    assert_eq!(said(&stream(&config, &documents)), expected);
}

#[test]
fn deleting_an_original_makes_its_earliest_copy_one() {
    let (detector, mut online) = online(&letters(&Config::default()));
    let add = |online: &mut Online<Memory>, document: Document| {
        said(&online.add(&[Arrival::new(&detector, &document, 0)]).unwrap()).remove(0)
    };
    add(&mut online, words("a", "abcdef"));
    add(&mut online, words("b", "abcdeg"));
    add(&mut online, words("c", "abcdeh"));
    let deleted = online.delete("a").unwrap().unwrap();
    assert_eq!(deleted.promoted.as_deref(), Some("b"));
    assert_eq!(online.delete("a").unwrap(), None);
    assert_eq!(add(&mut online, words("d", "abcdef")), "duplicate of b");
    // What was said stands.
    assert_eq!(add(&mut online, words("c", "abcdeh")), "duplicate of a repeated");
    // The deleted document may come again.
    assert_eq!(add(&mut online, words("a", "abcdef")), "duplicate of b");
    let (exported, _) = online.export(0, 100).unwrap();
    let ids: Vec<_> = exported.iter().map(|e| e.answer.id.clone().unwrap()).collect();
    assert_eq!(ids, ["b", "c", "d", "a"]);
}

fn at(hours: f64, document: Document) -> Document {
    Document { time: Some((hours * HOUR as f64) as i64), ..document }
}

fn day(base: Config) -> Config {
    let window = Window { milliseconds: Some(24 * HOUR), ..Window::default() };
    Config { online: OnlineSettings { window, ..base.online.clone() }, ..base }
}

#[test]
fn a_window_of_a_day_ends_to_the_minute() {
    let config = day(letters(&Config::default()));
    let minute = 1.0 / 60.0;
    let documents = [
        at(0.0, words("a", "abcdef")),
        at(24.0, words("b", "abcdef")),
        at(24.0 + minute, words("c", "uvwxyz")),
        at(48.0 + 2.0 * minute, words("d", "uvwxyz")),
        at(48.0, words("e", "abcdef")),
    ];
    let expected = ["original", "duplicate of a", "original", "original", "duplicate of b"];
    assert_eq!(said(&stream(&config, &documents)), expected);
}

#[test]
fn late_documents_look_both_ways() {
    let first = letters(&Config::default());
    let earliest = Config {
        online: OnlineSettings { naming: Naming::Earliest, ..first.online.clone() },
        ..first.clone()
    };
    let documents = [
        at(30.0, words("a", "abcdef")),
        at(10.0, words("b", "abcdeg")),
        at(31.0, words("c", "abcdef")),
    ];
    let answers = said(&stream(&day(first), &documents));
    assert_eq!(answers, ["original", "duplicate of a", "duplicate of a"]);
    let answers = said(&stream(&day(earliest), &documents));
    assert_eq!(answers, ["original", "original instead of a", "duplicate of b"]);
}

#[test]
fn memory_stays_flat_over_three_days_and_a_wrong_clock_does_no_harm() {
    let config = day(letters(&Config::default()));
    let (detector, mut online) = online(&config);
    let mut most = 0;
    for minute in 0..72 * 60i64 {
        let text: Vec<String> = (0..6).map(|at| format!("w{}", minute * 6 + at)).collect();
        let mut document = Document::new(minute.to_string(), text.join(" "));
        // Now and then a source is ten days ahead, or forty years behind.
        document.time = Some(match minute % 97 {
            13 => minute * 60_000 + 240 * HOUR,
            14 => minute * 60_000 - 350_000 * HOUR,
            _ => minute * 60_000,
        });
        online.add(&[Arrival::new(&detector, &document, 0)]).unwrap();
        most = most.max(online.holdings().unwrap().documents);
    }
    let holdings = online.holdings().unwrap();
    // A day, up to five hours more of a document a minute, and a few from the future.
    assert!(most < 29 * 60 + 60, "{most}");
    assert!(holdings.documents > 24 * 60, "{holdings:?}");
    assert!(holdings.buckets < 35, "{holdings:?}");
    assert!(holdings.late > 0);
}

#[test]
fn a_window_bounded_by_documents_says_what_it_gave_up() {
    let mut config = letters(&Config::default());
    config.online.window.documents = Some(240);
    let (detector, mut online) = online(&config);
    for number in 0..1000 {
        let text: Vec<String> = (0..6).map(|at| format!("w{}", number * 6 + at)).collect();
        let document = Document::new(number.to_string(), text.join(" "));
        online.add(&[Arrival::new(&detector, &document, 0)]).unwrap();
        assert!(online.holdings().unwrap().documents <= 240);
    }
    let holdings = online.holdings().unwrap();
    assert_eq!(holdings.documents + holdings.given_up, 1000);
    assert!(holdings.documents > 220);
}

#[test]
fn numbers_may_mean_nothing() {
    let text = |n: &str| format!("about {n} people came to the harbour and waited for the ferry");
    let documents = [Document::new("a", text("1,200")), Document::new("b", text("75"))];
    let with = |numbers| {
        let config =
            Config { threshold: Threshold::new(1, 1).unwrap(), numbers, ..Config::default() };
        stream(&config, &documents).pop().unwrap()
    };
    assert_eq!(with(Numbers::Plain).verdict, Verdict::Original);
    let ignored = with(Numbers::Ignore);
    assert_eq!((ignored.verdict, ignored.exact), (Verdict::Duplicate, true));
}

#[test]
fn the_frame_of_a_new_site_makes_no_copies() {
    let page = |id: &str, story: &str| {
        let frame = "the best of the news from all over the island for you every day of the week\n\
                     sign up for the letter of the editor and read it with a cup of tea\n";
        let end = "\nall of the rights to the text on this page are with the owner of the paper";
        Document {
            host: Some("island.example".to_owned()),
            title: Some(story.split(' ').skip(1).take(4).collect::<Vec<_>>().join(" ")),
            ..Document::new(id, format!("{frame}{story}{end}"))
        }
    };
    let documents = [
        page(
            "1",
            "the ferry will not sail because of the storm in the bay and the wind of the night",
        ),
        page("2", "a bridge to the mainland is to be built in the spring by a firm from the south"),
        page(
            "3",
            "the mayor of the town was elected with a large majority of the votes of the old",
        ),
        page(
            "4",
            "the mayor of the town was elected with a large majority of the votes of the young",
        ),
    ];
    let answers = stream(&Config::default(), &documents);
    assert_eq!(said(&answers), ["original", "original", "original", "duplicate of 3"]);
}

#[test]
fn a_key_that_everyone_has_is_capped_and_counted() {
    // Documents that share nine tenths of their words with a thousand others, at a threshold above.
    let config = Config {
        threshold: Threshold::new(95, 100).unwrap(),
        online: OnlineSettings::default(),
        ..letters(&Config::default())
    };
    let (detector, mut online) = online(&config);
    for number in 0..1000 {
        let text: Vec<String> = (0..90)
            .map(|at| format!("common{at}"))
            .chain((0..10).map(|at| format!("own{number}x{at}")))
            .collect();
        let document = Document::new(number.to_string(), text.join(" "));
        let answer = online.add(&[Arrival::new(&detector, &document, 0)]).unwrap().remove(0);
        assert_eq!(answer.verdict, Verdict::Original);
    }
    assert!(online.holdings().unwrap().capped > 0);
}

/// Documents over few words, so that many are near one another.
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
fn similarities(config: &Config, documents: &[Document]) -> impl Fn(usize, usize) -> f64 {
    let detector = Detector::new(config.clone()).unwrap();
    let batches = documents.chunks(16).map(<[Document]>::to_vec).collect::<Vec<_>>();
    let signed = Signed::new(&detector, batches.into_iter(), |batch| batch);
    let collection = Collection::new(&detector, signed);
    move |a, b| collection.similarity(&detector, a, b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// DDD in a window equals a comparison with every document in it.
    #[test]
    fn ddd_is_brute_force(mut documents in collections(), late in 0i64..2 * HOUR) {
        // In the order of time, but for some that are late.
        let order = |(at, document): &(usize, Document)| {
            document.time.unwrap() + if at % 3 == 0 { late } else { 0 }
        };
        let mut order: Vec<_> = documents.drain(..).enumerate().map(|d| (order(&d), d.1)).collect();
        order.sort_by_key(|(arrival, _)| *arrival);
        let documents: Vec<Document> = (0..)
            .zip(order)
            .map(|(at, (_, document))| Document { id: format!("{at}"), ..document })
            .collect();
        let config = Config::method("ddd").unwrap();
        let answers = stream(&config, &documents);
        let similarity = similarities(&config, &documents);
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
        let mut config = day(letters(&Config::default()));
        config.template = true;
        if bands {
            config.online.index = Index::default();
        }
        let documents: Vec<Document> = documents
            .into_iter()
            .map(|document| Document { host: Some("site".to_owned()), ..document })
            .collect();
        let whole = stream(&config, &documents);
        let (detector, mut online) = online(&config);
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
        let base = letters(&Config::default());
        let config = Config { threshold: Threshold::new(hundredths, 100).unwrap(), ..base };
        let answers = stream(&config, &documents);
        let report = firsthand::find_duplicates(
            &Detector::new(config.clone()).unwrap(), documents.clone()).unwrap();
        let pairs: Vec<(usize, usize)> = report.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        for (at, answer) in answers.iter().enumerate() {
            let near: Vec<usize> =
                pairs.iter().filter(|pair| pair.1 == at).map(|pair| pair.0).collect();
            let named = answer.via.as_ref().or(answer.original.as_ref());
            match named {
                Some(named) => prop_assert!(near.contains(&named.parse().unwrap()), "{at}"),
                // Only a copy of a copy of a copy is an original all the same.
                None => for other in near {
                    prop_assert!(answers[other].via.is_some(), "{at} {other}");
                },
            }
        }
    }
}

#[test]
fn the_exact_index_finds_all_beyond_the_point_where_its_order_is_frozen() {
    // Two thousand documents: every third is like an earlier one, some just at the threshold.
    let config = letters(&Config::default());
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
    let answers = stream(&config, &documents);
    let detector = Detector::new(config).unwrap();
    let report = firsthand::find_duplicates(&detector, documents).unwrap();
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
    let config = Config {
        threshold: Threshold::new(6, 10).unwrap(),
        online: OnlineSettings::default(),
        ..letters(&Config::default())
    };
    let (detector, mut online) = online(&config);
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
            let answer = online.add(&[Arrival::new(&detector, &document, 0)]).unwrap().remove(0);
            match side {
                "x" => assert_eq!(answer.verdict, Verdict::Original),
                _ => found += usize::from(answer.verdict == Verdict::Duplicate),
            }
        }
    }
    // 0.99 is promised at the threshold; seven deviations below that.
    assert!(found as f64 >= 0.96 * f64::from(pairs), "{found} of {pairs}");
    online.store_mut().begin().unwrap();
}
