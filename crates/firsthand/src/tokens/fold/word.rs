//! One word: which alphabet it is meant to be in, and how it is written there.

use super::characters::{Letter, Script, letter, script};
use super::marks::{has_pile, is_mark, is_stroke};
use super::{Context, look_alikes};

/// Cuts text into runs of letters with their marks, and what is between them.
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

/// The letters of a word, taken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    pub(super) count: usize,
    latin: bool,
    foreign: bool,
    /// The other alphabet, if there is but one.
    other: Option<Script>,
    /// Whether all foreign ones look like Latin letters among such letters.
    look_latin: bool,
    /// Whether nobody could tell any foreign one from a Latin letter.
    are_images: bool,
}

impl Letters {
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

    pub(super) fn mix(&self) -> Mix {
        match (self.latin, self.foreign) {
            (true, true) => Mix::Mixed,
            (_, false) => Mix::Latin,
            _ if self.are_images => Mix::Disguise,
            _ => Mix::Foreign,
        }
    }
}

/// What a word consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    /// Latin letters only.
    Latin,
    /// Letters of other alphabets only, and one can tell.
    Foreign,
    /// Letters of other alphabets only, each the very image of a Latin one.
    Disguise,
    /// Latin letters and others.
    Mixed,
}

/// The alphabet that a decomposed word is put into; none if it stays, at least for now.
fn target(word: &str, letters: &Letters, context: Context) -> Option<Script> {
    match (letters.mix(), letters.other) {
        (Mix::Latin, _) => Some(Script::Latin),
        (Mix::Foreign, _) => None,
        (Mix::Disguise, _) => context.latin.filter(|latin| *latin).map(|_| Script::Latin),
        (Mix::Mixed, Some(other)) if fits(word, other) => {
            if !letters.look_latin {
                return Some(other);
            }
            // It could be either.
            context.latin.map(|latin| if latin { Script::Latin } else { other })
        }
        (Mix::Mixed, _) => Some(Script::Latin),
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
    let mut letters = Letters::NONE;
    word.chars().filter_map(letter).for_each(|letter| letters.add(letter));
    let target = target(&word, &letters, context);
    let bare = letters.latin && has_pile(&word);
    // Strokes go before anything is composed, because some stand in the way of that.
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

/// The letter that a Latin letter of another shape stands for. A dotless i is a letter of its own.
fn variant(c: char) -> Option<char> {
    let may_be = !c.is_ascii() && c != 'ı' && script(c) == Some(Script::Latin);
    may_be.then(|| look_alikes::latin(c)).flatten()
}
