//! One word: the alphabet it is meant to be in, and its spelling there.

use super::characters::{Letter, Script, letter, script};
use super::marks::{has_pile, is_mark, is_stroke};
use super::{Context, look_alikes};

/// Splits text into runs of letters with their marks, and what is between them.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = script(rest.chars().next()?).is_some();
        let ends = |c: char| (script(c).is_some() || is_word && is_mark(c)) != is_word;
        let end = rest.find(ends).unwrap_or(rest.len());
        let piece = &rest[..end];
        rest = &rest[end..];
        Some((piece, is_word))
    })
}

/// A summary of the letters of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterSummary {
    pub(super) count: usize,
    latin: bool,
    foreign: bool,
    /// The other alphabet, if there is only one.
    other: Option<Script>,
    /// Whether all foreign letters look Latin among Latin letters.
    look_latin: bool,
    /// Whether none of the foreign letters can be distinguished from a Latin one.
    are_images: bool,
}

impl LetterSummary {
    pub(super) const NONE: Self = Self {
        count: 0,
        latin: false,
        foreign: false,
        other: None,
        look_latin: true,
        are_images: true,
    };

    #[inline]
    pub(super) fn add(&mut self, letter: Letter) {
        self.count += usize::from(letter.count);
        if letter.script == Script::Latin {
            self.latin = true;
            return;
        }
        let same = !self.foreign || self.other == Some(letter.script);
        self.other = same.then_some(letter.script);
        self.foreign = true;
        self.look_latin &= letter.looks_latin;
        self.are_images &= letter.is_image;
    }

    pub(super) fn mix(&self) -> Composition {
        match (self.latin, self.foreign) {
            (true, true) => Composition::Mixed,
            (_, false) => Composition::Latin,
            _ if self.are_images => Composition::Disguise,
            _ => Composition::Foreign,
        }
    }
}

/// The composition of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Composition {
    /// Latin letters only.
    Latin,
    /// Letters of other alphabets only, recognisably so.
    Foreign,
    /// Letters of other alphabets only, each indistinguishable from a Latin one.
    Disguise,
    /// Latin letters and others.
    Mixed,
}

/// The alphabet that a decomposed word is put into; `None` if it stays, at least for now.
fn target(word: &str, letters: &LetterSummary, context: Context) -> Option<Script> {
    match (letters.mix(), letters.other) {
        (Composition::Latin, _) => Some(Script::Latin),
        (Composition::Foreign, _) => None,
        (Composition::Disguise, _) => context.latin.filter(|latin| *latin).map(|_| Script::Latin),
        (Composition::Mixed, Some(other)) if fits(word, other) => {
            if !letters.look_latin {
                return Some(other);
            }
            // It could be either.
            context.latin.map(|latin| if latin { Script::Latin } else { other })
        }
        (Composition::Mixed, _) => Some(Script::Latin),
    }
}

/// Whether all Latin letters of a word could be letters of another alphabet.
fn fits(word: &str, other: Script) -> bool {
    word.chars()
        .filter(|c| script(*c) == Some(Script::Latin))
        .all(|c| look_alikes::foreign(c, other).is_some())
}

/// Appends a decomposed word, folded.
pub(super) fn fold(word: &str, context: Context, plain: &mut String) {
    let word: String = word.chars().map(|c| variant(c).unwrap_or(c)).collect();
    let mut letters = LetterSummary::NONE;
    word.chars().filter_map(letter).for_each(|letter| letters.add(letter));
    let target = target(&word, &letters, context);
    let bare = letters.latin && has_pile(&word);
    // Strokes go before composition, because some prevent it.
    for c in word.chars().filter(|c| !(is_stroke(*c) || bare && is_mark(*c))) {
        let other = match target {
            Some(Script::Latin) if c.is_ascii() || c == 'ı' && !context.dotless => None,
            Some(Script::Latin) => look_alikes::latin(c),
            Some(other) => look_alikes::foreign(c, other),
            None => None,
        };
        plain.push(other.unwrap_or(c));
    }
}

/// The letter that a Latin letter of another shape represents. A dotless i is a letter of its own.
fn variant(c: char) -> Option<char> {
    let may_be = !c.is_ascii() && c != 'ı' && script(c) == Some(Script::Latin);
    may_be.then(|| look_alikes::latin(c)).flatten()
}
