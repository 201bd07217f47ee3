//! The two documents, and the collection that says what is page furniture.
//!
//! Two files without `--in` are a collection of two, so that the answer is always that of
//! `firsthand dedup` on the same inputs.

use crate::{console::Console, problems::Problems};
use anyhow::{Result, bail};
use firsthand::collections::Ids;
use firsthand::{
    Detector, Document,
    collections::{Collection, Signed},
};
use firsthand_input::ReadOptions;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Two documents of a collection.
pub(crate) struct Found {
    pub(crate) collection: Collection,
    pub(crate) a: Document,
    pub(crate) b: Document,
}

/// What the user named: files, or ids of documents of a collection.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    pub(crate) a: &'a str,
    pub(crate) b: &'a str,
    pub(crate) collection: &'a [PathBuf],
}

/// Finds what the user named.
pub(crate) fn find(
    named: Named<'_>,
    detector: &Detector,
    reading: &ReadOptions,
    console: &Console,
) -> Result<Found> {
    if named.collection.is_empty() {
        return two_files(named, detector, reading);
    }
    let (collection, relatives) = read(named, detector, reading, console)?;
    let pick = |name: &str| {
        let path = tidied(name);
        let by_id = |id: &str| relatives.iter().find(|document| document.id == id).cloned();
        by_id(name).or_else(|| by_id(&path)).map_or_else(|| missing(name, &collection), Ok)
    };
    let (a, b) = (pick(named.a)?, pick(named.b)?);
    Ok(Found { collection, a, b })
}

fn two_files(named: Named<'_>, detector: &Detector, reading: &ReadOptions) -> Result<Found> {
    let (a, mut b) = (file(named.a, reading)?, file(named.b, reading)?);
    let real = |name: &str| Path::new(name).canonicalize().ok();
    let documents = if real(named.a) == real(named.b) {
        vec![a.clone()]
    } else {
        let mut ids = Ids::default();
        ids.claim(&mut a.id.clone());
        ids.claim(&mut b.id);
        vec![a.clone(), b.clone()]
    };
    let signed = Signed::new(detector, [documents].into_iter(), |batch| batch);
    Ok(Found { collection: Collection::new(signed), a, b })
}

/// The one document that a file holds.
fn file(name: &str, reading: &ReadOptions) -> Result<Document> {
    let path = Path::new(name);
    if name == "-" {
        bail!(
            "`-` is not a file: name a collection on standard input with `--in -`, and two of its ids"
        );
    }
    if path.is_dir() {
        bail!(
            "{name:?} is a folder: name two files, or two ids of documents in it with --in {name}"
        );
    }
    if !path.exists() {
        bail!(
            "there is no file {name:?}: if it is the id of a document, name its collection with --in"
        );
    }
    let mut documents = firsthand_input::read(&[path.to_path_buf()], reading)?;
    let Some(first) = documents.next() else { bail!("{name:?} holds no document") };
    if documents.next().is_some() {
        bail!("{name:?} holds many documents: name two of them by their ids, with --in {name}");
    }
    Ok(first?)
}

/// Reads the whole collection; of the documents, only those are kept that may be meant.
fn read(
    named: Named<'_>,
    detector: &Detector,
    reading: &ReadOptions,
    console: &Console,
) -> Result<(Collection, Vec<Document>)> {
    let names = [named.a.to_owned(), named.b.to_owned(), tidied(named.a), tidied(named.b)];
    let meant = |id: &str| names.iter().any(|name| root(name) == root(id));
    let problems = Problems::default();
    let relatives: Mutex<Vec<(usize, Vec<Document>)>> = Mutex::default();
    let batches = firsthand_input::open(named.collection, reading)?;
    let signed = Signed::new(detector, batches, |batch| {
        let mut documents = Vec::new();
        for (number, read) in batch.documents(reading).enumerate() {
            let position = (0, batch.index(), number);
            match read {
                Ok(item) => {
                    problems.remark(console, position, &item, &reading.limits);
                    documents.push(item.document);
                }
                Err(error) => problems.add(console, position, error),
            }
        }
        let kept = documents.iter().filter(|document| meant(&document.id));
        let kept: Vec<Document> = kept.cloned().collect();
        if !kept.is_empty() {
            let mut relatives = relatives.lock().unwrap_or_else(PoisonError::into_inner);
            relatives.push((batch.index(), kept));
        }
        documents
    });
    problems.finish(console, false);
    let mut relatives = relatives.into_inner().unwrap_or_else(PoisonError::into_inner);
    relatives.sort_by_key(|(batch, _)| *batch);
    // Only ids of one root can get into each other's way, so these get the ids of the collection.
    let mut ids = Ids::default();
    let mut relatives: Vec<_> = relatives.into_iter().flat_map(|(_, kept)| kept).collect();
    for document in &mut relatives {
        ids.claim(&mut document.id);
    }
    Ok((Collection::new(signed), relatives))
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

fn missing(name: &str, collection: &Collection) -> Result<Document> {
    if Path::new(name).is_file() {
        bail!("the file {name:?} is not part of --in: add it with --in {name}");
    }
    match collection.documents().first() {
        Some(first) => {
            bail!("no document of --in has the id {name:?}; ids there look like {:?}", first.id)
        }
        None => bail!("no document of --in has the id {name:?}: it holds no documents at all"),
    }
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
