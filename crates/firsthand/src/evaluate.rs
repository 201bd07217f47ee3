//! How good a method is, and which threshold suits a collection.

mod valley;

pub use valley::{NoValley, Valley, valley};
