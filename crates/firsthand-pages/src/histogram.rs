//! The scores of all pairs of a collection: a picture, or bars of characters.

mod picture;
mod text;

pub use picture::svg;
pub use text::text;
