//! Choices that collections and streams share: one enum for each idea.

use serde::{Deserialize, Serialize};

/// How near-duplicates are gathered into clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// Every member is near its original. On a stream, a document that is near a member but not
    /// the original joins `via` that member; a copy of such a document is an original again.
    #[default]
    Star,
    /// On a stream only: a document that is near any member joins, however long the chain.
    Chain,
    /// Every member is near some other member; clusters that a document connects become one.
    Component,
}

/// Which document of a cluster is the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Original {
    /// The earliest, then the longest, then the smallest id. Documents without a time come last.
    /// On a stream, a late document may take the place of a later one.
    Earliest,
    /// The latest, then the longest, then the smallest id. Documents without a time come last.
    Latest,
    /// The longest, then the earliest, then the smallest id.
    Longest,
    /// The first in the input, or the first to arrive.
    First,
}

impl Grouping {
    /// Its name, as it is written in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Chain => "chain",
            Self::Component => "component",
        }
    }
}

impl Original {
    /// Its name, as it is written in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Earliest => "earliest",
            Self::Latest => "latest",
            Self::Longest => "longest",
            Self::First => "first",
        }
    }
}

/// What changed numbers mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// On a stream only: a changed count, date, price or score makes a copy an update.
    Guard,
    /// Nothing: texts that differ only in numbers are the same.
    Ignore,
    /// As much as other words.
    #[default]
    Plain,
}

/// Cuts by document frequency; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Frequency {
    /// Leave out features of fewer documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_documents: Option<u32>,
    /// Leave out features of more documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_documents: Option<u32>,
    /// Keep features whose normalised IDF, `log(N / df) / log(N)`, lies in this range. The papers'
    /// upper bound deletes what only small clusters share: see docs/methods.md before using it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idf: Option<(f64, f64)>,
}

impl Frequency {
    /// Whether nothing is cut.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a feature of `df` out of `n` documents stays.
    pub(crate) fn keeps(&self, df: u32, n: u32) -> bool {
        let idf = |(low, high): (f64, f64)| {
            let (df, n) = (f64::from(df), f64::from(n));
            // A single document has no logarithm to divide by, and nothing to compare with.
            let idf = if n > 1.0 { (n / df).ln() / n.ln() } else { 0.0 };
            low <= idf && idf <= high
        };
        self.min_documents.is_none_or(|least| df >= least)
            && self.max_documents.is_none_or(|most| df <= most)
            && self.idf.is_none_or(idf)
    }
}
