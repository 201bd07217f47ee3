//! Inputs that gave no document, or an odd one: told as they are found, counted by reason, listed
//! at the end.

use crate::{console::Console, numbers, visible::visible};
use firsthand_input::{Item, Limits, Place, ReadError};
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
    odd: Odd,
    positions: Vec<(Position, bool)>,
}

/// Documents that were read all the same, with something to tell about them.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Odd {
    /// How many there are.
    pub(crate) count: usize,
    /// How many there are of each label.
    pub(crate) by_remark: BTreeMap<&'static str, usize>,
    /// Characters that could not be decoded, in all.
    pub(crate) replaced_characters: u64,
    /// The first of them, in the order of the input.
    #[serde(serialize_with = "odd_values")]
    list: BTreeMap<Position, OddDocument>,
}

/// A document and what is odd about it.
#[derive(Debug, Serialize)]
struct OddDocument {
    id: String,
    place: Place,
    remarks: Vec<String>,
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
    /// What was read with something to tell about it.
    pub(crate) odd: Odd,
    /// The positions of unreadable and skipped, ascending, and whether skipped.
    pub(crate) positions: Vec<(Position, bool)>,
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
        let (side, batch, number) = position;
        let inputs = number..number + error.inputs;
        found.positions.extend(inputs.map(|number| ((side, batch, number), skip)));
        if skip { &mut found.skipped } else { &mut found.unreadable }.add(position, error);
    }

    /// Takes note of what is odd about a document.
    pub(crate) fn remark(
        &self,
        console: &Console,
        position: Position,
        item: &Item,
        limits: &Limits,
    ) {
        if item.remarks.is_empty() {
            return;
        }
        let notes = item.remarks.notes(limits);
        if console.verbose() {
            for (_, sentence) in &notes {
                console.warn(&visible(&format!("note: {}: {sentence}", item.place)));
            }
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let odd = &mut found.odd;
        odd.count += 1;
        odd.replaced_characters += item.remarks.replaced;
        for (label, _) in &notes {
            *odd.by_remark.entry(label).or_default() += 1;
        }
        let remarks = notes.into_iter().map(|(_, sentence)| sentence).collect();
        let document =
            OddDocument { id: item.document.id.clone(), place: item.place.clone(), remarks };
        odd.list.insert(position, document);
        if odd.list.len() > LISTED {
            odd.list.pop_last();
        }
    }

    /// Ends the list; says how many were not told.
    pub(crate) fn finish(self, console: &Console, report: bool) -> Unread {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Found { unreadable, skipped, odd, mut positions } = found;
        let untold = unreadable.count.saturating_sub(TOLD);
        if untold > 0 && !console.verbose() {
            let untold = numbers::grouped(untold as u64);
            let place = if report { "see report.json" } else { "--verbose lists them" };
            console.warn(&format!("not read: and {untold} more, {place}"));
        }
        positions.sort_unstable();
        Unread { unreadable, skipped, odd, positions }
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
        counted(&self.by_reason)
    }
}

impl Odd {
    /// `3 replaced characters, 1 too many blocks`, the most frequent first.
    pub(crate) fn reasons(&self) -> String {
        counted(&self.by_remark)
    }
}

fn counted(by_label: &BTreeMap<&'static str, usize>) -> String {
    let mut labels: Vec<_> = by_label.iter().collect();
    labels.sort_by_key(|(label, count)| (std::cmp::Reverse(**count), **label));
    let words = labels
        .into_iter()
        .map(|(label, count)| format!("{} {label}", numbers::grouped(*count as u64)));
    words.collect::<Vec<_>>().join(", ")
}

fn odd_values<S: serde::Serializer>(
    list: &BTreeMap<Position, OddDocument>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.values())
}

fn values<S: serde::Serializer>(
    list: &BTreeMap<Position, ReadError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.values())
}
