//! Results and where they go: a folder of files, or a stream.

mod annotation;
pub mod csv;
pub mod file;
pub mod folder;
mod jsonl;
mod planned;
mod result_names;
mod row_set;
mod row_writer;
mod shard_names;
mod sorted;
mod tables;

pub use annotation::ColumnNames;

use crate::descriptions::Descriptions;
use crate::error::{JobError, OutputError};
use crate::findings::{Findings, PairList};
use crate::observer::Observer;
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
    /// For programs that read columns.
    Parquet,
}

/// What a folder of results holds besides clusters and the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// What is kept, in the format of the input.
    pub kept: bool,
    /// What is dropped, each with its original, score and reason.
    pub dropped: bool,
    /// All rows, with columns of these names added.
    pub annotate: Option<ColumnNames>,
    /// Pairs, clusters and what is dropped as CSV too.
    pub csv: bool,
    /// Pairs, clusters and what is dropped as Parquet too.
    pub parquet: bool,
    /// Which pairs.
    pub pairs: PairList,
    /// The most pairs that are listed where all are asked for.
    pub max_pairs: u64,
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

/// Files that changed between two readings, or turned out to be damaged in the second, each with the
/// place of the first item that was not copied, and the number of documents that were not.
pub type ChangedFiles = Vec<(Position, ReadError)>;

impl Default for Contents {
    fn default() -> Self {
        Self {
            kept: false,
            dropped: false,
            annotate: None,
            csv: false,
            parquet: false,
            pairs: PairList::default(),
            max_pairs: MOST_LISTED,
            null: false,
        }
    }
}

/// The most pairs that are listed where all are asked for, unless the caller says otherwise: already
/// a list that hardly any disk has room for.
pub const MOST_LISTED: u64 = 1_000_000_000;

impl Contents {
    /// Whether the inputs are read once more, to copy rows.
    pub(crate) fn copies_rows(&self) -> bool {
        self.kept || self.dropped || self.annotate.is_some()
    }

    /// The names of the lists of what is dropped.
    fn lists_of_dropped(&self) -> impl Iterator<Item = String> {
        let lists = [(true, "jsonl"), (self.csv, "csv"), (self.parquet, "parquet")];
        let wanted = self.dropped;
        let lists = lists.into_iter().filter(move |(is_written, _)| wanted && *is_written);
        lists.map(|(_, extension)| format!("dropped.{extension}"))
    }

    /// Writes the lists that every folder has, at the same time.
    fn write_lists(&self, folder: &mut Folder, from: &Material<'_>) -> Result<(), OutputError> {
        let with_pairs = self.pairs != PairList::None;
        let pairs = with_pairs.then(|| folder.file("pairs.jsonl")).transpose()?;
        let clusters = folder.file("clusters.jsonl")?;
        let Material { findings, descriptions, .. } = *from;
        let (pairs, clusters) = rayon::join(
            || pairs.map(|file| file.fill(|out| jsonl::pairs(out, findings, self.pairs))),
            || clusters.fill(|out| jsonl::clusters(out, findings, descriptions)),
        );
        if let Some(pairs) = pairs {
            folder.finish(pairs?)?;
        }
        folder.finish(clusters?)
    }

    /// Writes all files but the report.
    pub(crate) fn write(
        &self,
        folder: &mut Folder,
        from: &Material<'_>,
        observer: &dyn Observer,
    ) -> Result<Altered, JobError> {
        let (findings, pairs) = (from.findings, self.pairs);
        let with_pairs = pairs != PairList::None;
        self.write_lists(folder, from)?;
        if self.csv {
            if with_pairs {
                folder.write("pairs.csv", |out| csv::pairs(out, findings, pairs))?;
            }
            folder.write("clusters.csv", |out| csv::clusters(out, from))?;
            if self.dropped {
                folder.write("dropped.csv", |out| csv::dropped(out, from))?;
            }
        }
        if self.parquet {
            if with_pairs {
                folder.write("pairs.parquet", |out| tables::pairs(out, findings, pairs))?;
            }
            folder.write("clusters.parquet", |out| tables::clusters(out, from))?;
            if self.dropped {
                folder.write("dropped.parquet", |out| tables::dropped(out, from))?;
            }
        }
        match self.copies_rows() {
            false => Ok(Altered::default()),
            true => sorted::to_folder(folder, self, from, observer),
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
        out: &mut (impl Write + Send),
        emit: Emit,
        format: Format,
    ) -> Result<ChangedFiles, JobError> {
        let (findings, mut changed) = (self.findings, ChangedFiles::new());
        let written = match (emit, format) {
            (Emit::Clusters, Format::Jsonl) => jsonl::clusters(out, findings, self.descriptions),
            (Emit::Clusters, Format::Csv) => csv::clusters(out, self),
            (Emit::Pairs, Format::Jsonl) => jsonl::pairs(out, findings, self.pairs),
            (Emit::Pairs, Format::Csv) => csv::pairs(out, findings, self.pairs),
            (Emit::Dropped, Format::Csv) => csv::dropped(out, self),
            (Emit::Kept, Format::Csv) => csv::kept(out, self),
            (Emit::Clusters, Format::Parquet) => tables::clusters(out, self),
            (Emit::Pairs, Format::Parquet) => tables::pairs(out, findings, self.pairs),
            (Emit::Dropped, Format::Parquet) => tables::dropped(out, self),
            (Emit::Kept, Format::Parquet) => tables::kept(out, self),
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
