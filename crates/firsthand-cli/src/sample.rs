//! `firsthand sample`: a table of pairs to label, or a picture of all scores.

use crate::args::SampleArgs;
use crate::eval::exit_code;
use crate::exit_code::ExitCode;
use crate::numbers::{counted, score};
use crate::session::Session;
use crate::terminal::Terminal;
use crate::visible::shell_word;
use crate::{console, print, settings};
use anyhow::Result;
use firsthand::Settings;
use firsthand_jobs::reading::{self, StandardInput};
use firsthand_jobs::results::file;
use firsthand_jobs::sample::{PAIRS_PER_CLUSTER, PairSample, SampleOptions, histogram, sample};
use firsthand_pages::histogram as pages;
use std::path::Path;

pub(crate) fn run(args: &SampleArgs, session: &Session) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    reading::check(&args.inputs)?;
    for output in args.output.iter().chain(&args.svg) {
        file::check(output, &args.inputs, args.force)?;
    }
    let terminal = Terminal::new(&args.run, session);
    if args.histogram {
        draw_histogram(args, settings, session, terminal)
    } else {
        write_table(args, settings, session, terminal)
    }
}

fn write_table(
    args: &SampleArgs,
    settings: Settings,
    session: &Session,
    mut terminal: Terminal,
) -> Result<ExitCode> {
    let options = SampleOptions { floor: args.floor, pairs: args.pairs, seed: args.seed };
    let mut stream = std::io::stdin();
    let (folder, temp_files) = (std::env::temp_dir(), &session.temp_files);
    let stdin = StandardInput { stream: &mut stream, folder, temp_files };
    let sampled = sample(&args.inputs, settings, &options, Some(stdin), &terminal);
    let sampled = sampled?;
    terminal.end_progress();
    let console = &terminal.console;
    if sampled.unusable_ids > 0 {
        console.warn(&format!(
            "left out: {} with an id that a table cannot hold (control characters, or # or a \
             quotation mark at its start)",
            counted(sampled.unusable_ids as u64, "document")
        ));
    }
    write(args.output.as_deref(), &sampled.table(), session)?;
    for line in advice(args, &sampled) {
        console.say(&line);
    }
    Ok(exit_code(sampled.unreadable))
}

fn write(path: Option<&Path>, text: &str, session: &Session) -> Result<()> {
    match path {
        Some(path) => Ok(file::write(path, text.as_bytes(), &session.temp_files)?),
        None => print(text).map(drop),
    }
}

/// What was written, and what to do with it.
fn advice(args: &SampleArgs, sampled: &PairSample) -> Vec<String> {
    let pairs = sampled.pairs.len();
    let mut lines = vec![format!(
        "{} to label, with scores from {} to 1.000, most of them near the threshold {}.",
        counted(pairs as u64, "pair"),
        score(sampled.floor.value()),
        sampled.threshold
    )];
    if pairs < args.pairs {
        lines.push(format!(
            "There are no more pairs of different texts, with at most {PAIRS_PER_CLUSTER} per \
             cluster; a lower --floor gives more."
        ));
    }
    let file = args
        .output
        .as_ref()
        .map_or_else(|| "FILE".to_owned(), |path| shell_word(&path.to_string_lossy()).into_owned());
    lines.push(
        "Write y or n into the column label, for any number of pairs from the top; then:"
            .to_owned(),
    );
    lines.push(format!("  firsthand tune {} --pairs {file}", inputs(args)));
    lines
}

fn draw_histogram(
    args: &SampleArgs,
    settings: Settings,
    session: &Session,
    mut terminal: Terminal,
) -> Result<ExitCode> {
    let counted = histogram(&args.inputs, settings, args.floor, &terminal);
    let (histogram, unreadable) = counted?;
    terminal.end_progress();
    if args.svg.is_some() {
        write(args.svg.as_deref(), &pages::svg(&histogram), session)?;
    }
    write(None, &pages::text(&histogram, console::width(120)), session)?;
    let (console, inputs, flags) = (&terminal.console, inputs(args), flags(args));
    match &histogram.valley {
        Ok(valley) => {
            let threshold = format!("--threshold {}", valley.suggested);
            console.say("Try it, or label pairs around it:");
            console.say(&format!("  firsthand dedup {inputs}{flags} {threshold}"));
            console.say(&format!("  firsthand sample {inputs}{flags} {threshold} -o labels.tsv"));
        }
        Err(_) => {
            console.say("Labels can decide; for pairs to label:");
            console.say(&format!("  firsthand sample {inputs}{flags} -o labels.tsv"));
        }
    }
    Ok(exit_code(unreadable))
}

/// The inputs as arguments of the next command.
fn inputs(args: &SampleArgs) -> String {
    let words = args.inputs.iter().map(|input| match input.to_string_lossy() {
        stdin if stdin == "-" => "COLLECTION".to_owned(),
        path => shell_word(&path).into_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The flags of the settings without the threshold, for the next command.
fn flags(args: &SampleArgs) -> String {
    let flags = crate::summary::flags(&args.settings);
    match args.settings.single.get("threshold") {
        Some(threshold) => flags.replace(&format!(" --threshold {threshold}"), ""),
        None => flags,
    }
}
