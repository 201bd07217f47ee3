//! The alphabet of a document, by its words: counted once, for all ambiguous words.
//!
//! Words that folding may still change do not vote, so a folded document votes the same.

use super::Context;
use super::characters::letter;
use super::marks::is_mark;
use super::word::{Composition, LetterSummary};

/// A document is Latin if it has more than this many Latin letters per other letter.
const MOSTLY: usize = 4;

/// Letters of the languages that have a dotless i. No other alphabet has a look-alike of them, so
/// folding leaves them alone.
const TURKISH: [char; 4] = ['ş', 'Ş', 'ğ', 'Ğ'];

/// Examines a document after the first pass, and returns whether there is more to fold.
pub(super) fn context(text: &str) -> (Context, bool) {
    let (mut latin, mut foreign) = (0, 0);
    let (mut disguised, mut mixed) = (false, false);
    let mut count = |word: LetterSummary| match word.mix() {
        Composition::Latin => latin += word.count,
        Composition::Foreign => foreign += word.count,
        Composition::Disguise => disguised = true,
        Composition::Mixed => mixed = true,
    };
    let mut word = LetterSummary::NONE;
    for c in text.chars() {
        if let Some(letter) = letter(c) {
            word.add(letter);
        } else if word.count > 0 && !is_mark(c) {
            count(word);
            word = LetterSummary::NONE;
        }
    }
    count(word);
    let is_latin = latin > MOSTLY * foreign;
    let dotless = text.contains('ı') && !text.contains(TURKISH);
    let context = Context { latin: Some(is_latin), dotless };
    (context, mixed || disguised && is_latin || dotless)
}
