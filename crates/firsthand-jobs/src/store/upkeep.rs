//! The upkeep of a store: what it holds, and checking, exporting, forgetting and copying it.

use super::open::{is_shared, open_existing, stored_settings};
use crate::error::{JobError, OutputError};
use firsthand::Settings;
use firsthand::online::{Answer, Deleted, Exported, Forgotten, Holdings, StoreError, Upkeep};
use firsthand_input::calendar::rfc3339;
use firsthand_store::{Fact, ManagedStore, Verified, WaitNotice};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// What a store holds, and the settings it was made with.
#[derive(Clone, Debug)]
pub struct StoreInfo {
    /// Where it is, without anything that might be a password.
    pub address: String,
    /// The documents, and what was given up.
    pub holdings: Holdings,
    /// What the store says about itself: label and value.
    pub facts: Vec<(String, Fact)>,
    /// The settings it was made with.
    pub settings: Settings,
}

/// The size of a store before and after compaction, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The size before.
    pub before: u64,
    /// The size after.
    pub after: u64,
}

/// What a store holds.
///
/// # Errors
///
/// If the store cannot be opened or read.
pub fn info(address: &str) -> Result<StoreInfo, JobError> {
    let (mut upkeep, mut settings) = upkeep(address, false)?;
    // It is nobody's business, and always that of the store.
    settings.stream.salt = 0;
    let holdings = upkeep.holdings()?;
    let facts = upkeep.store_mut().info()?;
    Ok(StoreInfo { address: shown_address(address).to_owned(), holdings, facts, settings })
}

/// Reads and checks everything in a store.
///
/// # Errors
///
/// If the store cannot be opened. What is wrong with its contents is not an error but part of the
/// result.
pub fn verify(address: &str) -> Result<Verified, JobError> {
    Ok(open_existing(address, false)?.verify()?)
}

/// Forgets the documents outside of the window or, with `before`, all hours that end before that time
/// (milliseconds since 1970). A dry run changes nothing and says what would be forgotten. `waits` is told
/// if other processes have to be waited for.
///
/// # Errors
///
/// If the store cannot be opened or changed.
pub fn expire(
    address: &str,
    before: Option<i64>,
    dry_run: bool,
    waits: WaitNotice,
) -> Result<Forgotten, JobError> {
    let (mut upkeep, _) = upkeep(address, !dry_run)?;
    upkeep.store_mut().tell_waits(waits);
    upkeep.dry_run = dry_run;
    Ok(upkeep.expire(before)?)
}

/// Deletes documents by their ids, and tells `each` what became of them, one after another; `None` if
/// there is no such document. A dry run changes nothing. `waits` is told if other processes have to be
/// waited for.
///
/// # Errors
///
/// If the store cannot be opened or changed, or `each` fails; all documents are deleted then.
pub fn delete(
    address: &str,
    ids: &[String],
    dry_run: bool,
    waits: WaitNotice,
    each: &mut dyn FnMut(&str, Option<Deleted>) -> io::Result<()>,
) -> Result<(), JobError> {
    let (mut upkeep, _) = upkeep(address, !dry_run)?;
    upkeep.store_mut().tell_waits(waits);
    upkeep.dry_run = dry_run;
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    if !dry_run {
        erase_texts(&mut **upkeep.store_mut(), &ids)?;
    }
    for (id, deleted) in ids.iter().zip(upkeep.delete_all(&ids)?) {
        each(id, deleted).map_err(OutputError::Stream)?;
    }
    Ok(())
}

/// Erases the texts of documents, if there are any. It comes before their documents are deleted, so that no
/// text is left of a document that is gone.
pub(crate) fn erase_texts(store: &mut dyn ManagedStore, ids: &[&str]) -> Result<(), StoreError> {
    store.texts(false)?.map_or(Ok(()), |texts| texts.erase(ids))
}

/// A document as one line of an export. The names are a promise to other programs.
#[derive(Debug, Serialize)]
pub struct DocumentLine<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    time: String,
    url: Option<&'a str>,
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    generation: u32,
    number: u64,
}

impl<'a> DocumentLine<'a> {
    /// The line of a document.
    pub fn new(document: &'a Exported) -> Self {
        let Exported { seq, generation, time, url, title, source, answer, .. } = document;
        let (url, title, time) = (url.as_deref(), title.as_deref(), rfc3339(*time));
        let source = source.as_deref();
        Self { answer, time, url, title, source, generation: *generation, number: *seq }
    }
}

/// Documents that are fetched from the store at a time.
const EXPORT_STEP: usize = 1000;

/// Writes all documents with their answers as JSON, one per line; returns how many.
///
/// # Errors
///
/// If the store cannot be read or `out` not be written to.
pub fn export(address: &str, out: &mut dyn Write) -> Result<u64, JobError> {
    let (mut upkeep, _) = upkeep(address, false)?;
    let (mut from, mut count) = (Some(0), 0);
    // All of it as of one commit.
    upkeep.store_mut().begin()?;
    while let Some(start) = from {
        let (documents, next) = upkeep.export(start, EXPORT_STEP)?;
        for document in &documents {
            let line = serde_json::to_writer(&mut *out, &DocumentLine::new(document));
            line.map_err(io::Error::from).map_err(OutputError::Stream)?;
            out.write_all(b"\n").map_err(OutputError::Stream)?;
        }
        count += documents.len() as u64;
        from = next;
    }
    upkeep.store_mut().abandon();
    out.flush().map_err(OutputError::Stream)?;
    Ok(count)
}

/// Writes the decisions of people as a file of them: one JSON object per line, and an empty line where one
/// was erased, so that numbers stay; returns how many.
///
/// # Errors
///
/// If the store cannot be read or `out` not be written to.
pub fn decisions(address: &str, out: &mut dyn Write) -> Result<u64, JobError> {
    let (mut upkeep, _) = upkeep(address, false)?;
    let lines = upkeep.decisions()?;
    let mut write = || -> io::Result<()> {
        for line in lines {
            if let Some(decision) = line {
                serde_json::to_writer(&mut *out, decision)?;
            }
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(OutputError::Stream)?;
    Ok(lines.iter().flatten().count() as u64)
}

/// Writes a store anew, without ids, URLs, titles and texts that were deleted, replaced or forgotten. The times
/// and keys of deleted documents stay. `waits` is told if other processes have to be waited for.
///
/// # Errors
///
/// If the store cannot be opened or changed.
pub fn compact(address: &str, waits: WaitNotice) -> Result<Compacted, JobError> {
    let mut store = open_existing(address, true)?;
    store.tell_waits(waits);
    let (before, after) = store.compact()?;
    Ok(Compacted { before, after })
}

/// Copies a store into a folder that is empty or does not exist: a copy of a folder opens like it, a
/// copy of PostgreSQL is a script that restores it.
///
/// # Errors
///
/// If the store cannot be opened or the copy not be written.
pub fn backup(address: &str, to: &Path) -> Result<(), JobError> {
    Ok(open_existing(address, false)?.backup(to)?)
}

/// The address as it may be shown: without anything that might be a password.
pub fn shown_address(address: &str) -> &str {
    if is_shared(address) { "in PostgreSQL" } else { address }
}

/// Opens a store that exists, with the settings that it was made with: to read it beside whoever changes
/// it, or to change it.
///
/// # Errors
///
/// If there is no such store, or it cannot be opened.
pub fn upkeep(
    address: &str,
    writable: bool,
) -> Result<(Upkeep<Box<dyn ManagedStore>>, Settings), JobError> {
    let mut store = open_existing(address, writable)?;
    let settings = stored_settings(&mut *store)?;
    Ok((Upkeep::new(&settings, store)?, settings))
}

impl StoreInfo {
    /// As a JSON object. The names are a promise to other programs.
    pub fn to_json(&self) -> serde_json::Value {
        let Self { address, holdings, facts, settings } = self;
        serde_json::json!({
            "store": address,
            "documents": holdings.documents,
            "bytes": holdings.bytes,
            "parts": holdings.buckets,
            "first": holdings.times.map(|(first, _)| rfc3339(first)),
            "last": holdings.times.map(|(_, last)| rfc3339(last)),
            "clock": holdings.clock.map(rfc3339),
            "clock_jumped_to": holdings.jumped.map(rfc3339),
            "given_up": holdings.given_up,
            "late": holdings.late,
            "capped": holdings.capped,
            "facts": facts.iter().cloned().collect::<BTreeMap<_, _>>(),
            "settings": settings,
        })
    }
}
