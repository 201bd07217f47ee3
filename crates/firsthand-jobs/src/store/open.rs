//! Opening a store: with its own settings, unless others are asked for.

use crate::error::{JobError, OpenError};
use crate::observer::{Notice, Observer};
use crate::settings::{Layers, Purpose};
use firsthand::Detector;
use firsthand::online::{Changes, StoreError};
use firsthand_input::{Extract, ReadOptions};
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which store to open, and with which settings.
#[derive(Clone, Debug, Default)]
pub struct StoreRequest {
    /// A folder, `postgres://...`, or `memory:` for a store that is gone with the process.
    pub address: String,
    /// The settings that are asked for. Where they name no profile, no method and no file, they
    /// are put over the settings of the store. Their `base` is not used.
    pub layers: Layers,
    /// Whether a store may be created or changed. If not, it must exist.
    pub writable: bool,
    /// What to do if the store was made with other settings.
    pub on_other_settings: OnOtherSettings,
}

/// An open store, and how documents are read and signed for it.
pub struct OpenStore {
    /// The store.
    pub store: Box<dyn ManagedStore>,
    /// Signs documents with the settings of the store.
    pub detector: Detector,
    /// How documents are read.
    pub reading: ReadOptions,
    /// Where the store is.
    pub address: String,
}

impl OpenStore {
    /// Whether the store is a server that several processes may use.
    pub fn is_shared(&self) -> bool {
        is_shared(&self.address)
    }
}

impl fmt::Debug for OpenStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An address may hold a password.
        write!(out, "OpenStore({:?})", super::shown_address(&self.address))
    }
}

/// Opens a store for a stream.
///
/// # Errors
///
/// If there is no such store and none may be created, it cannot be opened, or it was made with
/// other settings than those that are asked for.
pub fn open(request: StoreRequest, observer: &dyn Observer) -> Result<OpenStore, JobError> {
    let StoreRequest { address, mut layers, writable, on_other_settings } = request;
    let address = normal_address(&address)?;
    if on_other_settings == OnOtherSettings::NewGeneration && !writable {
        return Err(OpenError::GenerationWithoutStoring.into());
    }
    let is_named = layers.profile.is_some() || layers.method.is_some() || layers.file.is_some();
    let is_model = layers.model.is_some();
    let reading = &layers.overrides.reading;
    let is_reading_named = is_named || reading.extract.is_some() || reading.mail.is_some();
    let existing = match is_memory(&address) {
        true => None,
        false => match firsthand_store::open(&address, None, OnOtherSettings::Refuse) {
            Ok(store) => Some(store),
            // There is none yet. If there is one of another version, it is found again below.
            Err(StoreError::Unfit(_)) if writable => None,
            Err(error) => return Err(OpenError::Store(error).into()),
        },
    };
    let stored = existing.as_ref().map(|store| store.settings().settings()).transpose()?;
    layers.base = stored.clone().filter(|_| !is_named);
    let asked = layers.resolve(Purpose::Stream)?;
    asked.config.check_online()?;
    let store = match existing {
        Some(store) if stored.as_ref() == Some(&asked.config) => store,
        existing => {
            // A store has one opener at a time.
            drop(existing);
            let settings = StoredSettings::new(&asked.config)?;
            let opened = firsthand_store::open(&address, Some(&settings), on_other_settings);
            opened.map_err(|error| match error {
                StoreError::Unfit(_) if stored.is_some() => OpenError::OtherSettings(error),
                error => OpenError::Store(error),
            })?
        }
    };
    if stored.is_none() && !is_named && !is_model {
        observer.notice(Notice::NewStore { profile: firsthand::PROFILES[0].0 });
    }
    let detector = Detector::new(asked.config)?;
    let mut open = OpenStore { store, detector, reading: asked.reading, address };
    if !is_memory(&open.address) {
        use_stored_reading(&mut open, is_reading_named, writable)?;
    }
    Ok(open)
}

/// Opens a store that must exist, with its own settings.
pub(super) fn open_existing(address: &str) -> Result<Box<dyn ManagedStore>, JobError> {
    let address = normal_address(address)?;
    if is_memory(&address) {
        return Err(OpenError::InMemory.into());
    }
    Ok(firsthand_store::open(&address, None, OnOtherSettings::Refuse)?)
}

/// The name of the stored value that says how the documents of a store are read.
const READING: &str = "reading";

/// The settings for reading that change the texts of documents.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StoredReading {
    extract: Extract,
    mail: bool,
    #[serde(default)]
    keep_quotes: bool,
}

/// Reads documents as they were read for the store so far; for a new store, stores how they are read.
fn use_stored_reading(
    open: &mut OpenStore,
    is_named: bool,
    writable: bool,
) -> Result<(), JobError> {
    let OpenStore { store, reading, .. } = open;
    let ReadOptions { extract, mail, keep_quotes, .. } = *reading;
    let asked = StoredReading { extract, mail, keep_quotes };
    store.begin()?;
    let stored = store.value(READING);
    if let (Ok(None), true) = (&stored, writable) {
        let text = serde_json::to_vec(&asked).map_err(OpenError::Reading)?;
        let values = vec![(READING.to_owned(), text)];
        store.commit(Changes { values, ..Changes::default() })?;
        return Ok(());
    }
    store.abandon();
    let Some(stored) = stored? else { return Ok(()) };
    let stored: StoredReading = serde_json::from_slice(&stored).map_err(OpenError::Reading)?;
    if is_named && stored != asked {
        let text = |reading| serde_json::to_string(reading).map_err(OpenError::Reading);
        let (stored, asked) = (text(&stored)?, text(&asked)?);
        return Err(OpenError::OtherReading { stored, asked }.into());
    }
    let StoredReading { extract, mail, keep_quotes } = stored;
    (reading.extract, reading.mail, reading.keep_quotes) = (extract, mail, keep_quotes);
    Ok(())
}

fn normal_address(address: &str) -> Result<String, OpenError> {
    match address.trim() {
        "" => Err(OpenError::NoAddress),
        "memory" | "memory:" => Ok("memory:".to_owned()),
        _ => Ok(address.to_owned()),
    }
}

fn is_memory(address: &str) -> bool {
    address == "memory:"
}

pub(super) fn is_shared(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}
