//! Counterfactual copies of a text: with exactly one figure changed, or with none that matters.
//!
//! Figures are found by simple patterns, not by the guard's own reader, so that a figure the guard
//! cannot read counts against it.

mod figure;
mod furniture;
mod text_language;

pub use figure::change_one_figure;
pub use furniture::change_furniture;
