//! A store by its address, with the settings that hold for it: its own, unless others are asked for.

use crate::args::{OnlineArgs, SettingArgs};
use crate::console::Console;
use crate::settings;
use anyhow::{Context, Result, anyhow, bail};
use firsthand::online::{Changes, StoreError};
use firsthand::{Detector, Settings};
use firsthand_input::Extract;
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings};
use serde::{Deserialize, Serialize};

/// A store that is open, and what documents for it are read and signed with.
pub(crate) struct Ready {
    pub(crate) store: Box<dyn ManagedStore>,
    pub(crate) detector: Detector,
    pub(crate) reading: firsthand_input::ReadOptions,
    pub(crate) address: String,
}

/// Opens a store for a stream. If `make` is off, it must be there already.
pub(crate) fn open(
    address: &str,
    flags: &SettingArgs,
    online: &OnlineArgs,
    make: bool,
    console: &Console,
) -> Result<Ready> {
    let address = address_of(address)?;
    let other = match online.new_generation {
        true if !make => bail!("--new-generation stores something: leave it out here"),
        true => OnOtherSettings::NewGeneration,
        false => OnOtherSettings::Refuse,
    };
    let named = flags.profile.is_some() || flags.method.is_some() || flags.config.is_some();
    let there = match is_memory(&address) {
        true => None,
        false => Some(firsthand_store::open(&address, None, OnOtherSettings::Refuse)),
    };
    let (base, store) = match there {
        Some(Ok(store)) => (Some(store.settings().settings()?), Some(store)),
        // There is none yet; if it is another version instead, that is found again below.
        Some(Err(StoreError::Unfit(_))) if make => (None, None),
        Some(Err(error)) => return Err(error).context("the store cannot be opened"),
        None => (None, None),
    };
    let is_new = base.is_none();
    let over = base.clone().filter(|_| !named);
    let resolved = settings::resolve_online(over, flags, online)?;
    resolved.config.check_online()?;
    let store = match store {
        Some(store) if base.as_ref() == Some(&resolved.config) => store,
        open => {
            // A store has one opener at a time.
            drop(open);
            let settings = StoredSettings::new(&resolved.config)?;
            firsthand_store::open(&address, Some(&settings), other).map_err(
                |error| match &error {
                    StoreError::Unfit(_) if !is_new => {
                        anyhow!("{error} (--new-generation does that)")
                    }
                    _ => error.into(),
                },
            )?
        }
    };
    if is_new && !named && flags.model.path().is_none() {
        let (name, _) = firsthand::settings::PROFILES[0];
        console.say(&format!(
            "A new store, with the settings of the profile {name}; --profile chooses another."
        ));
    }
    let mut ready = Ready {
        store,
        detector: Detector::new(resolved.config)?,
        reading: resolved.reading,
        address,
    };
    if !is_memory(&ready.address) {
        let typed = named || flags.reading.extract.is_some() || flags.reading.mail.is_some();
        keep_reading(&mut ready, typed, make)?;
    }
    Ok(ready)
}

/// Where a store keeps what of reading changes the texts of documents.
const READING: &str = "reading";

/// How the texts of a store are read.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Reading {
    extract: Extract,
    mail: bool,
    #[serde(default)]
    keep_quotes: bool,
}

/// Notes how the documents of a store are read, or reads them as they have been so far.
fn keep_reading(ready: &mut Ready, typed: bool, make: bool) -> Result<()> {
    let Ready { store, reading, .. } = ready;
    store.begin()?;
    let kept = store.value(READING);
    let ours =
        Reading { extract: reading.extract, mail: reading.mail, keep_quotes: reading.keep_quotes };
    match kept {
        Ok(None) if make => {
            let value = (READING.to_owned(), serde_json::to_vec(&ours)?);
            store.commit(Changes { values: vec![value], ..Changes::default() })?;
        }
        kept => {
            store.abandon();
            let Some(kept) = kept? else { return Ok(()) };
            let kept: Reading = serde_json::from_slice(&kept)
                .context("the store says in a way that is not known how its texts were read")?;
            if typed && kept != ours {
                let (was, is) = (serde_json::to_string(&kept)?, serde_json::to_string(&ours)?);
                bail!(
                    "the texts of the store were read with {was}, not with {is}: use those flags \
                     (--extract, --mail), or another store"
                );
            }
            (reading.extract, reading.mail, reading.keep_quotes) =
                (kept.extract, kept.mail, kept.keep_quotes);
        }
    }
    Ok(())
}

/// Opens a store that must be there, with its own settings.
pub(crate) fn open_existing(address: &str) -> Result<(Box<dyn ManagedStore>, Settings)> {
    let address = address_of(address)?;
    if is_memory(&address) {
        bail!("a store in memory is gone with its process: name a folder or a database");
    }
    let store = firsthand_store::open(&address, None, OnOtherSettings::Refuse)?;
    let config = store.settings().settings()?;
    Ok((store, config))
}

fn address_of(written: &str) -> Result<String> {
    match written.trim() {
        "" => bail!("--store is empty: name a folder, or postgres://..., or memory:"),
        "memory" | "memory:" => Ok("memory:".to_owned()),
        _ => Ok(written.to_owned()),
    }
}

fn is_memory(address: &str) -> bool {
    address == "memory:"
}

/// Whether a store is a server that several processes may use.
pub(crate) fn is_shared(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// The address as it may be shown: without what might be a password.
pub(crate) fn shown(address: &str) -> &str {
    if is_shared(address) { "in PostgreSQL" } else { address }
}
