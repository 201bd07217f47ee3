//! How good the verdicts on a stream are: the same documents in many orders, each scored as it
//! arrives.
//!
//! The rules are those of NRC-GPHIN (Rodier, Carter 2020, section 3.2): a duplicate is found if it
//! is linked to any earlier document of its cluster, and the first document processed of a cluster
//! is its original. In the *strict* figures, a duplicate with a wrong link counts as missed as
//! well.

mod guarded;
mod mistakes;
mod order;
mod run;
mod score;
mod spread;
mod stories;

pub use guarded::{Guarded, Slip, guarded};
pub use mistakes::{Mistake, mistakes};
pub use order::{by_time, originals_first};
pub use run::{LabelledStream, Run, StreamError};
pub use score::{ScoredVerdict, Tally, VerdictOutcome, outcomes};
pub use spread::{Spread, StreamFigures, figures, over_labels, spreads};
pub use stories::Stories;
