//! A folder with good files, into which a case puts its hostile one.

use super::outcome::Outcome;
use super::{AFTER, BEFORE, BESIDE, line};
use std::fs;
use std::path::{Path, PathBuf};

/// The good documents of every stage: a text, and three lines that have each text once.
pub(crate) const GOOD: usize = 4;

/// The folder of one case: inputs in `in`, results in `out`, temporary files in `tmp`.
pub(crate) struct Stage(tempfile::TempDir);

impl Stage {
    /// A folder with good files that sort before and after all others.
    pub(crate) fn new() -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        stage.write("a.txt", BESIDE);
        let lines = [("beside", BESIDE), ("before", BEFORE), ("after", AFTER)];
        let record = |(id, text)| line(text).replacen('{', &format!("{{\"id\":\"{id}\","), 1);
        stage.write("z.jsonl", lines.map(record).concat());
        fs::create_dir(stage.root().join("tmp")).unwrap();
        stage
    }

    /// A stage with one more file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let stage = Self::new();
        stage.write(name, content);
        stage
    }

    /// A run whose results are thrown away.
    pub(crate) fn rehearse(&self, args: &[&str]) -> Outcome {
        let outcome = Outcome::of(self, args, None);
        fs::remove_dir_all(self.root().join("out")).unwrap();
        outcome
    }

    /// The working folder of the run.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// Where a file of the input is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join("in").join(name)
    }

    /// Puts a file into the input.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}
