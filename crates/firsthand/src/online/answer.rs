//! What is said about a document that arrived.

use crate::guard::Change;
use serde::Serialize;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing like it was there.
    Original,
    /// Near another document.
    Duplicate,
    /// Near another document, but some of its figures have changed.
    Update,
    /// Too little text to be compared, and no exact copy of it was there.
    TooShort,
    /// It could not be read.
    Error,
}

/// The line that answers a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The document.
    pub id: Option<String>,
    /// What it is.
    pub verdict: Verdict,
    /// What it is a copy or an update of.
    pub original: Option<String>,
    /// How similar it is to the original, or to `via`.
    pub score: Option<f64>,
    /// The cluster it belongs to, by the id of its first original.
    pub cluster: Option<String>,
    /// Whether its text equals that of the original, or of `via`.
    pub exact: bool,
    /// The member of the cluster that it is near to, if it is not near enough to the original.
    pub via: Option<String>,
    /// The figures that changed.
    pub changed: Vec<Change>,
    /// The original of the cluster whose place this document takes, being earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Whether the same document was here before, and this is what was said then.
    pub repeated: bool,
    /// Why it could not be read.
    pub error: Option<String>,
}

impl Answer {
    /// An answer that says nothing but what the document is.
    pub fn new(id: impl Into<Option<String>>, verdict: Verdict) -> Self {
        Self {
            id: id.into(),
            verdict,
            original: None,
            score: None,
            cluster: None,
            exact: false,
            via: None,
            changed: Vec::new(),
            replaces: None,
            repeated: false,
            error: None,
        }
    }

    /// The answer to something that could not be read.
    pub fn error(id: Option<String>, reason: impl Into<String>) -> Self {
        Self { error: Some(reason.into()), ..Self::new(id, Verdict::Error) }
    }
}
