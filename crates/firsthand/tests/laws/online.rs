//! The stream: one story after another.

use super::stream::{self, HOUR, day, letters, online, stream};
use firsthand::{
    Document, Settings,
    online::{Answer, Memory, Online, Verdict},
    settings::{Grouping, Numbers, Original, Stream, Threshold},
};

/// Answers in brief: `original`, `duplicate of a`, `duplicate of a via b`.
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
    let answers = stream(&Settings::method("nrc").unwrap(), &documents);
    let expected = ["original", "duplicate of 1", "original", "duplicate of 1", "original"];
    assert_eq!(said(&answers), expected);
    let scores: Vec<Option<String>> =
        answers.iter().map(|answer| answer.score.map(|score| format!("{score:.2}"))).collect();
    assert_eq!(scores[1].as_deref(), Some("0.79"));
    assert_eq!(scores[3].as_deref(), Some("0.33"));
}

#[test]
fn the_policies_differ_in_chains() {
    // Each is near the next, and the first is near the second only.
    let documents =
        [words("a", "abcdef"), words("b", "cdefgh"), words("c", "efghij"), words("d", "ghijkl")];
    let with = |policy| {
        let base = letters(&Settings::default());
        let online = Stream { grouping: Some(policy), ..base.stream.clone() };
        said(&stream(&Settings { stream: online, ..base }, &documents))
    };
    let star = ["original", "duplicate of a", "duplicate of a via b", "original"];
    assert_eq!(with(Grouping::Star), star);
    let chain = ["original", "duplicate of a", "duplicate of a via b", "duplicate of a via c"];
    assert_eq!(with(Grouping::Chain), chain);
    assert_eq!(with(Grouping::Component), chain);
}

#[test]
fn a_component_joins_what_a_document_connects() {
    let documents =
        [words("a", "abcd"), words("b", "wxyz"), words("c", "abcdwxyz"), words("d", "wxyzv")];
    let with = |policy| {
        let base = letters(&Settings::default());
        let online = Stream { grouping: Some(policy), ..base.stream.clone() };
        said(&stream(&Settings { stream: online, ..base }, &documents))
    };
    assert_eq!(with(Grouping::Chain)[3], "duplicate of b");
    assert_eq!(with(Grouping::Component)[3], "duplicate of a via b");
}

#[test]
fn the_same_document_gets_the_same_answer_and_a_changed_one_a_new() {
    let settings = letters(&Settings::default());
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
    assert_eq!(said(&stream(&settings, &documents)), expected);
}

#[test]
fn deleting_an_original_makes_its_earliest_copy_one() {
    let (detector, mut online) = online(&letters(&Settings::default()));
    let add = |online: &mut Online<Memory>, document: Document| {
        said(&online.add(&[stream::arrival(&detector, &document)]).unwrap()).remove(0)
    };
    add(&mut online, words("a", "abcdef"));
    add(&mut online, words("b", "abcdeg"));
    add(&mut online, words("c", "abcdeh"));
    let deleted = online.upkeep().delete("a").unwrap().unwrap();
    assert_eq!(deleted.promoted.as_deref(), Some("b"));
    assert_eq!(online.upkeep().delete("a").unwrap(), None);
    assert_eq!(add(&mut online, words("d", "abcdef")), "duplicate of b");
    // Earlier answers do not name it any more.
    assert_eq!(add(&mut online, words("c", "abcdeh")), "duplicate of b repeated");
    // The deleted document may come again.
    assert_eq!(add(&mut online, words("a", "abcdef")), "duplicate of b");
    let (exported, _) = online.upkeep().export(0, 100).unwrap();
    let ids: Vec<_> = exported.iter().map(|e| e.answer.id.clone().unwrap()).collect();
    assert_eq!(ids, ["b", "c", "d", "a"]);
}

fn at(hours: f64, document: Document) -> Document {
    Document { time: Some((hours * HOUR as f64) as i64), ..document }
}

#[test]
fn a_window_of_a_day_ends_to_the_minute() {
    let settings = day(letters(&Settings::default()));
    let minute = 1.0 / 60.0;
    let documents = [
        at(0.0, words("a", "abcdef")),
        at(24.0, words("b", "abcdef")),
        at(24.0 + minute, words("c", "uvwxyz")),
        at(48.0 + 2.0 * minute, words("d", "uvwxyz")),
        at(48.0, words("e", "abcdef")),
    ];
    let expected = ["original", "duplicate of a", "original", "original", "duplicate of b"];
    assert_eq!(said(&stream(&settings, &documents)), expected);
}

#[test]
fn late_documents_look_both_ways() {
    let first = letters(&Settings::default());
    let earliest = Settings {
        stream: Stream { original: Some(Original::Earliest), ..first.stream.clone() },
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
    let settings = day(letters(&Settings::default()));
    let (detector, mut online) = online(&settings);
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
        online.add(&[stream::arrival(&detector, &document)]).unwrap();
        most = most.max(online.upkeep().holdings().unwrap().documents);
    }
    let holdings = online.upkeep().holdings().unwrap();
    // A day, up to five hours more of a document a minute, and a few from the future.
    assert!(most < 29 * 60 + 60, "{most}");
    assert!(holdings.documents > 24 * 60, "{holdings:?}");
    assert!(holdings.buckets < 35, "{holdings:?}");
    assert!(holdings.late > 0);
}

#[test]
fn a_window_bounded_by_documents_says_what_it_gave_up() {
    let mut settings = letters(&Settings::default());
    settings.stream.window.documents = Some(240);
    let (detector, mut online) = online(&settings);
    for number in 0..1000 {
        let text: Vec<String> = (0..6).map(|at| format!("w{}", number * 6 + at)).collect();
        let document = Document::new(number.to_string(), text.join(" "));
        online.add(&[stream::arrival(&detector, &document)]).unwrap();
        assert!(online.upkeep().holdings().unwrap().documents <= 240);
    }
    let holdings = online.upkeep().holdings().unwrap();
    assert_eq!(holdings.documents + holdings.given_up, 1000);
    assert!(holdings.documents > 220);
}

#[test]
fn numbers_can_be_ignored() {
    let text = |n: &str| format!("about {n} people came to the harbour and waited for the ferry");
    let documents = [Document::new("a", text("1,200")), Document::new("b", text("75"))];
    let with = |numbers| {
        let settings =
            Settings { threshold: Threshold::new(1, 1).unwrap(), numbers, ..Settings::default() };
        stream(&settings, &documents).pop().unwrap()
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
    let answers = stream(&Settings::default(), &documents);
    assert_eq!(said(&answers), ["original", "original", "original", "duplicate of 3"]);
}

#[test]
fn a_page_of_nothing_but_form_still_matches_its_next_crawl() {
    let page = |id: String, town: &str| {
        let text = format!(
            "The report of the weather on the coast is made every morning by the office.\n\
             We measure the wind and the rain at the lamp on the quay of the old town.\nIn {town}"
        );
        Document {
            host: Some("weather.example".to_owned()),
            title: Some(town.to_owned()),
            ..Document::new(id, text)
        }
    };
    let towns =
        ["Alder", "Birch", "Cedar", "Dorset", "Elmton", "Farrow", "Gorse", "Hazel", "Ivydale"];
    let again = |(town, id): (&&str, &str)| page(id.to_owned(), town);
    let documents: Vec<Document> = towns
        .iter()
        .map(|town| page((*town).to_owned(), town))
        // Both the first page, judged before the frame was known, and one judged after.
        .chain([(&towns[0], "first again"), (&towns[8], "last again")].map(again))
        .collect();
    let answers = stream(&Settings::default(), &documents);
    let last = &answers[8];
    assert_eq!((last.verdict, last.nothing_but_form), (Verdict::TooShort, true), "{last:?}");
    assert_eq!(said(&answers[9..]), ["duplicate of Alder", "duplicate of Ivydale"]);
    assert!(answers[9..].iter().all(|answer| answer.exact && !answer.nothing_but_form));
    // A short text of its own is short, not form.
    let short = stream(&Settings::default(), &[Document::new("a", "No news")]);
    assert_eq!((short[0].verdict, short[0].nothing_but_form), (Verdict::TooShort, false));
}

#[test]
fn a_key_that_everyone_has_is_capped_and_counted() {
    // Documents that share nine tenths of their words with a thousand others, at a threshold above.
    let settings = Settings {
        threshold: Threshold::new(95, 100).unwrap(),
        stream: Stream::default(),
        ..letters(&Settings::default())
    };
    let (detector, mut online) = online(&settings);
    for number in 0..1000 {
        let text: Vec<String> = (0..90)
            .map(|at| format!("common{at}"))
            .chain((0..10).map(|at| format!("own{number}x{at}")))
            .collect();
        let document = Document::new(number.to_string(), text.join(" "));
        let answer = online.add(&[stream::arrival(&detector, &document)]).unwrap().remove(0);
        assert_eq!(answer.verdict, Verdict::Original);
    }
    assert!(online.upkeep().holdings().unwrap().capped > 0);
}
