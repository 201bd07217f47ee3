//! Opening a store: with its own settings, unless others are asked for.

use crate::error::{JobError, OpenError};
use crate::observer::{Notice, Observer};
use crate::settings::{Layers, Purpose};
use firsthand::Settings;
use firsthand::online::{StoreError, StreamDetector, Upkeep};
use firsthand::settings::{PROFILES, Window};
use firsthand_input::ReadOptions;
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

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
    pub detector: StreamDetector,
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
    let again = request.clone();
    let StoreRequest { address, mut layers, writable, on_other_settings } = request;
    let address = normal_address(&address)?;
    if on_other_settings == OnOtherSettings::NewGeneration && !writable {
        return Err(OpenError::GenerationWithoutStoring.into());
    }
    let is_named = layers.profile.is_some() || layers.method.is_some() || layers.file.is_some();
    let is_model = layers.model.is_some();
    let mut existing = match is_memory(&address) {
        true => None,
        false => match open_as_it_is(&address, writable) {
            Ok(store) => Some(store),
            // There is none yet. If there is one of another version, it is found again below.
            Err(StoreError::Unfit(_)) if writable => None,
            Err(error) => return Err(OpenError::Store(error).into()),
        },
    };
    let stored = match &mut existing {
        Some(store) => Some(stored_settings(&mut **store)?),
        None => None,
    };
    layers.base = stored.clone().filter(|_| !is_named);
    let mut settings = layers.resolve(Purpose::Stream)?;
    settings.stream.salt = stored.as_ref().map_or_else(new_salt, |stored| stored.stream.salt);
    // Before a store is created with them.
    let detector = StreamDetector::new(settings.clone())?;
    let wanted = settings.kept_with_store();
    let store = match existing {
        Some(store) if stored.as_ref() == Some(&wanted) => store,
        Some(mut store)
            if stored.as_ref().is_some_and(|stored| is_same_but_window(stored, &wanted)) =>
        {
            let former =
                stored.as_ref().map_or(wanted.stream.window, |stored| stored.stream.window);
            let notice;
            (store, notice) = window_notice(store, former, &wanted)?;
            observer.notice(notice);
            if writable {
                store.set_settings(&StoredSettings::new(&settings)?)?;
            }
            store
        }
        Some(mut store) if !writable => {
            let (kept, wanted) = (store.settings()?, StoredSettings::new(&settings)?);
            let differences = kept.differences(&wanted).join("; ");
            let error = format!("the store was made with other settings ({differences})");
            return Err(OpenError::OtherSettings(StoreError::Unfit(error)).into());
        }
        existing => {
            // A store has one opener at a time.
            drop(existing);
            let wanted = StoredSettings::new(&settings)?;
            match firsthand_store::open(&address, Some(&wanted), on_other_settings) {
                Ok(store) => store,
                Err(error @ StoreError::Unfit(_)) if stored.is_some() => {
                    return Err(OpenError::OtherSettings(error).into());
                }
                // Another process has made it in the meantime, with a salt of its own.
                Err(StoreError::Unfit(_)) if open_as_it_is(&address, writable).is_ok() => {
                    return open(again, observer);
                }
                Err(error) => return Err(OpenError::Store(error).into()),
            }
        }
    };
    if stored.is_none() && !is_named && !is_model {
        observer.notice(Notice::NewStore { profile: PROFILES[0].0 });
    }
    let reading = ReadOptions::new(settings.reading);
    Ok(OpenStore { store, detector, reading, address })
}

/// A number that nobody knows who cannot read the store; TOML has no larger ones.
fn new_salt() -> u64 {
    RandomState::new().build_hasher().finish() >> 1
}

/// Whether settings differ in nothing but the window, which may change during the life of a store.
fn is_same_but_window(stored: &Settings, wanted: &Settings) -> bool {
    let mut stored = stored.clone();
    stored.stream.window = wanted.stream.window;
    stored == *wanted
}

/// What to say about a window that is not that of the store. One that became wider holds in full once
/// everything in it has arrived since the earliest document that is left.
fn window_notice(
    mut store: Box<dyn ManagedStore>,
    from: Window,
    settings: &Settings,
) -> Result<(Box<dyn ManagedStore>, Notice<'static>), JobError> {
    let to = settings.stream.window;
    let head = store.begin()?;
    store.abandon();
    let first = head.buckets.iter().map(|bucket| bucket.first).min();
    let was_cut = match (from.milliseconds, first, head.clock) {
        (Some(span), Some(first), Some(clock)) => first.saturating_add(span) <= clock,
        _ => false,
    };
    let is_wider = to.milliseconds.unwrap_or(i64::MAX) > from.milliseconds.unwrap_or(i64::MAX);
    let mut upkeep = Upkeep::new(settings, store)?;
    upkeep.dry_run = true;
    let outside = upkeep.expire(None)?.documents;
    let complete_since = first.filter(|_| was_cut && is_wider);
    Ok((upkeep.into_store(), Notice::Window { from, to, complete_since, outside }))
}

/// Opens a store that must exist, with its own settings.
pub(super) fn open_existing(
    address: &str,
    writable: bool,
) -> Result<Box<dyn ManagedStore>, JobError> {
    let address = normal_address(address)?;
    if is_memory(&address) {
        return Err(OpenError::InMemory.into());
    }
    Ok(open_as_it_is(&address, writable)?)
}

fn open_as_it_is(address: &str, writable: bool) -> Result<Box<dyn ManagedStore>, StoreError> {
    match writable {
        true => firsthand_store::open(address, None, OnOtherSettings::Refuse),
        false => firsthand_store::open_to_read(address),
    }
}

/// The settings that a store was made with.
pub(super) fn stored_settings(store: &mut dyn ManagedStore) -> Result<Settings, OpenError> {
    let stored = store.settings().map_err(OpenError::Store)?;
    stored.settings().map_err(OpenError::OtherVersion)
}

fn normal_address(address: &str) -> Result<String, OpenError> {
    match address.trim() {
        "" => Err(OpenError::NoAddress),
        named
            if ["postgres:", "postgresql:"].iter().any(|kind| named.starts_with(kind))
                && !is_shared(named) =>
        {
            Err(OpenError::NoServer)
        }
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
