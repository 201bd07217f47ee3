//! Lines that announce another message, and the headers of that message.
//!
//! "Forwarded message" is clear. Some programs write "Original message" for both replies and
//! forwards; then the subject decides, or else whether the author wrote anything before it.

use super::lines::{LineKind, MailLines, Mark};
use super::phrases::{self, BEGIN, CopiedHeader, FORWARDED, ORIGINAL, fold};
use super::subject::Answers;

/// What a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// The end of a forwarded message.
    End,
    Forwarded,
    Original,
    /// Headers alone; `true` if in Outlook's form.
    Headers(bool),
}

/// Marks markers and headers, and the rest of a reply after them. Returns the line from which on
/// the text is forwarded.
pub(super) fn mark(lines: &mut MailLines<'_>, answers: Answers) -> Option<usize> {
    let (mut written, mut quoting, mut seen) = (0, false, false);
    let mut forwarded = None;
    let mut at = 0;
    while at < lines.len() {
        if !lines.is_new(at) {
            at += 1;
            continue;
        }
        let Some((opening, body)) = opening(lines, at) else {
            written +=
                usize::from(matches!(lines.looks[at], LineKind::Text | LineKind::Attributing));
            quoting |= lines.looks[at] == LineKind::Arrow;
            at += 1;
            continue;
        };
        lines.mark(at..body, Mark::Headers);
        let passes_on = match opening {
            Opening::End => {
                at = body;
                continue;
            }
            Opening::Forwarded => true,
            _ if answers == Answers::Forward && !seen => true,
            _ if answers != Answers::Reply && written == 0 => true,
            // The parent was already quoted, so this is something else.
            Opening::Headers(false) => quoting || answers == Answers::Nothing,
            _ => false,
        };
        seen = true;
        let first = lines.next_filled(body.saturating_sub(1));
        let quoted = first
            .is_some_and(|first| matches!(lines.looks[first], LineKind::Arrow | LineKind::Named));
        if passes_on {
            forwarded = forwarded.or(Some(body));
        } else if !quoted {
            lines.mark_new(body..lines.len(), Mark::Answered);
            return forwarded;
        }
        at = body;
    }
    forwarded
}

/// The announcement at a line, and the line after its headers.
fn opening(lines: &MailLines<'_>, at: usize) -> Option<(Opening, usize)> {
    let look = lines.looks[at];
    if let Some(opening) = marker(lines, at) {
        if opening == Opening::End {
            return Some((opening, at + 1));
        }
        let first = lines.next_filled(at).unwrap_or(at + 1);
        return Some((opening, headers(lines, first).map_or(at + 1, |(end, _)| end)));
    }
    if look == LineKind::Ruled {
        // Outlook on the web: a rule, then headers.
        let first = lines.next_filled(at).filter(|_| phrases::is_rule(lines.line(at)))?;
        let (end, heads) = headers(lines, first)?;
        return whole(heads).map(|sent| (Opening::Headers(sent), end));
    }
    let first = at == 0 || lines.looks[at - 1] == LineKind::Blank || !lines.is_new(at - 1);
    if !first
        || !lines.first(at).is_some_and(phrases::may_start_heads)
        || !matches!(phrases::head(lines.line(at)), Some(CopiedHeader::From | CopiedHeader::Date))
    {
        return None;
    }
    let (end, heads) = headers(lines, at)?;
    whole(heads).map(|sent| (Opening::Headers(sent), end))
}

/// If headers suffice for a message: whether they include Outlook's `Sent`.
fn whole(heads: [bool; CopiedHeader::COUNT]) -> Option<bool> {
    let has = |head: CopiedHeader| heads[head as usize];
    let others =
        [CopiedHeader::Sent, CopiedHeader::Date, CopiedHeader::To, CopiedHeader::Subject].map(has);
    let count = others.iter().filter(|has| **has).count();
    (has(CopiedHeader::From) && count >= 2).then(|| has(CopiedHeader::Sent))
}

/// The headers that start at a line: the line after them, and which ones are present.
fn headers(lines: &MailLines<'_>, first: usize) -> Option<(usize, [bool; CopiedHeader::COUNT])> {
    let mut heads = [false; CopiedHeader::COUNT];
    let mut end = first;
    for at in first..lines.len().min(first + 40) {
        if !lines.is_new(at) {
            break;
        }
        match phrases::head(lines.line(at)) {
            Some(head) => {
                heads[head as usize] = true;
                end = at + 1;
            }
            // Long addresses and subjects continue on further lines.
            None if at < end + 4 && end > first => {}
            None => break,
        }
    }
    // The last header continues if a blank line follows soon.
    let more = (end..lines.len().min(end + 3)).find(|at| lines.looks[*at] == LineKind::Blank);
    let folded = more.filter(|more| (end..*more).all(|at| is_folded(lines, at)));
    (end > first).then(|| (folded.unwrap_or(end), heads))
}

fn is_folded(lines: &MailLines<'_>, at: usize) -> bool {
    let long = at > 0 && lines.line(at - 1).len() >= 60;
    lines.is_new(at) && (long || lines.indented(at).starts_with([' ', '\t']))
}

/// The announcement of a line by itself.
fn marker(lines: &MailLines<'_>, at: usize) -> Option<Opening> {
    let look = lines.looks[at];
    if !matches!(look, LineKind::Ruled | LineKind::Attributing) {
        return None;
    }
    let line = lines.line(at);
    let said = if look == LineKind::Ruled { phrases::without_rules(line)? } else { line };
    if look == LineKind::Ruled && is_end(said) {
        return Some(Opening::End);
    }
    if line.len() > 200 {
        return None;
    }
    let said = fold(said);
    if look == LineKind::Attributing {
        BEGIN.begin(said.as_bytes()).then_some(Opening::Forwarded)
    } else if FORWARDED.begin(said.as_bytes()) {
        Some(Opening::Forwarded)
    } else if ORIGINAL.begin(said.as_bytes()) {
        Some(Opening::Original)
    } else {
        None
    }
}

/// `----- End of forwarded message -----`
fn is_end(said: &str) -> bool {
    let ends = said.as_bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"end "));
    ends && said.len() < 100 && {
        let said = said.to_ascii_lowercase();
        said.contains("message") || said.contains("forward")
    }
}
