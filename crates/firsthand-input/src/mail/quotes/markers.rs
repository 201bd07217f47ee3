//! Lines that say that another message follows, and the headers of that message.
//!
//! "Forwarded message" is plain. "Original message" is written by some programs for both answers
//! and forwards; then the subject decides, and without one, whether anything was written before it.

use super::lines::{LineKind, MailLines, Mark};
use super::phrases::{self, BEGIN, FORWARDED, Head, ORIGINAL, fold};
use super::subject::Answers;

/// What a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// Nothing: a message that was passed on ends here.
    End,
    Forwarded,
    Original,
    /// Headers alone; `true` if they are those that Outlook writes.
    Headers(bool),
}

/// Marks markers and headers, and the rest of a reply after them. Gives the line from which on the
/// text is another's that is passed on.
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
            // What is answered was quoted before: this is something else.
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

/// What starts at a line, and the line after its headers.
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
        || !matches!(phrases::head(lines.line(at)), Some(Head::From | Head::Date))
    {
        return None;
    }
    let (end, heads) = headers(lines, at)?;
    whole(heads).map(|sent| (Opening::Headers(sent), end))
}

/// Whether headers are enough to be those of a message, and then whether they say when it was
/// sent, as Outlook does.
fn whole(heads: [bool; Head::COUNT]) -> Option<bool> {
    let has = |head: Head| heads[head as usize];
    let others = [Head::Sent, Head::Date, Head::To, Head::Subject].map(has);
    let count = others.iter().filter(|has| **has).count();
    (has(Head::From) && count >= 2).then(|| has(Head::Sent))
}

/// The headers that start at a line: the line after them, and which there are.
fn headers(lines: &MailLines<'_>, first: usize) -> Option<(usize, [bool; Head::COUNT])> {
    let mut heads = [false; Head::COUNT];
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
            // Long lists of addresses and subjects go on in further lines.
            None if at < end + 4 && end > first => {}
            None => break,
        }
    }
    // The last header goes on if a blank line comes soon.
    let more = (end..lines.len().min(end + 3)).find(|at| lines.looks[*at] == LineKind::Blank);
    let folded = more.filter(|more| (end..*more).all(|at| is_folded(lines, at)));
    (end > first).then(|| (folded.unwrap_or(end), heads))
}

fn is_folded(lines: &MailLines<'_>, at: usize) -> bool {
    let long = at > 0 && lines.line(at - 1).len() >= 60;
    lines.is_new(at) && (long || lines.indented(at).starts_with([' ', '\t']))
}

/// What a line says by itself.
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
