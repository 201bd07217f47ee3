//! Decisions of people in a store: durable, one record each, erased with their documents. One story for
//! all stores.

use super::told::{TEXT, file_holds};
use super::{server, told};
use firsthand::{
    Document, Settings,
    decisions::{Action, Decision, Named, text_hash},
    online::{Answer, Store, Verdict},
};
use firsthand_store::open_to_read;
use std::{fs, path::Path};

/// A name that occurs nowhere else.
const GONE: &str = "gone-4711";

/// A stream about which something is decided.
struct Told(told::Told);

impl Told {
    fn new(address: &str) -> Self {
        Self(told::Told::new(address))
    }

    fn add(&mut self, id: &str, text: &str) -> Answer {
        self.0.add(&Document { time: Some(1_000), ..Document::new(id, text) })
    }

    fn decide(&mut self, action: Action, documents: &[&str], others: &[&str]) {
        let named = |ids: &[&str]| -> Vec<Named> {
            ids.iter().map(|id| Named { id: (*id).to_owned(), text: None }).collect()
        };
        let time = "2026-11-17T10:00:00Z".to_owned();
        let decision = Decision::new(action, named(documents), time);
        let decision = Decision { others: named(others), ..decision };
        self.0.online.upkeep().decide(vec![decision]).unwrap().remove(0).unwrap();
    }

    fn clusters(&mut self) -> Vec<(String, u64)> {
        let clusters = self.0.online.upkeep().clusters(1).unwrap();
        clusters.into_iter().map(|cluster| (cluster.original, cluster.size)).collect()
    }
}

/// The clusters as given by pairs of words and numbers.
fn are(clusters: &[(&str, u64)]) -> Vec<(String, u64)> {
    clusters.iter().map(|(original, size)| ((*original).to_owned(), *size)).collect()
}

/// Tells the story; between its parts, `again` closes the store and opens it again, if it can be.
fn tell(first: Told, again: &dyn Fn(Told) -> Told) -> Told {
    let mut told = first;
    for id in [GONE, "b", "c", "d"] {
        told.add(id, TEXT);
    }
    told.decide(Action::NotACopy, &["b"], &[GONE]);
    told = again(told);
    assert_eq!(told.clusters(), are(&[(GONE, 3), ("b", 1)]));
    told.decide(Action::Keep, &["d"], &[GONE, "c"]);
    told = again(told);
    assert_eq!(told.clusters(), are(&[("b", 1), ("d", 3)]));
    // The text that was decided about is kept with the decision; another one is judged anew.
    let lines = told.0.online.upkeep().decisions().unwrap();
    assert_eq!(lines[0].as_ref().unwrap().documents[0].text, Some(text_hash(TEXT)));
    let changed = told.add("b", &format!("{TEXT} It did."));
    assert!(changed.decided.text_changed, "{changed:?}");
    told = again(told);
    assert_ne!(told.0.online.upkeep().get("b").unwrap().unwrap().cluster, "b");
    let back = told.add("b", TEXT);
    assert!(back.decided.parted && back.verdict == Verdict::Original, "{back:?}");
    told = again(told);
    assert_eq!(told.0.online.upkeep().get("b").unwrap().unwrap().original, "b");
    told.decide(Action::Undo, &[], &[]);
    told = again(told);
    assert_eq!(told.0.online.upkeep().get("c").unwrap().unwrap().original, GONE);
    told.0.online.upkeep().delete(GONE).unwrap().unwrap();
    let lines = told.0.online.upkeep().decisions().unwrap().to_vec();
    assert_eq!((lines.len(), &lines[0]), (3, &None));
    assert!(!format!("{lines:?}").contains(GONE));
    told.0.online.upkeep().store_mut().compact().unwrap();
    again(told)
}

#[test]
fn in_memory() {
    tell(Told::new("memory:"), &|told| told);
}

#[test]
fn in_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("store");
    let address = store.to_str().unwrap().to_owned();
    let again = |told: Told| {
        drop(told);
        Told::new(&address)
    };
    let told = tell(Told::new(&address), &again);
    // Somebody who only reads sees the same, beside whoever has the store open.
    let settings = Settings::profile("feed").unwrap();
    let reader = open_to_read(&address).unwrap();
    let mut reader = firsthand::online::Upkeep::new(&settings, reader).unwrap();
    assert_eq!(reader.decisions().unwrap().len(), 3);
    drop(told);
    assert!(!file_holds(&store, GONE), "{GONE} is still there");
}

#[test]
fn in_postgresql() {
    let address = server::fresh();
    let again = |told: Told| {
        drop(told);
        Told::new(&address)
    };
    drop(tell(Told::new(&address), &again));
    let left: i64 = server::client(&address)
        .query_one(
            "SELECT count(*) FROM named WHERE position($1::bytea IN value) > 0",
            &[&GONE.as_bytes()],
        )
        .unwrap()
        .get(0);
    assert_eq!(left, 0);
}

/// Two processes with one store: what one decides, the other obeys in its next round.
#[test]
fn decisions_hold_for_everybody_who_shares_a_store() {
    let address = server::fresh();
    let (mut one, mut other) = (Told::new(&address), Told::new(&address));
    one.add("a", TEXT);
    other.add("b", TEXT);
    assert_eq!(other.clusters(), are(&[("a", 2)]));
    one.decide(Action::NotACopy, &["b"], &["a"]);
    assert_eq!(other.clusters(), are(&[("a", 1), ("b", 1)]));
    one.decide(Action::Keep, &["b"], &[]);
    // The other changes a document that was decided about; the first notices.
    other.add("b", &format!("{TEXT} It did."));
    assert_eq!(one.clusters().len(), 1);
    assert_eq!(one.0.online.upkeep().decisions().unwrap().len(), 2);
}

/// A decision that was not acknowledged is not there, and one that was is: a store whose writer is gone
/// in the middle of a round.
#[test]
fn a_round_that_was_not_committed_decides_nothing() {
    let root = tempfile::tempdir().unwrap();
    let address = root.path().join("store").to_str().unwrap().to_owned();
    let mut told = Told::new(&address);
    told.add("a", TEXT);
    told.add("b", TEXT);
    told.decide(Action::NotACopy, &["b"], &["a"]);
    told.0.online.upkeep().store_mut().begin().unwrap();
    // Copied as it lies on the disk, without an end.
    let copy = root.path().join("copy");
    copy_folder(Path::new(&address), &copy);
    let mut left = Told::new(copy.to_str().unwrap());
    assert_eq!(left.clusters(), are(&[("a", 1), ("b", 1)]));
    assert_eq!(left.0.online.upkeep().decisions().unwrap().len(), 1);
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
