//! ARC, the format of web archives before WARC: a line about each record, then its content.
//!
//! Version 1 gives URL, address, date, type and length; version 2 adds result, checksum, location,
//! offset and file name before the length. Records are handed on as those of a WARC file.

use std::fmt::Write;

use xxhash_rust::xxh3::Xxh3;

use super::fields::split_line;

/// The most bytes of the line about a record.
pub(super) const LONGEST_LINE: usize = 16 << 10;

/// The line about a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArcLine {
    url: String,
    date: String,
    media: String,
    pub(super) length: u64,
    /// The length of the line with its end.
    pub(super) size: usize,
}

impl ArcLine {
    /// Reads the line at the start; `None` if it is not about a record.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = &bytes[..bytes.len().min(LONGEST_LINE)];
        let size = memchr::memchr(b'\n', bytes)? + 1;
        let line = std::str::from_utf8(split_line(bytes).0).ok()?;
        // Old crawlers left spaces in URLs: the date is what shows where the URL ends.
        let words: Vec<&str> = line.split(' ').collect();
        let date = words.iter().position(|word| is_date(word)).filter(|date| *date >= 2)?;
        let [media, .., length] = words.get(date + 1..)? else { return None };
        let (url, address) = (words[..date - 1].join(" "), words[date - 1]);
        let is_address =
            address.bytes().all(|byte| byte.is_ascii_hexdigit() || b".:".contains(&byte));
        let is_length = length.bytes().all(|byte| byte.is_ascii_digit());
        let (scheme, _) = url.split_once(':')?;
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !(is_address && is_length && is_scheme && !scheme.is_empty()) {
            return None;
        }
        let (date, media) = (iso(words[date]), (*media).to_owned());
        Some(Self { url, date, media, length: length.parse().ok()?, size })
    }

    /// Whether the record is a document rather than a description of the file or a host.
    pub(super) fn is_document(&self) -> bool {
        !["filedesc:", "dns:", "warcinfo:"].iter().any(|scheme| self.url.starts_with(scheme))
    }

    /// The headers of the same record in a WARC file; `number` is that of the record.
    pub(super) fn headers(&self, number: u64, body: &[u8]) -> String {
        let (kind, media) = match body.starts_with(b"HTTP/") {
            true => ("response", "application/http"),
            false => ("resource", self.media.as_str()),
        };
        let kind = if self.is_document() { kind } else { "metadata" };
        let id = self.record_id(number, body);
        let mut headers =
            format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n");
        for (name, value) in
            [("WARC-Target-URI", &*self.url), ("WARC-Date", &*self.date), ("Content-Type", media)]
        {
            // Writing to a string cannot fail.
            let _ = write!(headers, "{name}: {value}\r\n");
        }
        headers + &format!("Content-Length: {}\r\n\r\n", body.len())
    }

    /// The id that WARC demands of every record and ARC does not have, as a UUID of version 8. It is
    /// not random, so that the same file gives the same bytes; the number of the record tells repeated
    /// ones apart.
    fn record_id(&self, number: u64, body: &[u8]) -> String {
        let mut hash = Xxh3::new();
        hash.update(&number.to_le_bytes());
        for part in [&self.url, &self.date, &self.media] {
            hash.update(part.as_bytes());
            hash.update(b"\n");
        }
        hash.update(body);
        let mut id = hash.digest128();
        // The version and the variant have fixed places.
        id = id & !(0xf << 76) | 8 << 76;
        id = id & !(0b11 << 62) | 0b10 << 62;
        let digits = format!("{id:032x}");
        let groups =
            [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        groups.join("-")
    }
}

/// Years to seconds, as 14 digits; old files have 12 or 8.
fn is_date(word: &str) -> bool {
    let century = word.starts_with("19") || word.starts_with("20") || word.starts_with("00");
    matches!(word.len(), 8 | 12 | 14) && century && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `20010203040506` as `2001-02-03T04:05:06Z`.
fn iso(date: &str) -> String {
    let part = |from: usize| date.get(from..from + 2).unwrap_or("00");
    let (month, day) = (part(4), part(6));
    format!("{}-{month}-{day}T{}:{}:{}Z", &date[..4], part(8), part(10), part(12))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_versions() {
        let cases = [
            "http://a.example/ 10.1.2.3 20010203040506 text/html 42\n",
            "http://a.example/ 10.1.2.3 20010203040506 text/html 200 - - 1234 a.arc 42\r\n",
        ];
        for line in cases {
            let found = ArcLine::read(line.as_bytes()).unwrap();
            assert_eq!(
                (&*found.url, &*found.media, found.length),
                ("http://a.example/", "text/html", 42)
            );
            assert_eq!((&*found.date, found.size), ("2001-02-03T04:05:06Z", line.len()));
        }
        let spaces = b"http://a.example/a b 0.0.0.0 199609231421 text/html; charset=x 7\n";
        let found = ArcLine::read(spaces).unwrap();
        assert_eq!((&*found.url, &*found.date), ("http://a.example/a b", "1996-09-23T14:21:00Z"));
        for line in [
            "http://a.example/ 10.1.2.3 20010203040506 text/html\n",
            "http://a.example/ 10.1.2.3 20010203040506 text/html 4x\n",
            "http://a.example/ ten 20010203040506 text/html 42\n",
            "no url 10.1.2.3 20010203040506 text/html 42\n",
            "http://a.example/ 10.1.2.3 20010203040506 text/html 42",
            "",
        ] {
            assert_eq!(ArcLine::read(line.as_bytes()), None, "{line:?}");
        }
    }
}
