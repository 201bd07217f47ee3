//! Near-duplicate detection for documents: which texts are copies, of which original, and why.
//!
//! A [`Detector`] turns each document into a set of hashed features. Two documents are
//! near-duplicates exactly when the similarity of their sets reaches the threshold; the search
//! misses no such pair and states no other.
//!
//! ```
//! use firsthand::{Settings, Detector, Document, find_duplicates};
//!
//! let detector = Detector::new(Settings::profile("corpus")?)?;
//! let report = find_duplicates(&detector, [
//!     Document::new("first", "The ferry to the island will not sail today because of the storm."),
//!     Document::new("again", "The ferry to the island will NOT sail today because of the storm"),
//!     Document::new("other", "A new bridge to the island is to be built in the coming years."),
//! ])?;
//! assert_eq!(report.clusters.len(), 1);
//! assert_eq!(report.documents[report.clusters[0].original].id, "first");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Large collections are handed over in batches, so that reading and signing run on all threads
//! and no text is kept: see [`Signed`], [`Collection`] and [`group`]. Why two documents match
//! or not, [`explain()`] says. The engine underneath, for
//! sets of your own, is [`matcher::join`]. Work runs on the current rayon pool, and the result does
//! not depend on its size.

mod batch;
mod clusters;
mod collection;
mod detector;
mod document;
pub mod evaluate;
pub mod explain;
mod frequency;
pub mod guard;
mod hashed;
mod ids;
mod languages;
#[cfg(feature = "learn")]
pub mod learn;
mod learned;
pub mod matcher;
mod measure;
#[cfg(feature = "learn")]
pub mod model;
#[cfg(not(feature = "learn"))]
#[path = "model/absent.rs"]
mod model;
pub mod online;
mod pairs;
mod profiles;
mod reading;
mod scheme;
mod search;
mod set;
mod settings;
mod signature;
mod signed;
mod sketch;
mod template;
mod threshold;
mod tokens;
mod weights;
mod wide;

pub use batch::{Report, find_duplicates};
pub use clusters::{Cluster, Grouping, Member, Original, group};
pub use collection::{Collection, Summary};
pub use detector::Detector;
pub use document::Document;
pub use explain::explain;
pub use ids::Ids;
pub use languages::Language;
pub use learned::Learned;
pub use matcher::{Bands, Confirm, Matcher};
pub use measure::{Measure, Rule};
pub use pairs::{LARGE_CLASS, Match, Pairs};
pub use profiles::{METHODS, PROFILES};
pub use scheme::{Antecedent, AntecedentError, Scheme, Spot};
pub use settings::{Frequency, Settings, SettingsError};
pub use signature::Signature;
pub use signed::Signed;
pub use sketch::Banding;
pub use template::Templates;
pub use threshold::{Threshold, ThresholdError};
pub use tokens::Tokens;
pub use weights::Weighting;
