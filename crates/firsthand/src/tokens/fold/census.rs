//! What a document is written in, by its words: counted once, for all words in doubt.
//!
//! Words that folding may still change do not vote, so that a folded document votes the same.

use super::Context;
use super::characters::letter;
use super::marks::is_mark;
use super::word::{Letters, Mix};

/// A document is in Latin letters if it has more than so many of them for each other letter.
const MOSTLY: usize = 4;

/// The letters that languages with a dotless i have too. No other alphabet has a look-alike of them,
/// so that they are the same after folding.
const TURKISH: [char; 4] = ['ş', 'Ş', 'ğ', 'Ğ'];

/// Reads a document that has been through the first pass, and tells whether there is more to fold.
pub(super) fn context(text: &str) -> (Context, bool) {
    let (mut latin, mut foreign) = (0, 0);
    let (mut disguised, mut mixed) = (false, false);
    let mut count = |word: Letters| match word.mix() {
        Mix::Latin => latin += word.count,
        Mix::Foreign => foreign += word.count,
        Mix::Disguise => disguised = true,
        Mix::Mixed => mixed = true,
    };
    let mut word = Letters::NONE;
    for c in text.chars() {
        if let Some(letter) = letter(c) {
            word.add(letter);
        } else if word.count > 0 && !is_mark(c) {
            count(word);
            word = Letters::NONE;
        }
    }
    count(word);
    let is_latin = latin > MOSTLY * foreign;
    let dotless = text.contains('ı') && !text.contains(TURKISH);
    let context = Context { latin: Some(is_latin), dotless };
    (context, mixed || disguised && is_latin || dotless)
}
