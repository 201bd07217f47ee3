//! One decision as a line of JSON. These names are a promise to other programs.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What was decided.
///
/// ```
/// use firsthand::decisions::Action;
///
/// assert_eq!(serde_json::from_str::<Action>("\"not-a-copy\"")?, Action::NotACopy);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// None of `documents` is a copy of any of `others`.
    NotACopy,
    /// Each of `documents` is a copy of `others`.
    IsACopy,
    /// `documents` are a cluster of their own, without `others`.
    Split,
    /// The clusters of `documents` and `others` are one.
    Merge,
    /// The first of `documents` is the original of its cluster, whose other members are `others`.
    Keep,
    /// `documents` get `tags`.
    Tag,
    /// `documents` lose `tags`.
    Untag,
    /// The cluster of `documents` was looked at, and nothing is to be done.
    Skip,
    /// A remark on `documents`.
    Note,
    /// Whether the two `documents` are copies of each other, by `grade`: for `tune` and `learn`, without a
    /// say in clusters.
    Label,
    /// The decision in line `of` no longer holds.
    Undo,
    /// The decision in line `of` holds again.
    Redo,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::NotACopy,
        Self::IsACopy,
        Self::Split,
        Self::Merge,
        Self::Keep,
        Self::Tag,
        Self::Untag,
        Self::Skip,
        Self::Note,
        Self::Label,
        Self::Undo,
        Self::Redo,
    ];
}

/// The answer to whether two documents are copies of each other.
///
/// ```
/// use firsthand::decisions::Grade;
///
/// assert_eq!(serde_json::from_str::<Grade>("\"unsure\"")?, Grade::Unsure);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// They are.
    Yes,
    /// They are not.
    No,
    /// It cannot be told.
    Unsure,
}

impl Grade {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Yes, Self::No, Self::Unsure];
}

/// A document that a decision is about.
///
/// ```
/// use firsthand::decisions::{Named, text_hash};
///
/// let named = Named { id: "a".to_owned(), text: Some(text_hash("The ferry did not sail")) };
/// assert!(named.is_about("a", Some(&text_hash("The ferry did not sail"))));
/// assert!(!named.is_about("a", Some(&text_hash("The ferry sailed"))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// The [`text_hash`] of its text at that time, where it was known: of another text, nothing was
    /// decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A decision.
///
/// ```
/// use firsthand::decisions::{Action, Decision};
///
/// let line = r#"{"action":"not-a-copy","documents":[{"id":"b"}],"others":[{"id":"a"}],
///     "time":"2026-11-17T10:00:00Z","person":"Ada"}"#;
/// let decision: Decision = serde_json::from_str(line)?;
/// assert_eq!((decision.action, &*decision.others[0].id), (Action::NotACopy, "a"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What.
    pub action: Action,
    /// About which documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Named>,
    /// The documents on the other side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Named>,
    /// Tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answer of a label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// The similarity that the documents of a label have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The number of the line that is undone or redone, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// When, by RFC 3339.
    pub time: String,
    /// By whom, as they call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// The most tags of one decision.
const TAGS: usize = 100;
/// The most bytes of a tag or a name.
const WORD: usize = 200;
/// The most pairs that one decision parts.
const PARTED: usize = 1_000_000;
/// The most bytes of a remark.
const NOTE: usize = 10_000;

/// Why a decision makes no sense.
///
/// ```
/// use firsthand::decisions::{Action, Decision, DecisionError};
///
/// let skip = Decision::new(Action::Skip, Vec::new(), String::new());
/// assert_eq!(skip.check(), Err(DecisionError::Lacks(Action::Skip, "a document")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// Something that it needs is not there.
    #[error("a decision {0:?} needs {1}")]
    Lacks(Action, &'static str),
    /// Something is too long.
    #[error("{0} may have at most {1} bytes")]
    TooLong(&'static str, usize),
    /// Too many tags.
    #[error("at most {TAGS} tags can be given at once")]
    TooManyTags,
    /// More pairs than can be parted at once.
    #[error("at most {PARTED} pairs can be parted at once: name fewer documents on one side")]
    TooManyPairs,
}

impl Decision {
    /// A decision about documents, with nothing else.
    pub fn new(action: Action, documents: Vec<Named>, time: String) -> Self {
        Self {
            action,
            documents,
            others: Vec::new(),
            tags: Vec::new(),
            note: None,
            grade: None,
            score: None,
            of: None,
            time,
            person: None,
        }
    }

    /// Fails if it makes no sense.
    ///
    /// # Errors
    ///
    /// If something that it needs is missing or something is too long.
    pub fn check(&self) -> Result<(), DecisionError> {
        use Action::{
            IsACopy, Keep, Label, Merge, NotACopy, Note, Redo, Skip, Split, Tag, Undo, Untag,
        };
        let lacks = |what| Err(DecisionError::Lacks(self.action, what));
        let is_about_documents = !matches!(self.action, Undo | Redo);
        if is_about_documents && self.documents.is_empty() {
            return lacks("a document");
        }
        match self.action {
            NotACopy | IsACopy | Split | Merge if self.others.is_empty() => {
                return lacks("other documents");
            }
            Tag | Untag if self.tags.iter().all(|tag| tag.trim().is_empty()) => {
                return lacks("a tag");
            }
            Note if self.note.is_none() => return lacks("a note"),
            Label if self.documents.len() != 2 => return lacks("two documents"),
            Label if self.grade.is_none() => return lacks("a grade: yes, no or unsure"),
            Undo | Redo if self.of.is_none() => return lacks("the line that it is about"),
            NotACopy | IsACopy | Split | Merge | Keep | Tag | Untag | Skip | Note | Label
            | Undo | Redo => {}
        }
        let pairs = self.documents.len().saturating_mul(self.others.len());
        if matches!(self.action, NotACopy | Split) && pairs > PARTED {
            return Err(DecisionError::TooManyPairs);
        }
        let long = |text: &Option<String>, most| text.as_ref().is_some_and(|t| t.len() > most);
        if self.tags.len() > TAGS {
            return Err(DecisionError::TooManyTags);
        }
        if self.tags.iter().any(|tag| tag.len() > WORD) {
            return Err(DecisionError::TooLong("a tag", WORD));
        }
        if long(&self.person, WORD) {
            return Err(DecisionError::TooLong("a name", WORD));
        }
        if long(&self.note, NOTE) {
            return Err(DecisionError::TooLong("a note", NOTE));
        }
        Ok(())
    }
}

impl Named {
    /// Whether it is this document with this text. A text that is not known, here or there, is taken for
    /// the same.
    pub fn is_about(&self, id: &str, text: Option<&str>) -> bool {
        self.id == id && self.text.as_deref().zip(text).is_none_or(|(then, now)| then == now)
    }
}

/// The hash by which a text is known again: XXH3-64 as 16 hexadecimal digits.
pub fn text_hash(text: &str) -> String {
    shown_hash(text_hash_bits(text))
}

/// The [`text_hash`] of a text as a number.
pub fn text_hash_bits(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// The [`text_hash`] of a text whose XXH3-64 is known.
pub fn shown_hash(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of an action among all; whoever adds one is reminded of the list here.
    fn place(action: Action) -> usize {
        match action {
            Action::NotACopy => 0,
            Action::IsACopy => 1,
            Action::Split => 2,
            Action::Merge => 3,
            Action::Keep => 4,
            Action::Tag => 5,
            Action::Untag => 6,
            Action::Skip => 7,
            Action::Note => 8,
            Action::Label => 9,
            Action::Undo => 10,
            Action::Redo => 11,
        }
    }

    #[test]
    fn all_actions_are_listed() {
        assert!(Action::ALL.into_iter().enumerate().all(|(at, action)| place(action) == at));
        assert_eq!(Action::ALL.len(), place(Action::Redo) + 1);
    }

    #[test]
    fn a_decision_parts_a_bounded_number_of_pairs() {
        let named = |count: usize| {
            let id = |number: usize| Named { id: number.to_string(), text: None };
            (0..count).map(id).collect::<Vec<Named>>()
        };
        let part = |action: Action, documents: usize, others: usize| {
            let decision = Decision::new(action, named(documents), String::new());
            Decision { others: named(others), ..decision }.check()
        };
        assert_eq!(part(Action::Split, 10, 100_000), Ok(()));
        assert_eq!(part(Action::Split, 1_001, 1_000), Err(DecisionError::TooManyPairs));
        assert_eq!(part(Action::NotACopy, 1_001, 1_000), Err(DecisionError::TooManyPairs));
        // Merging costs no more than its documents.
        assert_eq!(part(Action::Merge, 2_000, 2_000), Ok(()));
    }
}
