//! Clusters as they stand in `clusters.jsonl`.

use crate::decisions::Named;
use crate::descriptions::DocumentPlace;
use serde::{Deserialize, Serialize};

/// A cluster as it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterRecord {
    /// Its number, from 1.
    pub cluster: u32,
    /// The id of its original.
    pub original: String,
    /// The number of its members.
    pub size: u32,
    /// Its members, the original first.
    pub members: Vec<MemberRecord>,
}

/// A document of a cluster as it was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemberRecord {
    /// Its id.
    pub id: String,
    /// Its similarity to the original, or to `via`.
    pub score: f64,
    /// Whether it has the text of the original, or of `via`; none for the original itself.
    pub exact: Option<bool>,
    /// The member that it is near, if that is not the original.
    pub via: Option<String>,
    /// Whether a person put it there, and no pair.
    pub decided: bool,
    /// Its time, by RFC 3339.
    pub time: Option<String>,
    /// Its title, or the subject of a mail.
    pub title: Option<String>,
    /// Its URL.
    pub url: Option<String>,
    /// Its source.
    pub source: Option<String>,
    /// The sender of a mail.
    pub sender: Option<String>,
    /// The hash of its text.
    pub text: Option<String>,
    /// Where it is in the inputs, unless its id says so.
    pub place: Option<DocumentPlace>,
}

impl MemberRecord {
    /// What it is called.
    pub fn name(&self) -> &str {
        self.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(&self.id)
    }

    /// The document as decisions name it.
    pub(super) fn named(&self) -> Named {
        Named { id: self.id.clone(), text: self.text.clone() }
    }

    /// Its time in milliseconds since 1970.
    pub fn milliseconds(&self) -> Option<i64> {
        self.time.as_deref().and_then(firsthand_input::parse_time)
    }
}
