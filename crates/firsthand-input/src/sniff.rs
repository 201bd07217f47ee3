//! The kind of a file by its first bytes, if its name does not show it.

use memchr::{memchr, memmem};

use crate::mail;
use firsthand::settings::Kind;

/// The number of bytes inspected.
pub(crate) const START: usize = 4096;

/// How uncertain the kind is after looking at the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It has no extension: anything that looks like text is text.
    Nameless,
    /// Its extension is unknown: only an unmistakable kind is read, so that style sheets, programs
    /// and office files are not.
    Strange,
}

/// The kind of a file by its first bytes, after decompression.
pub(crate) fn kind(start: &[u8], doubt: Doubt) -> Option<Kind> {
    if let Some(kind) = by_magic(start, doubt) {
        return Some(kind);
    }
    let decoded = crate::charset::decode(start, None);
    let text = decoded.text.trim_start_matches('\u{FEFF}').trim_start();
    if text.is_empty() || is_binary(&decoded.text) {
        return None;
    }
    if text.starts_with('<') {
        return by_markup(text, doubt);
    }
    if mail::looks_like_mail(start) {
        return Some(Kind::Mail);
    }
    match (text.as_bytes().first(), doubt) {
        (Some(b'{'), Doubt::Nameless) => Some(by_lines(text)),
        (Some(b'['), Doubt::Nameless) if is_array(text) => Some(Kind::Json),
        (_, Doubt::Nameless) => Some(Kind::Text),
        _ => None,
    }
}

/// Whether the first bytes are a whole line of JSON, so that no more are needed.
pub(crate) fn is_json_line(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let Some(end) = memchr(b'\n', start) else { return false };
    let line = start[..end].trim_ascii_end();
    line.starts_with(b"{") && line.ends_with(b"}")
}

/// Formats with a distinctive start.
fn by_magic(start: &[u8], doubt: Doubt) -> Option<Kind> {
    if start.starts_with(b"PAR1") {
        Some(Kind::Parquet)
    } else if start.starts_with(b"WARC/") || start.starts_with(b"filedesc://") {
        Some(Kind::Warc)
    } else if start.get(257..262) == Some(b"ustar") {
        Some(Kind::Tar)
    } else if start.starts_with(b"PK\x03\x04") && doubt == Doubt::Nameless && !is_office(start) {
        Some(Kind::Zip)
    } else if mail::looks_like_mbox(start) {
        Some(Kind::Mbox)
    } else {
        None
    }
}

/// Office files, e-books and programs are zip archives whose members are not documents; the first
/// member identifies them.
fn is_office(start: &[u8]) -> bool {
    let name = start.get(30..).unwrap_or_default();
    let firsts: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"mimetype", b"META-INF/"];
    firsts.iter().any(|first| name.starts_with(first))
}

/// Elements with which a page without `<html>` begins.
const OF_PAGES: [&str; 24] = [
    "html", "head", "body", "title", "meta", "link", "base", "style", "script", "p", "div", "span",
    "table", "center", "font", "h1", "h2", "h3", "ul", "ol", "pre", "a", "article", "section",
];

/// Pages and feeds, by the outermost element.
fn by_markup(text: &str, doubt: Doubt) -> Option<Kind> {
    let (root, doctype) = root(text);
    let is_nameless = doubt == Doubt::Nameless;
    let has = |needle: &str| memmem::find(text.as_bytes(), needle.as_bytes()).is_some();
    let is_page = |name: &str| OF_PAGES.contains(&name) && !text.starts_with("<?xml");
    match root.as_deref() {
        _ if doctype.as_deref() == Some("html") => Some(Kind::Html),
        Some("html") => Some(Kind::Html),
        Some("rss") => Some(Kind::Feed),
        Some("rdf:rdf") if has("purl.org/rss") || has("netscape.com/rdf") => Some(Kind::Feed),
        Some(name) if is_feed(name) && (has("w3.org/2005/Atom") || has("purl.org/atom")) => {
            Some(Kind::Feed)
        }
        Some(name) if is_page(name) => Some(Kind::Html),
        Some("svg") => None,
        // Text with custom markup is better read as a page.
        Some(_) if is_nameless => Some(Kind::Html),
        // `<3` and the like, but not a program.
        None if is_nameless && !text.starts_with("<?") => Some(Kind::Text),
        _ => None,
    }
}

fn is_feed(name: &str) -> bool {
    name == "feed" || name.ends_with(":feed")
}

/// The names of the outermost element and of the document type, in lower case.
fn root(text: &str) -> (Option<String>, Option<String>) {
    let mut doctype = None;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if let Some(instruction) = rest.strip_prefix("<?") {
            if !instruction.starts_with("xml") {
                return (None, doctype);
            }
            rest = instruction.split_once('>').map_or("", |(_, rest)| rest);
        } else if let Some(declaration) = rest.strip_prefix("<!") {
            let mut words = declaration.split(|c: char| c.is_whitespace() || c == '>' || c == '[');
            if words.next().is_some_and(|word| word.eq_ignore_ascii_case("doctype")) {
                doctype = words.find(|word| !word.is_empty()).map(str::to_ascii_lowercase);
            }
            let inner = declaration.split('>').next().unwrap_or_default();
            let end = if inner.contains('[') { "]>" } else { ">" };
            rest = declaration.split_once(end).map_or("", |(_, rest)| rest);
        } else {
            let tag = rest.strip_prefix('<').unwrap_or_default();
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
            let end = tag.find(|c| !is_name(c)).unwrap_or(tag.len());
            let name = tag[..end].to_ascii_lowercase();
            return (Some(name).filter(|name| name.starts_with(char::is_alphabetic)), doctype);
        }
    }
}

/// JSONL, or one object over several lines.
fn by_lines(text: &str) -> Kind {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_whole = first.len() > 1 && first.ends_with('}');
    let next_begins = lines.next().is_some_and(|line| line.starts_with('{'));
    if is_whole || next_begins || first.len() >= START / 2 { Kind::Jsonl } else { Kind::Json }
}

fn is_array(text: &str) -> bool {
    text[1..].trim_start().starts_with(['{', ']'])
}

/// Whether a character is a control character that texts do not have.
fn is_control(c: &char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c' | '\x1b')
}

/// Contains zero bytes or too many control characters.
fn is_binary(text: &str) -> bool {
    let controls = text.chars().filter(is_control).count();
    text.contains('\0') || controls * 50 > text.chars().count()
}

/// Whether the content is binary despite its label; a stray control character is not enough.
pub(crate) fn is_plainly_binary(start: &[u8]) -> bool {
    let begins: [&[u8]; 8] = [
        b"\x89PNG",
        b"GIF8",
        b"\xff\xd8\xff",
        b"%PDF-",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"\x28\xb5\x2f\xfd",
        b"wOF",
    ];
    if begins.iter().any(|magic| start.starts_with(magic)) {
        return true;
    }
    let start = &start[..start.len().min(1024)];
    let controls = start.iter().filter(|byte| is_control(&char::from(**byte & 0x7f))).count();
    if controls * 10 <= start.len() {
        return false;
    }
    // UTF-16 has many zero bytes, so look at characters instead.
    let text = crate::charset::decode(start, None).text;
    text.chars().filter(is_control).count() * 10 > text.chars().count()
}

/// Whether a text is plainly a page: it has a document type, or begins with an outer element of one.
pub(crate) fn is_plainly_page(start: &[u8]) -> bool {
    let decoded = crate::charset::decode(start, None);
    let text = decoded.text.trim_start_matches('\u{FEFF}').trim_start();
    if !text.starts_with('<') {
        return false;
    }
    let (root, doctype) = root(text);
    let is_outer = matches!(root.as_deref(), Some("html" | "head" | "body"));
    doctype.as_deref() == Some("html") || is_outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_content() {
        use Doubt::{Nameless, Strange};
        let tar = [vec![b'a'; 257], b"ustar\x0000".to_vec()].concat();
        let utf16: Vec<u8> = "<html><body>text".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cases: [(&[u8], Doubt, Option<Kind>); 20] = [
            (b"PAR1\x15\x04", Strange, Some(Kind::Parquet)),
            (b"WARC/1.0\r\nWARC-Type: warcinfo\r\n", Strange, Some(Kind::Warc)),
            (&tar, Strange, Some(Kind::Tar)),
            (b"PK\x03\x04\x14\0", Strange, None),
            (b"PK\x03\x04\x14\0", Nameless, Some(Kind::Zip)),
            (b"From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a\n", Strange, Some(Kind::Mbox)),
            (b"Return-Path: <a@b>\nReceived: from x\nSubject: y\n\n", Strange, Some(Kind::Mail)),
            (b"\xEF\xBB\xBF\n<!DOCTYPE html><html>", Strange, Some(Kind::Html)),
            (&utf16, Strange, Some(Kind::Html)),
            (b"<?xml version='1.0'?><rss version='2.0'>", Strange, Some(Kind::Feed)),
            (b"<feed xmlns=\"http://www.w3.org/2005/Atom\">", Strange, Some(Kind::Feed)),
            (b"<?xml version='1.0'?><svg>", Strange, None),
            (b"{\"id\": 1}\n{\"id\": 2}\n", Nameless, Some(Kind::Jsonl)),
            (b"{\n  \"id\": 1\n}", Nameless, Some(Kind::Json)),
            (b"[{\"id\": 1}]", Nameless, Some(Kind::Json)),
            (b"[see below]", Nameless, Some(Kind::Text)),
            (b"body { color: red }", Strange, None),
            (b"Just a text.", Nameless, Some(Kind::Text)),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0", Nameless, None),
            (b"", Nameless, None),
        ];
        for (start, doubt, kind_expected) in cases {
            let shown = String::from_utf8_lossy(start);
            assert_eq!(kind(start, doubt), kind_expected, "{shown:?} {doubt:?}");
        }
    }
}
