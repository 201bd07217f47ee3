//! What a document is called: title, URL, source and sender.

use firsthand::Document;
use serde::{Deserialize, Serialize};

/// What a document is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The title, or the subject of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The source; of a mail its list, or else its sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The sender of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
}

impl Description {
    /// What a document is called.
    pub(crate) fn of(document: &Document) -> Self {
        Self {
            title: document.title.clone(),
            url: document.url.clone(),
            source: document.source.clone(),
            sender: document.sender.clone(),
        }
    }
}
