//! What people have decided about copies: lines that are appended and never rewritten, and what holds of
//! them.

mod active;
mod line;
mod lines;

pub use active::{Active, NotThere};
pub use line::{
    Action, Decision, DecisionError, Grade, Named, shown_hash, text_hash, text_hash_bits,
};
pub use lines::{LinesError, read_lines};
