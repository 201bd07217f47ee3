//! The decisions that hold: without those that were undone, the last word of each pair and document.

use super::line::{Action, Decision, Named};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Why nothing was undone or redone.
///
/// ```
/// use firsthand::decisions::{Active, NotThere};
///
/// assert_eq!(Active::new(&[]).last(), Err(NotThere::Undo));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotThere {
    /// Nothing is left to undo.
    #[error("there is nothing to undo")]
    Undo,
    /// Nothing is left to redo.
    #[error("there is nothing to redo")]
    Redo,
}

/// The decisions that hold.
///
/// ```
/// use firsthand::decisions::{Action, Active, Decision, Named};
///
/// let named = |id: &str| Named { id: id.to_owned(), text: None };
/// let tag = Decision::new(Action::Tag, vec![named("a")], String::new());
/// let lines = [Some(Decision { tags: vec!["war".to_owned()], ..tag })];
/// assert!(Active::new(&lines).tags()["a"].contains("war"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Active<'a> {
    lines: Vec<(usize, &'a Decision)>,
    undone: Vec<usize>,
}

/// Two documents, as a decision names them.
type Pair<'a> = (&'a Named, &'a Named);

impl<'a> Active<'a> {
    /// Reads lines in their order; each is numbered from 1.
    pub fn new(lines: &'a [Option<Decision>]) -> Self {
        let mut state: BTreeMap<usize, bool> = BTreeMap::new();
        let mut undone: Vec<usize> = Vec::new();
        for (number, line) in (1..).zip(lines) {
            let Some(line) = line else { continue };
            match (line.action, line.of) {
                (Action::Undo, Some(of)) => {
                    if state.get(&of) == Some(&true) {
                        state.insert(of, false);
                        undone.push(of);
                    }
                }
                (Action::Redo, Some(of)) => {
                    if state.get(&of) == Some(&false) {
                        state.insert(of, true);
                        undone.retain(|other| *other != of);
                    }
                }
                (Action::Undo | Action::Redo, None) => {}
                _ => {
                    state.insert(number, true);
                    // What is new leaves nothing to do again.
                    undone.clear();
                }
            }
        }
        let holds = state.into_iter().filter(|(_, holds)| *holds);
        let lines =
            holds.filter_map(|(number, _)| Some((number, lines.get(number - 1)?.as_ref()?)));
        Self { lines: lines.collect(), undone }
    }

    /// The decisions that hold, each with the number of its line.
    pub fn lines(&self) -> &[(usize, &'a Decision)] {
        &self.lines
    }

    /// The line that is to be undone next.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn last(&self) -> Result<usize, NotThere> {
        self.lines.last().map(|(number, _)| *number).ok_or(NotThere::Undo)
    }

    /// The line that is to be redone next.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn last_undone(&self) -> Result<usize, NotThere> {
        self.undone.last().copied().ok_or(NotThere::Redo)
    }

    /// The pairs that are parted and those that are joined, by the last word on each, in the order of
    /// the decisions.
    pub fn pairs(&self) -> (Vec<Pair<'a>>, Vec<Pair<'a>>) {
        let mut words = Words::default();
        for (_, line) in &self.lines {
            let across = || {
                let documents = line.documents.iter();
                documents.flat_map(|a| line.others.iter().map(move |b| (a, b)))
            };
            let with_first = |documents: &'a [Named]| {
                let first = line.others.first();
                documents.iter().filter_map(move |document| Some((document, first?)))
            };
            match line.action {
                Action::NotACopy => across().for_each(|pair| words.say(true, pair)),
                Action::Split => {
                    across().for_each(|pair| words.say(true, pair));
                    chained(&line.documents).for_each(|pair| words.say(false, pair));
                    chained(&line.others).for_each(|pair| words.say(false, pair));
                }
                Action::IsACopy => {
                    words.unpart(&line.documents, &line.others);
                    with_first(&line.documents).for_each(|pair| words.say(false, pair));
                }
                Action::Merge => {
                    words.unpart(&line.documents, &line.others);
                    let first = &line.documents[..line.documents.len().min(1)];
                    with_first(first).for_each(|pair| words.say(false, pair));
                }
                _ => {}
            }
        }
        words.pairs()
    }

    /// The chosen originals, in the order of the choices.
    pub fn kept(&self) -> impl Iterator<Item = &'a Named> + '_ {
        let keeps = self.lines.iter().filter(|(_, line)| line.action == Action::Keep);
        keeps.filter_map(|(_, line)| line.documents.first())
    }

    /// The tags of each document.
    pub fn tags(&self) -> HashMap<&'a str, BTreeSet<&'a str>> {
        let mut tags: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (_, line) in &self.lines {
            for document in &line.documents {
                let given = line.tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty());
                match line.action {
                    Action::Tag => tags.entry(&document.id).or_default().extend(given),
                    Action::Untag => {
                        let has = tags.entry(&document.id).or_default();
                        for tag in given {
                            has.remove(tag);
                        }
                    }
                    _ => {}
                }
            }
        }
        tags.retain(|_, tags| !tags.is_empty());
        tags
    }

    /// The ids of documents that something was decided about, labels and notes not counted.
    pub fn touched(&self) -> HashSet<&'a str> {
        let lines = self.lines.iter().map(|(_, line)| *line);
        let deciding = lines.filter(|line| !matches!(line.action, Action::Label | Action::Note));
        deciding.flat_map(|line| line.documents.iter().map(|one| &*one.id)).collect()
    }
}

/// The last word on each pair.
#[derive(Default)]
struct Words<'a> {
    said: Vec<Option<(bool, Pair<'a>)>>,
    last: HashMap<(&'a str, &'a str), usize>,
}

impl<'a> Words<'a> {
    fn say(&mut self, is_parted: bool, pair: Pair<'a>) {
        let (a, b) = (&*pair.0.id, &*pair.1.id);
        if a == b {
            return;
        }
        let before = self.last.insert((a.min(b), a.max(b)), self.said.len());
        if let Some(before) = before {
            self.said[before] = None;
        }
        self.said.push(Some((is_parted, pair)));
    }

    /// What was parted on both sides is so no longer: clusters that are merged are one.
    fn unpart(&mut self, documents: &[Named], others: &[Named]) {
        let ids = |named: &[Named]| named.iter().map(|one| one.id.clone()).collect::<HashSet<_>>();
        let (one, other) = (ids(documents), ids(others));
        let is_across = |a: &Named, b: &Named| one.contains(&a.id) && other.contains(&b.id);
        for said in &mut self.said {
            if let Some((true, (a, b))) = said
                && (is_across(a, b) || is_across(b, a))
            {
                *said = None;
            }
        }
    }

    fn pairs(self) -> (Vec<Pair<'a>>, Vec<Pair<'a>>) {
        let (parted, joined): (Vec<_>, Vec<_>) =
            self.said.into_iter().flatten().partition(|(is_parted, _)| *is_parted);
        let pairs = |said: Vec<(bool, Pair<'a>)>| said.into_iter().map(|(_, pair)| pair).collect();
        (pairs(parted), pairs(joined))
    }
}

/// Each document with the next.
fn chained(documents: &[Named]) -> impl Iterator<Item = Pair<'_>> {
    documents.windows(2).map(|pair| (&pair[0], &pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(id: &str) -> Named {
        Named { id: id.to_owned(), text: None }
    }

    fn line(action: Action, documents: &[&str], others: &[&str]) -> Option<Decision> {
        let documents = documents.iter().map(|id| named(id)).collect();
        let others = others.iter().map(|id| named(id)).collect();
        Some(Decision { others, ..Decision::new(action, documents, String::new()) })
    }

    fn about(action: Action, of: usize) -> Option<Decision> {
        Some(Decision { of: Some(of), ..Decision::new(action, Vec::new(), String::new()) })
    }

    fn pairs(lines: &[Option<Decision>]) -> (Vec<String>, Vec<String>) {
        let active = Active::new(lines);
        let (parted, joined) = active.pairs();
        let show = |pairs: Vec<Pair<'_>>| {
            pairs.into_iter().map(|(a, b)| format!("{}{}", a.id, b.id)).collect()
        };
        (show(parted), show(joined))
    }

    #[test]
    fn the_last_word_on_a_pair_holds() {
        let mut lines = vec![
            line(Action::NotACopy, &["b", "c"], &["a"]),
            line(Action::IsACopy, &["a"], &["b"]),
        ];
        assert_eq!(pairs(&lines), (vec!["ca".to_owned()], vec!["ab".to_owned()]));
        lines.push(about(Action::Undo, 2));
        assert_eq!(pairs(&lines).0, ["ba", "ca"]);
        assert_eq!(Active::new(&lines).last_undone(), Ok(2));
        lines.push(about(Action::Redo, 2));
        assert_eq!(pairs(&lines).0, ["ca"]);
        assert_eq!(Active::new(&lines).last_undone(), Err(NotThere::Redo));
    }

    #[test]
    fn what_is_split_out_stays_together_on_both_sides() {
        let lines = [line(Action::Split, &["a", "b"], &["c", "d"])];
        let (parted, joined) = pairs(&lines);
        assert_eq!(parted, ["ac", "ad", "bc", "bd"]);
        assert_eq!(joined, ["ab", "cd"]);
    }

    #[test]
    fn merging_what_was_split_makes_it_one_again() {
        let lines = [
            line(Action::Split, &["a", "b"], &["c", "d"]),
            line(Action::Merge, &["c", "d"], &["b", "a"]),
        ];
        let (parted, joined) = pairs(&lines);
        assert_eq!(
            (parted, joined),
            (vec![], ["ab", "cd", "cb"].iter().map(|p| (*p).to_owned()).collect())
        );
    }

    #[test]
    fn undoing_goes_back_line_by_line_and_something_new_ends_redoing() {
        let mut lines = vec![line(Action::Skip, &["a"], &[]), line(Action::Skip, &["b"], &[])];
        lines.push(about(Action::Undo, 2));
        assert_eq!(Active::new(&lines).last(), Ok(1));
        lines.push(about(Action::Undo, 1));
        assert_eq!(Active::new(&lines).last(), Err(NotThere::Undo));
        assert_eq!(Active::new(&lines).last_undone(), Ok(1));
        lines.push(line(Action::Skip, &["c"], &[]));
        assert_eq!(Active::new(&lines).last_undone(), Err(NotThere::Redo));
    }
}
