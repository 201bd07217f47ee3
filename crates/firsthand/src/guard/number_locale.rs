//! The languages whose number words are known, and how each writes numbers in digits.

use super::pieces::{PieceClass, TextPiece};
use crate::{languages::Language, scheme::lexicon};

/// How a text writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberLocale {
    /// Also the default where the language is unknown, as in short texts and lists.
    English,
    German,
    French,
    Spanish,
    /// Any other language: only digits are read, with a decimal comma, as nearly all of them have.
    Comma,
}

impl NumberLocale {
    pub(super) const ALL: [Self; 5] =
        [Self::English, Self::German, Self::French, Self::Spanish, Self::Comma];
}

/// Words from which the language is detected.
const SAMPLE: usize = 200;

/// How a text writes numbers, and its language as a bit among the stop words. The words are sampled
/// from the whole text, because a page may start with a menu.
pub(super) fn detect(pieces: &[TextPiece]) -> (NumberLocale, u32) {
    let words = pieces.iter().filter(|piece| piece.class == PieceClass::Word);
    let step = pieces.len() / SAMPLE + 1;
    let roles: Vec<_> = words.step_by(step).map(|piece| lexicon::roles(piece.hash)).collect();
    let english = || Language::ALL.iter().position(|&language| language == Language::English);
    let at = lexicon::detect(&roles).or_else(english).unwrap_or(0);
    let locale = match Language::ALL[at] {
        Language::English => NumberLocale::English,
        Language::German => NumberLocale::German,
        Language::French => NumberLocale::French,
        Language::Spanish => NumberLocale::Spanish,
        _ => NumberLocale::Comma,
    };
    (locale, 1 << at)
}
