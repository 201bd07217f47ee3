//! Inputs that gave no document: told as they are found, counted by reason, listed at the end.

use crate::{console::Console, numbers, visible::visible};
use firsthand_input::ReadError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// As many are told on stderr, unless all are asked for.
const TOLD: usize = 20;

/// As many are listed in the report, of the unreadable and of the skipped.
const LISTED: usize = 5_000;

/// Where an input is: side (0 for a reference), batch, item.
pub(crate) type Position = (usize, usize, usize);

/// What was not read, gathered from all threads.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    unreadable: Kind,
    skipped: Kind,
    positions: Vec<Position>,
}

/// Problems of one kind.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Kind {
    /// How many there are.
    pub(crate) count: usize,
    /// How many there are of each label.
    pub(crate) by_reason: BTreeMap<&'static str, usize>,
    /// The first of them, in the order of the input.
    #[serde(serialize_with = "values")]
    pub(crate) list: BTreeMap<Position, ReadError>,
}

/// All that was not read, once reading is over.
#[derive(Debug)]
pub(crate) struct Unread {
    /// What should have been read and could not be.
    pub(crate) unreadable: Kind,
    /// What is passed over by rule.
    pub(crate) skipped: Kind,
    /// The positions of both, ascending.
    pub(crate) positions: Vec<Position>,
}

impl Problems {
    /// Takes note of an input that gave no document.
    pub(crate) fn add(&self, console: &Console, position: Position, error: ReadError) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let skip = error.is_skip();
        if console.verbose() || (!skip && found.unreadable.count < TOLD) {
            let what = if skip { "skipped" } else { "not read" };
            console.warn(&visible(&format!("{what}: {error}")));
        }
        found.positions.push(position);
        if skip { &mut found.skipped } else { &mut found.unreadable }.add(position, error);
    }

    /// Ends the list; says how many were not told.
    pub(crate) fn finish(self, console: &Console, report: bool) -> Unread {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Found { unreadable, skipped, mut positions } = found;
        let untold = unreadable.count.saturating_sub(TOLD);
        if untold > 0 && !console.verbose() {
            let untold = numbers::grouped(untold as u64);
            let place = if report { "see report.json" } else { "--verbose lists them" };
            console.warn(&format!("not read: and {untold} more, {place}"));
        }
        positions.sort_unstable();
        Unread { unreadable, skipped, positions }
    }
}

impl Kind {
    fn add(&mut self, position: Position, error: ReadError) {
        self.count += 1;
        *self.by_reason.entry(error.reason.label()).or_default() += 1;
        self.list.insert(position, error);
        // The last goes, not the newest: threads must not change the list.
        if self.list.len() > LISTED {
            self.list.pop_last();
        }
    }

    /// `3 not valid JSON, 1 no text`, the most frequent first.
    pub(crate) fn reasons(&self) -> String {
        let mut reasons: Vec<_> = self.by_reason.iter().collect();
        reasons.sort_by_key(|(label, count)| (std::cmp::Reverse(**count), **label));
        let words = reasons
            .into_iter()
            .map(|(label, count)| format!("{} {label}", numbers::grouped(*count as u64)));
        words.collect::<Vec<_>>().join(", ")
    }
}

fn values<S: serde::Serializer>(
    list: &BTreeMap<Position, ReadError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.values())
}
