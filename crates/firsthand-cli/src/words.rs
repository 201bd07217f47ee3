//! Errors as they are shown: settings and options by their flags.

use crate::args::{Cli, FLAGS, Flag};
use clap::{Command, CommandFactory};
use firsthand_input::{Limit, Note, ReadError, Reason};
use firsthand_jobs::settings::plain_words;
use std::error::Error;

/// An error and its causes on one line.
pub(crate) fn shown<'a>(chain: impl Iterator<Item = &'a (dyn Error + 'static)>) -> String {
    let words = chain.map(|error| match error.is::<toml::de::Error>() {
        // Its keys are those of the file.
        true => plain_words(&error.to_string()),
        false => with_flags(&error.to_string()),
    });
    words.collect::<Vec<_>>().join(": ")
}

/// The sentence with flags in the place of keys: `force` becomes --force, and scheme.n = 0 becomes --n 0.
fn with_flags(sentence: &str) -> String {
    let mut text = String::new();
    for (at, part) in sentence.split('`').enumerate() {
        match at % 2 == 1 && is_flag(&Cli::command(), part) {
            true if part == "output" => text += "-o",
            true => text += &format!("--{part}"),
            false if at % 2 == 1 => text += &format!("`{part}`"),
            false => text += part,
        }
    }
    if sentence.matches('`').count() % 2 == 1 {
        return sentence.to_owned();
    }
    for flag in FLAGS.iter().filter(|flag| is_typed(flag)) {
        let key = flag.key.trim_end_matches(".kind");
        let flag = format!("--{} ", flag.name);
        text = match text.strip_prefix(&format!("{key} = ")) {
            Some(rest) => flag + rest,
            None if key.contains('.') => text.replace(&format!("{key} "), &flag),
            None => text,
        };
    }
    text
}

/// Whether a flag was given; otherwise the setting comes from a file, where it has its key.
fn is_typed(flag: &Flag) -> bool {
    let long = format!("--{}", flag.name);
    std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).any(|arg| {
        let is_short = flag.letter.is_some_and(|letter| arg.starts_with(&format!("-{letter}")));
        is_short || arg == long || arg.starts_with(&format!("{long}="))
    })
}

/// A setting by its flag, if it has one.
pub(crate) fn of_setting(key: &str) -> String {
    let flag = FLAGS.iter().find(|flag| flag.key == key);
    flag.map_or_else(|| key.to_owned(), |flag| format!("--{}", flag.name))
}

fn is_flag(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(name))
        || command.get_subcommands().any(|command| is_flag(command, name))
}

/// Why an input was not read, and the flag by which it would be.
pub(crate) fn of_read(error: &ReadError) -> String {
    let advice = match &error.reason {
        Reason::Beyond(exceeded) => sets_the_limit(exceeded.limit),
        Reason::NoText { .. } => "name the right one with --text-field or --html-field".to_owned(),
        Reason::NotAText { .. } => {
            "name another field with --text-field or --html-field".to_owned()
        }
        Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) => {
            "name the one with the text by --text-field".to_owned()
        }
        Reason::NoId(_) => "name the right one with --id-field".to_owned(),
        Reason::NotAnId { .. } => "name another field with --id-field".to_owned(),
        Reason::UnknownKind => "name the kind with --kind".to_owned(),
        _ => return error.to_string(),
    };
    format!("{error}; {advice}")
}

/// What is odd about a document, and the flag that changes it.
pub(crate) fn of_note(note: &Note) -> String {
    match note.limit {
        Some(limit) => format!("{}; {}", note.sentence, sets_the_limit(limit)),
        None => note.sentence.clone(),
    }
}

fn sets_the_limit(limit: Limit) -> String {
    format!("--max-{} sets the limit", limit.key())
}
