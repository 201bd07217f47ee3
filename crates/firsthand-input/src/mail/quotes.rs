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
use lines::{Lines, Mark};
pub(crate) use subject::Answers;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its lines as they are in the text.
    pub(crate) text: String,
    /// Whether it is the author's.
    pub(crate) kept: bool,
    /// Why it is kept or set apart.
    pub(crate) reason: &'static str,
}

/// Splits a text by its lines and its subject.
pub(crate) fn split(text: &str, subject: Option<&str>) -> Vec<Block> {
    split_as(text, Answers::by_subject(subject))
}

/// What the author wrote, a block a line.
pub(crate) fn kept(blocks: &[Block]) -> String {
    let kept: Vec<&str> =
        blocks.iter().filter(|block| block.kept).map(|block| block.text.as_str()).collect();
    blocks::one_a_line(Cow::Owned(kept.join("\n\n")))
}

/// All blocks, a block a line, and for each line whether it is set apart.
pub(crate) fn marked(blocks: &[Block]) -> (String, Vec<bool>) {
    let (mut text, mut aside) = (String::new(), Vec::new());
    for block in blocks {
        for line in blocks::one_a_line(Cow::Borrowed(&block.text)).lines() {
            text.push_str(line);
            text.push('\n');
            aside.push(!block.kept);
        }
    }
    (text, aside)
}

/// Splits a text of which it is known whether it answers or forwards another.
pub(crate) fn split_as(text: &str, answers: Answers) -> Vec<Block> {
    let Some(mut lines) = Lines::read(text) else {
        return vec![Block { text: text.to_owned(), kept: true, reason: Mark::New.reason() }];
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
fn keep_something(lines: &mut Lines<'_>, answers: Answers, forwarded: bool, attributed: bool) {
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
fn assemble(lines: &Lines<'_>, forwarded: usize) -> Vec<Block> {
    let mark = |at: usize| match lines.marks[at] {
        Mark::New if at >= forwarded => Mark::Forwarded,
        mark => mark,
    };
    let mut blocks = Vec::new();
    let mut filled = lines.filled().peekable();
    while let Some(first) = filled.next() {
        let (of, mut last) = (mark(first), first);
        while let Some(next) = filled.next_if(|next| mark(*next) == of) {
            last = next;
        }
        let text = lines.between(first, last).trim_end().to_owned();
        blocks.push(Block { text, kept: of.is_kept(), reason: of.reason() });
    }
    blocks
}
