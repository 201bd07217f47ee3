//! What differs on a stream, and what only a stream has.

use super::{
    choices::{Grouping, Numbers, Original},
    error::{SettingsError, check_size},
    matcher::Matcher,
};
use serde::{Deserialize, Serialize};

/// How documents are judged as they arrive. An unset choice is the general one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Stream {
    /// How candidates are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Matcher>,
    /// What a near-duplicate of a near-duplicate is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grouping: Option<Grouping>,
    /// Which document of a cluster is the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Original>,
    /// What changed numbers mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Numbers>,
    /// How far back documents are compared.
    pub window: Window,
    /// What the time of a document is.
    pub clock: ClockSource,
}

impl Stream {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let most = usize::MAX;
        let Window { milliseconds, documents, bytes } = self.window;
        check_size("stream.window.milliseconds", milliseconds.unwrap_or(1).max(0) as usize, most)?;
        check_size("stream.window.documents", documents.unwrap_or(1) as usize, most)?;
        check_size("stream.window.bytes", bytes.unwrap_or(1) as usize, most)
    }
}

/// How much of the past documents are compared with; the bound that is met first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Window {
    /// Documents whose times differ by more milliseconds are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<i64>,
    /// About how many documents are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
    /// About how many bytes of their records are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What the time of a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSource {
    /// The document's own time, or the time of arrival if it has none.
    #[default]
    Event,
    /// The time of arrival.
    Arrival,
}
