//! The table of all cases, written anew after each of them.

use super::case::Case;
use super::outcome::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::Location;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The chapters, in order: the file of the case, and the title.
const CHAPTERS: [(&str, &str); 11] = [
    ("bombs", "Compression"),
    ("members", "Archives"),
    ("pages", "Pages"),
    ("json", "JSON"),
    ("tables", "Tables"),
    ("crawls", "Web archives"),
    ("mail", "Mail"),
    ("feeds", "Feeds"),
    ("charsets", "Character sets"),
    ("folders", "Folders and files"),
    ("lines", "Lines of a stream"),
];

/// The title of all the rest.
const REST: &str = "Time";

/// Rows by chapter and by where their case is written.
static ROWS: Mutex<BTreeMap<(usize, u32), String>> = Mutex::new(BTreeMap::new());

/// Adds the row of a case.
pub(crate) fn add(place: &Location<'_>, case: &Case<'_>, outcome: &Outcome) {
    let file = Path::new(place.file()).file_stem().and_then(|name| name.to_str());
    let chapter = CHAPTERS.iter().position(|chapter| Some(chapter.0) == file);
    let key = (chapter.unwrap_or(CHAPTERS.len()), place.line());
    let message = message(case, outcome);
    let memory = match outcome.memory {
        0 => "not known".to_owned(),
        bytes => format!("{} MB", bytes.div_ceil(1 << 20)),
    };
    let read = match case.read {
        (0, 0) => "–".to_owned(),
        (before, after) => format!("{before} / {after}"),
    };
    let row = format!(
        "| {} | {} | {} | {message} | {read} | {memory} | {:.1} |",
        case.name,
        case.done,
        case.exit,
        outcome.took.as_secs_f64()
    );
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.insert(key, row);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("robustness.md");
    std::fs::write(path, text(&rows)).unwrap();
}

fn text(rows: &BTreeMap<(usize, u32), String>) -> String {
    let mut text = String::new();
    let mut current = None;
    for ((chapter, _), row) in rows {
        if current != Some(chapter) {
            current = Some(chapter);
            let title = CHAPTERS.get(*chapter).map_or(REST, |chapter| chapter.1);
            let head = "| input | what happens | exit | message | read before / after | memory | seconds |\n\
                        |---|---|---|---|---|---|---|";
            write!(text, "\n## {title}\n\n{head}\n").unwrap();
        }
        writeln!(text, "{row}").unwrap();
    }
    text
}

/// The line of the messages that the case is about.
fn message(case: &Case<'_>, outcome: &Outcome) -> String {
    let Some(wanted) = case.says.first() else { return "none".to_owned() };
    let line = outcome.messages.lines().find(|line| line.contains(wanted)).unwrap_or_default();
    let shown: String = match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    };
    format!("`{}`", shown.trim().replace('|', "\\|").replace('`', "'"))
}
