//! Streams: each document gets a verdict as it arrives, and a [`Store`] keeps what was seen.
//!
//! ```
//! use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector, Verdict}};
//!
//! let detector = StreamDetector::new(Settings::profile("feed")?)?;
//! let mut online = Online::new(detector.clone(), Memory::new());
//! let mut add = |id: &str, text: &str| {
//!     let arrival = detector.sign(&Document::new(id, text), 0);
//!     online.add(&[arrival]).map(|mut answers| answers.remove(0))
//! };
//! let text = "The ferry to the island will not sail today, because of the storm that has come \
//!             over the coast in the night, said the captain of the ferry at the harbour.";
//! assert_eq!(add("first", text)?.verdict, Verdict::Original);
//! let again = add("again", &text.replace("captain", "master"))?;
//! assert_eq!((again.verdict, again.original.as_deref()), (Verdict::Duplicate, Some("first")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod arrival;
mod bitmap_index;
mod buried;
mod counters;
mod decision_log;
mod decision_state;
mod detect;
mod erase;
mod found;
mod inquire;
mod judge;
mod links;
mod lookup;
mod memory;
mod page_cache;
mod record;
mod retire;
mod round;
mod round_judge;
mod rules;
mod stand;
mod standing;
mod store;
mod stored_comparison;
mod upkeep;
mod window;

pub use crate::{hashed::BuildHashed, parallel::parallel_map};
pub use answer::{Answer, Decided, Verdict};
pub use arrival::{Arrival, StreamDetector};
pub use decision_state::DecideError;
pub use detect::{LeftOut, Online};
pub use erase::Deleted;
pub use found::FoundCluster;
pub use inquire::{FoundDocument, StoredCluster};
pub use memory::Memory;
pub use store::{
    Bucket, Cap, Changes, Entry, Found, Head, List, Probe, Seq, Store, StoreError, Stored,
};
pub use stored_comparison::StoredComparison;
pub use upkeep::{Exported, Forgotten, Holdings, Upkeep};
