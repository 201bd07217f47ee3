//! Plain text to blocks, one a line, as [`firsthand::Document`] wants it.
//!
//! Mail, news posts and old text files break their lines at some width and part paragraphs by a
//! blank line; there a block is a paragraph, and its lines are joined by a space. Any other text
//! already has a block a line and stays as it is. Words are never changed: a line break and a
//! space part them alike.

use std::borrow::Cow;

use memchr::memchr_iter;

/// A text with a longer line than this (in bytes) was not broken at a width.
const WIDEST_WRAP: usize = 200;

/// The text with one block a line.
pub(crate) fn one_a_line(text: Cow<'_, str>) -> String {
    paragraphs(&text).unwrap_or_else(|| text.into_owned())
}

/// The paragraphs of a text that was broken at a width: one where blank lines part paragraphs,
/// some of several lines, and none of these is long. One pass, given up at the first long line.
fn paragraphs(text: &str) -> Option<String> {
    let mut ends = memchr_iter(b'\n', text.as_bytes());
    let mut end = ends.next()?;
    let mut start = 0;
    let mut joined = String::with_capacity(text.len());
    let (mut parted, mut several, mut inside) = (false, false, false);
    loop {
        if end - start > WIDEST_WRAP {
            return None;
        }
        let line = text[start..end].trim_ascii();
        if !line.is_empty() {
            if inside {
                several = true;
                joined.push(' ');
            } else if !joined.is_empty() {
                parted = true;
                joined.push('\n');
            }
            joined.push_str(line);
        }
        inside = !line.is_empty();
        if end == text.len() {
            break;
        }
        start = end + 1;
        end = ends.next().unwrap_or(text.len());
    }
    (parted && several).then_some(joined)
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
    }
}
