//! What is deleted and compacted is gone from every file and table; what is left can be asked for. One
//! story for all stores.

use super::server;
use super::told::{TEXT, Told, file_holds, table_holds};
use firsthand::{
    Document, Settings,
    online::{Answer, Verdict},
    settings::{Stream, Window},
};
use firsthand_store::{OnOtherSettings, StoredSettings, open, open_to_read};
use std::{thread, time::Duration};

/// Names that occur nowhere else.
const GONE: [&str; 3] = ["gone-one-8231", "gone-two-8231", "gone-three-8231"];

/// Adds a document that has its id in every field.
fn add(told: &mut Told, id: &str, text: &str) -> Answer {
    told.add(&Document {
        url: Some(format!("https://site.example/{id}/story")),
        title: Some(format!("All about {id}")),
        host: Some(format!("{id}.example")),
        time: Some(1_000),
        ..Document::new(id, text)
    })
}

/// Tells the story; `holds` says whether a text is anywhere in the store, which is closed.
fn tell(address: &str, holds: &dyn Fn(&str) -> bool) {
    let mut told = Told::new(address);
    for id in GONE {
        add(&mut told, id, TEXT);
    }
    for number in 0..5 {
        add(
            &mut told,
            &format!("kept-{number}"),
            &TEXT.replace("night", &format!("night{number}")),
        );
        add(
            &mut told,
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
        let answer = add(&mut told, &format!("new-{at}"), TEXT);
        assert_eq!((answer.verdict, answer.original.as_deref()), (Verdict::Duplicate, Some(next)));
        assert_eq!(answer.cluster.as_deref(), Some(next));
        told.online.upkeep().delete(&format!("new-{at}")).unwrap().unwrap();
        told.online.upkeep().store_mut().compact().unwrap();
        drop(told);
        // Of a database, rows stay as long as a transaction sees them that began before they were deleted: that of
        // another test may.
        for _ in 0..100 {
            if !holds(id) {
                break;
            }
            thread::sleep(Duration::from_millis(200));
            Told::new(address).online.upkeep().store_mut().compact().unwrap();
        }
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

#[test]
fn a_folder_has_no_byte_of_what_was_deleted() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("store");
    tell(store.to_str().unwrap(), &|text| file_holds(&store, text));
}

#[test]
fn postgresql_has_no_byte_of_what_was_deleted() {
    let address = server::fresh();
    tell(&address, &|text| table_holds(&address, text));
}

#[test]
fn a_window_may_be_changed_in_every_store() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("store").to_str().unwrap().to_owned();
    for address in [folder, server::fresh()] {
        let mut told = Told::new(&address);
        add(&mut told, "a", TEXT);
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
