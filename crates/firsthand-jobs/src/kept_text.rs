//! What is kept of a document beside its features, where a store is asked to keep texts.

use firsthand::Document;
use firsthand::online::StoreError;
use serde::{Deserialize, Serialize};

/// The text of a document, and what it is shown with.
///
/// ```
/// use firsthand::Document;
/// use firsthand_jobs::KeptText;
///
/// let document = Document { title: Some("Ferry".to_owned()), ..Document::new("a", "It did not sail.") };
/// let kept = KeptText::new(&document);
/// assert_eq!(KeptText::from_bytes(&kept.to_bytes()?)?.into_document("a"), document);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptText {
    /// The text that the document is compared by.
    pub text: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The channel it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<i64>,
}

impl KeptText {
    /// What is kept of a document.
    pub fn new(document: &Document) -> Self {
        Self {
            text: document.text.clone(),
            title: document.title.clone(),
            url: document.url.clone(),
            host: document.host.clone(),
            source: document.source.clone(),
            time: document.time,
        }
    }

    /// As bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be written as JSON.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoreError> {
        serde_json::to_vec(self).map_err(|error| StoreError::Failed(error.to_string()))
    }

    /// From bytes.
    ///
    /// # Errors
    ///
    /// If they are none of [`Self::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        serde_json::from_slice(bytes)
            .map_err(|_| StoreError::Damaged("a kept text cannot be read".to_owned()))
    }

    /// The document, as far as it is known.
    pub fn into_document(self, id: &str) -> Document {
        let Self { text, title, url, host, source, time } = self;
        Document { title, url, host, source, time, ..Document::new(id, text) }
    }
}
