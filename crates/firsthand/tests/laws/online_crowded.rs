//! Streams whose documents have much in common: what is found, and how much work it takes.

use super::stream::{self, HOUR, arrivals, day, letters, online};
use firsthand::{
    Document, Settings,
    online::{
        Answer, Changes, Found, Head, Memory, Online, Probe, Seq, Store, StoreError, Stored,
        Verdict,
    },
    settings::{Matcher, Threshold},
};
use proptest::prelude::*;

/// The settings of these streams: sets of words, found by bands, with a threshold of 0.6.
fn settings() -> Settings {
    let mut settings = letters(&Settings::default());
    settings.threshold = Threshold::new(6, 10).unwrap();
    settings.stream.matcher = Some(Matcher::of_stream());
    settings
}

/// A text of eighty words: `common` that all texts have, then its own, some of which are changed.
fn text(common: usize, own: usize, changed: usize, by: usize) -> String {
    let common = (0..common).map(|at| format!("common{at}"));
    let kept = (changed..80 - common.len()).map(|at| format!("own{own}x{at}"));
    let new = (0..changed).map(|at| format!("new{by}x{at}"));
    common.chain(kept).chain(new).collect::<Vec<_>>().join(" ")
}

/// A thousand documents with `common` words in common, every fifth a copy of the fourth before it.
fn boilerplate(common: usize) -> Vec<Document> {
    let document = |at: usize| match at % 5 {
        4 => Document::new(at.to_string(), text(common, at - 4, 4.min(80 - common), at)),
        _ => Document::new(at.to_string(), text(common, at, 0, at)),
    };
    (0..1000).map(document).collect()
}

/// A store in memory that counts requests.
#[derive(Default)]
struct Counting {
    memory: Memory,
    commits: usize,
    /// Documents named in answers to probes.
    named: usize,
    /// Documents read.
    loaded: usize,
    /// Keys written with documents.
    keys: usize,
    /// Keys written later.
    further: usize,
}

impl Store for Counting {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.memory.begin()
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        let found = self.memory.find(probes)?;
        let lists = found.iter().flat_map(|found| &found.lists);
        self.named += lists.map(|list| list.seqs.len()).sum::<usize>();
        Ok(found)
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.loaded += documents.len();
        self.memory.load(documents)
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.value(name)
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.commits += 1;
        self.further += changes.keys.iter().map(|(_, keys)| keys.len()).sum::<usize>();
        self.keys += changes.insert.iter().map(|entry| entry.keys.len()).sum::<usize>();
        self.memory.commit(changes)
    }

    fn abandon(&mut self) {
        self.memory.abandon();
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.memory.scan(from, most)
    }
}

/// The total work of a stream.
struct Work {
    answers: Vec<Answer>,
    commits: usize,
    /// For each document of its second half, how many were named and how many read, and its keys.
    named: f64,
    loaded: f64,
    keys: f64,
}

fn work(settings: &Settings, documents: &[Document], round: usize) -> Work {
    let (detector, _) = online(settings);
    let mut online = Online::new(detector.clone(), Counting::default());
    let mut answers = Vec::new();
    let half = documents.len() / 2;
    for (number, part) in [&documents[..half], &documents[half..]].into_iter().enumerate() {
        for chunk in arrivals(&detector, part).chunks(round) {
            answers.extend(online.add(chunk).unwrap());
        }
        if number == 0 {
            let store = online.upkeep().store_mut();
            (store.named, store.loaded, store.keys) = (0, 0, 0);
        }
    }
    let Counting { commits, named, loaded, keys, .. } = *online.upkeep().store_mut();
    let [named, loaded, keys] = [named, loaded, keys].map(|count| count as f64 / half as f64);
    Work { answers, commits, named, loaded, keys }
}

#[test]
fn a_common_part_costs_no_more_rounds_and_few_documents() {
    let documents = boilerplate(56);
    let Work { answers, commits, named, loaded, keys } = work(&settings(), &documents, 50);
    assert_eq!(commits, 20);
    assert!(named < 150.0, "{named}");
    assert!(loaded < 4.0, "{loaded}");
    // No keys that all documents have.
    assert!(keys < 46.0, "{keys}");
    for (at, answer) in answers.iter().enumerate() {
        let original = (at % 5 == 4).then(|| (at - 4).to_string());
        assert_eq!(answer.original, original, "{at}");
    }
    // One by one, nothing is shared.
    let singly = work(&settings(), &documents, 1);
    assert_eq!((singly.answers, singly.commits), (answers, 1000));
    assert!(singly.loaded < 30.0, "{}", singly.loaded);
}

#[test]
fn exact_copies_and_generations_pile_up_nowhere() {
    let copies: Vec<Document> =
        (0..1000).map(|at: usize| Document::new(at.to_string(), text(0, 0, 0, 0))).collect();
    let Work { answers, commits, named, loaded, keys } = work(&settings(), &copies, 50);
    assert_eq!(commits, 20);
    assert!(answers[1..].iter().all(|answer| answer.exact));
    assert!(named < 500.0, "{named}");
    assert!(loaded < 1.0, "{loaded}");
    // Those of its id and of its original.
    assert_eq!(keys, 2.0);

    // One document that keeps changing, and now and then a copy of its current text.
    let document = |at: usize| match at % 100 {
        99 => Document::new(at.to_string(), text(79, at - 1, 1, at)),
        _ => Document::new("live", text(79, at, 0, 0)),
    };
    let generations: Vec<Document> = (0..1000).map(document).collect();
    let Work { answers, commits, named, loaded, .. } = work(&settings(), &generations, 50);
    assert_eq!(commits, 20);
    assert!(named < 400.0, "{named}");
    assert!(loaded < 2.0, "{loaded}");
    for answer in answers.iter().skip(99).step_by(100) {
        assert_eq!(answer.original.as_deref(), Some("live"));
    }
}

#[test]
fn who_takes_the_place_of_an_original_gets_the_keys_it_lacks() {
    // The earliest copy takes it: the first that came, which has keys, or the last, which has none.
    for (earliest, lacks) in [(1, false), (11, true)] {
        let (detector, _) = online(&settings());
        let mut online = Online::new(detector.clone(), Counting::default());
        let document = |at: usize| Document {
            time: Some(if at == earliest { 1 } else { at as i64 * 10 }),
            ..Document::new(at.to_string(), text(40, 7, 1, at))
        };
        let documents: Vec<Document> = (0..12).map(document).collect();
        online.add(&arrivals(&detector, &documents)).unwrap();
        let deleted = online.upkeep().delete("0").unwrap().unwrap();
        assert_eq!(deleted.promoted, Some(earliest.to_string()));
        // Each of the ten others gets a key that says whose copy it is.
        let further = online.upkeep().store_mut().further - 10;
        assert_eq!(further > 40, lacks, "{further}");
        assert!(lacks || further == 0, "{further}");
        let next = stream::arrival(&detector, &document(12));
        assert_eq!(online.add(&[next]).unwrap()[0].original, deleted.promoted);
    }
}

#[test]
fn pages_of_one_site_are_read_once() {
    let page = |at: usize| Document {
        host: Some("one.example".to_owned()),
        ..Document::new(at.to_string(), format!("frame of the site\n{}", text(0, at, 0, 0)))
    };
    let pages: Vec<Document> = (0..1000).map(page).collect();
    let Work { commits, named, loaded, .. } =
        work(&Settings { template: true, ..settings() }, &pages, 50);
    assert_eq!(commits, 20);
    assert!(named < 30.0, "{named}");
    assert!(loaded < 1.0, "{loaded}");
}

/// A stream of a few days with crowded keys: all documents share seven in ten words, some are
/// copies, some exact, some come again with another text.
fn crowded() -> impl Strategy<Value = Vec<Document>> {
    let one = (0usize..12, 0usize..40, 0i64..6, any::<bool>());
    (prop::collection::vec(one, 140..200), 1i64..60).prop_map(|(documents, minutes)| {
        let document = |(at, (kind, back, late, timed)): (usize, (usize, usize, i64, bool))| {
            let before = at.saturating_sub(back);
            let (id, text) = match kind {
                0 => (at, text(56, before, 3, at)),
                1 => (at, text(56, before, 0, 0)),
                2 => (before, text(56, at, 0, 0)),
                3 => (before, text(56, before, 5, at)),
                _ => (at, text(56, at, 0, 0)),
            };
            let time = at as i64 * minutes * 60_000 - late * HOUR;
            Document {
                time: Some(if timed { time } else { at as i64 * minutes * 60_000 }),
                ..Document::new(id.to_string(), text)
            }
        };
        documents.into_iter().enumerate().map(document).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// How documents are gathered into rounds changes nothing where keys are crowded, either.
    #[test]
    fn rounds_do_not_matter(documents in crowded(), size in 1usize..90, window in any::<bool>()) {
        let settings = if window { day(settings()) } else { settings() };
        let (detector, mut whole) = online(&settings);
        let all = arrivals(&detector, &documents);
        let together = whole.add(&all).unwrap();
        let (_, mut online) = online(&settings);
        let mut parts = Vec::new();
        for chunk in all.chunks(size) {
            let checked = online.check(&chunk[..1]).unwrap();
            let answers = online.add(chunk).unwrap();
            prop_assert_eq!(&checked[0], &answers[0]);
            parts.extend(answers);
        }
        prop_assert_eq!(together, parts);
        let held = whole.upkeep().holdings().unwrap();
        prop_assert!(held.capped > 0 || window);
        prop_assert_eq!(held, online.upkeep().holdings().unwrap());
        // The stores hold the same, too: a further document gets the same answer.
        let next = Document { time: Some(0), ..Document::new("next", text(56, 60, 6, 0)) };
        let next = [stream::arrival(&detector, &next)];
        prop_assert_eq!(whole.check(&next).unwrap(), online.check(&next).unwrap());
    }
}

#[test]
fn copies_are_found_whatever_all_have_in_common() {
    // At 0.6, unrelated documents are near from three quarters of common words up.
    for common in [0, 20, 40, 56] {
        let documents = boilerplate(common);
        let (detector, mut online) = online(&settings());
        let answers = online.add(&arrivals(&detector, &documents)).unwrap();
        let missed = answers.iter().skip(4).step_by(5).filter(|answer| answer.original.is_none());
        assert!(missed.count() <= 2, "{common}");
        let wrong =
            |(at, answer): &(usize, &Answer)| at % 5 != 4 && answer.verdict == Verdict::Duplicate;
        assert_eq!(answers.iter().enumerate().filter(wrong).count(), 0, "{common}");
        assert_eq!(online.upkeep().holdings().unwrap().capped > 0, common > 0, "{common}");
    }
}
