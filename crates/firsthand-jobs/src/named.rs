//! Documents of a collection that a caller names by their ids, kept while the collection is signed.

use crate::error::DocumentError;
use crate::reading::{Pass, Reading};
use firsthand::Detector;
use firsthand::collections::{Collection, Ids, Signed};
use firsthand_input::{Item, path_name};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Names of documents, and the documents that may be meant.
pub(crate) struct NamedDocuments {
    /// `None` if all documents are meant.
    names: Option<Vec<String>>,
    kept: Mutex<Vec<(usize, usize, Item)>>,
}

impl NamedDocuments {
    pub(crate) fn new<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let names = paths.into_iter().flat_map(|path| {
            let name = written(path);
            [tidied(&name), name]
        });
        Self { names: Some(names.collect()), kept: Mutex::default() }
    }

    /// All documents.
    pub(crate) fn all() -> Self {
        Self { names: None, kept: Mutex::default() }
    }

    /// Signs all documents; of the documents themselves, only those are kept that may be meant.
    pub(crate) fn sign(
        &self,
        pass: &Pass<'_>,
        reading: &mut Reading,
        side: usize,
        detector: &Detector,
    ) -> Signed {
        let Reading { batches, options, .. } = reading;
        let options = &*options;
        let is_meant = |id: &str| match &self.names {
            Some(names) => names.iter().any(|name| root(name) == root(id)),
            None => true,
        };
        Signed::new(detector, pass.batches(batches), |batch| {
            let index = batch.index();
            pass.items(batch, options, side).enumerate().map(move |(number, item)| {
                if is_meant(&item.document.id) {
                    let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.push((index, number, item.clone()));
                }
                item.document
            })
        })
    }

    /// The documents that may be meant, with the ids that the collection gives them.
    pub(crate) fn into_items(self) -> Vec<Item> {
        let mut kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.sort_unstable_by_key(|(batch, number, _)| (*batch, *number));
        // Only ids of one root can clash, so these get the ids that the collection gives them.
        let mut ids = Ids::default();
        let mut items: Vec<Item> = kept.into_iter().map(|(_, _, item)| item).collect();
        for item in &mut items {
            ids.claim(&mut item.document.id);
        }
        items
    }
}

/// The document that a name means.
pub(crate) fn find<'a>(items: &'a [Item], path: &Path) -> Option<&'a Item> {
    let name = written(path);
    let by_id = |id: &str| items.iter().find(|item| item.document.id == id);
    by_id(&name).or_else(|| by_id(&tidied(&name)))
}

/// The error where a name means no document of the collection.
pub(crate) fn missing(path: &Path, collection: &Collection) -> DocumentError {
    let name = written(path);
    if path.is_file() {
        return DocumentError::NotInCollection { name };
    }
    let example = collection.documents().first().map(|first| first.id.clone());
    DocumentError::NoDocument { name, example }
}

/// A name as ids have it: of one that is not UTF-8, the escapes that a file gets.
fn written(path: &Path) -> String {
    path.to_str().map_or_else(|| path_name(path), str::to_owned)
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
