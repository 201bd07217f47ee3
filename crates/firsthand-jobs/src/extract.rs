//! The text that documents are compared by, and what was left out of it.

use crate::error::{JobError, OutputError};
use crate::observer::Observer;
use crate::problems::Unread;
use crate::reading::{self, Pass, Reading};
use firsthand::collections::Ids;
use firsthand::settings::{Limits, Reading as ReadingSettings};
use firsthand_input::calendar::rfc3339;
use firsthand_input::{Block, Item, Place, ReadOptions};
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// A document as JSON. These names are a promise to other programs.
#[derive(Debug, Serialize)]
pub struct Extracted<'a> {
    id: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<&'a [Block]>,
}

impl<'a> Extracted<'a> {
    /// A document, with its place, remarks and blocks if it is to be `whole`.
    pub fn new(item: &'a Item, limits: &Limits, whole: bool) -> Self {
        let document = &item.document;
        let notes = if whole { item.remarks.notes(limits) } else { Vec::new() };
        Self {
            id: &document.id,
            text: &document.text,
            title: document.title.as_deref(),
            url: document.url.as_deref(),
            host: document.host.as_deref(),
            source: document.source.as_deref(),
            time: document.time.map(rfc3339),
            place: whole.then_some(&item.place),
            remarks: notes.into_iter().map(|note| note.sentence).collect(),
            blocks: whole.then_some(&item.remarks.blocks),
        }
    }
}

/// Reads all documents in order and hands each on; `show` also gets whether there are several. What
/// was not read.
///
/// # Errors
///
/// If an input is not there, `show` fails, or the job is cancelled.
pub fn run(
    inputs: &[PathBuf],
    settings: &ReadingSettings,
    blocks: bool,
    observer: &dyn Observer,
    mut show: impl FnMut(&Item, bool) -> io::Result<()>,
) -> Result<Unread, JobError> {
    reading::check(inputs)?;
    let options = ReadOptions { blocks, ..ReadOptions::new(settings.clone()) };
    let Reading { mut batches, options, .. } = Reading::open(inputs, options, None, observer)?;
    let pass = Pass::new(observer, batches.total_bytes());
    let (mut ids, mut before, mut several) = (Ids::default(), None::<Item>, false);
    for batch in pass.batches(&mut batches) {
        for mut item in pass.items(batch, &options, 1) {
            ids.claim(&mut item.document.id);
            // One behind, to know whether the first is the only one.
            if let Some(before) = before.replace(item) {
                several = true;
                show(&before, several).map_err(OutputError::Stream)?;
            }
        }
    }
    if let Some(last) = before {
        show(&last, several).map_err(OutputError::Stream)?;
    }
    Ok(pass.finish()?.1)
}
