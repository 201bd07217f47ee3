//! Results and where they go: a folder of files, or a stream.

pub mod csv;
pub mod file;
pub mod folder;
mod jsonl;
mod kept;
mod sorted;

use crate::error::{JobError, OutputError};
use crate::findings::{Findings, PairList};
use crate::problems::Unread;
use crate::reading::Reading;
use firsthand::settings::Threshold;
use folder::Folder;
use std::io::{self, Write};

/// Everything that results are made of.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// What was found.
    pub findings: &'a Findings,
    /// The inputs, to be read once more.
    pub reading: &'a Reading,
    /// What was not read.
    pub unread: &'a Unread,
    /// The threshold of the settings.
    pub threshold: Threshold,
    /// Which pairs are listed.
    pub pairs: PairList,
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
}

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

    /// Writes all files but the report, under temporary names. The number of records that were too
    /// large to be copied to what is kept.
    pub(crate) fn write(self, folder: &mut Folder, from: &Material<'_>) -> Result<u64, JobError> {
        let (findings, pairs) = (from.findings, self.pairs);
        if pairs != PairList::None {
            folder.write("pairs.jsonl", |out| jsonl::pairs(out, findings, pairs))?;
        }
        folder.write("clusters.jsonl", |out| jsonl::clusters(out, findings))?;
        if self.csv {
            if pairs != PairList::None {
                folder.write("pairs.csv", |out| csv::pairs(out, findings, pairs))?;
            }
            folder.write("clusters.csv", |out| csv::clusters(out, findings))?;
            if self.dropped {
                folder.write("dropped.csv", |out| csv::dropped(out, from))?;
            }
        }
        match (self.kept, self.dropped) {
            (false, false) => Ok(0),
            wanted => sorted::to_folder(folder, wanted, from),
        }
    }
}

impl Material<'_> {
    /// Writes results to a stream.
    ///
    /// # Errors
    ///
    /// If the stream cannot be written to, or the inputs have changed.
    pub fn write(&self, out: &mut impl Write, emit: Emit, format: Format) -> Result<(), JobError> {
        let findings = self.findings;
        let written = match (emit, format) {
            (Emit::Clusters, Format::Jsonl) => jsonl::clusters(out, findings),
            (Emit::Clusters, Format::Csv) => csv::clusters(out, findings),
            (Emit::Pairs, Format::Jsonl) => jsonl::pairs(out, findings, self.pairs),
            (Emit::Pairs, Format::Csv) => csv::pairs(out, findings, self.pairs),
            (Emit::Dropped, Format::Csv) => csv::dropped(out, self),
            (Emit::Kept, Format::Csv) => csv::kept(out, self),
            (Emit::Dropped, Format::Jsonl) => {
                sorted::dropped_lines(self, |line| write_line(out, line))?;
                Ok(())
            }
            (Emit::Kept, Format::Jsonl) => {
                sorted::kept_lines(self, true, |line| write_line(out, line))?;
                Ok(())
            }
        };
        written.and_then(|()| out.flush()).map_err(|error| OutputError::Stream(error).into())
    }

    /// Hands on each kept document: a record of JSON as it came, for others the path or the id.
    ///
    /// # Errors
    ///
    /// If `write` fails, or the inputs have changed.
    pub fn kept(&self, write: impl FnMut(&[u8]) -> io::Result<()>) -> Result<(), JobError> {
        sorted::kept_lines(self, false, write)
    }
}

fn write_line(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    out.write_all(line)?;
    out.write_all(b"\n")
}
