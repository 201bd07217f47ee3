//! A stream with any store, for stories that are told to all of them, and what lies in a store byte by byte.

use super::server;
use firsthand::{
    Document, Settings,
    online::{Answer, Online, StreamDetector},
};
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings, open};
use std::{fs, path::Path};

pub(crate) const TEXT: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none of \
    the forty passengers was hurt. A tug from the harbour will try to free the ship at high tide.";

pub(crate) struct Told {
    detector: StreamDetector,
    pub(crate) online: Online<Box<dyn ManagedStore>>,
}

impl Told {
    pub(crate) fn new(address: &str) -> Self {
        let settings = Settings::profile("feed").unwrap();
        let stored = StoredSettings::new(&settings).unwrap();
        let store = open(address, Some(&stored), OnOtherSettings::Refuse).unwrap();
        let detector = StreamDetector::new(settings).unwrap();
        Self { detector: detector.clone(), online: Online::new(detector, store) }
    }

    /// Closes the store and opens it again.
    pub(crate) fn again(self, address: &str) -> Self {
        drop(self);
        Self::new(address)
    }

    pub(crate) fn add(&mut self, document: &Document) -> Answer {
        let now = document.time.unwrap_or(0);
        self.online.add(&[self.detector.sign(document, now)]).unwrap().remove(0)
    }

    pub(crate) fn store(&mut self) -> &mut dyn ManagedStore {
        &mut **self.online.upkeep().store_mut()
    }
}

/// Whether a text is in a file of a folder.
pub(crate) fn file_holds(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => file_holds(&path, text),
            false => fs::read(&path).unwrap().windows(text.len()).any(|it| it == text.as_bytes()),
        }
    })
}

/// Whether a text is in the pages of a store's tables, indexes and large values, as the server would write
/// them to disk.
pub(crate) fn table_holds(address: &str, text: &str) -> bool {
    let mut client = server::client(address);
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
}
