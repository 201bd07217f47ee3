//! Two documents explained: how similar they are, and why.
//!
//! Two files without a collection are a collection of two, so that the answer is always that of a
//! search for duplicates on the same inputs.

use crate::error::{DocumentError, JobError};
use crate::observer::Observer;
use crate::reading::{Pass, Reading};
use firsthand::collections::{Collection, Ids, Signed};
use firsthand::explain::{Explanation, Outcome};
use firsthand::online::{StoredComparison, StreamDetector};
use firsthand::{Detector, Document, Settings};
use firsthand_input::ReadOptions;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
        false => of_collection(job, &detector, options, observer)?,
    };
    let explanation = firsthand::explain(&collection, &a, &b)?;
    let sites = [&explanation.a.site, &explanation.b.site];
    let is_from_two_pages = job.collection.is_empty()
        && settings.template
        && explanation.verdict != Outcome::ExactCopy
        && sites != [&None; 2];
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
    let document = file(path, &ReadOptions::new(settings.reading.clone()))?;
    let detector = StreamDetector::new(settings)?;
    let arrival = detector.sign(&document, document.time.unwrap_or(0));
    let compared = upkeep.compare(id, &arrival)?;
    Ok(compared.ok_or_else(|| DocumentError::NotInStore { name: id.to_owned() })?)
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
    job: Explain<'_>,
    detector: &Detector,
    options: ReadOptions,
    observer: &dyn Observer,
) -> Result<(Collection, Document, Document), JobError> {
    let (collection, relatives) = read(job, detector, options, observer)?;
    let pick = |path: &Path| {
        let name = &*path.to_string_lossy();
        let path = tidied(name);
        let by_id = |id: &str| relatives.iter().find(|document| document.id == id).cloned();
        by_id(name).or_else(|| by_id(&path)).ok_or_else(|| missing(name, &collection))
    };
    let (a, b) = (pick(job.a)?, pick(job.b)?);
    Ok((collection, a, b))
}

/// Reads the whole collection; of the documents, only those are kept that may be meant.
fn read(
    job: Explain<'_>,
    detector: &Detector,
    options: ReadOptions,
    observer: &dyn Observer,
) -> Result<(Collection, Vec<Document>), JobError> {
    let [a, b] = [job.a, job.b].map(|path| path.to_string_lossy().into_owned());
    let names = [tidied(&a), tidied(&b), a, b];
    let meant = |id: &str| names.iter().any(|name| root(name) == root(id));
    let relatives: Mutex<Vec<(usize, usize, Document)>> = Mutex::default();
    let mut reading = Reading::open(job.collection, options, None, observer)?;
    let pass = Pass::new(observer, reading.batches.total_bytes());
    let signed = pass.sign(&mut reading, 1, detector, |batch| {
        let (relatives, meant) = (&relatives, &meant);
        let mut number = 0;
        move |document: &Document| {
            number += 1;
            if meant(&document.id) {
                let mut relatives = relatives.lock().unwrap_or_else(PoisonError::into_inner);
                relatives.push((batch, number, document.clone()));
            }
        }
    });
    pass.finish()?;
    let mut relatives = relatives.into_inner().unwrap_or_else(PoisonError::into_inner);
    relatives.sort_unstable_by_key(|(batch, number, _)| (*batch, *number));
    // Only ids of one root can clash, so these get the ids that the collection gives them.
    let mut ids = Ids::default();
    let mut relatives: Vec<_> = relatives.into_iter().map(|(_, _, document)| document).collect();
    for document in &mut relatives {
        ids.claim(&mut document.id);
    }
    Ok((Collection::new(signed), relatives))
}

fn missing(name: &str, collection: &Collection) -> DocumentError {
    let name = name.to_owned();
    if Path::new(&name).is_file() {
        return DocumentError::NotInCollection { name };
    }
    let example = collection.documents().first().map(|first| first.id.clone());
    DocumentError::NoDocument { name, example }
}

/// The id without the `#2` that tells documents of one id apart.
fn root(id: &str) -> &str {
    let mut root = id;
    while let Some((front, number)) = root.rsplit_once('#') {
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        root = front;
    }
    root
}

/// A path as ids have it: without `./` in front.
fn tidied(name: &str) -> String {
    let parts = Path::new(name).components().skip_while(|part| *part == Component::CurDir);
    parts.collect::<PathBuf>().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_root() {
        for (id, expected) in
            [("a", "a"), ("a#2", "a"), ("a#2#3", "a"), ("a#b", "a#b"), ("a#", "a#"), ("#1", "")]
        {
            assert_eq!(root(id), expected);
        }
    }

    #[test]
    fn paths_are_tidied_as_ids_are() {
        for (name, expected) in
            [("./a/b.html", "a/b.html"), ("a//b.html", "a/b.html"), ("/a", "/a")]
        {
            assert_eq!(tidied(name), expected);
        }
    }
}
