//! What decisions say of each document, by its id.

use super::record::DocumentRecord;
use crate::decisions::{Active, Decision, Named, shown_hash};
use std::collections::HashMap;

/// What decisions say.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// In the order of the decisions.
    pub(super) parted: Vec<(Named, Named)>,
    pub(super) joined: Vec<(Named, Named)>,
    pub(super) kept: Vec<Named>,
    about: HashMap<String, About>,
}

/// Where a document is named, by positions in the lists.
#[derive(Clone, Debug, Default)]
struct About {
    parted: Vec<usize>,
    joined: Vec<usize>,
    kept: Vec<usize>,
}

impl Rules {
    pub(super) fn new(lines: &[Option<Decision>]) -> Self {
        let active = Active::new(lines);
        let owned = |pairs: Vec<(&Named, &Named)>| -> Vec<(Named, Named)> {
            pairs.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect()
        };
        let (parted, joined) = active.pairs();
        let (parted, joined) = (owned(parted), owned(joined));
        let kept: Vec<Named> = active.kept().cloned().collect();
        let mut about: HashMap<String, About> = HashMap::new();
        let mut of = |named: &Named, note: &dyn Fn(&mut About)| {
            note(about.entry(named.id.clone()).or_default());
        };
        for (at, (a, b)) in parted.iter().enumerate() {
            [a, b].into_iter().for_each(|named| of(named, &|about| about.parted.push(at)));
        }
        for (at, (a, b)) in joined.iter().enumerate() {
            [a, b].into_iter().for_each(|named| of(named, &|about| about.joined.push(at)));
        }
        for (at, named) in kept.iter().enumerate() {
            of(named, &|about| about.kept.push(at));
        }
        Self { parted, joined, kept, about }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.about.is_empty()
    }

    /// The ids of all documents that something was decided about.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.about.keys().map(String::as_str)
    }

    pub(super) fn is_about(&self, id: &str) -> bool {
        self.about.contains_key(id)
    }

    /// What was decided about a document with this text.
    pub(super) fn of(&self, id: &str, content: u64) -> RulesOfOne<'_> {
        let mut rules = RulesOfOne::default();
        let Some(about) = self.about.get(id) else { return rules };
        let text = shown_hash(content);
        for (list, pairs, others) in [
            (&about.parted, &self.parted, &mut rules.parted),
            (&about.joined, &self.joined, &mut rules.joined),
        ] {
            for (a, b) in list.iter().map(|at| &pairs[*at]) {
                let (own, other) = if a.id == id { (a, b) } else { (b, a) };
                match own.is_about(id, Some(&text)) {
                    true => others.push(other),
                    false => rules.text_changed = true,
                }
            }
        }
        for &at in &about.kept {
            match self.kept[at].is_about(id, Some(&text)) {
                true => rules.kept = Some(at),
                false => rules.text_changed = true,
            }
        }
        rules
    }
}

/// What was decided about one document.
#[derive(Clone, Debug, Default)]
pub(super) struct RulesOfOne<'a> {
    /// The documents that it is no copy of.
    pub(super) parted: Vec<&'a Named>,
    /// The documents that it belongs to, in the order of the decisions.
    pub(super) joined: Vec<&'a Named>,
    /// The position of the last choice of it as an original.
    pub(super) kept: Option<usize>,
    /// Whether something was decided about another text of it, which no longer holds.
    pub(super) text_changed: bool,
}

/// Whether a stored document is the one that a decision is about, with the text that it had then.
pub(super) fn is_about(named: &Named, record: &DocumentRecord) -> bool {
    !record.dead && named.is_about(&record.id, Some(&shown_hash(record.content)))
}
