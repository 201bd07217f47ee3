//! Whole collections through the public API: what must match, what must not.

use firsthand::{
    Detector, Document, Report, Settings,
    collections::{Collection, Signed, group},
    find_duplicates,
    settings::{Grouping, Original, Scheme},
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn words(n: usize) -> Settings {
    Settings {
        scheme: Scheme::Words { n },
        threshold: "0.8".parse().unwrap(),
        multiset: false,
        min_features: 1,
        ..Settings::default()
    }
}

fn run(settings: Settings, documents: Vec<Document>) -> Report {
    find_duplicates(&Detector::new(settings).unwrap(), documents)
}

fn documents(texts: &[&str]) -> Vec<Document> {
    texts.iter().enumerate().map(|(at, text)| Document::new(format!("d{at:03}"), *text)).collect()
}

fn ids(report: &Report) -> Vec<Vec<String>> {
    let id = |at: usize| report.documents[at].id.clone();
    let members = |cluster: &firsthand::collections::Cluster| {
        cluster.members.iter().map(|member| id(member.document)).collect()
    };
    report.clusters.iter().map(members).collect()
}

/// Each text is 90 % similar to the previous one; after a thousand steps nothing of the first is
/// left.
fn drifting_chain(length: usize) -> Vec<Document> {
    (0..length)
        .map(|at| {
            let text: Vec<String> = (at..at + 20).map(|word| format!("w{word}")).collect();
            let mut document = Document::new(format!("a{at:04}"), text.join(" "));
            document.time = Some(at as i64);
            document
        })
        .collect()
}

#[test]
fn a_drifting_chain_does_not_end_in_one_star() {
    let report = run(words(1), drifting_chain(1000));
    assert!(report.clusters.len() > 100, "{} clusters", report.clusters.len());
    for cluster in &report.clusters {
        for member in &cluster.members {
            let score = report.pairs.get(cluster.original, member.document).unwrap().score;
            assert!(score >= 0.8 && member.via.is_none());
            assert_eq!(score, member.score);
        }
    }
}

#[test]
fn a_component_follows_the_chain_and_says_by_which_member() {
    let report =
        run(Settings { grouping: Some(Grouping::Component), ..words(1) }, drifting_chain(1000));
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].members.len(), 1000);
    let far = report.clusters[0].members.last().unwrap();
    let via = far.via.expect("too far from the original");
    assert_eq!(report.pairs.get(via, far.document).unwrap().score, far.score);
}

#[test]
fn exact_copies_match_however_short_or_tabular() {
    let table = "| 1 | 2 |\n|---|---|\n| 3 | 4 |";
    let texts =
        ["Closed.", table, "CLOSED.", "", "| 1 | 2 | |---|---| | 3 | 4 |", " ", "***", "***"];
    let report = run(Settings::default(), documents(&texts));
    assert_eq!(ids(&report), [["d000", "d002"], ["d001", "d004"], ["d006", "d007"]]);
    assert!(report.pairs.iter().all(|pair| pair.exact && pair.score == 1.0));
    assert!(report.documents[3].short && report.documents[3].length == 0);
}

#[test]
fn short_documents_match_nothing_but_copies() {
    let texts = ["the cat sat down here", "the cat sat down there", "the cat sat down here"];
    let report = run(Settings { min_features: 6, ..words(1) }, documents(&texts));
    assert_eq!(ids(&report), [["d000", "d002"]]);
    let report = run(
        Settings { min_features: 1, threshold: "0.6".parse().unwrap(), ..words(1) },
        documents(&texts),
    );
    assert_eq!(ids(&report)[0].len(), 3);
}

#[test]
fn the_original_is_the_earliest_then_the_longest_then_the_smallest_id() {
    let mut collection = documents(&["a b c d e", "a b c d e f", "a b c d e", "a b c d e"]);
    let original = |collection: &[Document], original| {
        let report = run(Settings { original: Some(original), ..words(1) }, collection.to_vec());
        report.documents[report.clusters[0].original].id.clone()
    };
    assert_eq!(original(&collection, Original::Earliest), "d001");
    collection[3].time = Some(5);
    collection[2].time = Some(7);
    assert_eq!(original(&collection, Original::Earliest), "d003");
    assert_eq!(original(&collection, Original::Latest), "d002");
    assert_eq!(original(&collection, Original::Longest), "d001");
    assert_eq!(original(&collection, Original::First), "d000");
}

#[test]
fn repeated_ids_are_told_apart() {
    let same = |id: &str| Document::new(id, "a b c");
    let report = run(words(1), vec![same("x"), same("x#2"), same("x"), same("x")]);
    let ids: Vec<&str> = report.documents.iter().map(|document| document.id.as_str()).collect();
    assert_eq!(ids, ["x", "x#2", "x#3", "x#4"]);
}

/// A page: the frame of its site around a story.
fn page(id: &str, host: &str, blocks: &[&str]) -> Document {
    Document { host: Some(host.to_owned()), ..Document::new(id, blocks.join("\n")) }
}

const FRAME: &str = "Sign up for the free letter of the paper and have the best stories of the day \
    sent to you each morning before breakfast, and never miss what the town is talking about \
    again, because the editors choose what is worth the time";
const FERRY: [&str; 3] = [
    "The ferry to the northern island will not sail today because the storm is too strong",
    "A spokeswoman for the harbour said the boats would be back as soon as the wind had dropped",
    "The passengers were given a bed for the night in the hall of the school",
];
const BRIDGE: [&str; 3] = [
    "The council has decided to build a new bridge over the river near the old mill",
    "The work will begin in the spring and is to be done within two years of the start",
    "The costs are shared by the county and the railway company that owns the land",
];

#[test]
fn the_frame_of_a_site_is_no_evidence_and_a_story_told_twice_is() {
    let with_frame = |story: &[&'static str]| [&[FRAME][..], story].concat();
    let pages = vec![
        page("ferry-1", "www.paper.example", &with_frame(&FERRY)),
        page("bridge", "paper.example", &with_frame(&BRIDGE)),
        page(
            "ferry-2",
            "paper.example",
            &[&with_frame(&FERRY)[..], &["The advert of the day is for a new kind of soap"]]
                .concat(),
        ),
        page("ferry-3", "other.example", &FERRY),
    ];
    let report = run(Settings::default(), pages.clone());
    let found: BTreeSet<String> = ids(&report).concat().into_iter().collect();
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(found, BTreeSet::from(["ferry-1", "ferry-2", "ferry-3"].map(str::to_owned)));

    // Without templates, the frame alone makes the short stories of one site similar.
    let low =
        Settings { template: false, threshold: "0.1".parse().unwrap(), ..Settings::default() };
    let report = run(low, pages);
    assert!(report.pairs.get(0, 1).is_some());
}

#[test]
fn the_same_text_on_two_sites_is_an_exact_copy_whatever_their_frames() {
    let pages = vec![
        page("a1", "a.example", &[&[FRAME][..], &FERRY].concat()),
        page("a2", "a.example", &[&[FRAME][..], &BRIDGE].concat()),
        page("b1", "b.example", &[&[FRAME][..], &FERRY].concat()),
    ];
    let report = run(Settings::default(), pages);
    assert_eq!(ids(&report), [["a1", "b1"]]);
    assert!(report.pairs.get(0, 2).unwrap().exact);
}

/// A paragraph each in English, German, Arabic and Czech, about different things.
const ENGLISH: &str = "The ferry to the island did not sail on Monday because of the storm, and the harbour was closed \
    until noon. Nobody was hurt, the owner of the ferry said, but two boats were lost in the harbour.";
const GERMAN: &str = "Der Rat der Stadt hat am Abend beschlossen, dass die neue Brücke über den Fluss erst im Frühling \
    gebaut wird, weil das Geld für die Pfeiler noch nicht da ist und der Boden zuerst geprüft werden muss.";
const ARABIC: &str = "أعلنت إدارة المدرسة أن الامتحانات ستبدأ في الأسبوع القادم وأن النتائج ستنشر في نهاية الشهر بعد أن \
    يراجعها المعلمون جميعا في القاعة الكبيرة بجانب المكتبة القديمة";
const CZECH: &str = "Starosta řekl, že náhradní autobusy budou jezdit každou hodinu od hlavního nádraží a že jízdenky \
    zůstanou v platnosti po celý příští týden, než bude trať zase otevřena.";

#[test]
fn a_text_in_two_languages_is_judged_by_all_of_it() {
    for profile in ["archive", "feed", "alert", "corpus"] {
        let settings = Settings::profile(profile).unwrap();
        let detector = Detector::new(settings).unwrap();
        let near = |a: &str, b: &str| firsthand::compare(&detector, a, b).unwrap().near;
        // One paragraph of a quotation does not make them copies, in whatever language it is.
        let [arabic, czech] = [ARABIC, CZECH].map(|text| format!("{text}\n{text} 2\n{ENGLISH}"));
        assert!(!near(&arabic, &czech), "{profile}");
        // The language that prevails flips from version to version; most of the text does not.
        let first = format!("{ENGLISH}\n{ENGLISH} Again.\n{GERMAN}");
        let second = format!("{first} Und der Fluss ist nicht tief.");
        assert!(near(&first, &second), "{profile}");
        assert!(near(&arabic, &format!("{arabic} Said on Monday.")), "{profile}");
    }
}

#[test]
fn new_documents_are_matched_against_a_reference_only() {
    let detector = Detector::new(words(1)).unwrap();
    let sign = |documents: Vec<Document>| Signed::new(&detector, [documents].into_iter(), |d| d);
    let reference = documents(&["a b c d e", "a b c d e", "p q r s t"]);
    let new = documents(&["a b c d e", "x y z u v", "x y z u v", "p q r s t u"]);
    let collection = Collection::against(sign(reference), sign(new)).unwrap();
    let (pairs, _) = collection.matches().unwrap();
    let found: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(found, [(0, 3), (1, 3), (2, 6)]);
    assert_eq!(pairs.count(), 3);
    let clusters = group(&collection, &pairs);
    let members = |at: usize| -> Vec<usize> {
        clusters[at].members.iter().map(|member| member.document).collect()
    };
    assert_eq!((members(0), members(1), clusters.len()), (vec![0, 3], vec![2, 6], 2));
    // The same id may occur on both sides.
    assert_eq!(collection.documents()[0].id, collection.documents()[3].id);
}

#[test]
fn of_a_page_copied_very_often_all_pairs_are_listed_unless_they_are_capped() {
    let copies =
        vec![Document::new("page", "one two three"); firsthand::collections::LARGE_CLASS + 500];
    let report = run(words(1), copies);
    let capped = report.pairs.iter_capped().count();
    assert_eq!(
        capped,
        firsthand::collections::LARGE_CLASS * (firsthand::collections::LARGE_CLASS - 1) / 2 + 500
    );
    assert_eq!(report.pairs.count(), 1500 * 1499 / 2);
    assert_eq!(report.pairs.iter().count() as u64, report.pairs.count());
    assert_eq!(report.clusters[0].members.len(), 1500);
}

#[test]
fn frequency_cuts_leave_features_out() {
    let texts = ["a b c d x", "a b c d y", "a b c d z"];
    let settings = |max| {
        let mut settings = words(1);
        settings.threshold = "0.6".parse().unwrap();
        settings.frequency.max_documents = max;
        settings
    };
    assert_eq!(run(settings(None), documents(&texts)).clusters.len(), 1);
    assert_eq!(run(settings(Some(2)), documents(&texts)).clusters.len(), 0);
    let mut idf = words(1);
    idf.frequency.idf = Some((0.2, 0.85));
    assert_eq!(run(idf, documents(&texts)).documents[0].features, 0);
}

/// The similarity of two bags of words by definition.
fn jaccard(a: &str, b: &str, multiset: bool) -> (u64, u64) {
    let count = |text: &str| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for word in text.split_whitespace() {
            let count = counts.entry(word.to_owned()).or_default();
            *count = if multiset { *count + 1 } else { 1 };
        }
        counts
    };
    let (a, b) = (count(a), count(b));
    let words: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let of = |bag: &BTreeMap<String, u64>, word: &String| bag.get(word).copied().unwrap_or(0);
    let smaller = words.iter().map(|word| of(&a, word).min(of(&b, word))).sum();
    let larger = words.iter().map(|word| of(&a, word).max(of(&b, word))).sum();
    (smaller, larger)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// From texts to pairs, for sets and multi-sets, on one thread and on many: the same as brute
    /// force.
    #[test]
    fn the_whole_way_is_exact(
        texts in prop::collection::vec("[a-d]( [a-d]){0,7}", 1..25),
        multiset in any::<bool>(),
        tenths in 1u64..=10,
    ) {
        let threshold = firsthand::settings::Threshold::new(tenths, 10).unwrap();
        let settings = Settings { multiset, threshold, ..words(1) };
        let mut expected = BTreeSet::new();
        for b in 0..texts.len() {
            for a in 0..b {
                let (smaller, larger) = jaccard(&texts[a], &texts[b], multiset);
                if smaller > 0 && 10 * smaller >= tenths * larger {
                    expected.insert((a, b));
                }
            }
        }
        let collection: Vec<&str> = texts.iter().map(String::as_str).collect();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let report = pool.install(|| run(settings.clone(), documents(&collection)));
            let found: BTreeSet<_> = report.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(report.pairs.count() as usize, expected.len());
            for cluster in &report.clusters {
                for member in &cluster.members[1..] {
                    let pair = (
                        cluster.original.min(member.document),
                        cluster.original.max(member.document),
                    );
                    prop_assert!(expected.contains(&pair));
                }
            }
        }
    }
}
