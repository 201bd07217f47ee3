//! A set of rows, such as those that are kept: a copy of each input file that holds some, and a list
//! of the files that are documents by themselves.

use super::annotation::Annotations;
use super::folder::{File, Folder};
use super::row_writer::{NotCopied, RowFate, RowWriter};
use super::shard_names::{ShardName, ShardNames};
use crate::error::OutputError;
use firsthand_input::{Raw, RecordFile};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The rows of one kind of result.
pub(super) struct RowSet<'a> {
    /// What files are called before their extensions, and the folder that they go to otherwise.
    stem: &'static str,
    names: &'a ShardNames,
    /// What is added to each row.
    added: Option<Rc<Annotations<'a>>>,
    /// Names that other results have.
    taken: Vec<String>,
    open: Option<RowWriter<'a>>,
    /// The list of files.
    paths: Option<File>,
    /// The number of paths that had to be escaped.
    pub(super) escaped: u64,
}

impl<'a> RowSet<'a> {
    pub(super) fn new(stem: &'static str, names: &'a ShardNames) -> Self {
        let (added, taken, open, paths) = (None, Vec::new(), None, None);
        Self { stem, names, added, taken, open, paths, escaped: 0 }
    }

    /// The same with columns added to all rows.
    pub(super) fn with(self, added: Annotations<'a>) -> Self {
        Self { added: Some(Rc::new(added)), ..self }
    }

    /// The same, but that a file of one of these names, which others have, gets another.
    pub(super) fn except(self, taken: Vec<String>) -> Self {
        Self { taken, ..self }
    }

    /// Ends the copy of a file and starts that of another. Files that are in the way have the same
    /// name but for its case: the new one gets a number.
    pub(super) fn file(
        &mut self,
        folder: &mut Folder,
        (path, member, file): (Option<&Path>, Option<&str>, &RecordFile),
    ) -> Result<(), NotCopied> {
        let ended = self.end(folder);
        let name = match self.names.of(path, member, (file.kind(), file.layers())) {
            ShardName::Only(extensions) => {
                let name = format!("{}{extensions}", self.stem);
                match self.taken.contains(&name) {
                    // The list of what is dropped has the records of JSON lines itself.
                    true if name.ends_with(".jsonl") => return ended,
                    true => PathBuf::from(format!("{}-rows{extensions}", self.stem)),
                    false => PathBuf::from(name),
                }
            }
            ShardName::Within(path) => Path::new(self.stem).join(path),
        };
        let out = folder.new_file(&name).map_err(NotCopied::Output)?;
        let writer = RowWriter::new(out, file, self.added.clone()).map_err(NotCopied::Output)?;
        self.open = Some(writer);
        ended
    }

    /// Takes a row of the current file.
    pub(super) fn row(&mut self, raw: Raw<'_>, fate: RowFate) -> Result<(), NotCopied> {
        self.open.as_mut().map_or(Ok(()), |open| open.row(raw, fate))
    }

    /// Adds a path to the list of files, or only makes sure that there is one.
    pub(super) fn path(
        &mut self,
        folder: &Folder,
        path: Option<&[u8]>,
        null: bool,
    ) -> Result<(), OutputError> {
        let paths = match &mut self.paths {
            Some(paths) => paths,
            paths => paths.insert(folder.file(format!("{}.txt", self.stem))?),
        };
        if let Some(path) = path {
            self.escaped += u64::from(paths.path(path, null)?);
        }
        Ok(())
    }

    /// Ends the copy of the current file.
    pub(super) fn end(&mut self, folder: &mut Folder) -> Result<(), NotCopied> {
        self.open.take().map_or(Ok(()), |open| open.finish(folder))
    }

    /// Ends the list of files.
    pub(super) fn finish(self, folder: &mut Folder) -> Result<(), OutputError> {
        self.paths.map_or(Ok(()), |paths| folder.finish(paths))
    }
}
