//! Choices that collections and streams share.

use serde::{Deserialize, Serialize};

/// How near-duplicates are gathered into clusters.
///
/// ```
/// use firsthand::{Settings, settings::Grouping};
///
/// let settings = Settings { grouping: Some(Grouping::Chain), ..Settings::default() };
/// assert!(settings.check_stream().is_ok() && settings.check_collection().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// Every member is a near-duplicate of the original. On a stream, a near-duplicate of a member but
    /// not of the original joins `via` that member; its own copies start a cluster of their own.
    #[default]
    Star,
    /// On a stream only: a near-duplicate of any member joins, however long the chain.
    Chain,
    /// Every member is a near-duplicate of some other member; clusters that a document connects are
    /// merged.
    Component,
}

/// Which document of a cluster is the original.
///
/// ```
/// use firsthand::{Settings, settings::Original};
///
/// let settings = Settings { original: Some(Original::Longest), ..Settings::default() };
/// assert!(settings.check_collection().is_ok() && settings.check_stream().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Original {
    /// The earliest, then the longest, then the smallest id. Documents without a time come last.
    /// On a stream, a document that arrives late may replace an original with a later time.
    Earliest,
    /// The latest, then the longest, then the smallest id. Documents without a time come last.
    Latest,
    /// The longest, then the earliest, then the smallest id.
    Longest,
    /// The first in the input, or the first to arrive.
    First,
}

/// What changed numbers mean.
///
/// ```
/// use firsthand::{Detector, Settings, compare, settings::Numbers};
///
/// let settings = Settings { numbers: Numbers::Ignore, ..Settings::default() };
/// assert!(compare(&Detector::new(settings)?, "Page 1 of 9", "Page 2 of 9")?.exact);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// On a stream only: a changed count, date, price or score makes a copy an update.
    Guard,
    /// Nothing: texts that differ only in numbers are exact copies.
    Ignore,
    /// As much as changes of other words.
    #[default]
    Plain,
}

/// Which features are left out by document frequency; none by default.
///
/// ```
/// use firsthand::{Settings, settings::Frequency};
///
/// let frequency = Frequency { max_documents: Some(1_000), ..Frequency::default() };
/// let settings = Settings { frequency, ..Settings::default() };
/// assert!(settings.check_collection().is_ok() && settings.check_stream().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Frequency {
    /// Leave out features that occur in fewer documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_documents: Option<u32>,
    /// Leave out features that occur in more documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_documents: Option<u32>,
    /// Keep features whose normalised IDF, `log(N / df) / log(N)`, lies in this range. The papers'
    /// upper bound deletes what only small clusters share: see docs/methods.md before using it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idf: Option<(f64, f64)>,
}

impl Frequency {
    /// Whether no features are left out.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a feature that occurs in `df` of `n` documents is kept.
    pub(crate) fn keeps(&self, df: u32, n: u32) -> bool {
        let idf = |(low, high): (f64, f64)| {
            let (df, n) = (f64::from(df), f64::from(n));
            // With a single document, log(N) is 0.
            let idf = if n > 1.0 { (n / df).ln() / n.ln() } else { 0.0 };
            low <= idf && idf <= high
        };
        self.min_documents.is_none_or(|least| df >= least)
            && self.max_documents.is_none_or(|most| df <= most)
            && self.idf.is_none_or(idf)
    }
}
