//! Explanations agree with the collection; passages and phrases repeat the words of the documents.

use super::*;
use crate::Settings;
use crate::lines::LinePart;
use crate::{detector::Detector, pairs::Pairs, settings::Spot, signed::Signed};
use proptest::prelude::*;

fn collect(settings: Settings, documents: &[Document]) -> (Collection, Pairs) {
    let detector = Detector::new(settings).unwrap();
    let signed = Signed::new(&detector, [documents.to_vec()].into_iter(), |batch| batch);
    let collection = Collection::new(signed);
    let (pairs, _) = collection.matches().unwrap();
    (collection, pairs)
}

fn of(settings: Settings, a: &str, b: &str) -> Explanation {
    let documents = [Document::new("a", a), Document::new("b", b)];
    let (collection, _) = collect(settings, &documents);
    explain(&collection, &documents[0], &documents[1]).unwrap()
}

fn shingles(n: usize) -> Settings {
    Settings {
        scheme: Scheme::Words { n },
        threshold: "0.44".parse().unwrap(),
        multiset: true,
        min_features: 3,
        ..Settings::default()
    }
}

/// The words of a text for comparing. Common passages are written as in `a`, so case and obfuscation
/// are ignored.
fn plain(text: &str) -> Vec<String> {
    Folding::of(text, true).1.split_whitespace().map(str::to_lowercase).collect()
}

/// The words that each document has in passages that are not set aside.
fn words(passages: &[Passage]) -> [Vec<String>; 2] {
    let mut words = [Vec::new(), Vec::new()];
    let mut push = |sides: &[usize], text: &str| {
        for &side in sides {
            words[side].extend(plain(text));
        }
    };
    for passage in passages {
        match passage {
            Passage::Same { text } => push(&[0, 1], text),
            Passage::OnlyA { text } => push(&[0], text),
            Passage::OnlyB { text } => push(&[1], text),
            Passage::Changed { pieces } => {
                for piece in pieces {
                    match piece {
                        Piece::Same(text) => push(&[0, 1], text),
                        Piece::A(text) => push(&[0], text),
                        Piece::B(text) => push(&[1], text),
                    }
                }
            }
        }
    }
    words
}

/// The words of a document without the passages set aside.
fn kept(document: &Document, side: &ExplainedDocument, fold: bool) -> Vec<String> {
    let same = |aside: &str, block| aside == block || fold && plain(aside) == plain(block);
    let blocks = document.blocks().filter(|block| !side.aside.iter().any(|text| same(text, block)));
    blocks.flat_map(plain).collect()
}

fn times(phrases: &[Phrase]) -> usize {
    phrases.iter().map(|phrase| phrase.times).sum()
}

/// Everything that must hold for any two documents of a collection.
fn check(collection: &Collection, pairs: &Pairs, documents: &[Document]) {
    for (i, a) in documents.iter().enumerate() {
        for (j, b) in documents.iter().enumerate() {
            if i == j {
                continue;
            }
            let found = explain(collection, a, b).unwrap();
            let matched = pairs.get(i, j);
            let says = (
                matches!(found.verdict, Outcome::ExactCopy | Outcome::NearDuplicate),
                found.verdict == Outcome::ExactCopy,
            );
            assert_eq!(says, (matched.is_some(), matched.is_some_and(|m| m.exact)), "{found:?}");
            if let Some(matched) = matched {
                assert_eq!(found.score, matched.score);
            }
            assert_eq!(times(&found.shared), found.overlap, "{found:?}");
            assert_eq!(times(&found.shared) + times(&found.only_a), found.a.features, "{found:?}");
            assert_eq!(times(&found.shared) + times(&found.only_b), found.b.features, "{found:?}");
            let fold = collection.settings().fold;
            let mut expected = [kept(a, &found.a, fold), kept(b, &found.b, fold)];
            let mut shown = words(&found.passages);
            if found.verdict == Outcome::ExactCopy {
                // Exact copies may differ in lines without words, and are shown as `a` has them.
                let is_word = |word: &String| word.contains(char::is_alphanumeric);
                expected.iter_mut().chain(&mut shown).for_each(|words| words.retain(is_word));
            }
            assert_eq!(shown, expected, "{found:?}");
        }
    }
}

/// Pages of two sites, made of a few passages, so that all kinds of pairs occur.
fn documents() -> impl Strategy<Value = Vec<Document>> {
    const PASSAGES: [&str; 9] = [
        "Home News Sport Weather Subscribe",
        "The ferry to the island will not sail today",
        "THE FERRY to the island will not sail today.",
        "The ferry to the isl\u{200b}and will nоt sail tоdау",
        "A storm has torn the roof off the terminal",
        "The harbour master is to open a new berth",
        "All rights reserved by the paper",
        "---",
        "",
    ];
    let page = (prop::collection::vec(0..PASSAGES.len(), 0..6), 0..3usize);
    prop::collection::vec(page, 2..7).prop_map(|pages| {
        let page = |(at, (passages, site)): (usize, (Vec<usize>, usize))| {
            let text: Vec<&str> = passages.into_iter().map(|passage| PASSAGES[passage]).collect();
            let host = [None, Some("one.example"), Some("two.example")][site].map(str::to_owned);
            Document { host, ..Document::new(format!("{at}"), text.join("\n")) }
        };
        pages.into_iter().enumerate().map(page).collect()
    })
}

proptest! {
    #[test]
    fn explanations_agree_with_the_batch(
        documents in documents(),
        scheme in 0..3usize,
        measure in prop::sample::select(&Measure::ALL[..]),
        percent in 1..=100u64,
        multiset: bool,
        template: bool,
        fold: bool,
        min_features in 0..6usize,
    ) {
        let scheme = match scheme {
            0 => Scheme::Spot(Spot::default()),
            1 => Scheme::Words { n: 2 },
            _ => Scheme::Chars { q: 3 },
        };
        let threshold = Threshold::new(percent, 100).unwrap();
        let settings = Settings {
            scheme, measure, threshold, multiset, min_features, template, fold,
            ..Settings::default()
        };
        let (collection, pairs) = collect(settings, &documents);
        check(&collection, &pairs, &documents);
    }
}

#[test]
fn a_near_duplicate_is_explained() {
    let found =
        of(shingles(2), "one two three four five\nsix seven", "one two three four\nsix seven");
    assert_eq!(found.verdict, Outcome::NearDuplicate);
    assert_eq!(
        found.reason,
        "They share 4 of their 7 shingles: Jaccard 0.571 reaches the threshold 0.44."
    );
    assert_eq!(found.only_a[0].text, "four five");
    assert_eq!(found.only_b[0].text, "four six");
    let pieces = vec![Piece::Same("one two three four ".into()), Piece::A("five".into())];
    let same = Passage::Same { text: "six seven".into() };
    assert_eq!(found.passages, [Passage::Changed { pieces }, same]);
    assert_eq!(found.scores.iter().filter(|score| score.configured).count(), 1);
}

#[test]
fn what_is_missing_is_said() {
    let reason = |a: &str, b: &str| of(shingles(1), a, b).reason;
    assert_eq!(
        reason("one two three four", "one two six seven eight"),
        "They share 2 of their 7 words: Jaccard 0.285 does not reach the threshold 0.44; that \
         would take 3 shared words."
    );
    assert_eq!(
        reason("one two three", "one two three four five six seven eight nine"),
        "They share 3 of their 9 words: Jaccard 0.333 does not reach the threshold 0.44; sets of \
         3 and 9 words cannot reach it."
    );
    assert_eq!(reason("one two three", "four five six"), "They share none of their words.");
    assert_eq!(reason("", "four five six"), "a has no text, and an empty text matches nothing.");
    assert_eq!(
        reason("one two", "one two three"),
        "a has 2 of the 3 words that a comparison needs (setting `min-features`); documents this \
         short match only exact copies, and these two are not."
    );
    assert!(reason("One\ntwo", "one TWO").starts_with("Their texts are identical"));
}

#[test]
fn repetitions_are_counted() {
    let found = of(shingles(1), "go go go stop now", "go go wait now");
    let phrase = |text: &str, times| Phrase { text: text.into(), times, weight: None };
    assert_eq!(found.shared, [phrase("go", 2), phrase("now", 1)]);
    assert_eq!(found.only_a, [phrase("go", 1), phrase("stop", 1)]);
    assert_eq!(found.only_b, [phrase("wait", 1)]);
}

#[test]
fn a_language_without_lists_is_noted() {
    let english = "The ferry to the island will not sail today because of the storm.";
    let spots = Settings { scheme: Scheme::Spot(Spot::default()), ..Settings::default() };
    let found = of(spots, english, "我们在北京大学学习中文和历史");
    assert_eq!((found.a.language, found.b.language), (Some("en"), None));
    assert!(found.notes[0].starts_with("b does not seem"), "{:?}", found.notes);
    let found = of(shingles(2), english, "我们在北京大学学习中文和历史");
    assert!(found.notes.is_empty());
}

#[test]
fn cuts_by_frequency_are_noted() {
    let mut settings = shingles(1);
    settings.frequency.max_documents = Some(1);
    let found = of(settings, "one two three four five", "one two six seven eight");
    assert_eq!((found.overlap, found.a.features), (0, 3));
    assert!(found.notes[0].starts_with("2 words of a are left out"), "{:?}", found.notes);
}

/// Three pages of one site with common furniture, the first of them optionally on another site, too.
fn framed(elsewhere: bool) -> (Explanation, &'static str) {
    let frame = "Subscribe to the Courier for the price of a cup of tea";
    let page = |id: &str, host: &str, story: &str| Document {
        host: Some(host.to_owned()),
        ..Document::new(id, format!("{frame}\n{story}"))
    };
    let ferry = "The ferry to the island will not sail today because of the storm in the north";
    let mut documents = vec![
        page("a", "one.example", ferry),
        page(
            "b",
            "one.example",
            "A cow has been found in the waiting room of the station on the hill",
        ),
        page(
            "c",
            "one.example",
            "The bakers will put the price of bread up in the spring of next year",
        ),
    ];
    if elsewhere {
        documents.push(page("d", "two.example", ferry));
    }
    let (collection, pairs) = collect(shingles(2), &documents);
    check(&collection, &pairs, &documents);
    (explain(&collection, &documents[0], &documents[1]).unwrap(), frame)
}

#[test]
fn furniture_is_set_aside_and_shown() {
    let (found, frame) = framed(false);
    assert_eq!(
        (&*found.a.aside, &*found.b.aside),
        (&[frame.to_owned()][..], &[frame.to_owned()][..])
    );
    let all = found.shared.iter().chain(&found.only_a).chain(&found.only_b);
    assert_eq!(all.filter(|phrase| phrase.text.contains("courier")).count(), 0);
    assert_eq!(found.passages.len(), 2);
}

#[test]
fn what_is_no_furniture_elsewhere_stays() {
    let (found, frame) = framed(true);
    assert!(found.a.aside.is_empty(), "{found:?}");
    assert_eq!(found.b.aside, [frame]);
    assert!(found.passages.contains(&Passage::OnlyA { text: frame.to_owned() }));
}

#[test]
fn disguised_text_is_shown_as_it_is() {
    let plain = "Buy cheap watches here today\nThe offer ends soon";
    let disguised = "Вuу ch\u{200b}eap wаtches here now\nThe оffer ends soon";
    let folding = Settings { fold: true, ..shingles(1) };
    let found = of(folding.clone(), disguised, plain);
    let pieces = vec![
        Piece::Same("Вuу ch\u{200b}eap wаtches here ".into()),
        Piece::A("now".into()),
        Piece::B("today".into()),
    ];
    let same = Passage::Same { text: "The оffer ends soon".into() };
    assert_eq!(found.passages, [Passage::Changed { pieces }, same]);
    assert_eq!((found.overlap, &*found.shared[0].text), (8, "buy"));
    assert_eq!(found.notes.len(), 1);
    assert!(found.notes[0].starts_with("a has invisible characters"), "{found:?}");

    let found = of(folding, plain, &plain.replace('e', "е"));
    assert_eq!(found.verdict, Outcome::ExactCopy);
    assert!(found.reason.ends_with("paragraph breaks and obfuscation."), "{}", found.reason);
    assert!(found.notes[0].starts_with("b has"), "{:?}", found.notes);

    let found = of(shingles(1), disguised, plain);
    assert_eq!((found.overlap, found.notes.len()), (4, 0));
}

#[test]
fn strangers_are_refused() {
    let documents = [Document::new("a", "one two three")];
    let (collection, _) = collect(shingles(1), &documents);
    let error = explain(&collection, &documents[0], &Document::new("z", ""));
    assert!(error.unwrap_err().to_string().contains("\"z\""));
}

/// Pages of one form for ten towns, and the first of them once more.
fn weather() -> Vec<Document> {
    let towns =
        "Alder Birch Cedar Dorset Elmton Farrow Gorse Hazel Ivydale Juniper Alder".split(' ');
    let page = |(at, town): (usize, &str)| Document {
        host: Some("weather.example".to_owned()),
        title: Some(town.to_owned()),
        ..Document::new(
            at.to_string(),
            format!(
                "The report is made every morning by the office in the harbour\n\
                 In {town} the wind is from the west and the air over the hills is mild and dry"
            ),
        )
    };
    towns.enumerate().map(page).collect()
}

#[test]
fn pages_of_one_form_get_no_verdict() {
    let documents = weather();
    let settings = Settings { multiset: false, ..shingles(3) };
    let (collection, pairs) = collect(settings, &documents);
    assert!(collection.documents().iter().all(|document| document.nothing_but_form));
    let found = explain(&collection, &documents[0], &documents[1]).unwrap();
    assert_eq!(found.verdict, Outcome::NothingButForm);
    let starts = "No verdict: nothing but the form is shared. ";
    assert!(found.reason.starts_with(starts), "{}", found.reason);
    assert!(found.reason.contains("a has 2 and b has 2 of the 3 shingles"), "{}", found.reason);
    // Whole passages are set aside as furniture, shingles as form.
    assert_eq!(found.a.aside.len(), 1);
    assert!(found.notes[0].starts_with("14 shingles of a are left out"), "{:?}", found.notes);
    // A page that was read again is an exact copy all the same.
    assert!(pairs.get(0, 10).is_some_and(|pair| pair.exact));
    assert_eq!(pairs.get(0, 1), None);
    let again = explain(&collection, &documents[0], &documents[10]).unwrap();
    assert_eq!(again.verdict, Outcome::ExactCopy);
}

#[test]
fn a_short_text_is_short_and_not_form() {
    let mut documents = weather();
    documents.push(Document::new("short", "No news"));
    documents.push(Document::new("long", "A cow was found in the station and is well again now"));
    let (collection, _) = collect(Settings { multiset: false, ..shingles(3) }, &documents);
    let verdict = |a: usize, b: usize| {
        let found = explain(&collection, &documents[a], &documents[b]).unwrap();
        (found.verdict, found.reason)
    };
    assert_eq!(verdict(11, 12).0, Outcome::TooShort);
    assert_eq!(verdict(0, 11).0, Outcome::TooShort);
    let (of_one, reason) = verdict(0, 12);
    assert_eq!(of_one, Outcome::NothingButForm);
    assert!(reason.starts_with("No verdict: a is nothing but the form of its site."), "{reason}");
}

#[test]
fn what_became_of_every_line() {
    use crate::document::{Rest, RestLine};

    let story = |letter: char| -> String {
        (0..70).map(|number| format!("{letter}{number} ")).collect::<String>().trim().to_owned()
    };
    let page = |id: &str, letter: char| Document {
        host: Some("site.example".to_owned()),
        title: Some(format!("{letter} title")),
        rest: Rest {
            text: format!("Home News\n{}\nAll comments of {letter}", story(letter)),
            lines: [(0, false), (1, false), (1, true)]
                .map(|(before, named)| RestLine { before, named })
                .to_vec(),
        },
        ..Document::new(id, "Read the paper every day\n---")
    };
    let documents = [page("a", 'a'), page("b", 'b'), page("c", 'c')];
    let (collection, _) = collect(shingles(3), &documents);
    let lines = line_fates(&collection, &documents[0]);
    let told: Vec<_> = lines.iter().map(|line| (line.text, line.part, line.fate)).collect();
    let expected = [
        ("Home News", LinePart::Rest, LineFate::Beside),
        ("Read the paper every day", LinePart::Text, LineFate::Furniture),
        (&*story('a'), LinePart::Rest, LineFate::Rescued),
        ("All comments of a", LinePart::Named, LineFate::Beside),
        ("---", LinePart::Text, LineFate::Text),
    ];
    assert_eq!(told, expected);
    let found = explain(&collection, &documents[0], &documents[1]).unwrap();
    assert_eq!(found.a.rescued, [story('a')]);
    assert_eq!(found.a.aside, ["Read the paper every day"]);
    assert_eq!(found.verdict, Outcome::Different);
    assert_eq!(collection.rescued(), 3);

    // Without a site, nothing is known.
    let alone = Document { host: None, ..documents[0].clone() };
    let fates: Vec<_> = line_fates(&collection, &alone).iter().map(|line| line.fate).collect();
    use LineFate::{Beside, Text};
    assert_eq!(fates, [Beside, Text, Beside, Beside, Text]);
}
