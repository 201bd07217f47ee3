//! What decisions amount to: which clusters were reviewed, which tags and notes there are.

use super::index::Index;
pub use crate::decisions::State;
use crate::decisions::{Action, Active, Decision, Grade};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What decisions amount to.
#[derive(Debug, Default)]
pub struct Standing {
    states: HashMap<u32, State>,
    tags: HashMap<String, BTreeSet<String>>,
    tags_of_row: HashMap<u32, BTreeSet<String>>,
    notes: HashMap<String, Vec<(usize, Decision)>>,
    /// The lines that are about documents of a row, counted from 0.
    lines: HashMap<u32, Vec<usize>>,
    /// The rows that are joined to a row.
    joined: HashMap<u32, BTreeSet<u32>>,
    labels: BTreeMap<(String, String), (Grade, Option<f64>)>,
    kept: HashMap<String, Option<String>>,
    /// The number of lines, by which a page knows whether it is current.
    version: usize,
}

impl Standing {
    pub(super) fn new(active: &Active<'_>, index: &Index) -> Self {
        let mut standing = Self::default();
        for (id, tags) in active.tags() {
            let tags: BTreeSet<String> = tags.into_iter().map(str::to_owned).collect();
            if let Some(row) = index.position_of(id) {
                standing.tags_of_row.entry(row).or_default().extend(tags.iter().cloned());
            }
            standing.tags.insert(id.to_owned(), tags);
        }
        for (number, line) in active.lines() {
            standing.add(*number, line, index);
            standing.version = standing.version.max(*number);
        }
        standing
    }

    fn add(&mut self, number: usize, line: &Decision, index: &Index) {
        let rows = |named: &[crate::decisions::Named]| -> HashSet<u32> {
            named.iter().filter_map(|one| index.position_of(&one.id)).collect()
        };
        let (own, others) = (rows(&line.documents), rows(&line.others));
        match line.action {
            Action::Label => {
                if let ([a, b], Some(grade)) = (line.documents.as_slice(), line.grade) {
                    let (a, b) = (a.id.clone(), b.id.clone());
                    self.labels.insert((a, b), (grade, line.score));
                }
                return;
            }
            Action::Note => {
                for document in &line.documents {
                    let notes = self.notes.entry(document.id.clone()).or_default();
                    notes.push((number, line.clone()));
                }
                return;
            }
            Action::Keep => {
                if let Some(kept) = line.documents.first() {
                    self.kept.insert(kept.id.clone(), line.person.clone());
                }
            }
            _ => {}
        }
        for row in own.union(&others) {
            self.lines.entry(*row).or_default().push(number - 1);
        }
        if matches!(line.action, Action::Merge | Action::IsACopy) {
            for (a, b) in own.iter().flat_map(|a| others.iter().map(move |b| (*a, *b))) {
                if a != b {
                    self.joined.entry(a).or_default().insert(b);
                    self.joined.entry(b).or_default().insert(a);
                }
            }
        }
        let both = matches!(line.action, Action::Merge);
        for row in own.iter().chain(others.iter().filter(|_| both)) {
            let state = self.states.entry(*row).or_default();
            match (line.action, *state) {
                (Action::Skip, State::Open) => *state = State::Skipped,
                (Action::Skip, _) => {}
                _ => *state = State::Reviewed,
            }
        }
    }

    pub(super) fn state(&self, row: u32) -> State {
        self.states.get(&row).copied().unwrap_or_default()
    }

    pub(super) fn has_tag(&self, row: u32, tag: &str) -> bool {
        self.tags_of_row.get(&row).is_some_and(|tags| tags.contains(tag))
    }

    /// The state and the tags of a cluster.
    pub fn of_cluster(&self, index: &Index, number: u32) -> (State, Vec<&str>) {
        let Some(at) = index.position(number) else { return (State::Open, Vec::new()) };
        let tags = self.tags_of_row.get(&(at as u32));
        let tags = tags.into_iter().flatten().map(String::as_str).collect();
        (self.state(at as u32), tags)
    }

    /// The tags of a document.
    pub fn tags(&self, id: &str) -> impl Iterator<Item = &str> {
        self.tags.get(id).into_iter().flatten().map(String::as_str)
    }

    /// All tags, each with the number of documents.
    pub fn all_tags(&self) -> BTreeMap<&str, usize> {
        let mut all = BTreeMap::new();
        for tag in self.tags.values().flatten() {
            *all.entry(&**tag).or_default() += 1;
        }
        all
    }

    /// The notes on a document.
    pub fn notes(&self, id: &str) -> impl Iterator<Item = &Decision> {
        self.notes.get(id).into_iter().flatten().map(|(_, note)| note)
    }

    /// Whether a document was chosen as an original, and by whom.
    pub(super) fn kept_by(&self, id: &str) -> Option<Option<&str>> {
        self.kept.get(id).map(|person| person.as_deref())
    }

    /// The number of clusters that were reviewed, and of those that were skipped.
    pub fn progress(&self) -> (usize, usize) {
        let count = |wanted: State| self.states.values().filter(|one| **one == wanted).count();
        (count(State::Reviewed), count(State::Skipped))
    }

    /// The number of the last line that holds.
    pub fn version(&self) -> usize {
        self.version
    }

    pub(super) fn lines_of(&self, rows: &BTreeSet<u32>) -> BTreeSet<usize> {
        rows.iter().filter_map(|row| self.lines.get(row)).flatten().copied().collect()
    }

    /// The row with all that are joined to it.
    pub(super) fn region(&self, row: u32) -> BTreeSet<u32> {
        let (mut region, mut pending) = (BTreeSet::from([row]), vec![row]);
        while let Some(row) = pending.pop() {
            for &other in self.joined.get(&row).into_iter().flatten() {
                if region.insert(other) {
                    pending.push(other);
                }
            }
        }
        region
    }

    pub(super) fn labels(&self) -> &BTreeMap<(String, String), (Grade, Option<f64>)> {
        &self.labels
    }
}
