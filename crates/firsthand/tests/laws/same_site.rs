//! Pages of one site: what is asked of them beyond the threshold, on streams and in collections.

use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    explain,
    online::{Memory, Online, StreamDetector, Verdict},
    pages::{AnchorCollector, Rest, RestLine},
};

/// Some words that no other range has.
fn words(from: usize, to: usize) -> String {
    let words: Vec<String> = (from..to).map(|n| format!("w{n}")).collect();
    words.join(" ")
}

/// A page with a headline that its text tells.
fn page(id: &str, site: &str, title: &str, text: &str) -> Document {
    Document {
        host: Some(site.to_owned()),
        title: Some(title.to_owned()),
        ..Document::new(id, format!("{title} {text}"))
    }
}

fn collection(documents: &[Document]) -> Collection {
    let detector = Detector::new(Settings::default()).unwrap();
    Collection::new(Signed::new(&detector, [documents.to_vec()].into_iter(), |batch| batch))
}

fn is_pair(documents: &[Document; 2]) -> bool {
    collection(documents).matches().unwrap().0.get(0, 1).is_some()
}

/// The verdict on the last of some documents that arrive in rounds of at most `most`.
fn last_verdict(documents: &[Document], most: usize) -> Verdict {
    let detector = StreamDetector::new(Settings::default()).unwrap();
    let mut online = Online::new(detector.clone(), Memory::new());
    let mut last = Verdict::Error;
    for round in documents.chunks(most) {
        let arrivals: Vec<_> = round.iter().map(|document| detector.sign(document, 0)).collect();
        last = online.add(&arrivals).unwrap().last().unwrap().verdict;
    }
    last
}

/// Two texts that share about half of their shingles.
fn half_alike() -> [String; 2] {
    [(1_000, 1_030), (2_000, 2_030)]
        .map(|(from, to)| format!("{} {}", words(0, 70), words(from, to)))
}

#[test]
fn a_stream_holds_pages_of_one_site_to_more() {
    let [one, other] = half_alike();
    for (site, title, expected) in [
        ("site.example", "bee", Verdict::Original),
        ("site.example", "ant", Verdict::Original),
        ("else.example", "bee", Verdict::Duplicate),
    ] {
        let documents = [page("a", "site.example", "ant", &one), page("b", site, title, &other)];
        assert_eq!(last_verdict(&documents, 2), expected, "{site} {title}");
        // A collection knows the forms of its sites, and needs no such rule.
        assert!(is_pair(&documents));
        let detector = Detector::new(Settings::default()).unwrap();
        let [a, b] = [0, 1].map(|at| detector.sign(&documents[at]));
        assert!(detector.compare(&a, &b).unwrap().near, "{site} {title}");
    }
}

#[test]
fn a_story_published_twice_is_found_whatever_its_headline() {
    // One word in fifty is edited; the story tells its first headline either way.
    let story = words(0, 200).replace(" w20 ", " ant ").replace(" w120 ", " ant ");
    let edited = story.replace(" w50 ", " x50 ").replace(" w150 ", " x150 ");
    let documents =
        [page("a", "site.example", "ant", &story), page("b", "site.example", "bee", &edited)];
    assert!(is_pair(&documents));
    assert_eq!(last_verdict(&documents, 1), Verdict::Duplicate);
    // If it tells neither, it may be what every page of the site says, as far as a stream can know.
    let documents = [
        page("a", "site.example", "cow", &words(0, 200)),
        page("b", "site.example", "bee", &words(0, 200).replace(" w50 ", " x50 ")),
    ];
    assert!(is_pair(&documents));
    assert_eq!(last_verdict(&documents, 1), Verdict::Original);
    // A long story that was partly rewritten: so much is no form.
    let rewritten = |from: usize| format!("{} {}", words(0, 350), words(from, from + 150));
    let documents = [
        page("a", "site.example", "ant", &rewritten(1_000)),
        page("b", "site.example", "bee", &rewritten(2_000)),
    ];
    assert!(is_pair(&documents));
    assert_eq!(last_verdict(&documents, 1), Verdict::Duplicate);
}

/// A page of a form that names its subject seven times, beside `more` words of its own.
fn of_form(name: &str, more: &str) -> Document {
    let form =
        (0..7).map(|n| format!("{} {name} ", words(30 * n, 30 * n + 20))).collect::<String>();
    page(name, "site.example", &format!("{name} function"), &format!("{form}{more}"))
}

#[test]
fn pages_that_swap_their_subjects_are_of_one_form() {
    let alike = [of_form("ant", ""), of_form("bee", "")];
    let apart = [of_form("ant", &words(500, 530)), of_form("bee", &words(700, 730))];
    for documents in [&alike, &apart] {
        assert_eq!(last_verdict(documents, 2), Verdict::Original);
    }
    // A collection has to be sure.
    assert!(is_pair(&alike) && !is_pair(&apart));
    let explanation = explain(&collection(&apart), &apart[0], &apart[1]).unwrap();
    assert!(explanation.reason.contains("pages of one form"), "{}", explanation.reason);
    // The same on two sites, where nothing is alike by habit.
    let elsewhere = Document { host: Some("else.example".to_owned()), ..apart[1].clone() };
    assert!(is_pair(&[apart[0].clone(), elsewhere]));
}

#[test]
fn spellings_of_a_headline_are_one_headline() {
    let spelt = |name: &str| Document { id: name.to_owned(), ..of_form(name, &words(500, 560)) };
    assert_eq!(last_verdict(&[spelt("colour"), spelt("color")], 2), Verdict::Duplicate);
    assert_eq!(last_verdict(&[spelt("colour"), spelt("corner")], 2), Verdict::Original);
}

/// The same page at an address of its site.
fn at(path: &str, document: &Document) -> Document {
    let url = Some(format!("http://site.example/{path}"));
    Document { id: path.to_owned(), url, ..document.clone() }
}

#[test]
fn versions_of_a_page_are_known_by_its_address() {
    // The headlines are translated, and the text, which tells neither, is not.
    let story = words(0, 200);
    let english = page("a", "site.example", "cow", &story);
    let french = page("b", "site.example", "vache", &story.replace(" w50 ", " x50 "));
    for (address, expected) in [
        ("fr/the-project.html", Verdict::Duplicate),
        ("fr/the-project", Verdict::Duplicate),
        ("fr/another.html", Verdict::Original),
        ("fr/index.html", Verdict::Original),
    ] {
        let documents = [at("en/the-project.html", &english), at(address, &french)];
        assert_eq!(last_verdict(&documents, 1), expected, "{address}");
    }
    // Three versions with three headlines are no form.
    let german = page("c", "site.example", "kuh", &story.replace(" w90 ", " x90 "));
    let danish = page("d", "site.example", "ko", &story.replace(" w120 ", " x120 "));
    let versions = [("en", &english), ("fr", &french), ("de", &german), ("da", &danish)]
        .map(|(language, version)| at(&format!("{language}/the-project"), version));
    assert_eq!(last_verdict(&versions, 1), Verdict::Duplicate);
    // Pages of a form may be named alike, each in a folder of its own.
    let towns = [("london", "ant"), ("paris", "bee")]
        .map(|(town, name)| at(&format!("{town}/today"), &of_form(name, "")));
    assert_eq!(last_verdict(&towns, 1), Verdict::Original);
}

/// Pages of the site that share nothing but parts of its frame, so that these are known.
fn known_pages() -> Vec<Document> {
    let known = |n: usize| {
        let page = page(&format!("known{n}"), "site.example", &format!("k{n}"), "");
        let text = format!("{} {}", page.text, words(10_000 * (n + 1), 10_000 * (n + 1) + 80));
        with_anchors(100 + n, &Document { text, ..page })
    };
    (0..20).map(known).collect()
}

/// The same page with five anchors of a part of the site and two that all pages have.
fn with_anchors(of: usize, document: &Document) -> Document {
    let own: Vec<String> = (0..5).map(|n| format!("part{of}_{n}")).collect();
    let names = own.iter().map(String::as_str).chain(["nav", "content"]);
    Document { anchors: names.collect(), ..document.clone() }
}

/// The same page with the same five anchors, and one of its heading.
fn with_heading(name: &str, document: &Document) -> Document {
    let mut anchors = AnchorCollector::default();
    (0..5).for_each(|n| anchors.add(&format!("part1_{n}")));
    anchors.add_heading(name);
    Document { anchors: anchors.finish(), ..document.clone() }
}

#[test]
fn pages_without_addresses_are_known_by_their_anchors() {
    let story = words(0, 200);
    let english = page("a", "site.example", "cow", &story);
    let french = page("b", "site.example", "vache", &story.replace(" w50 ", " x50 "));
    let edited = page("c", "site.example", "cow", &story.replace(" w50 ", " x50 "));
    let rewritten = words(60, 200) + " " + &words(5_000, 5_050);
    let rewritten = page("e", "site.example", "cow", &rewritten);
    let equal = page("d", "site.example", "cow", &story);
    let named = |path: &str, document: &Document| Document {
        id: document.id.clone(),
        ..at(path, document)
    };
    for (one, other, expected) in [
        // Another headline: the page may have been written after the other.
        (with_anchors(1, &english), with_anchors(1, &french), false),
        (english.clone(), french.clone(), false),
        // A third of the text has changed since.
        (with_anchors(1, &english), with_anchors(1, &rewritten), true),
        (english.clone(), rewritten.clone(), false),
        // The same headline and nearly the same text, but another page.
        (with_anchors(1, &english), with_anchors(2, &edited), false),
        (with_anchors(1, &english), with_anchors(1, &edited), true),
        (with_anchors(1, &english), edited.clone(), true),
        // The parts are the same, but not the heading.
        (with_heading("one", &english), with_heading("two", &edited), false),
        (with_heading("one", &english), with_heading("one", &edited), true),
        // What is equal word for word is a copy.
        (with_heading("one", &english), with_heading("two", &equal), true),
        (with_anchors(1, &english), with_anchors(2, &equal), true),
        // Beside addresses, anchors are not heard, even if these name no page.
        (
            with_anchors(1, &named("15/csv.html", &english)),
            with_anchors(2, &named("17/csv.html", &edited)),
            true,
        ),
        (
            with_anchors(1, &named("en/cow-page", &english)),
            with_anchors(2, &named("15/cow-page", &edited)),
            true,
        ),
        (
            with_anchors(1, &named("en/cow-page", &english)),
            with_anchors(1, &named("fr/vache-page", &french)),
            false,
        ),
    ] {
        let (a, b) = (one.id.clone(), other.id.clone());
        let documents = [known_pages(), vec![one, other]].concat();
        let verdict = last_verdict(&documents, 22);
        assert_eq!(verdict == Verdict::Duplicate, expected, "{a} and {b} on a stream");
        assert_eq!(last_verdict(&documents, 1), verdict, "{a} and {b}, one by one");
    }
}

#[test]
fn collections_tell_pages_apart_by_their_anchors() {
    let story = words(0, 200);
    let cow = page("a", "site.example", "cow", &story);
    let edited = page("b", "site.example", "cow", &story.replace(" w50 ", " x50 "));
    for (one, other, said) in [
        (1, 1, "versions of one page: they have the same anchors"),
        (1, 2, "different pages of one site by their anchors"),
    ] {
        let pair = [with_anchors(one, &cow), with_anchors(other, &edited)];
        let documents = [known_pages(), pair.to_vec()].concat();
        let collection = collection(&documents);
        let found = collection.matches().unwrap().0.get(20, 21).is_some();
        assert_eq!(found, one == other, "{one} {other}");
        let explanation = explain(&collection, &pair[0], &pair[1]).unwrap();
        let told = format!("{} {}", explanation.reason, explanation.notes.join(" "));
        assert!(told.contains(said), "{told}");
    }
    // Of a site with two pages, nothing is known of its anchors.
    assert!(is_pair(&[with_anchors(1, &cow), with_anchors(2, &edited)]));
}

#[test]
fn a_stream_learns_forms_from_candidates() {
    let form = words(0, 120);
    let animals = ["ant", "bee", "cow", "dog"];
    // Each names its animal twice.
    let own = |n: usize, to: usize| {
        let (from, name) = (1_000 * n, animals[n - 1]);
        let parts = [(0, 4), (5, 9), (10, to)].map(|(a, b)| words(from + a, from + b));
        parts.join(&format!(" {name} "))
    };
    let sibling = |n: usize| {
        page(animals[n - 1], "site.example", animals[n - 1], &format!("{form} {}", own(n, 25)))
    };
    // It shares the form with all, and some words with the first.
    let partly = format!("{form} {} {}", own(1, 15), words(9_000, 9_010));
    let last = page("last", "site.example", "elk", &partly);
    assert_eq!(last_verdict(&[sibling(1), last.clone()], 2), Verdict::Duplicate);
    let all = [sibling(1), sibling(2), sibling(3), sibling(4), last.clone()];
    for most in 1..=5 {
        assert_eq!(last_verdict(&all, most), Verdict::Original, "rounds of {most}");
    }
    // A page that is crawled again is a copy of itself, whatever is form.
    let again = Document { id: "again".to_owned(), ..sibling(2) };
    let changed = Document { text: format!("{} today", again.text), ..again };
    assert_eq!(last_verdict(&[&all[..], &[changed]].concat(), 3), Verdict::Duplicate);
    // What is deleted teaches nothing.
    let detector = StreamDetector::new(Settings::default()).unwrap();
    let mut online = Online::new(detector.clone(), Memory::new());
    let sign = |document: &Document| detector.sign(document, 0);
    online.add(&all[..4].iter().map(sign).collect::<Vec<_>>()).unwrap();
    let check = |online: &mut Online<Memory>| online.check(&[sign(&last)]).unwrap()[0].verdict;
    assert_eq!(check(&mut online), Verdict::Original);
    online.upkeep().delete("cow").unwrap();
    online.upkeep().delete("dog").unwrap();
    assert_eq!(check(&mut online), Verdict::Duplicate);
}

#[test]
fn the_frame_of_a_young_site_is_no_story() {
    // The story was not found, and what was kept stands on every page of the site.
    let framed = |id: &str, title: &str, line: &str| Document {
        host: Some("site.example".to_owned()),
        title: Some(title.to_owned()),
        rest: Rest { text: line.to_owned(), lines: vec![RestLine { before: 0, named: false }] },
        ..Document::new(id, words(0, 80))
    };
    let documents = [framed("a", "ant bee", "menu one"), framed("b", "cow dog", "menu two")];
    assert!(!is_pair(&documents));
    assert_eq!(last_verdict(&documents, 2), Verdict::Original);
    let explanation = explain(&collection(&documents), &documents[0], &documents[1]).unwrap();
    let said = "neither text tells its headline";
    assert!(explanation.reason.contains(said), "{}", explanation.reason);
    // The same page again, and the same text on another site.
    let again = Document { id: "b".to_owned(), ..documents[0].clone() };
    let elsewhere = Document { host: Some("else.example".to_owned()), ..documents[1].clone() };
    for other in [again, elsewhere] {
        let documents = [documents[0].clone(), other];
        assert!(is_pair(&documents));
        assert_eq!(last_verdict(&documents, 1), Verdict::Duplicate);
    }
}
