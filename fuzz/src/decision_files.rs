//! Checks for any bytes that are read as a file of decisions.

use firsthand::decisions::{Action, Active, Decision, LinesError, read_lines};

/// Files with more pairs than this are read, and what follows from them is not worked out: it takes as long
/// as there are pairs.
const PAIRS: usize = 10_000;

/// A file is refused by the number of a line, or what it says is consistent in itself.
pub(crate) fn check(bytes: &[u8]) {
    let lines = match read_lines(bytes) {
        Ok(lines) => lines,
        Err(LinesError::NoDecision { line, .. } | LinesError::Senseless { line, .. }) => {
            let count = bytes.split(|byte| *byte == b'\n').count();
            return assert!((1..=count).contains(&line), "line {line} of {count}");
        }
    };
    let again = read_lines(&written(&lines)).expect("what was written is read");
    assert_eq!(without_scores(again), without_scores(lines.clone()));
    let pairs = lines.iter().flatten().map(|line| line.documents.len() * line.others.len());
    if pairs.sum::<usize>() <= PAIRS {
        consistent(&lines);
    }
}

/// Digits of a score beyond the written precision may be lost.
fn without_scores(lines: Vec<Option<Decision>>) -> Vec<Option<Decision>> {
    let without = |line: Decision| Decision { score: None, ..line };
    lines.into_iter().map(|line| line.map(without)).collect()
}

/// A file of these lines, the last one ended.
fn written(lines: &[Option<Decision>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        if let Some(decision) = line {
            serde_json::to_writer(&mut bytes, decision).expect("a decision can be written");
        }
        bytes.push(b'\n');
    }
    bytes
}

fn consistent(lines: &[Option<Decision>]) {
    let active = Active::new(lines);
    let numbers: Vec<usize> = active.lines().iter().map(|(number, _)| *number).collect();
    assert!(numbers.is_sorted() && numbers.iter().all(|number| (1..=lines.len()).contains(number)));
    let is_said = |decision: &Decision| !matches!(decision.action, Action::Undo | Action::Redo);
    assert!(active.lines().iter().all(|(_, decision)| is_said(decision)));
    let (parted, joined) = active.pairs();
    let both = parted.iter().any(|pair| joined.contains(pair));
    assert!(!both, "a pair is parted and joined");
    assert!(
        active.tags().values().all(|tags| !tags.is_empty()),
        "a document with an empty list of tags"
    );

    // Undoing takes one line away, and redoing brings it back.
    let Ok(last) = active.last() else { return };
    let about = |action: Action| {
        let decision = Decision::new(action, Vec::new(), String::new());
        Some(Decision { of: Some(last), ..decision })
    };
    let undone = [lines, &[about(Action::Undo)]].concat();
    let without = Active::new(&undone);
    assert_eq!(without.last_undone(), Ok(last));
    assert_eq!(without.lines(), &active.lines()[..numbers.len() - 1]);
    let redone = [&*undone, &[about(Action::Redo)]].concat();
    assert_eq!(Active::new(&redone).lines(), active.lines());
}
