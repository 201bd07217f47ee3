//! What is put on, around and between letters to disguise them: marks, strokes, boxes, and
//! invisible characters.

use super::characters::{Script, script};

/// From this many marks on one letter, it is not a spelling; Vietnamese has two.
const PILE: usize = 3;

/// Characters that are invisible.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{feff}'
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
        | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// A combining mark on the preceding letter.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// A mark through or around a letter, which keeps its meaning.
pub(super) fn is_stroke(c: char) -> bool {
    matches!(c, '\u{334}'..='\u{338}' | '\u{488}' | '\u{489}' | '\u{20d0}'..='\u{20ff}')
}

/// The letters that make up flags.
fn is_flag_letter(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// The visible text, with boxed letters unboxed.
pub(super) fn visible(chunk: &str) -> String {
    let mut seen = String::with_capacity(chunk.len());
    let mut chars = chunk.chars().filter(|c| !is_invisible(*c)).peekable();
    let mut flag = String::new();
    while let Some(c) = chars.next() {
        if !is_flag_letter(c) {
            seen.push(boxed(c).unwrap_or(c));
            continue;
        }
        flag.push(c);
        if chars.peek().is_none_or(|next| !is_flag_letter(*next)) {
            // Two such letters are a flag.
            if flag.chars().count() == 2 {
                seen.push_str(&flag);
            } else {
                seen.extend(flag.chars().filter_map(boxed));
            }
            flag.clear();
        }
    }
    seen
}

/// The letter in brackets, a circle or a box, where NFKC would not extract it.
fn boxed(c: char) -> Option<char> {
    let (first, letter) = match c {
        '\u{249c}'..='\u{24b5}' => (0x249c, b'a'),
        '\u{1f110}'..='\u{1f129}' => (0x1f110, b'A'),
        '\u{1f150}'..='\u{1f169}' => (0x1f150, b'A'),
        '\u{1f170}'..='\u{1f189}' => (0x1f170, b'A'),
        '\u{1f1e6}'..='\u{1f1ff}' => (0x1f1e6, b'A'),
        '℮' => return Some('e'),
        _ => return None,
    };
    char::from_u32(u32::from(letter) + (c as u32 - first))
}

/// Whether marks are stacked on a letter of a decomposed word.
pub(super) fn has_pile(word: &str) -> bool {
    let mut marks = 0;
    word.chars().any(|c| {
        if !is_mark(c) {
            marks = 0;
        } else if !is_stroke(c) {
            marks += 1;
        }
        marks >= PILE
    })
}

/// Composed text without the marks that did not combine with a Latin letter or a digit.
pub(super) fn without_loose(composed: &str) -> String {
    let mut plain = String::with_capacity(composed.len());
    let mut base = ' ';
    for c in composed.chars() {
        if is_mark(c) {
            if base.is_ascii_digit() || script(base) == Some(Script::Latin) {
                continue;
            }
        } else {
            base = c;
        }
        plain.push(c);
    }
    plain
}
