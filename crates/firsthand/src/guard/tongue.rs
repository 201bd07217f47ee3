//! The languages whose number words are known, and how each writes numbers in digits.

use super::pieces::{Class, Piece};
use crate::{languages::Language, scheme::lexicon};

/// How a text writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    /// Also where no language is told, as in short texts and lists.
    English,
    German,
    French,
    Spanish,
    /// A language of which only the digits are read. Nearly all of them have a decimal comma.
    Comma,
}

impl Tongue {
    pub(super) const ALL: [Self; 5] =
        [Self::English, Self::German, Self::French, Self::Spanish, Self::Comma];
}

/// How many words tell the language.
const SAMPLE: usize = 200;

/// How a text writes numbers, and its language as a bit among the stop words. The words are taken from
/// all over the text, because the start of a page may be a menu.
pub(super) fn detect(pieces: &[Piece]) -> (Tongue, u32) {
    let words = pieces.iter().filter(|piece| piece.class == Class::Word);
    let step = pieces.len() / SAMPLE + 1;
    let roles: Vec<_> = words.step_by(step).map(|piece| lexicon::roles(piece.hash)).collect();
    let english = || Language::ALL.iter().position(|&language| language == Language::English);
    let at = lexicon::detect(&roles).or_else(english).unwrap_or(0);
    let tongue = match Language::ALL[at] {
        Language::English => Tongue::English,
        Language::German => Tongue::German,
        Language::French => Tongue::French,
        Language::Spanish => Tongue::Spanish,
        _ => Tongue::Comma,
    };
    (tongue, 1 << at)
}
