//! Documents of a stream, signed as they arrive.

use crate::{
    anchors::Anchors,
    document::Document,
    features::Features,
    guard::Figures,
    settings::{ClockSource, Numbers, Settings, SettingsError},
    sign::{PageLines, SignedPage, Signer, settings_tag},
    template::{self, SiteTemplate},
};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The longest URL that is kept, in bytes.
const LONGEST_URL: usize = 4096;
/// The bytes of a title, or of the name of a source, that are kept.
const LONGEST_TITLE: usize = 512;

/// Signs the documents of a stream, by settings that were checked for streams.
///
/// ```
/// use firsthand::{Document, Settings, online::StreamDetector};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let arrival = detector.sign(&Document::new("a", "The ferry did not sail"), 1_000);
/// assert_eq!((arrival.id(), arrival.time()), ("a", 1_000));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamDetector {
    settings: Arc<Settings>,
    tag: u64,
}

impl StreamDetector {
    /// A detector for documents as they arrive.
    ///
    /// # Errors
    ///
    /// If the settings cannot be used on a stream, or name a model that was not given.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check_stream()?;
        settings.model()?;
        let settings = settings.on_stream();
        Ok(Self { tag: settings_tag(&settings), settings: Arc::new(settings) })
    }

    /// The settings as resolved for a stream: see [`Settings::on_stream`].
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn shared_settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// Signs a document that arrives at the time `now`, in milliseconds since 1970-01-01 UTC. A document
    /// with a later time than that counts as one of `now` for the time of the stream. Most of the work
    /// on a document is done here. It needs no store and may run on any thread.
    pub fn sign(&self, document: &Document, now: i64) -> Arrival {
        let settings = &*self.settings;
        let time = match settings.stream.clock {
            ClockSource::Event => document.time.unwrap_or(now),
            ClockSource::Arrival => now,
        };
        let figures = match settings.numbers {
            Numbers::Guard => Figures::read(&document.text).to_bytes(),
            Numbers::Ignore | Numbers::Plain => Vec::new(),
        };
        Arrival {
            id: document.id.clone(),
            url: document.url.clone().filter(|url| url.len() <= LONGEST_URL),
            title: document.title.as_deref().map(|title| cut(title).to_owned()),
            source: document.source.as_deref().map(|source| cut(source).to_owned()),
            time,
            arrived: now,
            content: xxh3_64(document.text.as_bytes()),
            signed: Signer::default().sign(document, settings),
            figures,
            doubtful: document.doubtful,
            settings_tag: self.tag,
        }
    }
}

/// The beginning of a title or a name, as far as it is kept.
fn cut(title: &str) -> &str {
    let end = (0..=LONGEST_TITLE.min(title.len())).rev().find(|at| title.is_char_boundary(*at));
    &title[..end.unwrap_or(0)]
}

/// A signed document of a stream, ready to be judged.
///
/// ```
/// use firsthand::{Document, Settings, online::StreamDetector, settings::{ClockSource, Stream}};
///
/// let document = Document { time: Some(1_000), ..Document::new("a", "The ferry did not sail") };
/// let arrival = StreamDetector::new(Settings::default())?.sign(&document, 5_000);
/// assert_eq!((arrival.id(), arrival.time()), ("a", 1_000));
/// // If times of publication cannot be trusted, the time of arrival counts.
/// let stream = Stream { clock: ClockSource::Arrival, ..Stream::default() };
/// let detector = StreamDetector::new(Settings { stream, ..Settings::default() })?;
/// assert_eq!(detector.sign(&document, 5_000).time(), 5_000);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arrival {
    pub(super) id: String,
    pub(super) url: Option<String>,
    pub(super) title: Option<String>,
    pub(super) source: Option<String>,
    pub(super) time: i64,
    /// When it arrived.
    pub(super) arrived: i64,
    /// The hash of the text as it arrived.
    pub(super) content: u64,
    pub(super) signed: SignedPage,
    /// Its figures, encoded for the number guard.
    pub(super) figures: Vec<u8>,
    /// Whether its text is doubtful.
    pub(super) doubtful: bool,
    settings_tag: u64,
}

impl Arrival {
    /// The id of the document.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The time by which windows count it.
    pub fn time(&self) -> i64 {
        self.time
    }

    /// The hash of its normalised text; `None` if it has no text.
    pub(super) fn fingerprint(&self) -> Option<u128> {
        self.signed.fingerprint
    }

    /// Its site, if it is a page whose furniture may be set aside.
    pub(super) fn site(&self) -> Option<&str> {
        self.page().map(|page| page.site())
    }

    /// Its visible lines, if it is such a page.
    pub(super) fn page(&self) -> Option<&PageLines> {
        self.signed.page().filter(|page| !page.lines().is_empty())
    }

    /// Whether it has enough features to be compared by, before anything is set aside.
    pub(super) fn has_enough(&self, settings: &Settings) -> bool {
        self.signed.text.has_at_least(settings.min_features, settings.multiset)
    }

    /// Its features, by what is known of its site.
    pub(super) fn features(&self, settings: &Settings, site: Option<&SiteTemplate>) -> Features {
        let mut signed = self.signed.clone();
        if let Some(page) = self.signed.page() {
            match site {
                Some(site) => {
                    let fates = site.fates(page.lines(), |line| site.is_furniture(line));
                    site.settle(&mut signed, &fates);
                }
                None => {
                    signed.settle(&template::untouched(page.lines()), Anchors::default(), true);
                }
            }
        }
        signed.into_features(settings, self.settings_tag)
    }
}
