//! Finds the declared character set of a page before it is decoded.
//!
//! As in the HTML standard, the first bytes are read as ASCII, comments are skipped, and the first
//! `meta` that names a character set wins. An XML declaration counts too.

use memchr::{memchr, memmem};

/// The number of bytes searched for a declaration.
const LOOKED_AT: usize = 4096;
/// The most bytes of a label.
const LONGEST: usize = 64;

/// The label of the declared character set, in lower case.
pub(crate) fn declared_charset(bytes: &[u8]) -> Option<String> {
    let mut rest = &bytes[..bytes.len().min(LOOKED_AT)];
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest).trim_ascii_start();
    if let Some(declaration) = rest.strip_prefix(b"<?xml") {
        let declaration = &declaration[..memchr(b'>', declaration)?];
        let mut attributes = AttributePairs(declaration.strip_suffix(b"?").unwrap_or(declaration));
        let label = attributes.find(|(name, _)| name.eq_ignore_ascii_case(b"encoding"));
        if let Some(label) = label.and_then(|(_, value)| plain(value)) {
            return Some(label);
        }
    }
    loop {
        rest = &rest[memchr(b'<', rest)? + 1..];
        if rest.starts_with(b"!--") {
            // Start and end may share their dashes: `<!-->` is a whole comment.
            rest = &rest[1..];
            rest = &rest[memmem::find(rest, b"-->")? + 3..];
        } else if let Some(attributes) = meta(rest) {
            let mut attributes = AttributePairs(attributes);
            if let Some(label) = declared(&mut attributes) {
                return Some(label);
            }
            rest = attributes.0;
        } else if rest
            .strip_prefix(b"/")
            .unwrap_or(rest)
            .first()
            .is_some_and(u8::is_ascii_alphabetic)
        {
            // Quoted values may contain something like a tag.
            let name = rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            let mut attributes = AttributePairs(&rest[name..]);
            attributes.by_ref().for_each(drop);
            rest = attributes.0;
        }
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// The rest of a `meta` tag after its name.
fn meta(tag: &[u8]) -> Option<&[u8]> {
    let (name, rest) = tag.split_at_checked(4)?;
    let ends = rest.first().is_some_and(|byte| is_space(*byte) || *byte == b'/');
    (ends && name.eq_ignore_ascii_case(b"meta")).then_some(rest)
}

/// The label in the attributes of a `meta`.
fn declared(attributes: &mut AttributePairs<'_>) -> Option<String> {
    let (mut own, mut content, mut pragma) = (None, None, false);
    for (name, value) in attributes {
        if name.eq_ignore_ascii_case(b"charset") {
            own = own.or(Some(value));
        } else if name.eq_ignore_ascii_case(b"content") {
            content = content.or(Some(value));
        } else if name.eq_ignore_ascii_case(b"http-equiv") {
            pragma |= value.trim_ascii().eq_ignore_ascii_case(b"content-type");
        }
    }
    own.or_else(|| content.filter(|_| pragma).and_then(in_content)).and_then(plain)
}

/// The value after `charset=` in the content of a `meta`.
fn in_content(content: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = b"charset";
    let found = content.windows(KEY.len()).enumerate().find_map(|(at, window)| {
        let after = content[at + KEY.len()..].trim_ascii_start();
        after.strip_prefix(b"=").filter(|_| window.eq_ignore_ascii_case(KEY))
    })?;
    let value = found.trim_ascii_start();
    match value.first()? {
        quote @ (b'"' | b'\'') => memchr(*quote, &value[1..]).map(|end| &value[1..=end]),
        _ => {
            let end = value.iter().position(|byte| is_space(*byte) || *byte == b';');
            Some(&value[..end.unwrap_or(value.len())])
        }
    }
}

/// A label as text, if it is valid.
fn plain(label: &[u8]) -> Option<String> {
    let label = label.trim_ascii();
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
    let plausible = !label.is_empty() && label.len() <= LONGEST && label.iter().all(fits);
    plausible.then(|| label.iter().map(|byte| byte.to_ascii_lowercase() as char).collect())
}

/// An iterator over the attributes of a tag, which leaves the bytes after the tag. An attribute cut
/// off by the end of the bytes is dropped.
struct AttributePairs<'a>(&'a [u8]);

impl<'a> Iterator for AttributePairs<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let skipped = self.0.iter().position(|byte| !is_space(*byte) && *byte != b'/')?;
        let rest = &self.0[skipped..];
        self.0 = rest;
        if rest[0] == b'>' {
            return None;
        }
        // A name may start with `=`.
        let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'=' | b'/' | b'>');
        let end = rest[1..].iter().position(ends).map_or(rest.len(), |end| end + 1);
        let (name, rest) = rest.split_at(end);
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
            self.0 = rest;
            return Some((name, b""));
        };
        let value = value.trim_ascii_start();
        // The start and end of the value, and where the next attribute may start.
        let found = match value.first() {
            Some(quote @ (b'"' | b'\'')) => {
                memchr(*quote, &value[1..]).map(|length| (1, 1 + length, 2 + length))
            }
            _ => {
                let end = value.iter().position(|byte| is_space(*byte) || *byte == b'>');
                end.map(|end| (0, end, end))
            }
        };
        let (start, end, next) = found.unwrap_or((0, 0, value.len()));
        self.0 = &value[next..];
        found.map(|_| (name, &value[start..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pages_declare_their_character_set() {
        let cases: &[(&str, Option<&str>)] = &[
            ("", None),
            ("<meta charset=utf-8>", Some("utf-8")),
            ("<META CHARSET = 'Windows-1252' >", Some("windows-1252")),
            ("<meta/charset=\"big5\"/>", Some("big5")),
            ("<meta name=x content=y charset=gbk>", Some("gbk")),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>",
                Some("shift_jis"),
            ),
            (
                "<meta content='text/html;charset = \"koi8-r\"' http-equiv='content-type'>",
                Some("koi8-r"),
            ),
            ("<meta content='text/html; charset=big5'>", None),
            ("<meta http-equiv=refresh content='0; charset=big5'>", None),
            ("<meta http-equiv=content-type content='text/html'><meta charset=a>", Some("a")),
            ("<!-- <meta charset=big5> --><meta charset=utf-8>", Some("utf-8")),
            ("<!--><meta charset=utf-8>-->", Some("utf-8")),
            ("<!-- <meta charset=big5>", None),
            ("<a title='<meta charset=big5>'><meta charset=utf-8>", Some("utf-8")),
            ("<metadata charset=big5>", None),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><html>", Some("iso-8859-1")),
            (" \n<?xml encoding=\"EUC-JP\"?>", Some("euc-jp")),
            ("\u{feff}<?xml version='1.0'?><meta charset=utf-8>", Some("utf-8")),
            ("<?xml version='1.0' encoding='a b'?><meta charset=utf-8>", Some("utf-8")),
            ("<meta charset=''><meta charset='two words'><meta charset=ok>", Some("ok")),
            ("<meta charset='utf-8", None),
            ("<meta charset=", None),
            ("<meta charset=utf", None),
            ("<html><title>charset=big5</title>", None),
            ("a < b <3 </ <meta charset=utf-8>", Some("utf-8")),
        ];
        for (page, expected) in cases {
            assert_eq!(declared_charset(page.as_bytes()).as_deref(), *expected, "{page}");
        }
    }

    #[test]
    fn a_late_declaration_is_not_looked_for() {
        let page = |before: usize| format!("{}<meta charset=utf-8>", " ".repeat(before));
        assert_eq!(declared_charset(page(4000).as_bytes()).as_deref(), Some("utf-8"));
        // Leading white space would be skipped.
        let page = format!("x{}", page(5000));
        assert_eq!(declared_charset(page.as_bytes()), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            declared_charset(&bytes);
        }

        #[test]
        fn nor_pieces_of_declarations(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "<meta", " charset", "=", "'", "\"", ">", "<!--", "-->", "<?xml", " encoding",
                "utf-8", "/", " content", " http-equiv=content-type", ";", "<", " ", "a",
            ]), 0..20),
            cut in 0usize..80,
        ) {
            let page = pieces.concat();
            let whole = declared_charset(page.as_bytes());
            if let Some(label) = whole {
                prop_assert!(page.to_ascii_lowercase().contains(&label));
            }
            declared_charset(&page.as_bytes()[..cut.min(page.len())]);
        }
    }
}
