//! Marks the block quotes in which mail programs cite other messages.
//!
//! Paragraphs of one private-use character are inserted around such block quotes and become lines of
//! the text. The lines between them are then marked with `>`.

use std::borrow::Cow;

use memchr::memchr_iter;

const START: char = '\u{F8F0}';
const END: char = '\u{F8F1}';

/// The page with marks around its citing block quotes.
pub(super) fn mark(html: &str) -> Cow<'_, str> {
    let mut marked = String::new();
    let mut done = 0;
    // Whether each open block quote cites; deeper ones are not distinguished.
    let mut open: Vec<bool> = Vec::new();
    for at in memchr_iter(b'<', html.as_bytes()) {
        let rest = &html.as_bytes()[at + 1..];
        if starts_with(rest, b"blockquote") && open.len() < 1000 {
            let cited = is_cited(rest);
            open.push(cited);
            if cited {
                push(&mut marked, html, &mut done, at, START);
            }
        } else if starts_with(rest, b"/blockquote") && open.pop() == Some(true) {
            push(&mut marked, html, &mut done, at, END);
        }
    }
    if done == 0 {
        return Cow::Borrowed(html);
    }
    // Marks come in pairs, so that a lost one is noticed.
    for _ in open.iter().filter(|cited| **cited) {
        push(&mut marked, html, &mut done, html.len(), END);
    }
    marked.push_str(&html[done..]);
    Cow::Owned(marked)
}

/// Copies the page up to `at` and adds a mark.
fn push(marked: &mut String, html: &str, done: &mut usize, at: usize, mark: char) {
    marked.push_str(&html[*done..at]);
    marked.push_str("<p>");
    marked.push(mark);
    marked.push_str("</p>");
    *done = at;
}

fn starts_with(bytes: &[u8], name: &[u8]) -> bool {
    bytes.len() > name.len()
        && bytes[..name.len()].eq_ignore_ascii_case(name)
        && !bytes[name.len()].is_ascii_alphanumeric()
}

/// Whether the tag cites a message; others may only indent.
fn is_cited(tag: &[u8]) -> bool {
    let end = tag.iter().take(1000).position(|byte| *byte == b'>').unwrap_or(tag.len().min(1000));
    let tag = tag[..end].to_ascii_lowercase();
    let has = |word: &[u8]| memchr::memmem::find(&tag, word).is_some();
    has(b"type=\"cite\"")
        || has(b"type=cite")
        || has(b"type='cite'")
        || has(b"gmail_quote")
        || has(b"cite=\"mid:")
        || has(b"_quote\"")
        || has(b"_quoted\"")
}

/// The text of a marked page, with `>` before cited lines.
pub(super) fn unmark(text: &str) -> String {
    let count = |mark: char| text.matches(mark).count();
    if count(START) != count(END) {
        // The extracted text lacks some marks, so they are meaningless.
        return text.replace([START, END], "\n");
    }
    if count(START) == 0 {
        return text.to_owned();
    }
    let mut lines = String::with_capacity(text.len() + 100);
    let mut depth = 0_usize;
    for piece in text.split_inclusive(['\n', START, END]) {
        let line = piece.trim_end_matches(['\n', START, END]);
        if !line.trim().is_empty() {
            // One mark is enough for any depth.
            lines.push_str(if depth > 0 { "> " } else { "" });
            lines.push_str(line);
        }
        match piece.chars().next_back() {
            Some(START) => depth += 1,
            Some(END) => depth = depth.saturating_sub(1),
            _ => {}
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text between tags, each on its own line.
    fn strip(html: &str) -> String {
        let texts = html.split('<').map(|piece| piece.split_once('>').map_or(piece, |pair| pair.1));
        texts.filter(|text| !text.is_empty()).map(|text| format!("{text}\n")).collect()
    }

    fn cited(html: &str) -> Vec<String> {
        let text = unmark(&strip(&mark(html)));
        text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn cited_block_quotes_are_marked() {
        let html = "<p>new</p><blockquote type=\"cite\"><p>old</p><blockquote>older</blockquote>\
                    <p>old too</p></blockquote><p>end</p>";
        assert_eq!(cited(html), ["new", "> old", "> older", "> old too", "end"]);
        let html = "a<BLOCKQUOTE class=\"gmail_quote\" style=\"x\">b</BLOCKQUOTE>c";
        assert_eq!(cited(html), ["a", "> b", "c"]);
    }

    #[test]
    fn others_are_not() {
        let html = "a<blockquote>b</blockquote>c</blockquote><blockquotes type=cite>d";
        assert!(matches!(mark(html), Cow::Borrowed(_)));
        assert_eq!(cited(html), ["a", "b", "c", "d"]);
        // Never closed.
        assert_eq!(cited("a<blockquote type=cite>b<p>c"), ["a", "> b", "> c"]);
        // Half of the marks are missing.
        assert_eq!(unmark("a\n\u{F8F0}\nb"), "a\n\n\nb");
    }
}
