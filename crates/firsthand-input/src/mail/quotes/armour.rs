//! Digital signatures, keys and encoded files inside a text.

use super::lines::{LineKind, MailLines, Mark};

/// Marks armour and encoded files, unless they never end.
pub(super) fn mark(lines: &mut MailLines<'_>) {
    let mut at = 0;
    // After an endless one, no other of its kind can end.
    let mut endless = [false; 3];
    while at < lines.len() {
        at = match lines.looks[at] {
            LineKind::Ruled => armoured(lines, at, &mut endless[0]),
            // Rules out most lines.
            LineKind::Text if matches!(lines.first(at), Some(b'b' | b'=')) => {
                encoded(lines, at, &mut endless[1..])
            }
            LineKind::Coded => {
                lines.mark(at..at + 1, Mark::Encoded);
                at + 1
            }
            _ => at + 1,
        };
    }
}

/// Marks armour that starts at a rule, and returns the line after it.
fn armoured(lines: &mut MailLines<'_>, at: usize, endless: &mut bool) -> usize {
    let line = lines.line(at);
    if is_signed(line) {
        after_headers(lines, at)
    } else if line.starts_with("-----BEGIN ") {
        body(lines, at, Mark::Armour, endless, |line| line.starts_with("-----END "))
    } else {
        at + 1
    }
}

/// Marks an encoded file of either kind, and returns the line after it.
fn encoded(lines: &mut MailLines<'_>, at: usize, endless: &mut [bool]) -> usize {
    let line = lines.line(at);
    if is_uuencoded(line) {
        body(lines, at, Mark::Encoded, &mut endless[0], |line| line == "end")
    } else if line.starts_with("=ybegin ") {
        body(lines, at, Mark::Encoded, &mut endless[1], |line| line.starts_with("=yend"))
    } else {
        at + 1
    }
}

fn is_signed(line: &str) -> bool {
    line.starts_with("-----BEGIN PGP SIGNED MESSAGE")
}

/// `begin 644 map.gif`
fn is_uuencoded(line: &str) -> bool {
    let mode = line.strip_prefix("begin ").unwrap_or_default().as_bytes();
    mode.len() > 4 && mode[..3].iter().all(u8::is_ascii_digit) && mode[3] == b' '
}

/// Marks the armour headers before a signed text, which itself is kept.
fn after_headers(lines: &mut MailLines<'_>, at: usize) -> usize {
    let blank =
        (at + 1..lines.len().min(at + 5)).find(|next| lines.looks[*next] == LineKind::Blank);
    let end = blank.unwrap_or(at + 1);
    lines.mark(at..end, Mark::Armour);
    end
}

fn body(
    lines: &mut MailLines<'_>,
    at: usize,
    mark: Mark,
    endless: &mut bool,
    ends: impl Fn(&str) -> bool,
) -> usize {
    if *endless {
        return at + 1;
    }
    match (at + 1..lines.len()).find(|next| ends(lines.line(*next))) {
        Some(end) => {
            lines.mark(at..end + 1, mark);
            end + 1
        }
        None => {
            *endless = true;
            at + 1
        }
    }
}
