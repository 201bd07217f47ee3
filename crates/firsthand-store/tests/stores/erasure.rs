//! What is deleted and compacted is gone from every file and table; what is left can be asked for. One
//! story for all stores.

use super::server;
use firsthand::{
    Document, Settings,
    online::{Answer, Online, StreamDetector, Verdict},
    settings::{Stream, Window},
};
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings, open, open_to_read};
use std::{fs, path::Path};

const TEXT: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none of the \
    forty passengers was hurt. A tug from the harbour will try to free the ship at high tide.";

/// Names that occur nowhere else.
const GONE: [&str; 3] = ["gone-one-8231", "gone-two-8231", "gone-three-8231"];

struct Told {
    detector: StreamDetector,
    online: Online<Box<dyn ManagedStore>>,
}

impl Told {
    fn new(address: &str) -> Self {
        let settings = Settings::profile("feed").unwrap();
        let stored = StoredSettings::new(&settings).unwrap();
        let store = open(address, Some(&stored), OnOtherSettings::Refuse).unwrap();
        let detector = StreamDetector::new(settings).unwrap();
        Self { detector: detector.clone(), online: Online::new(detector, store) }
    }

    fn add(&mut self, id: &str, text: &str) -> Answer {
        let document = Document {
            url: Some(format!("https://site.example/{id}/story")),
            title: Some(format!("All about {id}")),
            host: Some(format!("{id}.example")),
            time: Some(1_000),
            ..Document::new(id, text)
        };
        self.online.add(&[self.detector.sign(&document, 1_000)]).unwrap().remove(0)
    }
}

/// Tells the story; `holds` says whether a text is anywhere in the store, which is closed.
fn tell(address: &str, holds: &dyn Fn(&str) -> bool) {
    let mut told = Told::new(address);
    for id in GONE {
        told.add(id, TEXT);
    }
    for number in 0..5 {
        told.add(&format!("kept-{number}"), &TEXT.replace("night", &format!("night{number}")));
        told.add(
            &format!("other-{number}"),
            &format!("Nothing {number} of this is like the rest {number}"),
        );
    }
    drop(told);
    assert!(GONE.iter().all(|id| holds(id)));
    for (at, id) in GONE.iter().enumerate() {
        let mut told = Told::new(address);
        let found = told.online.upkeep().get(id).unwrap().unwrap();
        assert_eq!(found.copies.len(), GONE.len() - at - 1 + 5, "{id}");
        let next = GONE.get(at + 1).copied().unwrap_or("kept-0");
        let deleted = told.online.upkeep().delete(id).unwrap().unwrap();
        assert_eq!(deleted.promoted.as_deref(), Some(next));
        assert_eq!(told.online.upkeep().get(id).unwrap(), None);
        // Before it is compacted, too, no answer names it.
        let answer = told.add(&format!("new-{at}"), TEXT);
        assert_eq!((answer.verdict, answer.original.as_deref()), (Verdict::Duplicate, Some(next)));
        assert_eq!(answer.cluster.as_deref(), Some(next));
        told.online.upkeep().delete(&format!("new-{at}")).unwrap().unwrap();
        told.online.upkeep().store_mut().compact().unwrap();
        drop(told);
        assert!(!holds(id), "{id} is still there");
        assert!(holds("kept-0"));
    }
    // What is left is whole, and can be read without writing.
    let mut told = Told::new(address);
    assert_eq!(told.online.upkeep().store_mut().verify().unwrap().problems, [""; 0]);
    drop(told);
    let settings = Settings::profile("feed").unwrap();
    let reader = open_to_read(address).unwrap();
    let mut reader = firsthand::online::Upkeep::new(&settings, reader).unwrap();
    let found = reader.get_by_url("https://site.example/kept-0/story").unwrap().unwrap();
    assert_eq!(found.document.answer.verdict, Verdict::Original);
    assert_eq!(found.copies, ["kept-1", "kept-2", "kept-3", "kept-4"]);
    assert_eq!(
        reader.get("kept-3").unwrap().unwrap().document.answer.original.as_deref(),
        Some("kept-0")
    );
    let clusters = reader.clusters(5).unwrap();
    assert_eq!((&*clusters[0].original, clusters[0].size), ("kept-0", 5));
    assert_eq!(clusters[0].title.as_deref(), Some("All about kept-0"));
    assert!(reader.delete("kept-0").is_err());
}

fn file_holds(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => file_holds(&path, text),
            false => {
                let bytes = fs::read(&path).unwrap();
                bytes.windows(text.len()).any(|part| part == text.as_bytes())
            }
        }
    })
}

#[test]
fn a_folder_has_no_byte_of_what_was_deleted() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("store");
    tell(store.to_str().unwrap(), &|text| file_holds(&store, text));
}

#[test]
fn postgresql_has_no_byte_of_what_was_deleted() {
    let address = server::fresh();
    let holds = |text: &str| {
        let mut client = server::client(&address);
        // The pages of all tables, indexes and large values, as the server would write them to disk.
        client.batch_execute("CHECKPOINT").unwrap();
        let files = client
            .query(
                "SELECT pg_relation_filepath(c.oid) FROM pg_class c \
                 WHERE c.relkind IN ('r', 'i', 't', 'm') AND pg_relation_filepath(c.oid) IS NOT NULL \
                 AND (c.relnamespace = current_schema()::regnamespace OR c.oid IN (\
                   SELECT t.reltoastrelid FROM pg_class t \
                   WHERE t.relnamespace = current_schema()::regnamespace))",
                &[],
            )
            .unwrap();
        files.iter().any(|row| {
            let path: String = row.get(0);
            let row = client.query_one("SELECT pg_read_binary_file($1)", &[&path]).unwrap();
            let bytes: Vec<u8> = row.get(0);
            bytes.windows(text.len()).any(|part| part == text.as_bytes())
        })
    };
    tell(&address, &holds);
}

#[test]
fn a_window_may_be_changed_in_every_store() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("store").to_str().unwrap().to_owned();
    for address in [folder, server::fresh()] {
        let mut told = Told::new(&address);
        told.add("a", TEXT);
        let window = Window { milliseconds: Some(12 * 3_600_000), ..Window::default() };
        let feed = Settings::profile("feed").unwrap();
        let narrow = Settings { stream: Stream { window, ..feed.stream.clone() }, ..feed };
        let narrow = StoredSettings::new(&narrow).unwrap();
        told.online.upkeep().store_mut().set_settings(&narrow).unwrap();
        drop(told);
        let mut again = open(&address, Some(&narrow), OnOtherSettings::Refuse).unwrap();
        assert_eq!(again.settings().unwrap(), narrow);
        assert_eq!(again.begin().unwrap().next, 2);
    }
}
