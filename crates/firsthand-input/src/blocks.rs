//! Plain text as one block per line, as [`firsthand::Document`] expects.
//!
//! Mail, news posts and old text files wrap lines and separate paragraphs by blank lines; there, the
//! lines of a paragraph are joined by spaces. Any other text already has one block per line. Words
//! never change.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

/// A text with a longer line, in bytes, is not wrapped.
const WIDEST_WRAP: usize = 200;

/// The text with one block per line.
pub(crate) fn one_a_line(text: Cow<'_, str>) -> String {
    let mut joined = String::new();
    if push_paragraphs(&text, &mut joined).is_some() { joined } else { text.into_owned() }
}

/// Appends the text with one block per line, and returns the number of lines.
pub(crate) fn push_one_a_line(text: &str, to: &mut String) -> usize {
    match push_paragraphs(text, to) {
        Some(paragraphs) => {
            to.push('\n');
            paragraphs
        }
        None => push_lines(text, to),
    }
}

/// Appends the lines unchanged, and returns their number.
pub(crate) fn push_lines(text: &str, to: &mut String) -> usize {
    if text.is_empty() || text.ends_with('\n') || memchr(b'\r', text.as_bytes()).is_some() {
        let push = |line: &str| {
            to.push_str(line);
            to.push('\n');
        };
        return text.lines().map(push).count();
    }
    to.push_str(text);
    to.push('\n');
    memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// Appends the paragraphs of a wrapped text and returns their number; `None`, in one pass, for a
/// text with long lines or without blank lines between paragraphs of several lines.
fn push_paragraphs(text: &str, to: &mut String) -> Option<usize> {
    let before = to.len();
    let paragraphs = join(text, to);
    if paragraphs.is_none() {
        to.truncate(before);
    }
    paragraphs
}

/// The end of the line that starts at `start`. Lines are so short that a general search would cost
/// more to set up.
pub(crate) fn end_of_line(text: &[u8], start: usize) -> usize {
    let (chunks, last) = text[start..].as_chunks();
    let mut at = start;
    for chunk in chunks {
        // Compiles to one vector comparison.
        if chunk.iter().fold(false, |found, byte| found | (*byte == b'\n')) {
            return at + first_line_break(*chunk);
        }
        at += chunk.len();
    }
    at + last.iter().position(|byte| *byte == b'\n').unwrap_or(last.len())
}

/// The position of the first line break in bytes that have one. XOR makes it the first zero byte,
/// which is the first to borrow when 1 is subtracted from each byte.
fn first_line_break(bytes: [u8; 16]) -> usize {
    const EACH: u128 = u128::from_ne_bytes([1; 16]);
    let zero = u128::from_le_bytes(bytes) ^ (EACH * b'\n' as u128);
    let borrows = zero.wrapping_sub(EACH) & !zero & (EACH << 7);
    borrows.trailing_zeros() as usize / 8
}

/// Appends each paragraph with its lines joined by spaces; `None` if the text is not wrapped.
fn join(text: &str, joined: &mut String) -> Option<usize> {
    // A text without an end of line is not wrapped, nor is one whose first line is long.
    let first = &text.as_bytes()[..text.len().min(WIDEST_WRAP + 2)];
    let (mut start, mut end) = (0, end_of_line(first, 0));
    if end == first.len() {
        return None;
    }
    joined.reserve(text.len() + 1);
    let (mut paragraphs, mut several, mut inside) = (0, false, false);
    loop {
        if end - start > WIDEST_WRAP {
            return None;
        }
        let line = text[start..end].trim_ascii();
        if !line.is_empty() {
            if inside {
                several = true;
                joined.push(' ');
            } else {
                if paragraphs > 0 {
                    joined.push('\n');
                }
                paragraphs += 1;
            }
            joined.push_str(line);
        }
        inside = !line.is_empty();
        if end == text.len() {
            break;
        }
        start = end + 1;
        end = end_of_line(text.as_bytes(), start);
    }
    (paragraphs > 1 && several).then_some(paragraphs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_and_their_blocks() {
        let long = "word ".repeat(60);
        let cases = [
            ("", ""),
            ("one line", "one line"),
            ("a\nb\nc", "a\nb\nc"),
            ("a\n\nb\n\nc", "a\n\nb\n\nc"),
            ("a b\nc d\n\ne\n", "a b c d\ne"),
            ("a\r\nb\r\n\r\n  c\r\nd\r\n", "a b\nc d"),
            ("\n\na\nb\n", "\n\na\nb\n"),
            ("a\nb\n \t\nc", "a b\nc"),
            ("a\u{0}b\nc\n\nd", "a\u{0}b c\nd"),
        ];
        for (text, blocks) in cases {
            assert_eq!(one_a_line(Cow::Borrowed(text)), blocks, "{text:?}");
        }
        let unwrapped = format!("{long}\nnext\n\nlast");
        assert_eq!(one_a_line(Cow::Borrowed(&unwrapped)), unwrapped);
    }

    proptest! {
        #[test]
        fn words_are_never_changed(text in "[a-cé>\u{3000} \t\r\n-]{0,60}") {
            let blocks = one_a_line(Cow::Borrowed(&text));
            let before: Vec<&str> = text.split_whitespace().collect();
            let after: Vec<&str> = blocks.split_whitespace().collect();
            prop_assert_eq!(before, after);
        }

        #[test]
        fn added_lines_are_those_of_the_text(text in "([a-cé \t\r]{0,20}\r?\n?){0,20}") {
            let mut added = String::from("before\n");
            let count = push_one_a_line(&text, &mut added);
            let wanted = one_a_line(Cow::Borrowed(&text));
            let lines: Vec<&str> = wanted.lines().collect();
            prop_assert_eq!(added.lines().skip(1).count(), count);
            let ended: String = lines.iter().map(|line| format!("{line}\n")).collect();
            prop_assert_eq!(added, format!("before\n{ended}"));
        }

        #[test]
        fn ends_of_lines(text in "[\n\u{B}\u{9}\u{8A}\u{0}é]{0,8}[a-cé]{0,40}\n?[\na]{0,4}") {
            let text = text.as_bytes();
            for start in 0..=text.len() {
                let end = text[start..].iter().position(|byte| *byte == b'\n');
                prop_assert_eq!(end_of_line(text, start), end.map_or(text.len(), |end| start + end));
            }
        }
    }
}
