//! Hints at the purpose of an element from names in `class`, `id` and the like.

use std::cmp::Reverse;
use std::sync::LazyLock;

use super::attributes::Attributes;
use super::tags::Tag;

/// A set of hints, one bit each.
pub(super) type Hints = u32;

pub(super) const NAVIGATION: Hints = 1;
pub(super) const FOOT: Hints = 1 << 1;
pub(super) const SIDE: Hints = 1 << 2;
pub(super) const COMMENT: Hints = 1 << 3;
pub(super) const ADVERT: Hints = 1 << 4;
pub(super) const SOCIAL: Hints = 1 << 5;
pub(super) const RELATED: Hints = 1 << 6;
pub(super) const HEAD: Hints = 1 << 7;
pub(super) const BYLINE: Hints = 1 << 8;
pub(super) const HEADLINE: Hints = 1 << 9;
pub(super) const FORM: Hints = 1 << 10;
pub(super) const OVERLAY: Hints = 1 << 11;
pub(super) const ARTICLE: Hints = 1 << 12;
pub(super) const CONTENT: Hints = 1 << 13;
/// Both of the above on one element: `article-body`, `entry-content`.
pub(super) const BODY: Hints = 1 << 14;
/// A dialog, such as a request for consent to cookies.
pub(super) const DIALOG: Hints = 1 << 15;
/// The part that the page declares as its main one.
pub(super) const LANDMARK: Hints = 1 << 16;
/// Messages, which may be comments or what the page is about.
pub(super) const MESSAGE: Hints = 1 << 17;
/// An account of the author.
pub(super) const AUTHOR: Hints = 1 << 18;
/// Page furniture of any kind.
pub(super) const FURNITURE: Hints =
    NAVIGATION | FOOT | SIDE | COMMENT | MESSAGE | ADVERT | SOCIAL | RELATED | OVERLAY | DIALOG;
/// Hints at content; all others hint at furniture or at nothing much.
pub(super) const GOOD: Hints = ARTICLE | CONTENT | BODY;

/// The names of the hints in the table of words, in the order of their bits.
#[rustfmt::skip]
const NAMES: [&str; 19] = [
    "navigation", "foot", "side", "comment", "advert", "social", "related", "head", "byline",
    "headline", "form", "overlay", "article", "content", "", "dialog",
    "", "message", "author",
];

/// Words of names and their hints.
#[derive(Default)]
struct HintWords {
    /// Beginnings of words by their first letter, the longest first; `$` requires the whole word.
    beginnings: [Vec<(&'static str, Hints)>; 26],
    /// Endings of words that have no such beginning.
    endings: Vec<(&'static str, Hints)>,
}

static WORDS: LazyLock<HintWords> = LazyLock::new(|| {
    let mut words = HintWords::default();
    for line in include_str!("hints/words.txt").lines().filter(|line| !line.starts_with('#')) {
        let (name, known) = line.split_once(':').unwrap_or_default();
        let hint = NAMES.iter().position(|known| *known == name).map_or(0, |bit| 1 << bit);
        for word in known.split_whitespace() {
            match word.strip_prefix('*') {
                Some(ending) => words.endings.push((ending, hint)),
                None => words.beginnings[usize::from(word.as_bytes()[0] - b'a')].push((word, hint)),
            }
        }
    }
    words
        .beginnings
        .iter_mut()
        .for_each(|known| known.sort_by_key(|(word, _)| Reverse(word.len())));
    words
});

/// The number of bytes of a name list that are read.
const LONGEST: usize = 400;

/// The hints of an element's own tag and attributes.
pub(super) fn hints(tag: Tag, attributes: &Attributes<'_>) -> Hints {
    let mut found = match tag {
        Tag::Nav | Tag::Menu => NAVIGATION,
        Tag::Footer => FOOT,
        Tag::Aside => SIDE,
        Tag::Header => HEAD,
        Tag::Form | Tag::Fieldset => FORM,
        Tag::Dialog => DIALOG,
        Tag::Article => ARTICLE,
        Tag::Main => CONTENT | LANDMARK,
        _ => 0,
    };
    found |= names(attributes.class);
    // With a dot it is a place to jump to: `javax.print`.
    if !attributes.id.contains('.') {
        found |= names(attributes.id);
    }
    if !attributes.role.is_empty() {
        found |= match attributes.role {
            "navigation" | "menubar" | "menu" => NAVIGATION,
            "contentinfo" => FOOT,
            "complementary" => SIDE,
            "banner" => HEAD,
            "search" => FORM,
            "dialog" | "alertdialog" => DIALOG,
            "alert" => OVERLAY,
            "main" => CONTENT | LANDMARK,
            "article" => ARTICLE,
            _ => 0,
        };
    }
    if !attributes.itemprop.is_empty() {
        found |= match attributes.itemprop {
            "articleBody" | "text" | "reviewBody" => ARTICLE | CONTENT,
            "headline" => HEADLINE,
            "comment" => COMMENT,
            "author" | "datePublished" | "publisher" => BYLINE,
            _ => 0,
        };
    }
    if attributes.modal {
        found |= DIALOG;
    }
    if found & ARTICLE != 0 {
        // An article by someone.
        found &= !AUTHOR;
    }
    if found & ARTICLE != 0 && found & CONTENT != 0 {
        found |= BODY;
    }
    found
}

/// The hints of the words in a list of names: `leftNav story_body` has left, nav, story and body.
fn names(list: &str) -> Hints {
    let bytes = list.as_bytes();
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let mut found = 0;
    // Whether what follows, up to the next white space, is a value: the video of `tag-video`.
    let mut value = false;
    let mut word = [0u8; 24];
    let mut length = 0;
    let mut lower_before = false;
    for &byte in bytes {
        let letter = byte.is_ascii_alphabetic();
        if !letter || (byte.is_ascii_uppercase() && lower_before) {
            let ended = &word[..length];
            found |= if value { 0 } else { hint(ended) };
            value = !byte.is_ascii_whitespace() && (value || is_key(ended, byte));
            length = 0;
        }
        if letter && length < word.len() {
            word[length] = byte.to_ascii_lowercase();
            length += 1;
        }
        lower_before = byte.is_ascii_lowercase();
    }
    if value { found } else { found | hint(&word[..length]) }
}

/// Whether a word with a dash after it is a key: of the post that the element holds, what follows
/// is a tag, a category or an author.
fn is_key(word: &[u8], after: u8) -> bool {
    after == b'-' && [&b"tag"[..], b"category", b"author"].contains(&word)
}

fn hint(word: &[u8]) -> Hints {
    let Some(first) = word.first() else { return 0 };
    for (known, hint) in &WORDS.beginnings[usize::from(first - b'a')] {
        let known = known.as_bytes();
        let fits = match known.strip_suffix(b"$") {
            Some(whole) => word == whole,
            None => word.starts_with(known),
        };
        if fits {
            return *hint;
        }
    }
    let ending = WORDS.endings.iter().find(|(ending, _)| word.ends_with(ending.as_bytes()));
    ending.map_or(0, |(_, hint)| *hint)
}
