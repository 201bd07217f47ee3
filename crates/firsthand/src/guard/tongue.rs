//! The languages whose number words are known, and how each writes numbers in digits.

use super::pieces::{Class, Piece};
use crate::{languages::Language, scheme::lexicon};

/// How a text writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    German,
    French,
    Spanish,
    /// A language of which only the digits are read, with a decimal comma.
    Comma,
    /// Any other text: only the digits are read, with a decimal point.
    Point,
}

impl Tongue {
    /// Those with word lists.
    pub(super) const SPOKEN: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];
}

/// How many words tell the language.
const SAMPLE: usize = 400;

/// The language of a text, by words from all over it: the start of a page may be a menu.
pub(super) fn detect(pieces: &[Piece]) -> (Tongue, u32) {
    let words = pieces.iter().filter(|piece| piece.class == Class::Word);
    let step = (pieces.len() / SAMPLE).max(1);
    let roles: Vec<_> = words.step_by(step).map(|piece| lexicon::roles(piece.hash)).collect();
    let Some(at) = lexicon::detect(&roles) else { return (Tongue::Point, 0) };
    let tongue = match Language::ALL[at] {
        Language::English => Tongue::English,
        Language::German => Tongue::German,
        Language::French => Tongue::French,
        Language::Spanish => Tongue::Spanish,
        _ => Tongue::Comma,
    };
    (tongue, 1 << at)
}
