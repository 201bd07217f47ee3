//! Folds obfuscated text: invisible characters are dropped, and look-alikes become the letters they
//! imitate.
//!
//! Senders who want to get past a filter write one message in many disguises. A reader sees no
//! difference, so there should be none: invisible characters are dropped, letters in boxes and
//! circles become letters, strokes and stacked marks come off Latin letters, and letters of other
//! alphabets that look Latin become Latin. That last step must leave honest text alone. A word that
//! mixes alphabets is put into the one it can be written in; the document decides about a word that
//! could be either, or that consists of perfect look-alikes only: see [`census`].
//!
//! Folding handles each stretch between white space on its own, so a part of a document folds like
//! the whole. Folded text folds to itself.

mod census;
mod characters;
mod look_alikes;
mod marks;
#[cfg(test)]
mod tests;
mod word;

use super::slow::NFKC;
use characters::CharacterClass;
use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};
use std::{borrow::Cow, sync::LazyLock};

/// Decomposes letters and marks and resolves compatibility forms.
static NFKD: LazyLock<DecomposingNormalizerBorrowed<'static>> =
    LazyLock::new(DecomposingNormalizer::new_nfkd);

/// What is known about the document of a word; initially nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Context {
    /// Whether it is written in Latin letters.
    latin: Option<bool>,
    /// Whether its dotless i is a disguised dotted one.
    dotless: bool,
}

impl Context {
    /// A document without ambiguous letters.
    const LATIN: Self = Self { latin: Some(true), dotless: false };
}

/// How the parts of one document are folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Folding(Option<Context>);

impl Folding {
    /// How a document is folded, and its folded text; a no-op unless `on`.
    pub(crate) fn of(text: &str, on: bool) -> (Self, Cow<'_, str>) {
        if !on {
            return (Self(None), Cow::Borrowed(text));
        }
        if text.is_ascii() {
            return (Self(Some(Context::LATIN)), Cow::Borrowed(text));
        }
        let first = pass(text, Context::default());
        let plain = first.text.map_or(Cow::Borrowed(text), Cow::Owned);
        if !first.doubtful {
            return (Self(Some(Context::LATIN)), plain);
        }
        let (context, more) = census::context(&plain);
        let second = if more { pass(&plain, context).text } else { None };
        (Self(Some(context)), second.map_or(plain, Cow::Owned))
    }

    /// Folds a part of the document, or text that belongs to it.
    pub(crate) fn apply(self, part: &str) -> Cow<'_, str> {
        let Some(context) = self.0.filter(|_| !part.is_ascii()) else {
            return Cow::Borrowed(part);
        };
        let first = pass(part, Context::default());
        let plain = first.text.map_or(Cow::Borrowed(part), Cow::Owned);
        let second = if first.doubtful { pass(&plain, context).text } else { None };
        second.map_or(plain, Cow::Owned)
    }
}

/// The result of one pass over a text.
struct Pass {
    /// The text, if it changed.
    text: Option<String>,
    /// Whether there are letters that only the whole document can decide.
    doubtful: bool,
}

/// Folds each stretch that needs it. ASCII, which most text is, is skipped.
fn pass(text: &str, context: Context) -> Pass {
    let mut folded = String::new();
    let mut doubtful = false;
    // Text that has been read but not yet copied starts here.
    let (mut copied, mut at) = (0, 0);
    while let Some(other) = beyond_ascii(text.as_bytes(), at) {
        let space = text.as_bytes()[at..other].iter().rposition(|byte| is_space(*byte));
        let start = space.map_or(at, |space| at + space + 1);
        let (mut look, length) = StretchSummary::at(&text[start..]);
        let end = start + length;
        if look.wants_folding(context) {
            let chunk = &text[start..end];
            let plain = stretch(chunk, context);
            look = StretchSummary::of(&plain);
            // The first pass normalises odd characters; the second only replaces letters.
            let same = match context.latin {
                None => plain == chunk,
                Some(_) => plain == NFKC.normalize(chunk),
            };
            if !same {
                folded.push_str(&text[copied..start]);
                folded.push_str(&plain);
                copied = end;
            }
        }
        doubtful |= look.foreign || look.dotless;
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    let changed = copied > 0;
    if changed {
        folded.push_str(&text[copied..]);
    }
    Pass { text: changed.then_some(folded), doubtful }
}

/// The next non-ASCII byte, searched eight bytes at a time.
fn beyond_ascii(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = &bytes[from..];
    let skipped = rest.chunks_exact(8).take_while(|eight| eight.is_ascii()).count() * 8;
    Some(from + skipped + rest[skipped..].iter().position(|byte| !byte.is_ascii())?)
}

/// ASCII white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What a quick look at a stretch shows.
#[derive(Default)]
struct StretchSummary {
    latin: bool,
    foreign: bool,
    dotless: bool,
    odd: bool,
}

impl StretchSummary {
    /// Examines the text up to the next white space, and returns how far that is.
    fn at(text: &str) -> (Self, usize) {
        let mut look = Self::default();
        for (at, c) in text.char_indices() {
            match characters::kind(c) {
                CharacterClass::Space => return (look, at),
                kind => look.add(kind),
            }
        }
        (look, text.len())
    }

    fn of(text: &str) -> Self {
        let mut look = Self::default();
        text.chars().for_each(|c| look.add(characters::kind(c)));
        look
    }

    fn add(&mut self, kind: CharacterClass) {
        match kind {
            CharacterClass::Latin => self.latin = true,
            CharacterClass::Foreign => self.foreign = true,
            CharacterClass::Dotless => self.dotless = true,
            CharacterClass::Odd => self.odd = true,
            CharacterClass::Calm | CharacterClass::Space => {}
        }
    }

    fn wants_folding(&self, context: Context) -> bool {
        let mixed = self.latin || self.dotless || context.latin == Some(true);
        self.odd || self.foreign && mixed || self.dotless && context.dotless
    }
}

/// Folds a stretch without white space.
fn stretch(chunk: &str, context: Context) -> String {
    let visible = marks::visible(chunk);
    let apart = NFKD.normalize(&visible);
    let mut plain = String::with_capacity(apart.len());
    for (piece, is_word) in word::pieces(&apart) {
        if is_word {
            word::fold(piece, context, &mut plain);
        } else {
            plain.push_str(piece);
        }
    }
    marks::without_loose(&NFKC.normalize(&plain))
}
