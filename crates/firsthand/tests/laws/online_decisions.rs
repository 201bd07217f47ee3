//! A stream obeys what people have decided: laws, on random documents and decisions.

use super::stream::{arrival, letters};
use firsthand::{
    Document, Settings,
    decisions::{Action, Active, Decision, Named},
    online::{
        Answer, Changes, Found, Head, Memory, Online, Probe, Seq, Store, StoreError, Stored,
        StreamDetector, Upkeep, Verdict,
    },
    settings::Grouping,
};
use proptest::prelude::*;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// A store that several look at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Memory>>);

impl Shared {
    fn with<T>(&self, call: impl FnOnce(&mut Memory) -> T) -> T {
        call(&mut self.0.lock().unwrap())
    }
}

impl Store for Shared {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.with(Store::begin)
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.with(|store| store.find(probes))
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.with(|store| store.load(documents))
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.with(|store| store.value(name))
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.with(|store| store.commit(changes))
    }

    fn abandon(&mut self) {}

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.with(|store| store.scan(from, most))
    }
}

struct Stream {
    settings: Settings,
    detector: StreamDetector,
    store: Shared,
    online: Online<Shared>,
}

impl Stream {
    fn new(settings: &Settings) -> Self {
        let (detector, store) = (StreamDetector::new(settings.clone()).unwrap(), Shared::default());
        let online = Online::new(detector.clone(), store.clone());
        Self { settings: settings.clone(), detector, store, online }
    }

    fn add(&mut self, id: &str, text: &str) -> Answer {
        self.add_at(id, text, 0)
    }

    fn add_at(&mut self, id: &str, text: &str, time: i64) -> Answer {
        let document = Document { time: Some(time), ..Document::new(id, text) };
        self.online.add(&[arrival(&self.detector, &document)]).unwrap().remove(0)
    }

    fn decide(&mut self, action: Action, documents: &[&str], others: &[&str]) -> usize {
        let decision = decision(action, documents, others);
        self.online.upkeep().decide(vec![decision]).unwrap().remove(0).unwrap()
    }

    /// The clusters, each with its original first.
    fn clusters(&mut self) -> Vec<String> {
        clusters(self.online.upkeep())
    }
}

fn named(ids: &[&str]) -> Vec<Named> {
    ids.iter().map(|id| Named { id: (*id).to_owned(), text: None }).collect()
}

fn decision(action: Action, documents: &[&str], others: &[&str]) -> Decision {
    Decision { others: named(others), ..Decision::new(action, named(documents), String::new()) }
}

/// The clusters of a store, each as the ids of its documents, the original first.
fn clusters<S: Store>(upkeep: &mut Upkeep<S>) -> Vec<String> {
    let found = upkeep.clusters(1).unwrap();
    let mut shown: Vec<String> = Vec::new();
    let mut total = 0;
    for cluster in found {
        let original = upkeep.get(&cluster.original).unwrap().unwrap();
        assert_eq!((&original.cluster, &original.original), (&cluster.cluster, &cluster.original));
        let mut ids = vec![cluster.original.clone()];
        ids.extend(original.copies);
        assert_eq!(ids.len() as u64, cluster.size, "{ids:?}");
        for id in &ids {
            let member = upkeep.get(id).unwrap().unwrap();
            assert_eq!(member.cluster, cluster.cluster, "{id}");
        }
        total += ids.len() as u64;
        shown.push(ids.join(" "));
    }
    assert_eq!(total, upkeep.clusters(1).unwrap().iter().map(|one| one.size).sum::<u64>());
    shown
}

fn settings() -> Settings {
    letters(&Settings::default())
}

const TEXT: &str = "a b c d e f g h";

#[test]
fn parted_documents_do_not_meet_again_by_way_of_a_third() {
    let mut stream = Stream::new(&settings());
    stream.add("1", TEXT);
    stream.add("2", "a b c d e f g i");
    assert_eq!(stream.clusters(), ["1 2"]);
    stream.decide(Action::NotACopy, &["2"], &["1"]);
    assert_eq!(stream.clusters(), ["1", "2"]);
    // A third joins the nearer one, and does not bring the other with it.
    let third = stream.add("3", "a b c d e f g i");
    assert_eq!((third.verdict, third.original.as_deref()), (Verdict::Duplicate, Some("2")));
    assert_eq!(third.cluster.as_deref(), Some("2"));
    assert_eq!(stream.clusters(), ["1", "2 3"]);
    // Nor does either come back when it is sent again with another text that says nothing new of it.
    let again = stream.add("2", "a b c d e f g i");
    assert!(again.repeated);
    assert_eq!(stream.clusters(), ["1", "2 3"]);
}

#[test]
fn a_document_that_is_yet_to_come_obeys() {
    let mut stream = Stream::new(&settings());
    let parted = decision(Action::NotACopy, &["2"], &["1"]);
    let joined = decision(Action::IsACopy, &["9"], &["1"]);
    let kept = decision(Action::Keep, &["5"], &["1"]);
    let refused = stream.online.upkeep().decide(vec![parted.clone()]).unwrap();
    assert!(refused[0].is_err(), "{refused:?}");
    stream.online.upkeep().import_decisions(vec![parted, joined, kept]).unwrap();
    stream.add("1", TEXT);
    let second = stream.add("2", "a b c d e f g i");
    assert_eq!((second.verdict, second.decided.parted), (Verdict::Original, true));
    let ninth = stream.add("9", "x y z");
    assert_eq!((ninth.verdict, ninth.original.as_deref()), (Verdict::Duplicate, Some("1")));
    assert!(ninth.decided.joined && ninth.score == Some(0.0), "{ninth:?}");
    let fifth = stream.add("5", TEXT);
    assert_eq!((fifth.verdict, fifth.replaces.as_deref()), (Verdict::Original, Some("1")));
    assert!(fifth.decided.kept);
    assert_eq!(stream.clusters(), ["2", "5 1 9"]);
    // What was decided does not depend on the order: a check says the same.
    let sixth = stream.add("6", TEXT);
    assert_eq!((sixth.original.as_deref(), sixth.decided.kept), (Some("5"), true));
}

#[test]
fn a_choice_stands_though_an_earlier_document_comes() {
    let settings =
        Settings { original: Some(firsthand::settings::Original::Earliest), ..settings() };
    let mut stream = Stream::new(&settings);
    stream.add_at("1", TEXT, 50);
    stream.add_at("2", TEXT, 60);
    stream.decide(Action::Keep, &["2"], &["1"]);
    assert_eq!(stream.clusters(), ["2 1"]);
    let earlier = stream.add_at("3", TEXT, 10);
    assert_eq!((earlier.verdict, earlier.original.as_deref()), (Verdict::Duplicate, Some("2")));
    assert!(earlier.decided.kept);
    assert_eq!(stream.clusters(), ["2 1 3"]);
}

#[test]
fn a_changed_text_is_judged_anew_and_says_so() {
    let mut stream = Stream::new(&settings());
    stream.add("1", TEXT);
    stream.add("2", "a b c d e f g i");
    stream.decide(Action::NotACopy, &["2"], &["1"]);
    let changed = stream.add("2", "a b c d e f g h i");
    assert_eq!((changed.verdict, changed.original.as_deref()), (Verdict::Duplicate, Some("1")));
    assert!(changed.decided.text_changed && !changed.decided.parted, "{changed:?}");
    assert_eq!(stream.clusters(), ["1 2"]);
    // With the text that was decided about, the decision holds again.
    let back = stream.add("2", "a b c d e f g i");
    assert_eq!((back.verdict, back.decided.parted), (Verdict::Original, true));
    assert_eq!(stream.clusters(), ["1", "2"]);
}

#[test]
fn splitting_merging_and_undoing() {
    let mut stream = Stream::new(&settings());
    for id in ["1", "2", "3", "4"] {
        stream.add(id, TEXT);
    }
    stream.add("x", "p q r s t");
    stream.add("y", "p q r s t");
    assert_eq!(stream.clusters(), ["1 2 3 4", "x y"]);
    stream.decide(Action::Split, &["2", "4"], &["1", "3"]);
    assert_eq!(stream.clusters(), ["1 3", "2 4", "x y"]);
    stream.decide(Action::Merge, &["2", "4"], &["x", "y"]);
    // Of the originals, the one that was an original before is the original.
    assert_eq!(stream.clusters(), ["1 3", "x 2 4 y"]);
    stream.decide(Action::Keep, &["y"], &["2"]);
    assert_eq!(stream.clusters(), ["1 3", "y 2 4 x"]);
    // What belongs to the merged cluster goes where it now stands.
    let next = stream.add("z", "p q r s t");
    assert_eq!(next.original.as_deref(), Some("y"));
    for (line, left) in [
        (None, ["1 3", "x 2 4 y z"].as_slice()),
        (None, &["1 3", "2 4", "x y z"]),
        (None, &["1 2 3 4", "x y z"]),
    ] {
        let undo = Decision { of: line, ..decision(Action::Undo, &[], &[]) };
        stream.online.upkeep().decide(vec![undo]).unwrap().remove(0).unwrap();
        assert_eq!(stream.clusters(), left);
    }
    let undo = stream.online.upkeep().decide(vec![decision(Action::Undo, &[], &[])]).unwrap();
    assert!(undo[0].is_err());
    stream.decide(Action::Redo, &[], &[]);
    assert_eq!(stream.clusters(), ["1 3", "2 4", "x y z"]);
    let of = |line| Decision { of: Some(line), ..decision(Action::Undo, &[], &[]) };
    let wrong = stream.online.upkeep().decide(vec![of(2), of(99)]).unwrap();
    assert!(wrong.iter().all(Result::is_err), "{wrong:?}");
}

#[test]
fn clusters_of_parted_documents_are_not_merged() {
    let settings = Settings {
        grouping: None,
        stream: firsthand::settings::Stream {
            grouping: Some(Grouping::Component),
            ..settings().stream
        },
        ..settings()
    };
    let mut stream = Stream::new(&settings);
    stream.add("1", "a b c d e f");
    stream.add("2", "d e f g h i");
    assert_eq!(stream.clusters(), ["1", "2"]);
    stream.decide(Action::NotACopy, &["2"], &["1"]);
    stream.add("3", "b c d e f g h");
    assert_eq!(stream.clusters().len(), 2);
}

#[test]
fn what_is_deleted_leaves_decisions_and_what_they_did_stays() {
    let mut stream = Stream::new(&settings());
    for id in ["1", "2", "3", "4"] {
        stream.add(id, TEXT);
    }
    stream.decide(Action::NotACopy, &["2"], &["1"]);
    stream.decide(Action::Keep, &["4"], &["1"]);
    assert_eq!(stream.clusters(), ["2", "4 1 3"]);
    let deleted = stream.online.upkeep().delete("1").unwrap().unwrap();
    assert_eq!(deleted.promoted.as_deref(), Some("4"));
    assert_eq!(stream.clusters(), ["2", "4 3"]);
    let lines = stream.online.upkeep().decisions().unwrap();
    assert_eq!(lines[0], None);
    assert_eq!(lines[1].as_ref().unwrap().others, []);
    // A document of which only decisions are left is deleted from them.
    let parted = decision(Action::NotACopy, &["8"], &["9"]);
    stream.online.upkeep().import_decisions(vec![parted]).unwrap();
    assert!(stream.online.upkeep().delete("9").unwrap().is_some());
    assert!(stream.online.upkeep().delete("9").unwrap().is_none());
}

/// What happens to a stream.
#[derive(Clone, Debug)]
enum Event {
    Add(Vec<(u8, Vec<u8>)>),
    Decide(Action, Vec<u8>, Vec<u8>),
    Delete(u8),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let ids = || prop::collection::vec(0u8..12, 1..3);
    let texts = (0u8..12, prop::collection::vec(0u8..9, 3..7));
    let add = prop::collection::vec(texts, 1..4).prop_map(Event::Add);
    let actions = vec![
        Action::NotACopy,
        Action::IsACopy,
        Action::Split,
        Action::Merge,
        Action::Keep,
        Action::Undo,
    ];
    let decide = (prop::sample::select(actions), ids(), ids())
        .prop_map(|(action, documents, others)| Event::Decide(action, documents, others));
    let event = prop_oneof![5 => add, 4 => decide, 1 => (0u8..12).prop_map(Event::Delete)];
    prop::collection::vec(event, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// After whatever has happened, parted documents are in different clusters and joined ones in the
    /// same; somebody who reads all of it anew sees the same; and rounds do not matter.
    #[test]
    fn decisions_hold(events in events(), component in any::<bool>()) {
        let grouping = component.then_some(Grouping::Component);
        let base = settings();
        let stream_settings = firsthand::settings::Stream { grouping, ..base.stream.clone() };
        let settings = Settings { stream: stream_settings, ..base };
        let mut stream = Stream::new(&settings);
        let mut single = Stream::new(&settings);
        for event in &events {
            match event {
                Event::Add(texts) => {
                    let document = |(id, text): &(u8, Vec<u8>)| {
                        let text: Vec<String> = text.iter().map(|word| format!("w{word}")).collect();
                        Document { time: Some(0), ..Document::new(id.to_string(), text.join(" ")) }
                    };
                    let documents: Vec<Document> = texts.iter().map(document).collect();
                    let arrivals: Vec<_> =
                        documents.iter().map(|one| arrival(&stream.detector, one)).collect();
                    let checked = stream.online.check(&arrivals[..1]).unwrap();
                    let answers = stream.online.add(&arrivals).unwrap();
                    prop_assert_eq!(&checked[0], &answers[0]);
                    for (arrival, answer) in arrivals.iter().zip(&answers) {
                        let alone = single.online.add(std::slice::from_ref(arrival)).unwrap();
                        prop_assert_eq!(&alone[0], answer);
                    }
                }
                Event::Decide(action, documents, others) => {
                    let ids = |list: &[u8]| list.iter().map(u8::to_string).collect::<Vec<_>>();
                    let (documents, others) = (ids(documents), ids(others));
                    let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
                    let others: Vec<&str> = others.iter().map(String::as_str).collect();
                    let decision = match action {
                        Action::Undo => decision(Action::Undo, &[], &[]),
                        action => decision(*action, &documents, &others),
                    };
                    let taken = stream.online.upkeep().decide(vec![decision.clone()]).unwrap();
                    prop_assert_eq!(single.online.upkeep().decide(vec![decision]).unwrap(), taken);
                }
                Event::Delete(id) => {
                    let id = id.to_string();
                    stream.online.upkeep().delete(&id).unwrap();
                    single.online.upkeep().delete(&id).unwrap();
                }
            }
            let lines = stream.online.upkeep().decisions().unwrap().to_vec();
            let mut fresh = Upkeep::new(&stream.settings, stream.store.clone()).unwrap();
            let names = |upkeep: &mut Upkeep<Shared>| -> BTreeMap<String, String> {
                let ids = (0..12).map(|id| id.to_string());
                ids.filter_map(|id| {
                    let found = upkeep.get(&id).unwrap()?;
                    Some((id, found.cluster))
                })
                .collect()
            };
            let now = names(stream.online.upkeep());
            prop_assert_eq!(&names(&mut fresh), &now);
            prop_assert_eq!(&names(single.online.upkeep()), &now);
            let sizes: u64 = fresh.clusters(1).unwrap().iter().map(|one| one.size).sum();
            prop_assert_eq!(sizes, now.len() as u64);
            let active = Active::new(&lines);
            let (parted, _) = active.pairs();
            for (a, b) in parted {
                let text_of = |named: &Named| -> bool {
                    let found = fresh_text(&mut fresh, &named.id);
                    found.is_some_and(|text| named.is_about(&named.id, Some(&text)))
                };
                if [a, b].into_iter().all(text_of) {
                    prop_assert_ne!(&now[&a.id], &now[&b.id], "{} and {} are parted", a.id, b.id);
                }
            }
        }
    }
}

/// The hash of the text that a document has now.
fn fresh_text(upkeep: &mut Upkeep<Shared>, id: &str) -> Option<String> {
    Some(upkeep.get(id).unwrap()?.document.text)
}
