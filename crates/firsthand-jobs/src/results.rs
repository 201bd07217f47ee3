//! Results and where they go: a folder of files, or a stream.

pub mod csv;
pub mod file;
pub mod folder;
mod jsonl;
mod kept;
mod sorted;

use crate::descriptions::Descriptions;
use crate::error::{JobError, OutputError};
use crate::findings::{Findings, PairList};
use crate::problems::{Position, Unread};
use crate::reading::Reading;
use firsthand::settings::Threshold;
use firsthand_input::ReadError;
use folder::Folder;
use std::borrow::Cow;
use std::io::{self, Write};

/// Everything that results are made of.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// What was found.
    pub findings: &'a Findings,
    /// What documents are called.
    pub descriptions: &'a Descriptions,
    /// The inputs, to be read once more.
    pub reading: &'a Reading,
    /// What was not read.
    pub unread: &'a Unread,
    /// The threshold of the settings.
    pub threshold: Threshold,
    /// Which pairs are listed.
    pub pairs: PairList,
    /// Whether a path in a list is followed by a zero byte instead of a line end.
    pub null: bool,
}

/// What is written to a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// Clusters of near-duplicates.
    Clusters,
    /// Pairs of near-duplicates.
    Pairs,
    /// Documents that are first-hand.
    Kept,
    /// Documents that are near-duplicates, with original, score and reason.
    Dropped,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// For spreadsheets.
    Csv,
}

/// What a folder of results holds besides clusters and the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// What is kept, in the format of the input.
    pub kept: bool,
    /// What is dropped, each with its original, score and reason.
    pub dropped: bool,
    /// Pairs and clusters as CSV too.
    pub csv: bool,
    /// Which pairs.
    pub pairs: PairList,
    /// Whether lists of paths have a zero byte after each path instead of a line end.
    pub null: bool,
}

/// What could not be copied as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Altered {
    /// Records that are no documents and too large to be copied.
    pub(crate) too_large: u64,
    /// Paths with a line end, which is escaped in lists.
    pub(crate) escaped: u64,
    /// Files that are no longer as they were.
    pub(crate) changed: ChangedFiles,
}

/// Files that changed between two readings, each with the place of the first item that was not copied,
/// and the number of documents that were not.
pub type ChangedFiles = Vec<(Position, ReadError)>;

impl Contents {
    /// The files that a run will write, as far as that is known before it has read its inputs.
    pub fn planned(self) -> Vec<String> {
        let pairs = self.pairs != PairList::None;
        let plan = [
            (pairs, "pairs.jsonl"),
            (true, "clusters.jsonl"),
            (pairs && self.csv, "pairs.csv"),
            (self.csv, "clusters.csv"),
            (self.kept, "kept.*"),
            (self.dropped, "dropped.*"),
            (true, "report.json"),
        ];
        plan.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| (*name).to_owned()).collect()
    }

    /// Writes all files but the report.
    pub(crate) fn write(
        self,
        folder: &mut Folder,
        from: &Material<'_>,
    ) -> Result<Altered, JobError> {
        let (findings, pairs) = (from.findings, self.pairs);
        if pairs != PairList::None {
            folder.write("pairs.jsonl", |out| jsonl::pairs(out, findings, pairs))?;
        }
        folder.write("clusters.jsonl", |out| jsonl::clusters(out, from))?;
        if self.csv {
            if pairs != PairList::None {
                folder.write("pairs.csv", |out| csv::pairs(out, findings, pairs))?;
            }
            folder.write("clusters.csv", |out| csv::clusters(out, from))?;
            if self.dropped {
                folder.write("dropped.csv", |out| csv::dropped(out, from))?;
            }
        }
        match (self.kept, self.dropped) {
            (false, false) => Ok(Altered::default()),
            wanted => sorted::to_folder(folder, wanted, from),
        }
    }
}

impl Material<'_> {
    /// Writes results to a stream. Returns the files that have changed since they were read, of which
    /// nothing more is copied.
    ///
    /// # Errors
    ///
    /// If the stream cannot be written to.
    pub fn write(
        &self,
        out: &mut impl Write,
        emit: Emit,
        format: Format,
    ) -> Result<ChangedFiles, JobError> {
        let (findings, mut changed) = (self.findings, ChangedFiles::new());
        let written = match (emit, format) {
            (Emit::Clusters, Format::Jsonl) => jsonl::clusters(out, self),
            (Emit::Clusters, Format::Csv) => csv::clusters(out, self),
            (Emit::Pairs, Format::Jsonl) => jsonl::pairs(out, findings, self.pairs),
            (Emit::Pairs, Format::Csv) => csv::pairs(out, findings, self.pairs),
            (Emit::Dropped, Format::Csv) => csv::dropped(out, self),
            (Emit::Kept, Format::Csv) => csv::kept(out, self),
            (Emit::Dropped, Format::Jsonl) => {
                changed = sorted::dropped_lines(self, |line| write_line(out, line))?;
                Ok(())
            }
            (Emit::Kept, Format::Jsonl) => {
                changed = sorted::kept_lines(self, true, |line| write_line(out, line))?;
                Ok(())
            }
        };
        written.and_then(|()| out.flush()).map_err(OutputError::Stream)?;
        Ok(changed)
    }

    /// Hands on each kept document: a record of JSON as it came, for others the path or the id, in which
    /// line ends are escaped unless a zero byte follows. Returns the files that have changed since they
    /// were read, of which nothing more is copied.
    ///
    /// # Errors
    ///
    /// If `write` fails.
    pub fn kept(
        &self,
        write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<ChangedFiles, JobError> {
        sorted::kept_lines(self, false, write)
    }
}

/// A path as it stands in a list. A line end in it would make two lines, each of which names another
/// file; `\n` in its place names none.
fn listed(path: &[u8], null: bool) -> Cow<'_, [u8]> {
    if null || !path.iter().any(|byte| b"\r\n".contains(byte)) {
        return Cow::Borrowed(path);
    }
    let mut escaped = Vec::with_capacity(path.len() + 4);
    for &byte in path {
        match byte {
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

fn write_line(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    out.write_all(line)?;
    out.write_all(b"\n")
}
