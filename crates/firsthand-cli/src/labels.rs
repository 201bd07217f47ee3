//! Labelled documents, from whatever layout people keep them in, and what is true about them.

mod graded;
mod layout;
mod readings;
mod texts;
mod truth;

pub(crate) use layout::Layout;
pub(crate) use readings::Readings;
pub(crate) use truth::{Labelled, label};
