//! Opening and upkeep of stores without a process.

use super::*;
use crate::error::{JobError, OpenError};
use crate::observer::Unobserved;
use crate::settings::Layers;
use crate::stream::{LineInput, StreamJob, run};
use firsthand_store::{OnOtherSettings, WaitNotice};
use std::io::Cursor;

const TEXT: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none of \
    the forty passengers was hurt. A tug from the harbour will try to free the ship at high tide.";

fn request(address: &str, profile: Option<&str>) -> StoreRequest {
    let layers = Layers { profile: profile.map(str::to_owned), ..Layers::default() };
    let address = address.to_owned();
    StoreRequest { address, layers, writable: true, ..StoreRequest::default() }
}

/// A store with an original and two copies of it.
fn three_documents(address: &str) {
    let store = open(request(address, Some("feed")), &Unobserved::default()).unwrap();
    let line = |id| serde_json::json!({ "id": id, "text": TEXT }).to_string() + "\n";
    let text: String = ["a", "b", "c"].map(line).concat();
    let reader = Box::new(Cursor::new(text.into_bytes()));
    let inputs = vec![LineInput::Reader { name: "memory".to_owned(), reader }];
    let job = StreamJob { store, inputs, keep: true, keep_text: false, decisions: Vec::new() };
    run(job, &mut Vec::new(), &Unobserved::default()).unwrap();
}

#[test]
fn upkeep_returns_values_and_a_dry_run_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    three_documents(&address);
    assert_eq!(verify(&address).unwrap().problems, [""; 0]);
    let mut out = Vec::new();
    assert_eq!(export(&address, &mut out).unwrap(), 3);
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 3);
    for dry_run in [true, false] {
        let mut promoted = Vec::new();
        let ids = ["a".to_owned(), "x".to_owned()];
        let mut each = |id: &str, deleted: Option<firsthand::online::Deleted>| {
            promoted.push((id.to_owned(), deleted.map(|deleted| deleted.promoted)));
            Ok(())
        };
        delete(&address, &ids, dry_run, WaitNotice::default(), &mut each).unwrap();
        let next = Some(Some("b".to_owned()));
        assert_eq!(promoted, [("a".to_owned(), next), ("x".to_owned(), None)]);
    }
    let later = Some(i64::MAX);
    for dry_run in [true, false] {
        assert!(info(&address).unwrap().holdings.documents > 0);
        assert!(expire(&address, later, dry_run, WaitNotice::default()).unwrap().documents > 0);
    }
    assert_eq!(info(&address).unwrap().holdings.documents, 0);
    compact(&address, WaitNotice::default()).unwrap();
    backup(&address, &folder.path().join("copy")).unwrap();
    assert!(verify(&folder.path().join("copy").display().to_string()).is_ok());
}

#[test]
fn a_store_keeps_its_settings_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    let open = |request: StoreRequest| open(request, &Unobserved::default());
    let settings = |store: &OpenStore| store.detector.settings().clone();
    let feed = settings(&open(request(&address, Some("feed"))).unwrap());
    assert_eq!(settings(&open(request(&address, None)).unwrap()), feed);
    let refused = open(request(&address, Some("alert"))).unwrap_err();
    assert!(matches!(refused, JobError::Open(OpenError::OtherSettings(_))), "{refused:?}");
    let generation = OnOtherSettings::NewGeneration;
    let other = |writable| StoreRequest {
        on_other_settings: generation,
        writable,
        ..request(&address, Some("alert"))
    };
    let refused = open(other(false)).unwrap_err();
    assert!(matches!(refused, JobError::Open(OpenError::GenerationWithoutStoring)));
    assert_ne!(settings(&open(other(true)).unwrap()), feed);
}

#[test]
fn a_store_keeps_how_its_documents_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    let observer = Unobserved::default();
    assert!(open(request(&address, Some("mail")), &observer).unwrap().reading.reading.mail);
    assert!(open(request(&address, None), &observer).unwrap().reading.reading.mail);
    let mut other = request(&address, None);
    other.layers.overrides = "reading.mail = false".parse().unwrap();
    let refused = open(other, &observer).unwrap_err();
    assert!(matches!(refused, JobError::Open(OpenError::OtherSettings(_))), "{refused:?}");
}

#[test]
fn addresses_without_a_store_are_refused() {
    let observer = Unobserved::default();
    let refused = open(request(" ", None), &observer).unwrap_err();
    assert!(matches!(refused, JobError::Open(OpenError::NoAddress)));
    for address in ["postgres:", "postgresql:", "postgres:news"] {
        let refused = open(request(address, None), &observer).unwrap_err();
        assert!(matches!(refused, JobError::Open(OpenError::NoServer)), "{refused}");
    }
    assert!(matches!(info("memory:").unwrap_err(), JobError::Open(OpenError::InMemory)));
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere").display().to_string();
    let reader = StoreRequest { writable: false, ..request(&nowhere, None) };
    assert!(matches!(open(reader, &observer).unwrap_err(), JobError::Open(OpenError::Store(_))));
}
