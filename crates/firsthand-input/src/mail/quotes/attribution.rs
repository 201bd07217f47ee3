//! Attributions, the lines that introduce a quote: "On Monday Ann Lee wrote:".
//!
//! An explicit attribution is always set apart; an ambiguous one ("Ann Lee:") only right before a
//! quote. The lines after an attribution show which quote marks the message uses.

use super::lines::{LineKind, MailLines, Mark};
use super::phrases::{Phrases, fold};
use super::subject::Answers;

/// The quote marks of a message, besides `>`.
#[derive(Debug, Default)]
pub(super) struct QuoteMarks {
    pub(super) attributions: usize,
    pub(super) bar: bool,
    pub(super) colon: bool,
    pub(super) named: bool,
    /// Any other mark.
    pub(super) odd: Option<u8>,
}

/// Marks attributions, and the quotes after them that have no quote marks.
pub(super) fn mark(lines: &mut MailLines<'_>, answers: Answers) -> QuoteMarks {
    let mut found = QuoteMarks::default();
    // From the end, since one attribution may precede another.
    for at in (0..lines.len()).rev() {
        if lines.looks[at] != LineKind::Attributing || !lines.is_new(at) {
            continue;
        }
        let Some((first, strength)) = attribution(lines, at) else { continue };
        let next = lines.next_filled(at);
        let introduces = |next| match strength {
            Strength::Weak => is_quote(lines, next),
            Strength::Short => {
                is_quote(lines, next) || indent(lines, next) > indent(lines, first) + 1
            }
            Strength::Strong | Strength::Dated => true,
        };
        if !next.is_none_or(introduces) || next.is_none() && strength < Strength::Strong {
            continue;
        }
        lines.mark(first..at + 1, Mark::Attribution);
        found.attributions += 1;
        if let Some(next) = next.filter(|next| !adopt(lines, *next, &mut found)) {
            unmarked(lines, first, next, answers, strength);
        }
    }
    found
}

fn is_quote(lines: &MailLines<'_>, at: usize) -> bool {
    lines.looks[at].is_marked() || lines.marks[at] == Mark::Attribution
}

/// Learns the quote mark of a line; `false` if there is none.
fn adopt(lines: &MailLines<'_>, at: usize, found: &mut QuoteMarks) -> bool {
    match lines.looks[at] {
        LineKind::Bar => found.bar = true,
        LineKind::Colon => found.colon = true,
        LineKind::Named => found.named = true,
        LineKind::Arrow => {}
        LineKind::Text | LineKind::Ruled | LineKind::Attributing => {
            let odd = lines.first(at).filter(|byte| b"}])#%+!&$;~={@".contains(byte));
            if odd.is_none() || at + 1 >= lines.len() || lines.first(at + 1) != odd {
                return false;
            }
            found.odd = odd;
        }
        LineKind::Blank | LineKind::Coded => {}
    }
    true
}

/// A quote without marks: indented lines after an attribution, or everything after the attribution
/// at the end of a reply.
fn unmarked(
    lines: &mut MailLines<'_>,
    first: usize,
    next: usize,
    answers: Answers,
    strength: Strength,
) {
    if !matches!(lines.looks[next], LineKind::Text | LineKind::Attributing) || !lines.is_new(next) {
        return;
    }
    let is_text = |at: usize| matches!(lines.looks[at], LineKind::Text | LineKind::Attributing);
    let written = (0..first).rev().take(200).any(|at| lines.is_new(at) && is_text(at));
    let outer = indent(lines, first);
    if indent(lines, next) > outer + 1 {
        let ends = |at: &usize| {
            lines.looks[*at] != LineKind::Blank
                && (!lines.is_new(*at) || indent(lines, *at) <= outer + 1)
        };
        let end = (next..lines.len()).find(ends);
        // If all the rest is indented, that may be the author's style.
        if end.is_some() || written {
            lines.mark_new(next..end.unwrap_or(lines.len()), Mark::Quoted);
        }
    } else if written && strength == Strength::Dated && answers != Answers::Nothing {
        // Up to the next such quote, after which everything is already marked.
        let end = (next..lines.len()).find(|at| lines.marks[*at] == Mark::Answered);
        lines.mark_new(next..end.unwrap_or(lines.len()), Mark::Answered);
    }
}

/// The indentation of a line; a tab counts as eight spaces.
fn indent(lines: &MailLines<'_>, at: usize) -> usize {
    let bytes = lines.indented(at).bytes();
    bytes
        .map_while(|byte| [(b' ', 1), (b'\t', 8)].iter().find(|(b, _)| *b == byte))
        .map(|(_, width)| width)
        .sum()
}

/// The certainty that a line is an attribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Only before quote marks.
    Weak,
    /// "Ann Lee wrote:", also before an indented quote.
    Short,
    /// Certain.
    Strong,
    /// Certain, and in the form of mail programs that quote without marks.
    Dated,
}

/// If a line ends an attribution: its first line, and the certainty.
fn attribution(lines: &MailLines<'_>, at: usize) -> Option<(usize, Strength)> {
    let line = lines.line(at);
    if line.len() > 300 {
        return None;
    }
    for first in (at.saturating_sub(2)..=at).rev() {
        if first < at && (!lines.is_new(first) || lines.between(first, first).len() > 120) {
            break;
        }
        let whole = lines.between(first, at).trim();
        if is_opened(whole) && (says(whole) || whole.contains('@')) && has_digit(whole) {
            let news = whole.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("in "));
            let strength = if news { Strength::Strong } else { Strength::Dated };
            return Some((first, strength));
        }
    }
    let said = says(line);
    let address = line.contains('@');
    let wrapped = said && line.len() < 25 && at > 0 && lines.is_new(at - 1);
    if wrapped && lines.line(at - 1).contains('@') {
        return Some((at - 1, Strength::Strong));
    }
    if said && address {
        return Some((at, Strength::Strong));
    }
    if said {
        let opens = at == 0 || !lines.is_new(at - 1);
        return Some((at, if opens && is_short(line) { Strength::Short } else { Strength::Weak }));
    }
    let dated = line.bytes().filter(u8::is_ascii_digit).count() >= 4;
    let named = address || dated || is_opened(line) || is_name(line);
    (line.ends_with(':') && named).then_some((at, Strength::Weak))
}

/// `Ann Lee wrote:`, and not a sentence of the author.
fn is_short(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let own = [
        "I", "We", "He", "She", "They", "You", "It", "As", "And", "But", "So", "The", "What",
        "Here's",
    ];
    line.split(' ').count() <= 4 && first.starts_with(char::is_uppercase) && !own.contains(&first)
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// `Ann Lee:`
fn is_name(line: &str) -> bool {
    let mut words = line.trim_end_matches(':').split(' ');
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    line.len() < 40 && words.clone().count() <= 3 && words.all(capital)
}

/// Starts of attributions.
static OPENINGS: Phrases = Phrases::new(include_str!("phrases/openings.txt"));

fn is_opened(text: &str) -> bool {
    let start = text.trim_start_matches(['*', '_', '-', '"', '[', '(', ' ']);
    if start.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
        // `2009/5/12 Ann Lee <ann@example.org>:`
        return start.bytes().take(12).filter(u8::is_ascii_digit).count() >= 4;
    }
    // They do not end the line.
    let before_last = &start.as_bytes()[..start.len().saturating_sub(1)];
    OPENINGS.begin(before_last) || is_opened_by_other_letters(start)
}

/// As [`is_opened`], for short non-ASCII words in either case.
fn is_opened_by_other_letters(start: &str) -> bool {
    !start.starts_with(|first: char| first.is_ascii())
        && start
            .char_indices()
            .nth(3)
            .is_some_and(|(end, _)| OPENINGS.begin(start[..end].to_lowercase().as_bytes()))
}

/// Verbs of writing and saying at the end of attributions.
static SAID: Phrases = Phrases::new(include_str!("phrases/said.txt"));

/// Whether one of the last words is such a verb.
fn says(text: &str) -> bool {
    // German puts the name after it: "schrieb Ann Lee <ann@example.org>:".
    let mut words = text.rsplit(char::is_whitespace).take(12);
    words.any(|word| SAID.are(fold(bare(word)).as_bytes()))
        || !text.is_ascii() && text.contains("写道")
}

/// A word without surrounding punctuation, up to a bracket or colon.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let end = word.bytes().position(|byte| matches!(byte, b'(' | b':'));
    &word[..end.unwrap_or(word.len())]
}
