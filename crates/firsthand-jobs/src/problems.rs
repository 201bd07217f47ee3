//! Inputs that gave no document, or an odd one: counted by reason and listed in the order of the
//! input.

use firsthand_input::{At, Item, Limits, NotedReason, Place, ReadError, known_label};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// The most that are listed of the unreadable, of the skipped and of the odd.
pub(crate) const LISTED: usize = 5_000;

/// Where an input is: side (0 for a reference), batch, item.
pub type Position = (usize, usize, usize);

/// What was noted of each batch, by side and number.
type Notes = HashMap<(usize, usize), Vec<ProblemNote>>;

/// What was not read, gathered from all threads.
#[derive(Debug, Default)]
pub struct Problems {
    found: Mutex<Unread>,
    /// If a later run may want it.
    notes: Option<Mutex<Notes>>,
}

/// A problem of a batch, in a form that can be kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ProblemNote {
    /// The item in its batch.
    item: usize,
    path: String,
    at: Option<At>,
    what: NotedWhat,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum NotedWhat {
    /// It was not read; with it, the number of others that were not read for the same reason.
    Unread(NotedReason, usize),
    /// It was read with remarks: the id of the document, label and sentence of each, and the number of
    /// characters that were replaced.
    Odd(String, Vec<(String, String)>, u64),
}

/// Everything that was not read, or read with a remark.
#[derive(Debug, Default)]
pub struct Unread {
    /// What should have been read and could not be.
    pub unreadable: UnreadInputs,
    /// What is passed over by rule.
    pub skipped: UnreadInputs,
    /// What was read with a remark.
    pub odd: OddDocuments,
    /// How the sites of what was read are known: documents by what tells their site.
    pub sites: BTreeMap<&'static str, u64>,
    /// The positions of unreadable and skipped inputs, ascending, and whether skipped.
    pub positions: Vec<(Position, bool)>,
}

/// Inputs that gave no document.
#[derive(Debug, Default, Serialize)]
pub struct UnreadInputs {
    /// The number of them.
    pub count: usize,
    /// The number of them by the label of their reason.
    pub by_reason: BTreeMap<&'static str, usize>,
    /// The first of them, in the order of the input.
    #[serde(serialize_with = "values")]
    pub list: BTreeMap<Position, ReadError>,
}

/// Documents that were read with a remark.
#[derive(Debug, Default, Serialize)]
pub struct OddDocuments {
    /// The number of them.
    pub count: usize,
    /// The number of them by the label of the remark.
    pub by_remark: BTreeMap<&'static str, usize>,
    /// Characters that could not be decoded, in all.
    pub replaced_characters: u64,
    /// The first of them, in the order of the input.
    #[serde(serialize_with = "values")]
    pub list: BTreeMap<Position, OddDocument>,
}

/// A document and what is odd about it.
#[derive(Debug, Serialize)]
pub struct OddDocument {
    /// Its id.
    pub id: String,
    /// Where it came from.
    pub place: Place,
    /// What is odd about it, each in a sentence.
    pub remarks: Vec<String>,
}

impl UnreadInputs {
    /// Takes note of one more.
    pub(crate) fn add(&mut self, position: Position, error: ReadError) {
        self.count += 1;
        *self.by_reason.entry(error.reason.label()).or_default() += 1;
        list(&mut self.list, position, error);
    }
}

impl Problems {
    /// Problems that are kept for each batch as well.
    pub(crate) fn noted() -> Self {
        Self { notes: Some(Mutex::default()), ..Self::default() }
    }

    fn note(&self, (side, batch, item): Position, place: &Place, what: impl FnOnce() -> NotedWhat) {
        if let Some(notes) = &self.notes {
            let note = ProblemNote { item, path: place.path.clone(), at: place.at, what: what() };
            let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
            notes.entry((side, batch)).or_default().push(note);
        }
    }

    /// The problems of a batch that is done.
    pub(crate) fn take_notes(&self, side: usize, batch: usize) -> Vec<ProblemNote> {
        let Some(notes) = &self.notes else { return Vec::new() };
        let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.remove(&(side, batch)).unwrap_or_default()
    }

    /// Takes note of what an earlier run noted. Returns an input that gave no document.
    pub(crate) fn restore(
        &self,
        (side, batch): (usize, usize),
        note: ProblemNote,
    ) -> Option<ReadError> {
        let ProblemNote { item, path, at, what } = note;
        let (position, place) = ((side, batch, item), Place { path, at });
        match what {
            NotedWhat::Unread(reason, inputs) => {
                let error = ReadError { place, reason: reason.into(), inputs };
                self.add(position, error.clone());
                Some(error)
            }
            NotedWhat::Odd(id, remarks, replaced) => {
                self.add_remarks(position, (id, place), remarks, replaced);
                None
            }
        }
    }

    /// Takes note of an input that gave no document.
    pub fn add(&self, position: Position, error: ReadError) {
        self.note(position, &error.place, || {
            NotedWhat::Unread(NotedReason::of(&error.reason), error.inputs)
        });
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let skip = error.is_skip();
        let (side, batch, number) = position;
        let inputs = number..number + error.inputs;
        found.positions.extend(inputs.map(|number| ((side, batch, number), skip)));
        let kind = if skip { &mut found.skipped } else { &mut found.unreadable };
        kind.add(position, error);
    }

    /// Takes note of what is odd about a document.
    pub fn remark(&self, position: Position, item: &Item, limits: &Limits) {
        let notes = item.remarks.notes(limits).into_iter();
        let notes = notes.map(|note| (note.label.to_owned(), note.sentence)).collect();
        let (id, place) = (item.document.id.clone(), item.place.clone());
        self.add_remarks(position, (id, place), notes, item.remarks.replaced);
    }

    fn add_remarks(
        &self,
        position: Position,
        (id, place): (String, Place),
        notes: Vec<(String, String)>,
        replaced: u64,
    ) {
        self.note(position, &place, || NotedWhat::Odd(id.clone(), notes.clone(), replaced));
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let odd = &mut found.odd;
        odd.count += 1;
        odd.replaced_characters += replaced;
        for (label, _) in &notes {
            *odd.by_remark.entry(known_label(label)).or_default() += 1;
        }
        let remarks = notes.into_iter().map(|(_, sentence)| sentence).collect();
        list(&mut odd.list, position, OddDocument { id, place, remarks });
    }

    /// Everything that was noted.
    pub fn finish(self) -> Unread {
        let mut unread = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        unread.positions.sort_unstable();
        unread
    }
}

fn list<T>(list: &mut BTreeMap<Position, T>, position: Position, value: T) {
    list.insert(position, value);
    // The last in the input goes, not the newest: the list must not depend on threads.
    if list.len() > LISTED {
        list.pop_last();
    }
}

fn values<T: Serialize, S: serde::Serializer>(
    list: &BTreeMap<Position, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.values())
}

/// Why something was not read, with the setting by which it would be.
pub fn unread_text(error: &ReadError) -> String {
    match error.reason.setting() {
        Some(setting) => format!("{error}; see the setting {setting}"),
        None => error.to_string(),
    }
}
