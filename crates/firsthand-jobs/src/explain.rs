//! Two documents explained: how similar they are, and why.
//!
//! Two files without a collection are a collection of two, so that the answer is always that of a
//! search for duplicates on the same inputs.

use crate::error::{DocumentError, JobError};
use crate::inputs::Inputs;
use crate::named::{self, NamedDocuments};
use crate::observer::Observer;
use crate::reading::Pass;
use firsthand::collections::{Collection, Ids, Signed};
use firsthand::explain::{Explanation, Outcome};
use firsthand::online::{StoredComparison, StreamDetector};
use firsthand::{Detector, Document, Settings};
use firsthand_input::ReadOptions;
use std::path::{Path, PathBuf};

/// Two documents: files, or ids of documents of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Explain<'a> {
    /// A file or an id.
    pub a: &'a Path,
    /// Another.
    pub b: &'a Path,
    /// The inputs of the collection; empty for two files.
    pub collection: &'a [PathBuf],
}

/// Two documents and how they compare.
#[derive(Debug)]
pub struct Explained {
    /// One document.
    pub a: Document,
    /// The other.
    pub b: Document,
    /// How they compare.
    pub explanation: Explanation,
    /// Whether page furniture was learned from these two pages only, so that the verdict may differ
    /// within a larger collection.
    pub is_from_two_pages: bool,
}

/// Finds two documents and compares them.
///
/// # Errors
///
/// If the settings cannot be used, or a document is not found.
pub fn run(
    job: Explain<'_>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Explained, JobError> {
    let detector = Detector::new(settings.clone())?;
    let options = ReadOptions::new(settings.reading.clone());
    let (collection, a, b) = match job.collection.is_empty() {
        true => two_files(job, &detector, &options)?,
        false => {
            let inputs = Inputs::Paths(job.collection.to_vec());
            of_collection([job.a, job.b], &inputs, &detector, options, observer)?
        }
    };
    let explanation = firsthand::explain(&collection, &a, &b)?;
    let sites = [&explanation.a.site, &explanation.b.site];
    let is_from_two_pages = job.collection.is_empty()
        && settings.template
        && explanation.verdict != Outcome::ExactCopy
        && sites != [&None; 2];
    Ok(Explained { a, b, explanation, is_from_two_pages })
}

/// Compares two documents of a collection, by their ids.
///
/// # Errors
///
/// If the settings cannot be used, or a document is not found.
pub fn within(
    inputs: &Inputs,
    [a, b]: [&str; 2],
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Explained, JobError> {
    let detector = Detector::new(settings.clone())?;
    let options = ReadOptions::new(settings.reading.clone());
    let names = [Path::new(a), Path::new(b)];
    let (collection, a, b) = of_collection(names, inputs, &detector, options, observer)?;
    let explanation = firsthand::explain(&collection, &a, &b)?;
    Ok(Explained { a, b, explanation, is_from_two_pages: false })
}

/// Compares two documents that the caller has, as a collection of two.
///
/// # Errors
///
/// If the settings cannot be used.
pub fn of_two(a: Document, mut b: Document, settings: &Settings) -> Result<Explained, JobError> {
    let detector = Detector::new(settings.clone())?;
    let mut ids = Ids::default();
    ids.claim(&mut a.id.clone());
    ids.claim(&mut b.id);
    let documents = vec![a.clone(), b.clone()];
    let signed = Signed::new(&detector, [documents].into_iter(), |batch| batch);
    let explanation = firsthand::explain(&Collection::new(signed), &a, &b)?;
    let is_from_two_pages = settings.template
        && explanation.verdict != Outcome::ExactCopy
        && (explanation.a.site.is_some() || explanation.b.site.is_some());
    Ok(Explained { a, b, explanation, is_from_two_pages })
}

/// Compares a file with a document of a store, which keeps no texts: by what is kept of it, with the
/// settings of the store. Nothing is stored.
///
/// # Errors
///
/// If the store or the file cannot be read, or the store has no document with this id.
pub fn with_stored(address: &str, id: &str, path: &Path) -> Result<StoredComparison, JobError> {
    let (mut upkeep, settings) = crate::store::upkeep(address, false)?;
    let document = file(path, &ReadOptions::new(settings.reading.clone())).map_err(beside_store)?;
    let detector = StreamDetector::new(settings)?;
    let arrival = detector.sign(&document, document.time.unwrap_or(0));
    let compared = upkeep.compare(id, &arrival)?;
    Ok(compared.ok_or_else(|| DocumentError::NotInStore { name: id.to_owned() })?)
}

/// The error of a file that is to be compared with a document of a store.
fn beside_store(error: JobError) -> JobError {
    let (name, found) = match error {
        JobError::Document(DocumentError::StandardInput) => ("-".to_owned(), "is standard input"),
        JobError::Document(DocumentError::Folder { name }) => (name, "is a folder"),
        JobError::Document(DocumentError::NoFile { name }) => (name, "is not a file"),
        JobError::Document(DocumentError::Several { name }) => (name, "holds many documents"),
        other => return other,
    };
    DocumentError::NotOneFile { name, found }.into()
}

fn two_files(
    job: Explain<'_>,
    detector: &Detector,
    options: &ReadOptions,
) -> Result<(Collection, Document, Document), JobError> {
    let (a, mut b) = (file(job.a, options)?, file(job.b, options)?);
    let real = |path: &Path| path.canonicalize().ok();
    let documents = if real(job.a) == real(job.b) {
        vec![a.clone()]
    } else {
        let mut ids = Ids::default();
        ids.claim(&mut a.id.clone());
        ids.claim(&mut b.id);
        vec![a.clone(), b.clone()]
    };
    let signed = Signed::new(detector, [documents].into_iter(), |batch| batch);
    Ok((Collection::new(signed), a, b))
}

/// The one document that a file holds.
fn file(path: &Path, options: &ReadOptions) -> Result<Document, JobError> {
    let owned = || path.to_string_lossy().into_owned();
    if path.as_os_str() == "-" {
        return Err(DocumentError::StandardInput.into());
    }
    if path.is_dir() {
        return Err(DocumentError::Folder { name: owned() }.into());
    }
    if !path.exists() {
        return Err(DocumentError::NoFile { name: owned() }.into());
    }
    let mut documents = firsthand_input::read(&[path.to_path_buf()], options)?;
    let Some(first) = documents.next() else {
        return Err(DocumentError::Empty { name: owned() }.into());
    };
    if documents.next().is_some() {
        return Err(DocumentError::Several { name: owned() }.into());
    }
    Ok(first?)
}

fn of_collection(
    names: [&Path; 2],
    inputs: &Inputs,
    detector: &Detector,
    options: ReadOptions,
    observer: &dyn Observer,
) -> Result<(Collection, Document, Document), JobError> {
    let named = NamedDocuments::new(names);
    let mut reading = inputs.open(options, None, observer)?;
    let pass = Pass::new(observer, reading.batches.total_bytes());
    let signed = named.sign(&pass, &mut reading, 1, detector);
    pass.finish()?;
    let (collection, items) = (Collection::new(signed), named.into_items());
    let pick = |path: &Path| {
        let item = named::find(&items, path).ok_or_else(|| named::missing(path, &collection))?;
        Ok::<_, DocumentError>(item.document.clone())
    };
    let (a, b) = (pick(names[0])?, pick(names[1])?);
    Ok((collection, a, b))
}
