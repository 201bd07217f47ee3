//! Lines that start with a quote mark.
//!
//! `>` almost always is one. `|`, `:`, `AL>` and others are if the message has an attribution before
//! such lines, or in a reply if several such lines are adjacent and do not look like a table. So
//! tables, menus and drawings are kept unless the message is a reply.

use super::attribution::QuoteMarks;
use super::lines::{LineKind, MailLines, Mark};
use super::subject::Answers;

/// Marks quoted lines.
pub(super) fn mark(lines: &mut MailLines<'_>, answers: Answers, found: &QuoteMarks) {
    let reply = answers == Answers::Reply;
    let prompts = !reply && found.attributions == 0 && are_prompts(lines);
    let mut at = 0;
    while at < lines.len() {
        let look = lines.looks[at];
        if !(look.is_marked() || found.odd.is_some()) || !lines.is_new(at) {
            at += 1;
            continue;
        }
        let end = run(lines, at);
        let several = end - at > 1;
        let quoted = match look {
            LineKind::Arrow => !prompts && !is_content(lines, at, end),
            LineKind::Bar => found.bar || reply && several && !is_table(lines, at, end),
            LineKind::Colon => found.colon || reply && several,
            LineKind::Named => found.named || is_capital(lines, at) && (several || reply),
            _ => found.odd.is_some() && lines.first(at) == found.odd,
        };
        if quoted {
            lines.mark(at..end, Mark::Quoted);
        }
        at = end;
    }
    rejoin(lines);
}

/// The end of a run of quoted lines of the same kind; other lines count singly.
fn run(lines: &MailLines<'_>, at: usize) -> usize {
    let look = lines.looks[at];
    if !look.is_marked() {
        return at + 1;
    }
    let other = |next: &usize| lines.looks[*next] != look || !lines.is_new(*next);
    (at + 1..lines.len()).find(other).unwrap_or(lines.len())
}

/// Whether a name starts with a capital; `p>` may be anything.
fn is_capital(lines: &MailLines<'_>, at: usize) -> bool {
    lines.line(at).starts_with(|first: char| first.is_ascii_uppercase())
}

/// Whether `>` is not a quote mark: in the mailbox escape `>From `, and after `<` lines in a diff.
fn is_content(lines: &MailLines<'_>, at: usize, end: usize) -> bool {
    if end - at == 1 && lines.line(at).starts_with(">From ") {
        return true;
    }
    let before =
        |back: usize| at.checked_sub(back).map(|before| lines.line(before)).unwrap_or_default();
    let compared = |line: &str| {
        let letter = line.find(['a', 'c', 'd']).unwrap_or(0);
        let digits = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        };
        letter > 0 && digits(&line[..letter]) && digits(&line[letter + 1..])
    };
    // Only searched where possible.
    let compared = |line: &str| {
        line.starts_with(|first: char| first.is_ascii_digit() || first == ',') && compared(line)
    };
    before(1) == "---" && before(2).starts_with('<') || compared(before(1))
}

/// Whether all marks are `>>>`, as in a Python session: nested quotes come with simple ones.
fn are_prompts(lines: &MailLines<'_>) -> bool {
    let mut arrows = (0..lines.len()).filter(|at| lines.looks[*at] == LineKind::Arrow).peekable();
    arrows.peek().is_some() && arrows.all(|at| lines.line(at).starts_with(">>> "))
}

/// Whether most lines have further bars.
fn is_table(lines: &MailLines<'_>, at: usize, end: usize) -> bool {
    let drawn = |at: &usize| {
        let line = lines.line(*at);
        line.len() > 1 && (line.ends_with('|') || line[1..].matches('|').count() >= 2)
    };
    2 * (at..end).filter(drawn).count() > end - at
}

/// Marks words that programs wrapped out of quoted lines, which quoting had made too long.
fn rejoin(lines: &mut MailLines<'_>) {
    let mut at = 0;
    let quoted = |mark: &Mark| *mark == Mark::Quoted;
    while let Some(next) = lines.marks[at..].iter().position(quoted) {
        at += next + 1;
        if is_left(lines, at) {
            lines.mark(at..at + 1, Mark::Quoted);
        }
    }
}

/// Whether a line is the wrapped end of the quoted line before it.
fn is_left(lines: &MailLines<'_>, at: usize) -> bool {
    let is_quoted = |at: usize| {
        lines.marks.get(at) == Some(&Mark::Quoted) && lines.looks[at] != LineKind::Blank
    };
    if !lines.is_new(at)
        || lines.looks[at] != LineKind::Text
        || !is_quoted(at - 1)
        || !is_quoted(at + 1)
    {
        return false;
    }
    let (before, line) = (lines.line(at - 1), lines.line(at));
    let goes_on = before.len() >= 60 && !before.ends_with(['.', '?', '!', ':', ';']);
    goes_on && line.len() <= 30 && line.split(' ').count() <= 4
}
