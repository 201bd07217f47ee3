//! A text in pieces, with the questions asked about a piece.

use super::{
    compound,
    number_locale::{NumberLocale, detect},
    pieces::{Gap, PieceClass, TextPiece, pieces},
    words::{self, Beside, Numeral},
};
use crate::scheme::lexicon;

/// A text in pieces, and its language.
pub(super) struct PieceView<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: Vec<TextPiece>,
    pub(super) locale: NumberLocale,
    /// The bit of the language among the stop words.
    language: u32,
}

impl<'a> PieceView<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let pieces = pieces(text);
        let (locale, language) = detect(&pieces);
        Self { text, pieces, locale, language }
    }

    /// The text of a piece.
    pub(super) fn str(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |piece| &self.text[piece.start as usize..piece.end as usize])
    }

    pub(super) fn word(&self, at: usize) -> Option<&TextPiece> {
        self.pieces.get(at).filter(|piece| piece.class == PieceClass::Word)
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.class == PieceClass::Number)
    }

    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.pieces.get(at)?.class {
            PieceClass::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    /// Whether the piece is a hyphen or a dash.
    pub(super) fn is_dash(&self, at: usize) -> bool {
        matches!(self.mark(at), Some('-' | '–' | '—' | '\u{2010}' | '\u{2011}' | '\u{2212}'))
    }

    pub(super) fn gap(&self, at: usize) -> Gap {
        self.pieces.get(at).map_or(Gap::Line, |piece| piece.gap)
    }

    /// Whether the piece touches the previous one.
    pub(super) fn glued(&self, at: usize) -> bool {
        self.gap(at) == Gap::None
    }

    /// Whether the piece continues the previous one: on the same line, or in lower case on the
    /// next.
    pub(super) fn flows(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| {
            piece.gap < Gap::Line || (piece.class == PieceClass::Word && !piece.capital)
        })
    }

    /// Whether a figure may start with the word there.
    pub(super) fn may_open(&self, at: usize) -> bool {
        self.word(at).is_some_and(|piece| words::may_open(piece.hash, self.locale))
            || (self.locale == NumberLocale::German && compound::starts_like_a_number(self.str(at)))
    }

    pub(super) fn numeral(&self, at: usize) -> Option<Numeral> {
        words::numeral(self.word(at)?.hash, self.locale)
    }

    pub(super) fn beside(&self, at: usize) -> Option<Beside> {
        words::beside(self.word(at)?.hash, self.locale)
    }

    /// Whether it is a word with one of these hints.
    pub(super) fn hints(&self, at: usize, bits: u16) -> bool {
        self.word(at).is_some_and(|piece| words::hints(piece.hash, self.locale) & bits != 0)
    }

    /// Digits and nothing else: the number, and how many digits it has.
    pub(super) fn plain(&self, at: usize) -> Option<(u32, usize)> {
        if !self.is_number(at) {
            return None;
        }
        let digits = self.str(at);
        if digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some((digits.parse().ok()?, digits.len()))
    }

    /// Whether it is a content word, such as what a number counts.
    pub(super) fn is_noun(&self, at: usize) -> bool {
        self.word(at).is_some_and(|piece| lexicon::roles(piece.hash).stop_word & self.language == 0)
    }
}
