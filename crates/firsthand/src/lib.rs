//! Near-duplicate detection for documents: which texts are copies, of which original, and why.
//!
//! A [`Detector`] turns each document into [`Features`], a set of hashes. Two documents are
//! near-duplicates exactly when the similarity of their sets reaches the threshold.
//!
//! ```
//! use firsthand::{Detector, Document, Settings, find_duplicates};
//!
//! let detector = Detector::new(Settings::profile("corpus")?)?;
//! let report = find_duplicates(&detector, [
//!     Document::new("first", "The ferry to the island will not sail today because of the storm."),
//!     Document::new("again", "The ferry to the island will NOT sail today because of the storm"),
//!     Document::new("other", "A new bridge to the island is to be built in the coming years."),
//! ]);
//! assert_eq!(report.clusters.len(), 1);
//! assert_eq!(report.documents[report.clusters[0].original].id, "first");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The waist of the engine is three functions: [`Detector::sign`] makes features,
//! [`Detector::keys`] says under which keys near-duplicates meet, and [`Detector::compare`] decides.
//! [`compare()`] does it for two texts. On top of it stand
//!
//! - [`collections`]: many documents at once. Batches are read and signed on all threads, no text is
//!   kept, and the exact matcher misses no pair.
//! - [`online`]: a stream, one document at a time, with the past in a store.
//! - [`shuffle`]: a collection spread over many machines, in steps whose results an engine moves.
//! - [`explain()`]: why two documents match, or why they do not.
//! - [`evaluate`] and [`learn`]: how good a method is on labelled documents, and weights learned from
//!   them.
//!
//! Work runs on the current rayon pool, and no answer depends on its size.

mod address;
mod anchors;
mod batch;
mod bytes;
mod clusters;
mod coded;
mod collection;
mod compare;
mod constraints;
pub mod decisions;
mod detector;
mod document;
pub mod evaluate;
pub mod explain;

pub mod features;
mod frequency;
pub mod guard;
mod hashed;
mod ids;
mod keys;
mod languages;
mod large_memory;
#[cfg(feature = "learn")]
pub mod learn;
mod lines;
mod lists;
pub mod matcher;
mod measure;
#[cfg(feature = "learn")]
pub mod model;
#[cfg(not(feature = "learn"))]
#[path = "model/absent.rs"]
mod model;
pub mod online;
mod pairs;
mod parallel;
pub mod pieces;
mod preference;
mod prefetch;
mod regroup;
mod same_site;
mod scheme;
mod search;
mod set;
pub mod settings;
mod shelf;
pub mod shuffle;
mod sign;
mod signed;
mod sketch;
mod spelling;
mod summary;
mod telling;
mod template;
mod text_features;
mod threshold;
mod tokenized;
pub mod tokens;
mod weights;
mod wide;

/// Many documents at once: signed in batches on all threads, matched, grouped.
pub mod collections {
    pub use crate::{
        clusters::{Cluster, Member, group},
        collection::Collection,
        constraints::Constraints,
        ids::Ids,
        pairs::{LARGE_CLASS, Match, Pairs},
        regroup::{Known, Regrouped, group_by_decisions, regroup},
        signed::Signed,
        summary::Summary,
    };
}

/// Pages of sites, whose furniture is learned and set aside.
pub mod pages {
    pub use crate::{
        anchors::{AnchorCollector, Anchors},
        document::{KnownSite, Rest, RestLine, SiteClue, site_of_host},
        lines::{LineFate, LinePart, PageLine},
        sign::{PageLines, SignedPage},
        template::Templates,
    };
}

pub use batch::{Report, find_duplicates};
pub use compare::Comparison;
pub use detector::{Detector, compare};
pub use document::Document;
pub use explain::explain;
pub use features::Features;
pub use keys::Keys;
pub use settings::{Settings, SettingsError};
pub use template::Templates;
