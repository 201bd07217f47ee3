//! What people have decided about copies: lines that are appended and never rewritten, what holds of
//! them, and how a collection obeys it.

mod active;
mod error;
mod line;
mod log;
mod obeyed;

pub use active::{Active, NotThere};
pub use error::DecisionsError;
pub use line::{Action, Decision, DecisionError, Grade, Named, text_hash};
pub use log::{DecisionLog, NAME, read};
pub use obeyed::{Obeyed, Obstacle};

pub(crate) use obeyed::constraints;
