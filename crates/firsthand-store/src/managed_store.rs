//! Any store, opened by its address.

#[cfg(feature = "postgres")]
use crate::Postgres;
use crate::{Embedded, Fact, StoredSettings, TextShelf, memory};
use firsthand::online::{Store, StoreError};
use std::{fmt, path::Path, sync::Arc};

/// What to do with a store that was made with other settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnOtherSettings {
    /// Refuse to open it, and say which settings differ.
    #[default]
    Refuse,
    /// Start a new, empty generation with the new settings. The former generation stays on disk until
    /// [`ManagedStore::compact`].
    NewGeneration,
}

/// Says whether the program is to stop; see [`ManagedStore::stop_when`].
#[derive(Clone, Default)]
pub struct StopCheck(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopCheck {
    /// Asks `is_stopping` again and again while something is awaited.
    pub fn new(is_stopping: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_stopping)))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|is_stopping| is_stopping())
    }
}

impl fmt::Debug for StopCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "StopCheck({})", self.is_set())
    }
}

/// Is told when a round has to wait for those of other processes; see [`ManagedStore::tell_waits`].
#[derive(Clone, Default)]
pub struct WaitNotice(Option<Arc<dyn Fn() + Send + Sync>>);

impl WaitNotice {
    /// Calls `tell` when a wait has taken two seconds.
    pub fn new(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    #[cfg_attr(not(feature = "postgres"), allow(dead_code))]
    pub(crate) fn tell(&self) {
        if let Some(tell) = &self.0 {
            tell();
        }
    }
}

impl fmt::Debug for WaitNotice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "WaitNotice({})", self.0.is_some())
    }
}

/// A store that is open, with the upkeep that it needs apart from rounds.
pub trait ManagedStore: Store {
    /// The settings that it was made with.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn settings(&mut self) -> Result<StoredSettings, StoreError>;

    /// Stores other settings in their place. They must differ only in what may change during the life of
    /// a store, which is the window.
    ///
    /// # Errors
    ///
    /// If they cannot be made durable.
    fn set_settings(&mut self, settings: &StoredSettings) -> Result<(), StoreError>;

    /// Information about the store itself for people to read, as labels and values.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is damaged.
    fn info(&mut self) -> Result<Vec<(String, Fact)>, StoreError>;

    /// The texts of its documents; `None` if none were ever kept. With `make`, they are kept from now on,
    /// and `None` says that this store cannot keep any.
    ///
    /// # Errors
    ///
    /// If the store fails, or was opened to be read and is to keep texts.
    fn texts(&mut self, make: bool) -> Result<Option<&mut dyn TextShelf>, StoreError>;

    /// A number that goes up with every round of anybody, where several processes may change the store;
    /// otherwise 0. Asking for it waits for nobody's round.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn rounds_of_all(&mut self) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// From now on a wait for a server that does not answer ends soon after `stop` says so, with an
    /// error. A folder never waits.
    fn stop_when(&mut self, _stop: StopCheck) {}

    /// From now on `notice` is told when a round waits for those of other processes. A folder never
    /// waits.
    fn tell_waits(&mut self, _notice: WaitNotice) {}

    /// Reads everything and checks it. Indexes that can be rebuilt are rebuilt, and reported.
    ///
    /// # Errors
    ///
    /// If something cannot be read at all. Damage is not an error: it is in [`Verified::problems`].
    fn verify(&mut self) -> Result<Verified, StoreError>;

    /// Frees the space of replaced payloads, forgotten documents and former generations. Returns the
    /// size in bytes before and after.
    ///
    /// # Errors
    ///
    /// If files or tables cannot be read, written or deleted, or are damaged.
    fn compact(&mut self) -> Result<(u64, u64), StoreError>;

    /// Copies the store to a folder that is empty or does not exist: as a folder that can be opened, or
    /// for PostgreSQL as a script that restores it.
    ///
    /// # Errors
    ///
    /// If the folder is not empty or cannot be written, if the store is damaged, or if it is in memory.
    fn backup(&mut self, to: &Path) -> Result<(), StoreError>;
}

/// What [`ManagedStore::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Number of documents that were read.
    pub documents: u64,
    /// Number of keys that were read; the store in memory does not count them.
    pub keys: u64,
    /// What is wrong, one sentence each; empty if all is well.
    pub problems: Vec<String>,
}

/// Opens a store that exists to read it as of its last commit. Nothing is written. Other processes may
/// have it open and change it meanwhile.
///
/// # Errors
///
/// As [`open`], but for [`StoreError::InUse`]. The store refuses changes with [`StoreError::Failed`].
pub fn open_to_read(address: &str) -> Result<Box<dyn ManagedStore>, StoreError> {
    match address {
        "memory:" => open(address, None, OnOtherSettings::Refuse),
        #[cfg(feature = "postgres")]
        _ if is_postgres(address) => Ok(Box::new(Postgres::open_to_read(address)?)),
        _ if address.contains("://") => open(address, None, OnOtherSettings::Refuse),
        folder => Ok(Box::new(Embedded::open_to_read(Path::new(folder))?)),
    }
}

/// Opens or creates a store. The address is the path of a folder, `postgres://...`, or `memory:`.
/// Without settings the store must exist, and is opened with the settings that it was made with.
///
/// # Errors
///
/// - [`StoreError::InUse`] if another process has the folder open.
/// - [`StoreError::Unfit`] if the address is not that of a store, if there is none and no settings are
///   given, if its layout is that of another version, or if its settings differ and `other` is
///   [`OnOtherSettings::Refuse`].
/// - [`StoreError::Damaged`] if it does not read as it was written.
/// - [`StoreError::Failed`] if the disk or the server fails.
pub fn open(
    address: &str,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<Box<dyn ManagedStore>, StoreError> {
    match address {
        "memory:" => match settings {
            Some(settings) => Ok(Box::new(memory::open(settings)?)),
            None => Err(StoreError::Unfit(
                "there is no store in memory to open: it ends with the process that made it"
                    .to_owned(),
            )),
        },
        #[cfg(feature = "postgres")]
        _ if is_postgres(address) => Ok(Box::new(Postgres::open(address, settings, other)?)),
        _ if is_postgres(address) => Err(StoreError::Unfit(
            "this build has no PostgreSQL: build it with the feature `postgres`, which is on by default"
                .to_owned(),
        )),
        _ if address.contains("://") => Err(StoreError::Unfit(format!(
            "{} is not a kind of store; give a folder, postgres://... or memory:",
            address.split_inclusive("://").next().unwrap_or(address)
        ))),
        folder => Ok(Box::new(Embedded::open(Path::new(folder), settings, other)?)),
    }
}

fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}
