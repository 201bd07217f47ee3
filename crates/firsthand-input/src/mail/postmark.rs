//! Postmarks, which start messages of a mailbox: `From ann@example.org Sat Jan  3 01:05:34 1996`.
//!
//! Not all programs escape such lines in texts, so a line must differ from a sentence that starts
//! with "From".

/// The most bytes of a postmark.
pub(super) const LONGEST: usize = 400;

const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
const MONTHS: [&[u8]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// Whether a line is a postmark: it has a day or month, a clock and a year; or a sender and a day or
/// year.
pub(super) fn is_postmark(line: &[u8]) -> bool {
    parts(line).is_some_and(|Parts { sent, day, month, clock, year }| {
        (day || month) && clock && year || sent && (day || year)
    })
}

/// Whether a line is a postmark that has everything.
pub(super) fn is_full(line: &[u8]) -> bool {
    parts(line)
        .is_some_and(|parts| parts.sent && parts.day && parts.month && parts.clock && parts.year)
}

/// The parts that a line has: a sender, a day of the week, a month, a clock and a year.
struct Parts {
    sent: bool,
    day: bool,
    month: bool,
    clock: bool,
    year: bool,
}

fn parts(line: &[u8]) -> Option<Parts> {
    let rest = line.strip_prefix(b"From ").filter(|_| line.len() <= LONGEST)?;
    let mut words = rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    let sender = words.peek()?;
    let sent = sender.contains(&b'@')
        || sender.contains(&b'!')
        || *sender == b"-"
        || sender.starts_with(b"MAILER-DAEMON");
    let (mut day, mut month, mut clock, mut year) = (false, false, false, false);
    for word in words {
        day |= DAYS.contains(&word.strip_suffix(b",").unwrap_or(word));
        month |= MONTHS.contains(&word);
        clock |= is_clock(word);
        year |= is_year(word);
    }
    Some(Parts { sent, day, month, clock, year })
}

fn is_clock(word: &[u8]) -> bool {
    let colon = word.iter().take(3).position(|byte| *byte == b':');
    colon.is_some_and(|colon| {
        let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        colon > 0
            && word.len() >= colon + 3
            && digits(&word[..colon])
            && digits(&word[colon + 1..colon + 3])
    })
}

/// Whether a word is a four-digit year, or starts with one as in `1996-01-03`.
fn is_year(word: &[u8]) -> bool {
    let century = word.starts_with(b"19") || word.starts_with(b"20");
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    century && digits == 4 && matches!(word.get(4), None | Some(b'-' | b',' | b'/' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postmarks_and_sentences() {
        let cases = [
            ("From ann@example.org Sat Jan  3 01:05:34 1996\n", true),
            ("From ann@example.org  Sat Jan 3 01:05 CET 1996\r\n", true),
            ("From - Sat Jan  3 01:05:34 1996", true),
            ("From MAILER-DAEMON Sat Jan  3 01:05:34 1996", true),
            ("From ann Sat Jan  3 01:05:34 1996", true),
            ("From ann@example.org 1996-01-03T01:05:34", true),
            ("From host!ann Sat, 3 Jan 96 01:05:34 GMT", true),
            ("From 0123abc Mon Sep 17 00:00:00 2001", true),
            ("From \"ann lee\"@example.org Sat Jan  3 01:05:34 1996", true),
            ("From", false),
            ("From \n", false),
            ("From here on it rained.", false),
            ("From 1996 on it rained.", false),
            ("From May 1996 on it rained.", false),
            ("From Sat to Sun it rained.", false),
            ("From 10:30 on Sat it rained.", false),
            ("From ann@example.org I heard that it rained.", false),
            ("from ann@example.org Sat Jan  3 01:05:34 1996", false),
            ("From: ann@example.org Sat Jan  3 01:05:34 1996", false),
        ];
        for (line, postmark) in cases {
            assert_eq!(is_postmark(line.as_bytes()), postmark, "{line}");
        }
        let long = format!("From ann@example.org Sat Jan  3 01:05:34 1996{}", " x".repeat(300));
        assert!(!is_postmark(long.as_bytes()));
    }
}
