//! Recognises mail by its content.

use super::header;
use super::postmark;
use crate::word_table;
use std::sync::LazyLock;

/// Fields of messages and news posts.
static KNOWN: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_table::words(include_str!("sniff/known.txt")));

/// Fields of which a message needs at least one: any form may have `To:` and `Date:`.
static TELLING: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_table::words(include_str!("sniff/telling.txt")));

/// Whether bytes start with headers, at least two of them known.
pub(crate) fn looks_like_mail(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let (mut known, mut telling) = (0, false);
    let mut lines = start.split_inclusive(|byte| *byte == b'\n').take(200).enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let cut_short = lines.peek().is_none() && !line.ends_with(b"\n");
        if at > 0 && matches!(line, [b' ' | b'\t', ..]) && !line.trim_ascii().is_empty() {
            continue;
        }
        let Some(name) = header::name(line) else {
            let over = line.trim_ascii().is_empty() || cut_short;
            return over && at > 0 && known >= 2 && telling;
        };
        let is = |field: &&str| field.as_bytes().eq_ignore_ascii_case(name);
        known += usize::from(KNOWN.iter().any(is));
        telling |= TELLING.iter().any(is);
    }
    known >= 2 && telling
}

/// Whether bytes start with a postmark and headers.
pub(crate) fn looks_like_mbox(start: &[u8]) -> bool {
    let blank = start.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let start = &start[blank..];
    let end = header::line_end(start, 0);
    let rest = &start[end..];
    let next = rest
        .strip_prefix(b">")
        .filter(|rest| rest.starts_with(b"From "))
        .map_or(rest, |_| &rest[header::line_end(rest, 0)..]);
    postmark::is_postmark(&start[..end]) && (next.is_empty() || header::name(next).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let cases = [
            ("From: a@example.org\nSubject: b\n\nc", true),
            ("Received: from x\n\tby y;\n z\r\nDate: today\r\n\r\n", true),
            ("Path: news!ann\nNewsgroups: rec.boats\n\nc", true),
            ("\u{FEFF}From: a\nTo: b\n\n", true),
            ("Return-Path: <a@example.org>\nMessage-ID: <cut sho", true),
            ("", false),
            ("\nFrom: a\nTo: b\n\n", false),
            ("Dear all,\nFrom: a\nTo: b\n", false),
            ("Title: a\nAuthor: b\n\ntext", false),
            ("To: the harbour master\nSubject: a note\n\ntext", false),
            ("From: a\n\nTo: b\n", false),
            ("{\"From\": 1}", false),
            ("From: a\nTo: b\nbut then text follows at once\n", false),
        ];
        for (start, mail) in cases {
            assert_eq!(looks_like_mail(start.as_bytes()), mail, "{start:?}");
        }
    }

    #[test]
    fn mailboxes() {
        let cases = [
            ("From ann@example.org Sat Jan  3 01:05:34 1996\nSubject: a\n\nb", true),
            ("\r\nFrom - Sat Jan  3 01:05:34 1996\r\nX-Status: a\r\n\r\nb", true),
            ("From ann@example.org Sat Jan  3 01:05:34 1996\n>From bob\nTo: a\n", true),
            ("From ann@example.org Sat Jan  3 01:05:34 1996", true),
            ("From ann@example.org Sat Jan  3 01:05:34 1996\nno header\n", false),
            ("From here on\nSubject: a\n", false),
            ("Subject: a\n", false),
            ("", false),
        ];
        for (start, mbox) in cases {
            assert_eq!(looks_like_mbox(start.as_bytes()), mbox, "{start:?}");
        }
    }
}
