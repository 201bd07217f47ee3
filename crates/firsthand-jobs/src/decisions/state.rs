//! Whether somebody has looked at a cluster.

use serde::{Deserialize, Serialize};

/// Whether somebody has looked at a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Nobody has.
    #[default]
    Open,
    /// Somebody has decided something.
    Reviewed,
    /// Somebody has left it as it is.
    Skipped,
}
