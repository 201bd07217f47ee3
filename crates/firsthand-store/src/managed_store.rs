//! Any store, opened by its address.

use crate::{Embedded, Postgres, StoredSettings, memory::Volatile};
use firsthand::online::{Store, StoreError};
use std::path::Path;

/// What to do with a store that was made with other settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnOtherSettings {
    /// Refuse to open it, and say what differs.
    #[default]
    Refuse,
    /// Set what is in it aside and begin anew.
    NewGeneration,
}

/// A store that is open, and what can be done to it apart from rounds.
pub trait ManagedStore: Store {
    /// The settings it was made with.
    fn settings(&self) -> &StoredSettings;

    /// Reads everything and checks it.
    fn verify(&mut self) -> Result<Verified, StoreError>;

    /// Gives back the space of what is forgotten; returns the bytes before and after.
    fn compact(&mut self) -> Result<(u64, u64), StoreError>;

    /// Makes a copy of it, one that can be opened like it or a script that restores it; the place must be
    /// empty or not exist.
    fn backup(&mut self, to: &Path) -> Result<(), StoreError>;
}

/// What a check of a whole store has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Documents that were read.
    pub documents: u64,
    /// Keys that lead to them.
    pub keys: u64,
    /// What is wrong, in plain words; empty if nothing is.
    pub problems: Vec<String>,
}

/// Opens a store, or makes it: `memory:`, `postgres://...`, or the path of a folder. Without settings,
/// it must exist and is opened with its own.
pub fn open(
    address: &str,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<Box<dyn ManagedStore>, StoreError> {
    match address {
        "memory:" => match settings {
            Some(settings) => Ok(Box::new(Volatile::new(settings.clone()))),
            None => Err(StoreError::Unfit(
                "a store in memory is gone with its process: there is none to open".to_owned(),
            )),
        },
        _ if address.starts_with("postgres://") || address.starts_with("postgresql://") => {
            Ok(Box::new(Postgres::open(address, settings, other)?))
        }
        _ if address.contains("://") => Err(StoreError::Unfit(format!(
            "{} is no kind of store; give a folder, postgres://... or memory:",
            address.split_inclusive("://").next().unwrap_or(address)
        ))),
        folder => Ok(Box::new(Embedded::open(Path::new(folder), settings, other)?)),
    }
}
