//! Searches for the next record, after a broken one or inside one that is too long.

use memchr::memmem::Finder;

use super::START;
use super::fields::split_line;
use super::window::RecordWindow;

/// The number of bytes that show whether a record begins.
pub(super) const LOOK: usize = 64;

/// How a search ended.
pub(super) enum SearchEnd {
    /// The window is at a record.
    Found,
    /// All requested bytes were skipped.
    Passed,
    /// The stretch ended this number of bytes early.
    Ended(u64),
}

/// Searches for the version lines of records.
pub(super) struct VersionFinder(Finder<'static>);

impl VersionFinder {
    pub(super) fn new() -> Self {
        Self(Finder::new(START))
    }

    /// Skips at most `left` bytes, up to a line that `begins` a record, or to an unmistakable record
    /// inside a line, since the body before it may have lost its end. Skipped bytes are not read
    /// again.
    pub(super) fn scan(
        &self,
        window: &mut RecordWindow<'_>,
        mut left: u64,
        begins: fn(&[u8]) -> bool,
    ) -> SearchEnd {
        window.have(LOOK);
        if left > 0 && begins(window.bytes()) {
            return SearchEnd::Found;
        }
        while left > 0 {
            let (bytes, is_all) = (window.bytes(), window.end().is_some());
            if bytes.is_empty() && is_all {
                return SearchEnd::Ended(left);
            }
            // The start of a record may be incomplete at the end.
            let sure = if is_all { bytes.len() } else { bytes.len().saturating_sub(START.len()) };
            let (mut passed, mut from) = (sure, 1);
            let mut found = false;
            while let Some(start) = bytes.get(from..).and_then(|rest| self.0.find(rest)) {
                let start = from + start;
                if start as u64 >= left {
                    break;
                }
                let is_line = bytes[start - 1] == b'\n';
                let record = &bytes[start..];
                found = (is_line && begins(record)) || begins_headers(record);
                let unsure = record.len() < LOOK && !is_all;
                if found || unsure {
                    // The byte before it shows whether a line starts here.
                    passed = if unsure { start - 1 } else { start };
                    found &= !unsure;
                    break;
                }
                from = start + 1;
            }
            let passed = passed.min(usize::try_from(left).unwrap_or(usize::MAX));
            window.take(passed);
            if found {
                return SearchEnd::Found;
            }
            left -= passed as u64;
            window.have(window.bytes().len() + 1);
        }
        SearchEnd::Passed
    }
}

/// Whether a version line starts here.
pub(super) fn begins_record(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(START) else { return false };
    let line = split_line(&rest[..rest.len().min(16)]).0.trim_ascii();
    let is_number = |part: &[u8]| {
        (1..=3).contains(&part.len()) && part.iter().all(|byte| byte.is_ascii_digit())
    };
    match line.iter().position(|byte| *byte == b'.') {
        Some(dot) => is_number(&line[..dot]) && is_number(&line[dot + 1..]),
        None => false,
    }
}

/// Whether a version line and a WARC header field start here.
pub(super) fn begins_headers(bytes: &[u8]) -> bool {
    let field = split_line(bytes).1;
    let is =
        |name: &[u8]| field.len() >= name.len() && field[..name.len()].eq_ignore_ascii_case(name);
    begins_record(bytes) && (is(b"WARC-") || is(b"Content-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines() {
        let cases: [(&[u8], bool); 11] = [
            (b"WARC/1.0\r\nWARC-Type: x\r\n", true),
            (b"WARC/0.17\nContent-Length: 1\n", true),
            (b"WARC/1.1 \r\n", true),
            (b"WARC/1.1", true),
            (b"WARC/1.", false),
            (b"WARC/one\r\n", false),
            (b"WARC/1.0 is the first version of it\r\n", false),
            (b"WARC/1.0000\r\n", false),
            (b"warc/1.0\r\n", false),
            (b"WARC", false),
            (b"", false),
        ];
        for (line, expected) in cases {
            assert_eq!(begins_record(line), expected, "{:?}", String::from_utf8_lossy(line));
        }
        assert!(begins_headers(b"WARC/1.0\r\nwarc-type: x"));
        assert!(!begins_headers(b"WARC/1.0\r\nis a version"));
    }
}
