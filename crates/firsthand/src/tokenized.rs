//! A document with its words, ready to be signed.

use crate::{
    document::Document,
    tokens::{Folding, Tokens},
};

/// A document with its words, obfuscation undone.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "learn"), allow(dead_code))]
pub(crate) struct TokenizedDocument<'a> {
    pub(crate) document: &'a Document,
    /// The text, obfuscation undone.
    pub(crate) plain: &'a str,
    /// How to fold other parts of the document, such as its title.
    pub(crate) folding: Folding,
    /// The words of the text.
    pub(crate) tokens: &'a Tokens,
}
