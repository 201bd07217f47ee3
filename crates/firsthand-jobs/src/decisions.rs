//! What people have decided about copies: lines that are appended and never rewritten, what holds of
//! them, and how a collection obeys it.

mod error;
mod log;
mod obeyed;
mod state;

pub use error::DecisionsError;
pub use firsthand::decisions::{
    Action, Active, Decision, DecisionError, Grade, Named, NotThere, text_hash,
};
pub use log::{DecisionLog, NAME, read};
pub use obeyed::{Obeyed, Obstacle};
pub use state::State;

pub(crate) use obeyed::constraints;
