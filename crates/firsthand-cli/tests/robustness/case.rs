//! What is expected of a run, and the check that it was so.

use super::outcome::{Feed, Outcome};
use super::stage::{GOOD, Stage};
use super::table;
use std::panic::Location;

/// A hostile input, and what has to become of it.
pub(crate) struct Case<'a> {
    /// What it is.
    pub(crate) name: &'a str,
    /// What is done to it.
    pub(crate) done: &'a str,
    /// What has to be in the messages; the line that has the first of them goes into the table.
    pub(crate) says: &'a [&'a str],
    /// The exit code: 0, or 3 if something could not be read.
    pub(crate) exit: i32,
    /// How many copies of the text before the hostile part are read, and of the one after it.
    pub(crate) read: (usize, usize),
    /// How many documents are read besides.
    pub(crate) others: usize,
    /// Arguments besides the folder.
    pub(crate) args: &'a [&'a str],
    /// The most memory, in megabytes.
    pub(crate) memory: u64,
}

impl Default for Case<'_> {
    fn default() -> Self {
        Self {
            name: "",
            done: "",
            says: &[],
            exit: 3,
            read: (0, 0),
            others: 0,
            args: &[],
            memory: 512,
        }
    }
}

impl Case<'_> {
    /// Runs on a stage and checks everything.
    #[track_caller]
    pub(crate) fn check(&self, stage: &Stage) -> Outcome {
        self.check_with(stage, None)
    }

    /// The same with something on standard input.
    #[track_caller]
    pub(crate) fn check_with(&self, stage: &Stage, feed: Option<Feed>) -> Outcome {
        self.passes(stage, Outcome::of(stage, self.args, feed))
    }

    /// Checks a run.
    #[track_caller]
    pub(crate) fn passes(&self, stage: &Stage, outcome: Outcome) -> Outcome {
        self.compare(&outcome);
        outcome.tidy(stage);
        table::add(Location::caller(), self, &outcome);
        outcome
    }

    fn compare(&self, outcome: &Outcome) {
        let Outcome { code, messages, .. } = outcome;
        let shown: String = messages.chars().take(4_000).collect();
        let megabytes = outcome.memory >> 20;
        assert!(megabytes <= self.memory, "{}: {megabytes} MB of memory", self.name);
        assert_eq!(*code, self.exit, "{}: exit code; messages: {shown}", self.name);
        for text in self.says {
            assert!(messages.contains(text), "{}: no {text:?} in: {shown}", self.name);
        }
        assert_eq!(outcome.copies("beside"), 1, "{}: files beside it; {shown}", self.name);
        let read = (outcome.copies("before"), outcome.copies("after"));
        assert_eq!(read, self.read, "{}: records before and after; {shown}", self.name);
        let documents = GOOD + read.0 + read.1 + self.others;
        assert_eq!(outcome.documents(), documents, "{}: all documents; {shown}", self.name);
    }
}
