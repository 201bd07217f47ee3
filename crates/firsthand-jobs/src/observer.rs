//! Whoever watches a job: it hears how far the job is and what it met on the way, and may stop it.

use crate::{
    cancel::Cancel,
    problems::{Unread, unread_text},
};
use firsthand::settings::{Threshold, Window};
use firsthand_input::{Item, Limits, ReadError};
use std::path::Path;
use std::time::Duration;

/// Watches a job. Every method may be called from several threads at once.
///
/// Only [`cancel`](Self::cancel) must be written; what an observer does not care about is ignored.
pub trait Observer: Sync {
    /// The token that stops the job.
    fn cancel(&self) -> &Cancel;

    /// A new phase begins.
    fn phase(&self, phase: Phase<'_>) {
        let _ = phase;
    }

    /// The number of bytes that have been read so far.
    fn bytes(&self, read: u64) {
        let _ = read;
    }

    /// Some more documents are done.
    fn documents(&self, more: u64) {
        let _ = more;
    }

    /// The share of the phase that is done, from 0 to 1: of the search for pairs, of a step beyond memory, of
    /// the rows that are copied. It is told often.
    fn matched(&self, share: f64) {
        let _ = share;
    }

    /// An input gave no document: it could not be read, or is skipped by rule.
    fn problem(&self, error: &ReadError) {
        let _ = error;
    }

    /// A document was read, and there is something odd about it.
    fn remark(&self, item: &Item, limits: &Limits) {
        let _ = (item, limits);
    }

    /// All inputs have been read, but for these.
    fn read(&self, unread: &Unread) {
        let _ = unread;
    }

    /// Something that a person should know.
    fn notice(&self, notice: Notice<'_>) {
        let _ = notice;
    }

    /// How answers say why an input was not read: with the key of the setting that would change that,
    /// or in the words of whoever shows them.
    fn wording(&self) -> fn(&ReadError) -> String {
        unread_text
    }

    /// Whether the job should stop.
    fn is_cancelled(&self) -> bool {
        self.cancel().is_cancelled()
    }
}

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase<'a> {
    /// Documents are read and signed.
    Reading {
        /// All bytes there are, where that is known.
        bytes: Option<u64>,
    },
    /// The signed documents become a collection.
    Preparing,
    /// Pairs are searched.
    Matching,
    /// A step of a run that goes beyond memory, in a word.
    Step(&'static str),
    /// Results are written.
    Writing,
    /// A method is measured.
    Measuring {
        /// Its name.
        method: &'a str,
        /// Its number, from 1.
        number: usize,
        /// How many methods there are.
        of: usize,
    },
    /// Something else, in a word.
    Other(&'static str),
}

/// Something that a person should know and that is not an error.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// Standard input is about to be read.
    StandardInput,
    /// Fields whose names were chosen, and that no record has.
    NoField {
        /// The last part of the key of the setting, such as `id`.
        key: &'static str,
        /// The names.
        names: &'a [String],
    },
    /// Records that hold no document are larger than the limit for files, and were not copied to
    /// the results.
    TooLargeToCopy {
        /// How many.
        records: u64,
    },
    /// There are more pairs than are listed, so each near-duplicate is listed with its original only.
    PairsNotListed {
        /// The number of pairs that were found.
        pairs: u64,
        /// The most that are listed.
        limit: u64,
    },
    /// The search for pairs that is about to begin will take long.
    LongSearch {
        /// The different texts that are compared.
        texts: u64,
        /// The pairs that it will find, about; none if that is not known.
        pairs: Option<u64>,
        /// The time that it will take, roughly.
        took: Duration,
        /// Whether there are more pairs than are listed: once that is certain, the search turns to the pairs
        /// of originals, and nothing tells beforehand how long that takes.
        is_cut: bool,
        /// Whether it will be stopped, if it takes that long.
        is_limited: bool,
    },
    /// A document that is empty, or too short for more than exact copies.
    Unmatchable {
        /// Its id.
        id: &'a str,
        /// Whether it is empty.
        is_empty: bool,
    },
    /// Paths with a line end, which is escaped in the lists of what is kept and dropped.
    PathsEscaped {
        /// How many.
        paths: u64,
    },
    /// A method could not be measured and is left out.
    NotMeasured {
        /// Its name.
        method: &'a str,
        /// Why.
        error: &'a (dyn std::error::Error + 'static),
    },
    /// The collection does not fit into the memory that is given: the rest of the work is done in a folder.
    BeyondMemory {
        /// The memory.
        memory: u64,
        /// The folder.
        scratch: &'a Path,
    },
    /// A run goes on where an earlier one was ended.
    Resumed {
        /// The documents that need not be read again.
        documents: u64,
        /// The inputs that need not be read again at all.
        inputs: u64,
    },
    /// What an earlier run left is not used, because something is different now.
    NotResumed {
        /// What, in a clause.
        because: &'a str,
    },
    /// A step of a run that goes beyond memory is done.
    StepDone {
        /// Its name.
        name: &'static str,
        /// How long it took.
        took: Duration,
        /// The memory that the process holds now, where the system says so.
        memory: Option<u64>,
        /// The bytes that it wrote to the scratch folder.
        written: u64,
        /// The bytes that are in the scratch folder now.
        held: u64,
    },
    /// Something about the labels.
    Labels {
        /// What, in a sentence.
        note: &'a str,
    },
    /// A method states more pairs of documents with equal features than are counted one by one.
    PairsNotCounted {
        /// Its name.
        method: &'a str,
        /// The number of pairs that are not counted.
        pairs: u64,
    },
    /// Too many pairs reach the lowest score of a sample, so it was raised.
    FloorRaised {
        /// The score that was asked for.
        from: Threshold,
        /// The score that is used.
        to: Threshold,
    },
    /// A store was created with the settings of this profile, because no others were asked for.
    NewStore {
        /// The profile.
        profile: &'a str,
    },
    /// A store is used with another window than before.
    Window {
        /// The window before.
        from: Window,
        /// The window from now on.
        to: Window,
        /// If it became wider: documents before this time were forgotten.
        complete_since: Option<i64>,
        /// The documents of the store that are outside of it, which are forgotten.
        outside: u64,
    },
    /// The time of a stream has jumped ahead. Nothing is forgotten before it has moved on from there.
    ClockJump {
        /// The time by which documents are forgotten, in milliseconds since 1970-01-01 UTC.
        from: Option<i64>,
        /// Where it has jumped to: the median time of the latest documents.
        to: i64,
        /// The time of the document with which it jumped; `None` if that was in an earlier run.
        by: Option<i64>,
    },
    /// The files of a folder are judged from now on.
    Watching {
        /// The folder.
        folder: &'a Path,
    },
    /// A file of a watched folder is empty. It is read once something is written to it.
    EmptyFile {
        /// The file.
        path: &'a Path,
    },
    /// The system does not notify us of changes in a folder, which is listed every few seconds
    /// instead.
    NotNotified {
        /// The folder.
        folder: &'a Path,
        /// Why.
        error: &'a (dyn std::error::Error + 'static),
    },
    /// A shared store failed, and is asked again.
    StoreRetry {
        /// Why.
        error: &'a (dyn std::error::Error + 'static),
        /// After this time.
        wait: Duration,
    },
}

/// An observer that ignores everything but its token.
#[derive(Clone, Debug, Default)]
pub struct Unobserved(pub Cancel);

impl Observer for Unobserved {
    fn cancel(&self) -> &Cancel {
        &self.0
    }
}
