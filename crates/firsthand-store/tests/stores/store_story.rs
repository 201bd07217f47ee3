//! One story that every store tells: what is kept, found, changed and forgotten.

use super::server;
use super::story;
use firsthand::online::{Memory, Store};
use firsthand_store::{OnOtherSettings, StoredSettings, open};
use std::path::Path;

#[test]
fn memory() {
    story::tell(&|| Box::new(Memory::new()));
}

#[test]
fn memory_by_its_address() {
    let settings = StoredSettings::kept("{}");
    let again = || {
        let managed_store = open("memory:", Some(&settings), OnOtherSettings::Refuse).unwrap();
        managed_store as Box<dyn Store>
    };
    story::tell(&again);
}

fn folder(path: &Path) -> Box<dyn Store> {
    let settings = StoredSettings::kept("{}");
    open(path.to_str().unwrap(), Some(&settings), OnOtherSettings::Refuse).unwrap()
}

#[test]
fn embedded() {
    let root = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    story::tell(&|| {
        count.set(count.get() + 1);
        folder(&root.path().join(count.get().to_string()))
    });
}

#[test]
fn embedded_outlives_the_process() {
    let root = tempfile::tempdir().unwrap();
    story::outlive(&|name| folder(&root.path().join(name)));
}

fn database(address: &str) -> Box<dyn Store> {
    let settings = StoredSettings::kept("{}");
    open(address, Some(&settings), OnOtherSettings::Refuse).unwrap()
}

#[test]
fn postgres() {
    story::tell(&|| database(&server::fresh()));
}

#[test]
fn postgres_outlives_the_process() {
    let root = server::fresh();
    story::outlive(&|name| database(&format!("{root}_{}", name.replace('-', "_"))));
}

#[test]
fn other_addresses_are_refused() {
    let settings = StoredSettings::kept("{}");
    let managed_store =
        open("mysql://user:secret@host/db", Some(&settings), OnOtherSettings::Refuse);
    let error = managed_store.err().unwrap().to_string();
    assert!(
        error.contains("mysql:// is not a kind of store") && !error.contains("secret"),
        "{error}"
    );
    assert!(open("memory:", None, OnOtherSettings::Refuse).is_err());
}
