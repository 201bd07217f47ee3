//! The text that documents are compared by, and what was left out of it.

mod on_site;

pub use on_site::{BlockOnSite, PageOnSite};

use crate::error::{JobError, OutputError};
use crate::named::{self, NamedDocuments};
use crate::observer::Observer;
use crate::problems::Unread;
use crate::reading::{self, Pass, Reading};
use firsthand::collections::{Collection, Ids};
use firsthand::explain::PageClue;
use firsthand::settings::Limits;
use firsthand::{Detector, Settings};
use firsthand_input::calendar::rfc3339;
use firsthand_input::{Block, Item, Place, ReadOptions};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

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
    /// The site, and what tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_known_by: Option<&'static str>,
    /// What tells the page from others of its site, and its other versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_known_by: Option<PageClue>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    versions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Blocks<'a>>,
    /// Whether the text may not be what the page is about.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    doubtful: bool,
}

/// The blocks of a document, and what becomes of them if its site is known.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Blocks<'a> {
    Alone(&'a [Block]),
    OnSite(&'a [BlockOnSite]),
}

impl<'a> Extracted<'a> {
    /// A document, with its place, remarks and blocks if it is to be `whole`.
    pub fn new(read: &'a ReadDocument, limits: &Limits, whole: bool) -> Self {
        let ReadDocument { item, on_site } = read;
        let document = &item.document;
        let site = document.known_site.as_ref();
        let identity = on_site.as_ref().filter(|_| whole).map(|page| &page.identity);
        let notes = if whole { item.remarks.notes(limits) } else { Vec::new() };
        let blocks = match on_site {
            Some(page) => Blocks::OnSite(&page.blocks),
            None => Blocks::Alone(&item.remarks.blocks),
        };
        Self {
            id: &document.id,
            text: read.text(),
            title: document.title.as_deref(),
            url: document.url.as_deref(),
            host: document.host.as_deref(),
            site: document.site().filter(|_| whole),
            site_known_by: site.filter(|_| whole).map(|site| site.clue.label()),
            page_known_by: identity.and_then(|identity| identity.known_by),
            versions: identity.map_or(&[], |identity| &identity.versions),
            source: document.source.as_deref(),
            time: document.time.map(rfc3339),
            place: whole.then_some(&item.place),
            remarks: notes.into_iter().map(|note| note.sentence).collect(),
            blocks: whole.then_some(blocks),
            doubtful: document.doubtful,
        }
    }
}

/// A document that was read.
#[derive(Debug)]
pub struct ReadDocument {
    /// The document, and what its reader has to tell.
    pub item: Item,
    /// What the other pages of its site make of it, if they are given.
    pub on_site: Option<PageOnSite>,
}

impl ReadDocument {
    /// The text that the document is compared by.
    pub fn text(&self) -> &str {
        self.on_site.as_ref().map_or(&self.item.document.text, |page| &page.text)
    }
}

/// Documents whose text is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Extract<'a> {
    /// Files, folders and archives; with a collection, also ids of its documents.
    pub inputs: &'a [PathBuf],
    /// The inputs of a collection with other pages of their sites; empty if each document is to be seen
    /// alone.
    pub collection: &'a [PathBuf],
    /// Whether every block is to be told.
    pub blocks: bool,
}

/// Reads all documents in order and hands each on; `show` also gets whether there are several. What
/// was not read.
///
/// # Errors
///
/// If an input is not there, `show` fails, or the job is cancelled.
pub fn run(
    job: Extract<'_>,
    settings: &Settings,
    observer: &dyn Observer,
    show: impl FnMut(&ReadDocument, bool) -> io::Result<()>,
) -> Result<Unread, JobError> {
    let options = ReadOptions { blocks: job.blocks, ..ReadOptions::new(settings.reading.clone()) };
    match job.collection.is_empty() {
        true => each_alone(job.inputs, options, observer, show),
        false => on_their_sites(job, settings, options, observer, show),
    }
}

fn each_alone(
    inputs: &[PathBuf],
    options: ReadOptions,
    observer: &dyn Observer,
    mut show: impl FnMut(&ReadDocument, bool) -> io::Result<()>,
) -> Result<Unread, JobError> {
    reading::check(inputs)?;
    let Reading { mut batches, options, .. } = Reading::open(inputs, options, None, observer)?;
    let pass = Pass::new(observer, batches.total_bytes());
    let (mut ids, mut before, mut several) = (Ids::default(), None::<ReadDocument>, false);
    for batch in pass.batches(&mut batches) {
        for mut item in pass.items(batch, &options, 1) {
            ids.claim(&mut item.document.id);
            // One behind, to know whether the first is the only one.
            if let Some(before) = before.replace(ReadDocument { item, on_site: None }) {
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

/// The documents that are named by their ids come first, then those of files that are not in the
/// collection: these are pages of their sites as well, and are learned from.
fn on_their_sites(
    job: Extract<'_>,
    settings: &Settings,
    options: ReadOptions,
    observer: &dyn Observer,
    mut show: impl FnMut(&ReadDocument, bool) -> io::Result<()>,
) -> Result<Unread, JobError> {
    reading::check(job.collection)?;
    let detector = Detector::new(settings.clone())?;
    let named = NamedDocuments::new(job.inputs.iter().map(PathBuf::as_path));
    let mut reading = Reading::open(job.collection, options.clone(), None, observer)?;
    let pass = Pass::new(observer, reading.batches.total_bytes());
    let pages = named.sign(&pass, &mut reading, 0, &detector);
    let items = named.into_items();

    let is_there = |path: &Path| path.as_os_str() == "-" || path.exists();
    let (mut shown, mut files) = (Vec::new(), Vec::new());
    for path in job.inputs {
        match named::find(&items, path) {
            Some(item) => shown.push(item.clone()),
            None if is_there(path) => files.push(path.clone()),
            None => return Err(named::missing(path, &Collection::new(pages)).into()),
        }
    }
    reading::check(&files)?;
    let mut reading = Reading::open(&files, options, None, observer)?;
    let others = NamedDocuments::all();
    let more = others.sign(&pass, &mut reading, 1, &detector);
    shown.extend(others.into_items());
    let unread = pass.finish()?.1;

    let collection = Collection::against(pages, more)?;
    let several = shown.len() > 1;
    for item in shown {
        let page = PageOnSite::new(&collection, &item.document, &item.remarks.blocks);
        let read = ReadDocument { item, on_site: Some(page) };
        show(&read, several).map_err(OutputError::Stream)?;
    }
    Ok(unread)
}
