//! Text from documents made safe to show: what would move the cursor is spelled out.

use std::borrow::Cow;

/// The text with control characters, and marks that turn the direction of writing, as escapes.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// A word that a shell reads back as it is.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+=,".contains(&byte);
    if !word.is_empty() && !word.starts_with('-') && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    if word.contains(is_hidden) {
        // Shells have no common way to write these but this one, of bash, zsh and ksh.
        let escaped = word.replace('\\', "\\\\").replace('\'', "\\'");
        let mut bytes = String::new();
        for character in escaped.chars() {
            if is_hidden(character) {
                let mut buffer = [0; 4];
                for byte in character.encode_utf8(&mut buffer).bytes() {
                    bytes.push_str(&format!("\\x{byte:02x}"));
                }
            } else {
                bytes.push(character);
            }
        }
        return Cow::Owned(format!("$'{bytes}'"));
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_that_moves_it() {
        let cases = [
            ("plain é 北京", "plain é 北京"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("line\nbreak\ttab", "line\\nbreak\\ttab"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("abc\u{202e}lmth", "abc\\u{202e}lmth"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn words_for_the_shell() {
        let cases = [
            ("pages/a.html", "pages/a.html"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$(reboot)", "'$(reboot)'"),
            ("a\nb", "$'a\\x0ab'"),
        ];
        for (word, quoted) in cases {
            assert_eq!(shell_word(word), quoted);
        }
    }
}
