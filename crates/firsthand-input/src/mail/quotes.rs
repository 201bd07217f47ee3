//! Divides the text of a message into what its author wrote and what is set apart: quotes, headers
//! of other messages, signatures, list footers and the like.
//!
//! Each line is classified by its start and end (`lines`). Then follow armour and encoded files
//! (`armour`), markers of answered and forwarded messages (`markers`), attributions and the quotes
//! they introduce (`attribution`, `prefix`), and from the end signatures and footers (`tail`). Each
//! step skips lines that were already set apart and examines a bounded number of lines around each,
//! so the whole takes linear time.
//!
//! In doubt, a reply must not become a copy of its parent, so possible quotes are set apart. But a
//! message that is only a signature, a footer or (unless it is a reply) quoted lines is kept.

mod armour;
mod attribution;
mod lines;
mod markers;
mod phrases;
mod prefix;
mod subject;
mod tail;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::blocks;
use lines::{LineKind, MailLines, Mark};
pub(crate) use subject::Answers;

/// Consecutive lines of a message that are kept or set apart for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailBlock<'a> {
    /// Its unchanged lines.
    pub(crate) text: &'a str,
    /// Whether the author wrote it.
    pub(crate) kept: bool,
    /// Why it is kept or set apart.
    pub(crate) reason: &'static str,
    /// Whether it may contain blank lines.
    parted: bool,
}

/// Splits a text by its lines and subject.
pub(crate) fn split<'a>(text: &'a str, subject: Option<&str>) -> Vec<MailBlock<'a>> {
    split_as(text, Answers::by_subject(subject))
}

/// The author's text, one block per line.
pub(crate) fn kept(blocks: &[MailBlock<'_>]) -> String {
    let kept: Vec<&str> =
        blocks.iter().filter(|block| block.kept).map(|block| block.text).collect();
    blocks::one_a_line(Cow::Owned(kept.join("\n\n")))
}

/// The whole text, one block per line, and for each line whether it is set apart.
pub(crate) fn with_quotes(blocks: &[MailBlock<'_>]) -> (String, Vec<bool>) {
    let length: usize = blocks.iter().map(|block| block.text.len() + 1).sum();
    let (mut text, mut quoted) = (String::with_capacity(length), Vec::with_capacity(length / 32));
    for block in blocks {
        let push = if block.parted { blocks::push_one_a_line } else { blocks::push_lines };
        let lines = push(block.text, &mut text);
        quoted.resize(quoted.len() + lines, !block.kept);
    }
    (text, quoted)
}

/// Splits a text known to be a reply, a forward or neither.
pub(crate) fn split_as(text: &str, answers: Answers) -> Vec<MailBlock<'_>> {
    let Some(mut lines) = MailLines::read(text) else {
        return vec![MailBlock { text, kept: true, reason: Mark::New.reason(), parted: true }];
    };
    armour::mark(&mut lines);
    let forwarded = markers::mark(&mut lines, answers);
    let found = attribution::mark(&mut lines, answers);
    prefix::mark(&mut lines, answers, &found);
    tail::mark(&mut lines);
    keep_something(&mut lines, answers, forwarded.is_some(), found.attributions > 0);
    assemble(&lines, forwarded.unwrap_or(usize::MAX))
}

/// Keeps lines that were set apart if nothing else is left.
fn keep_something(lines: &mut MailLines<'_>, answers: Answers, forwarded: bool, attributed: bool) {
    let has = |mark: Mark| lines.filled().any(|at| lines.marks[at] == mark);
    if has(Mark::New) {
        return;
    }
    let quoted = has(Mark::Quoted);
    let passed_on = forwarded || answers == Answers::Forward;
    let fresh = answers == Answers::Nothing && !attributed && !has(Mark::Answered);
    let again: &[Mark] = if quoted && (passed_on || fresh) {
        &[Mark::Quoted]
    } else if !quoted && !has(Mark::Answered) {
        &[Mark::Signature, Mark::Footer, Mark::Disclaimer]
    } else {
        &[]
    };
    for mark in lines.marks.iter_mut().filter(|mark| again.contains(mark)) {
        *mark = Mark::Only;
    }
}

/// Joins adjacent lines with the same mark into blocks. Blank lines belong to the lines before them.
fn assemble<'a>(lines: &MailLines<'a>, forwarded: usize) -> Vec<MailBlock<'a>> {
    let mark = |at: usize| match lines.marks[at] {
        Mark::New if at >= forwarded => Mark::Forwarded,
        mark => mark,
    };
    let mut blocks = Vec::new();
    let mut first = 0;
    while first < lines.len() {
        if lines.looks[first] == LineKind::Blank {
            first += 1;
            continue;
        }
        let of = mark(first);
        // The line after the last non-blank one, and the next to examine.
        let (mut end, mut at, mut parted) = (first + 1, first + 1, false);
        while at < lines.len() && (lines.looks[at] == LineKind::Blank || mark(at) == of) {
            if lines.looks[at] != LineKind::Blank {
                parted |= at > end;
                end = at + 1;
            }
            at += 1;
        }
        let text = lines.between(first, end - 1).trim_end();
        blocks.push(MailBlock { text, kept: of.is_kept(), reason: of.reason(), parted });
        first = at;
    }
    blocks
}
