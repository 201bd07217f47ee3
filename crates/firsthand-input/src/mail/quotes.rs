//! The text of a message split into what its author wrote and what is set apart: quotes, headers
//! of other messages, signatures, list footers and the like.
//!
//! Each line is looked at once for how it starts and ends (`lines`). Then come, in this order,
//! armour and encoded files (`armour`), markers of answered and forwarded messages (`markers`),
//! attributions and the marks of quotes that they introduce (`attribution`, `prefix`), and from
//! the end signatures and footers (`tail`). A step only touches lines that no step before it set
//! apart, and looks at a bounded number of lines around each, so all of it takes linear time.
//!
//! Where it is in doubt: a reply must not be a copy of its parent, so what may be the parent's
//! goes; but a message that is nothing but a signature, a footer or (if it answers nothing) marked
//! lines is kept, for there is nothing else in it.

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

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailBlock<'a> {
    /// Its lines as they are in the text.
    pub(crate) text: &'a str,
    /// Whether it is the author's.
    pub(crate) kept: bool,
    /// Why it is kept or set apart.
    pub(crate) reason: &'static str,
    /// Whether blank lines may be between its lines.
    parted: bool,
}

/// Splits a text by its lines and its subject.
pub(crate) fn split<'a>(text: &'a str, subject: Option<&str>) -> Vec<MailBlock<'a>> {
    split_as(text, Answers::by_subject(subject))
}

/// What the author wrote, a block a line.
pub(crate) fn kept(blocks: &[MailBlock<'_>]) -> String {
    let kept: Vec<&str> =
        blocks.iter().filter(|block| block.kept).map(|block| block.text).collect();
    blocks::one_a_line(Cow::Owned(kept.join("\n\n")))
}

/// All blocks, a block a line, and for each line whether it is set apart.
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

/// Splits a text of which it is known whether it answers or forwards another.
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

/// Takes back what was set apart where nothing is left, and that cannot be right.
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

/// Lines to blocks: those that follow each other with the same mark. Blank lines go with the lines
/// before them.
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
        // The line after the last that is not blank, and the next to look at.
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
