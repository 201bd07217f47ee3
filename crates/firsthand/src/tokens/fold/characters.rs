//! How folding classifies a character: space, settled, odd, or a letter of some alphabet.
//!
//! European alphabets are looked up in a table, so that honest text costs little.

use super::{NFKC, NFKD, look_alikes};
use std::sync::LazyLock;

/// The alphabets that share letter shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    /// Armenian, Cherokee, Coptic, Lisu.
    Rare,
}

/// What is known about a letter, with or without its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) script: Script,
    /// The number of letters it contains: a ligature has several.
    pub(super) count: u8,
    /// Whether it looks like a Latin letter among Latin letters.
    pub(super) looks_latin: bool,
    /// Whether it cannot be distinguished from a Latin letter.
    pub(super) is_image: bool,
}

/// How a character bears on the stretch it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterClass {
    Space,
    /// An ordinary Latin letter.
    Latin,
    /// A letter of another alphabet that has look-alikes.
    Foreign,
    /// The Turkish dotless i.
    Dotless,
    /// Nothing that folding would change.
    Calm,
    /// Needs a closer look.
    Odd,
}

/// ASCII, Latin, Greek, Cyrillic, Armenian.
static TABLE: LazyLock<Vec<(CharacterClass, Option<Letter>)>> =
    LazyLock::new(|| ('\0'..'\u{590}').map(|c| (sort(c), describe(c))).collect());

/// The class of a character.
#[inline]
pub(super) fn kind(c: char) -> CharacterClass {
    TABLE.get(c as usize).map_or_else(|| sort(c), |known| known.0)
}

/// The letter that a character is, if it belongs to one of these alphabets.
#[inline]
pub(super) fn letter(c: char) -> Option<Letter> {
    TABLE.get(c as usize).map_or_else(|| describe(c), |known| known.1)
}

/// The alphabet of a letter, if it is one of these.
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

/// A quick classification; common characters must not be odd.
fn sort(c: char) -> CharacterClass {
    match c {
        'a'..='z' | 'A'..='Z' => CharacterClass::Latin,
        _ if c.is_whitespace() => CharacterClass::Space,
        '\0'..='\u{7f}' => CharacterClass::Calm,
        'ı' => CharacterClass::Dotless,
        'ƅ' | 'Ƅ' | 'ǀ' | 'Ɩ' | 'Ʀ' => CharacterClass::Odd,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => CharacterClass::Latin,
        '\u{ad}' | '\u{61c}' => CharacterClass::Odd,
        // Symbols and punctuation; Asian and African scripts.
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
        | '\u{ff1a}'..='\u{ff20}' => CharacterClass::Calm,
        _ => {
            let foreign = alphabet(c).is_some_and(|script| script != Script::Latin);
            let normal = || NFKC.is_normalized(c.encode_utf8(&mut [0; 4]));
            if foreign && normal() { CharacterClass::Foreign } else { CharacterClass::Odd }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::marks;
    use super::*;

    #[test]
    fn no_foldable_character_is_overlooked() {
        for c in '\u{80}'..=char::MAX {
            if look_alikes::latin(c).is_some() {
                let expected = match script(c) {
                    Some(Script::Latin) if c == 'ı' => CharacterClass::Dotless,
                    Some(Script::Latin) => CharacterClass::Odd,
                    _ => CharacterClass::Foreign,
                };
                assert_eq!(kind(c), expected, "{c:?}");
            }
            if marks::is_mark(c) || marks::visible(c.encode_utf8(&mut [0; 4])) != c.to_string() {
                assert_eq!(kind(c), CharacterClass::Odd, "{c:?}");
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
