//! A file of decisions: read as a whole, appended to line by line, never rewritten.

use super::error::DecisionsError;
use firsthand::decisions::{Decision, read_lines};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The name of the file in a folder of results.
pub const NAME: &str = "decisions.jsonl";

/// All decisions of a file, by the number of their line less one; a line that was cut off by a crash is
/// `None`.
///
/// # Errors
///
/// If the file cannot be read, or a line is no decision.
pub fn read(path: &Path) -> Result<Vec<Option<Decision>>, DecisionsError> {
    let bytes = std::fs::read(path).map_err(|source| DecisionsError::io(path, source))?;
    parse(path, &bytes)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Option<Decision>>, DecisionsError> {
    read_lines(bytes).map_err(|error| DecisionsError::Lines { path: path.to_path_buf(), error })
}

/// A file of decisions that is open for more of them, by one process at a time.
#[derive(Debug)]
pub struct DecisionLog {
    path: PathBuf,
    file: File,
    /// Whether the last write failed, so that part of a line may be at the end.
    is_torn: bool,
}

impl DecisionLog {
    /// Opens the file, or makes it when the first decision is added.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or another process has it open.
    pub fn open(path: &Path) -> Result<Self, DecisionsError> {
        let fail = |source| DecisionsError::io(path, source);
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(DecisionsError::InUse(path.to_path_buf()));
            }
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        let mut log = Self { path: path.to_path_buf(), file, is_torn: false };
        log.read()?;
        Ok(log)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All lines, in the order of the file; `None` for one that was cut off.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is no decision.
    pub fn read(&mut self) -> Result<Vec<Option<Decision>>, DecisionsError> {
        let mut bytes = Vec::new();
        let read =
            self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|source| DecisionsError::io(&self.path, source))?;
        self.is_torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
        parse(&self.path, &bytes)
    }

    /// Adds a decision as a line, which is on disk when this returns.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn append(&mut self, decision: &Decision) -> Result<(), DecisionsError> {
        let mut bytes = Vec::new();
        if self.is_torn {
            bytes.push(b'\n');
        }
        let fail = |source: io::Error| DecisionsError::io(&self.path, source);
        serde_json::to_writer(&mut bytes, decision).map_err(|error| fail(error.into()))?;
        bytes.push(b'\n');
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            self.is_torn = true;
            return Err(DecisionsError::io(&self.path, source));
        }
        self.is_torn = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::decisions::{Action, Named};

    fn tag(id: &str) -> Decision {
        let named = Named { id: id.to_owned(), text: None };
        let tags = vec!["war".to_owned()];
        Decision { tags, ..Decision::new(Action::Tag, vec![named], "2026-01-01".to_owned()) }
    }

    #[test]
    fn a_line_that_was_cut_off_is_passed_over_and_numbers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let mut log = DecisionLog::open(&path).unwrap();
        log.append(&tag("a")).unwrap();
        assert!(matches!(DecisionLog::open(&path), Err(DecisionsError::InUse(_))));
        drop(log);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"action\":\"tag\",\"docu").unwrap();
        drop(file);
        let mut log = DecisionLog::open(&path).unwrap();
        log.append(&tag("b")).unwrap();
        let ids: Vec<Option<String>> = read(&path)
            .unwrap()
            .into_iter()
            .map(|line| line.map(|line| line.documents[0].id.clone()))
            .collect();
        assert_eq!(ids, [Some("a".to_owned()), None, Some("b".to_owned())]);
    }

    #[test]
    fn a_line_that_is_no_decision_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        std::fs::write(&path, "{\"action\":\"tag\",\"documents\":[],\"time\":\"\"}\n").unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("needs a document"), "{error}");
        std::fs::write(&path, "{\"action\":\"burn\"}\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 1"));
    }
}
