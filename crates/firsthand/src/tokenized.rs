//! A document made ready to be signed: disguises undone, cut into words.

use crate::{
    document::Document,
    tokens::{Folding, Tokens},
};

/// A document with its words.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "learn"), allow(dead_code))]
pub(crate) struct TokenizedDocument<'a> {
    pub(crate) document: &'a Document,
    /// The text, disguises undone.
    pub(crate) plain: &'a str,
    /// How other parts of the document are folded.
    pub(crate) folding: Folding,
    /// The words of the text.
    pub(crate) tokens: &'a Tokens,
}
