//! What differs on a stream, and what only a stream has.

use super::{
    choices::{Grouping, Numbers, Original},
    duration,
    error::{SettingsError, check_size},
    matcher::Matcher,
};
use serde::{Deserialize, Serialize};

/// How documents are judged as they arrive. For an unset choice, the general setting holds.
///
/// ```
/// use firsthand::{Settings, settings::{Matcher, Stream}};
///
/// let stream = Stream { matcher: Some(Matcher::Exact), ..Stream::default() };
/// let settings = Settings { stream, ..Settings::default() };
/// assert_eq!(settings.on_stream().matcher, Some(Matcher::Exact));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Stream {
    /// How candidates are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Matcher>,
    /// How clusters are formed.
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
    /// Which time of a document counts.
    pub clock: ClockSource,
    /// A number that the keys of candidates depend on. A store that strangers can write to has one that
    /// they do not know, so that they cannot aim at the keys of a document.
    #[serde(skip_serializing_if = "super::is_default")]
    pub salt: u64,
}

impl Stream {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let most = usize::MAX;
        let Window { milliseconds, documents, bytes } = self.window;
        check_size("stream.window.time", milliseconds.unwrap_or(1).max(0) as usize, most)?;
        check_size("stream.window.documents", documents.unwrap_or(1) as usize, most)?;
        check_size("stream.window.bytes", bytes.unwrap_or(1) as usize, most)
    }
}

/// How far back documents are compared; the first bound that is reached counts.
///
/// ```
/// use firsthand::{Settings, settings::{Stream, Window}};
///
/// let window = Window { documents: Some(1_000_000), ..Window::default() };
/// let stream = Stream { window, ..Stream::default() };
/// Settings { stream, ..Settings::default() }.check_stream()?;
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Window {
    /// The largest difference in time of documents that are compared, in milliseconds; in settings the
    /// key `time`, written `"24h"`.
    #[serde(rename = "time", with = "duration", skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<i64>,
    /// The approximate number of documents that are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
    /// The approximate size of the records that are kept, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// Which time of a document counts.
///
/// ```
/// use firsthand::{Document, Settings, online::StreamDetector, settings::{ClockSource, Stream}};
///
/// let time = |clock| {
///     let stream = Stream { clock, ..Stream::default() };
///     let detector = StreamDetector::new(Settings { stream, ..Settings::default() })?;
///     let document = Document { time: Some(1_000), ..Document::new("a", "Some text") };
///     Ok::<i64, firsthand::SettingsError>(detector.sign(&document, 5_000).time())
/// };
/// assert_eq!((time(ClockSource::Event)?, time(ClockSource::Arrival)?), (1_000, 5_000));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSource {
    /// The document's own time, or the time of arrival if it has none.
    #[default]
    Event,
    /// The time of arrival.
    Arrival,
}
