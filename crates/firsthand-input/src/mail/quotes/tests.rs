//! Realistic messages, and which of their lines are new.
//!
//! A line that starts with `+` is kept; one that starts with `.` is set apart.

mod ends;
mod marks;
mod messages;
mod texts;

use super::{kept, split};

/// Splits a message and compares line by line.
fn check(name: &str, subject: Option<&str>, drawn: &str) {
    let lines = || drawn.lines().filter(|line| !line.is_empty());
    let text: String = lines().map(|line| format!("{}\n", &line[1..])).collect();
    let wanted: Vec<&str> =
        lines().filter(|line| line.starts_with('+')).map(|line| line[1..].trim()).collect();
    let blocks = split(&text, subject);
    let kept = blocks.iter().filter(|block| block.kept);
    let found: Vec<&str> = kept.flat_map(|block| block.text.lines()).map(str::trim).collect();
    let filled = |lines: Vec<&str>| -> Vec<String> {
        lines.into_iter().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(filled(found), filled(wanted), "{name}: {blocks:#?}");
}

fn new_text(text: &str, subject: Option<&str>) -> String {
    kept(&split(text, subject))
}

fn reason(text: &str, subject: Option<&str>, of: &str) -> &'static str {
    let blocks = split(text, subject);
    let found = blocks.iter().find(|block| block.text.contains(of));
    found.map(|block| block.reason).unwrap_or("nowhere")
}
