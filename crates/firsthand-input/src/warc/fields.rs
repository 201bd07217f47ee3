//! Header fields of WARC and HTTP: case-insensitive names, folded lines.

use std::borrow::Cow;

use memchr::memchr;

/// A block of header fields, without its first line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeaderFields<'a>(&'a [u8]);

impl<'a> HeaderFields<'a> {
    /// The fields of a block that begins with a version or status line.
    pub(super) fn after_first_line(block: &'a [u8]) -> Self {
        Self(split_line(block).1)
    }

    /// The value of the first field of this name, unless it is blank.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let mut rest = self.0;
        while !rest.is_empty() {
            let (line, after) = split_line(rest);
            rest = after;
            let Some(colon) = memchr(b':', line) else { continue };
            if !line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes()) {
                continue;
            }
            let mut value = Cow::Borrowed(line[colon + 1..].trim_ascii());
            while rest.starts_with(b" ") || rest.starts_with(b"\t") {
                let (line, after) = split_line(rest);
                rest = after;
                let folded = value.to_mut();
                folded.push(b' ');
                folded.extend(line.trim_ascii());
            }
            let value = String::from_utf8_lossy(value.trim_ascii()).into_owned();
            return Some(value).filter(|value| !value.is_empty());
        }
        None
    }

    /// As [`get`](Self::get), without angle brackets around the value.
    pub(super) fn bare(&self, name: &str) -> Option<String> {
        let value = self.get(name)?;
        let bare = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        Some(bare.unwrap_or(&value).trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// The first line without its end, and the rest.
pub(super) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr(b'\n', bytes) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// A media type in lower case, and its character set.
pub(super) fn media_type(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';');
    let media = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    });
    (media, charset.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_in_any_shape() {
        let block = b"WARC/1.0\r\nwarc-TYPE:response\nContent-Length :  5 \r\nEmpty:\r\n\
            WARC-Target-URI: <http://a/\r\n\tb\r\n  c>\r\nno colon\r\nX: 1\r\nX: 2\r\n\r\n";
        let fields = HeaderFields::after_first_line(block);
        let cases = [
            ("WARC-Type", Some("response")),
            ("content-length", Some("5")),
            ("Empty", None),
            ("WARC-Target-URI", Some("<http://a/ b c>")),
            ("X", Some("1")),
            ("no colon", None),
            ("WARC/1.0", None),
        ];
        for (name, value) in cases {
            assert_eq!(fields.get(name).as_deref(), value, "{name}");
        }
        assert_eq!(fields.bare("warc-target-uri").as_deref(), Some("http://a/ b c"));
        assert_eq!(HeaderFields::after_first_line(b"").get("a"), None);
    }

    #[test]
    fn media_types() {
        let cases = [
            ("text/html", "text/html", None),
            ("Text/HTML; Charset=\"UTF-8\"; x", "text/html", Some("UTF-8")),
            ("text/plain;x=y; charset = koi8-r ", "text/plain", Some("koi8-r")),
            ("text/html;charset=", "text/html", None),
            (";;=", "", None),
        ];
        for (value, media, charset) in cases {
            let expected = (media.to_owned(), charset.map(str::to_owned));
            assert_eq!(media_type(value), expected, "{value:?}");
        }
    }
}
