//! What a character is to folding: space, calm, odd, or a letter of which alphabet.
//!
//! The alphabets of Europe are looked up in a table, so that honest text costs little.

use super::{NFKC, NFKD, look_alikes};
use std::sync::LazyLock;

/// The alphabets that have letters in common, to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    /// Armenian, Cherokee, Coptic, Lisu.
    Rare,
}

/// What is known of a letter, whether its marks are part of it or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) script: Script,
    /// How many letters it stands for: a ligature is several.
    pub(super) count: u8,
    /// Whether it looks like a Latin letter among such letters.
    pub(super) looks_latin: bool,
    /// Whether nobody could tell it from a Latin letter.
    pub(super) is_image: bool,
}

/// What a character says about the stretch that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Space,
    /// A Latin letter that is what it seems.
    Latin,
    /// A letter of another alphabet that has look-alikes.
    Foreign,
    /// The dotless i of Turkish.
    Dotless,
    /// Nothing that folding would change.
    Calm,
    /// To be looked at closely.
    Odd,
}

/// ASCII, Latin, Greek, Cyrillic, Armenian.
static TABLE: LazyLock<Vec<(Kind, Option<Letter>)>> =
    LazyLock::new(|| ('\0'..'\u{590}').map(|c| (sort(c), describe(c))).collect());

/// What a character says about its stretch.
#[inline]
pub(super) fn kind(c: char) -> Kind {
    TABLE.get(c as usize).map_or_else(|| sort(c), |known| known.0)
}

/// The letter that a character is, if it is one of those alphabets.
#[inline]
pub(super) fn letter(c: char) -> Option<Letter> {
    TABLE.get(c as usize).map_or_else(|| describe(c), |known| known.1)
}

/// The alphabet of a letter, if it is one of those.
#[inline]
pub(super) fn script(c: char) -> Option<Script> {
    TABLE.get(c as usize).map_or_else(|| alphabet(c), |known| known.1.map(|letter| letter.script))
}

fn alphabet(c: char) -> Option<Script> {
    let script = match c {
        'a'..='z'
        | 'A'..='Z'
        | '\u{c0}'..='\u{2af}'
        | '\u{1d00}'..='\u{1d7f}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}'
        | '\u{a720}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}' => Script::Latin,
        '\u{b5}' | '\u{370}'..='\u{3e1}' | '\u{3f0}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => {
            Script::Greek
        }
        '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}' | '\u{a640}'..='\u{a66e}' => Script::Cyrillic,
        '\u{531}'..='\u{58f}'
        | '\u{13a0}'..='\u{13ff}'
        | '\u{ab70}'..='\u{abbf}'
        | '\u{3e2}'..='\u{3ef}'
        | '\u{2c80}'..='\u{2cff}'
        | '\u{a4d0}'..='\u{a4ff}' => Script::Rare,
        _ => return None,
    };
    c.is_alphabetic().then_some(script)
}

fn describe(c: char) -> Option<Letter> {
    let script = alphabet(c)?;
    let mut buffer = [0; 4];
    let apart = NFKD.normalize(c.encode_utf8(&mut buffer));
    let letters = || apart.chars().filter(|c| alphabet(*c).is_some());
    Some(Letter {
        script,
        count: letters().count() as u8,
        looks_latin: letters().all(|c| look_alikes::latin(c).is_some()),
        is_image: letters().all(look_alikes::is_image),
    })
}

/// Quick to tell; what is common must not be odd.
fn sort(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' => Kind::Latin,
        _ if c.is_whitespace() => Kind::Space,
        '\0'..='\u{7f}' => Kind::Calm,
        'ı' => Kind::Dotless,
        'ƅ' | 'Ƅ' | 'ǀ' | 'Ɩ' | 'Ʀ' => Kind::Odd,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Kind::Latin,
        '\u{ad}' | '\u{61c}' => Kind::Odd,
        // Signs and punctuation; the scripts of Asia and Africa.
        '\u{a0}'..='\u{b4}'
        | '\u{b6}'..='\u{bf}'
        | '\u{590}'..='\u{109f}'
        | '\u{10d0}'..='\u{10ff}'
        | '\u{1200}'..='\u{139f}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{20a0}'..='\u{20bf}'
        | '\u{3001}'..='\u{312f}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' => Kind::Calm,
        _ => {
            let foreign = alphabet(c).is_some_and(|script| script != Script::Latin);
            let normal = || NFKC.is_normalized(c.encode_utf8(&mut [0; 4]));
            if foreign && normal() { Kind::Foreign } else { Kind::Odd }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::marks;
    use super::*;

    #[test]
    fn nothing_to_fold_is_overlooked() {
        for c in '\u{80}'..=char::MAX {
            if look_alikes::latin(c).is_some() {
                let expected = match script(c) {
                    Some(Script::Latin) if c == 'ı' => Kind::Dotless,
                    Some(Script::Latin) => Kind::Odd,
                    _ => Kind::Foreign,
                };
                assert_eq!(kind(c), expected, "{c:?}");
            }
            if marks::is_mark(c) || marks::visible(c.encode_utf8(&mut [0; 4])) != c.to_string() {
                assert_eq!(kind(c), Kind::Odd, "{c:?}");
            }
        }
    }

    #[test]
    fn letters_are_known_with_their_marks() {
        let images = |text: &str| text.chars().map(|c| letter(c).map(|l| l.is_image)).collect();
        let found: Vec<_> = images("еёий日");
        assert_eq!(found, [Some(true), Some(true), Some(false), Some(false), None]);
        assert_eq!(letter('ĳ').map(|letter| letter.count), Some(2));
    }
}
