//! The settings of a stream that change answers.

use crate::{
    matcher::{Bands, Matcher},
    measure::Rule,
    scheme::MOST_WORDS,
    settings::SettingsError,
};
use serde::{Deserialize, Serialize};

/// How documents are judged as they arrive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OnlineSettings {
    /// How candidates are found.
    pub index: Index,
    /// How far back documents are compared.
    pub window: Window,
    /// What the time of a document is.
    pub clock: ClockSource,
    /// What a near-duplicate of a near-duplicate is.
    pub policy: Policy,
    /// Which document of a cluster is the original.
    pub naming: Naming,
}

impl OnlineSettings {
    pub(crate) fn check(&self, rule: Rule) -> Result<(), SettingsError> {
        let size = |name, value: usize, most| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(SettingsError::Size { name, value, most }),
        };
        let share = |name, value: f64| match value > 0.0 && value <= 1.0 {
            true => Ok(()),
            false => Err(SettingsError::Share { name, value }),
        };
        match &self.index {
            Index::Bands(bands) => Matcher::Bands(bands.clone()).check(rule)?,
            Index::Exact => {}
            Index::Collisions(collisions) => {
                size("online.index.n", collisions.n, MOST_WORDS)?;
                size("online.index.sample", collisions.sample, usize::MAX)?;
                size("online.index.hashes", collisions.hashes, 4096)?;
                share("online.index.first", collisions.first)?;
                share("online.index.first-of-short", collisions.first_of_short)?;
            }
        }
        let most = usize::MAX;
        let Window { milliseconds, documents, bytes } = self.window;
        size("online.window.milliseconds", milliseconds.unwrap_or(1).max(0) as usize, most)?;
        size("online.window.documents", documents.unwrap_or(1) as usize, most)?;
        size("online.window.bytes", bytes.unwrap_or(1) as usize, most)
    }
}

/// How candidates are found in a store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Index {
    /// Bands of min-hashes for threshold and recall, verified exactly.
    Bands(Bands),
    /// Every document that reaches the threshold.
    Exact,
    /// The method of NRC-GPHIN.
    Collisions(Collisions),
}

impl Default for Index {
    fn default() -> Self {
        Self::Bands(Bands { recall: 0.99, hashes: 256, ..Bands::default() })
    }
}

/// The parameters of NRC-GPHIN (Rodier, Carter 2020), by the names of its Table 2. What it takes for
/// *n* is the size of the words scheme, for *r* the threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Collisions {
    /// *n*: the words of a shingle of the sketch.
    pub n: usize,
    /// *k*: of so many shingles at most, those with the smallest hashes, the sketch is made.
    pub sample: usize,
    /// *p*: the values of a sketch.
    pub hashes: usize,
    /// *t*: candidates share more than so many of them.
    pub collisions: u32,
    /// *f*: the part of each document, from its start, of which the n-grams are compared.
    pub first: f64,
    /// Documents of fewer words are short,
    pub short: usize,
    /// and of these this part is compared.
    pub first_of_short: f64,
}

impl Default for Collisions {
    fn default() -> Self {
        Self {
            n: 3,
            sample: 1600,
            hashes: 20,
            collisions: 2,
            first: 1.0,
            short: 100,
            first_of_short: 1.0,
        }
    }
}

/// How much of the past documents are compared with: whatever bound is met first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Window {
    /// Documents whose times differ by more than so many milliseconds are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<i64>,
    /// About so many documents are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
    /// About so many bytes of what is kept of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What the time of a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSource {
    /// Its own, and where it has none, that of its arrival.
    #[default]
    Event,
    /// That of its arrival.
    Arrival,
}

/// What a near-duplicate of a near-duplicate is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// A member of the cluster if it is near the original; if it is only near a member that is near the
    /// original, a member `via` that one; otherwise an original.
    #[default]
    Star,
    /// A member, however long the chain.
    Chain,
    /// The same, and a document that is near members of several clusters makes them one.
    Component,
}

/// Which document of a cluster is the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Naming {
    /// The one that arrived first.
    #[default]
    FirstSeen,
    /// The one with the earliest time: a late document may take the place of a later one.
    Earliest,
}

/// What changed numbers mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// A changed count, date, price or score makes a copy an update.
    Guard,
    /// Nothing: texts that differ in numbers alone are the same.
    Ignore,
    /// As much as other words.
    #[default]
    Plain,
}
