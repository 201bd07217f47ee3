//! Reading through the public API, one topic per file.

// clippy.toml allows these in test functions; the helpers need them too.
#![allow(clippy::unwrap_used)]

mod arc;
mod archives;
mod batches;
mod bombs;
mod feeds;
mod folders;
mod kinds;
mod records;
mod second_reading;
mod streams;
mod tables;
mod warc;

use std::path::{Path, PathBuf};

use firsthand::Document;
use firsthand_input::{ReadError, ReadOptions, read};

/// A folder that is removed after the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A name without the path of the folder.
    fn short(&self, name: &str) -> String {
        let root = format!("{}/", self.path().display());
        name.replace(&root, "")
    }
}

fn read_all(inputs: &[PathBuf], options: &ReadOptions) -> (Vec<Document>, Vec<ReadError>) {
    let mut documents = Vec::new();
    let mut errors = Vec::new();
    for item in read(inputs, options).unwrap() {
        match item {
            Ok(document) => documents.push(document),
            Err(error) => errors.push(error),
        }
    }
    (documents, errors)
}

/// The only document of a JSONL file with these lines.
fn only(lines: &str, options: &ReadOptions) -> Document {
    let folder = Folder::new();
    let path = folder.write("docs.jsonl", lines);
    let (mut documents, errors) = read_all(&[path], options);
    assert_eq!(errors, [], "{lines}");
    assert_eq!(documents.len(), 1, "{lines}");
    documents.remove(0)
}

/// The only error, without its place.
fn only_error(lines: &str) -> String {
    let folder = Folder::new();
    let path = folder.write("docs.jsonl", lines);
    let (documents, errors) = read_all(&[path], &ReadOptions::default());
    assert_eq!(documents, [], "{lines}");
    assert_eq!(errors.len(), 1, "{lines}");
    errors[0].reason.to_string()
}
