//! `firsthand sample`: pairs around the threshold for a person to label, or the histogram of all
//! scores, which needs no labels at all.

mod collect;
mod copies;
mod excerpt;
mod floor;
mod histogram;
mod pick;
mod picture;
mod screen;
mod table;

use crate::args::SampleArgs;
use crate::console::Console;
use crate::numbers::{counted, grouped, score};
use crate::problems::Unread;
use crate::results::file;
use crate::settings;
use crate::visible::shell_word;
use anyhow::{Context, Result, bail};
use collect::Collected;
use copies::Copies;
use firsthand::{Detector, collections::Pairs, settings::Threshold};
use histogram::Histogram;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &SampleArgs) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let threshold = settings.config.threshold;
    let floor = floor::of(args.floor, threshold)?;
    let console = Arc::new(Console::new(&args.run));
    crate::inputs::check(&args.inputs)?;
    for output in args.output.iter().chain(&args.svg) {
        file::check(output, &args.inputs, args.force)?;
    }

    let detector = Detector::new(settings.config)?;
    let twice = !args.histogram;
    let collected = collect::read(&args.inputs, settings.reading, &detector, twice, &console)?;
    let (pairs, floor) = floor::matches(&collected.collection, &detector, floor, &console)?;
    let copies = Copies::new(&pairs, collected.collection.documents().len(), threshold.value());
    if copies.pairs == 0 && copies.exact == 0 {
        bail!(nothing(&collected, floor));
    }
    let found = Found { args, collected: &collected, detector, floor, pairs, copies, threshold };
    if args.histogram {
        found.histogram(&console)?
    } else {
        found.table(&console)?
    }
    Ok(exit_code(&collected.unread))
}

/// A matched collection and what was asked about it.
struct Found<'a> {
    args: &'a SampleArgs,
    collected: &'a Collected,
    detector: Detector,
    floor: Threshold,
    pairs: Pairs,
    copies: Copies,
    threshold: Threshold,
}

impl Found<'_> {
    fn table(&self, console: &Console) -> Result<()> {
        let documents = self.collected.collection.documents();
        let writable: Vec<bool> = documents.iter().map(|one| table::writable(&one.id)).collect();
        let plan = pick::Plan {
            floor: self.floor.value(),
            threshold: self.threshold.value(),
            pairs: self.args.pairs,
            seed: self.args.seed,
        };
        let both = |a: usize, b: usize| writable[a] && writable[b];
        let offered = self.copies.different(&self.pairs).filter(|pair| both(pair.a, pair.b));
        let picked = pick::pick(offered, &self.copies.cluster, &plan);
        if picked.is_empty() {
            bail!(
                "no id of a pair can stand in a table: ids must not hold control characters, nor \
                 start with # or a quotation mark; name another field with --id-field"
            );
        }
        let odd = writable.iter().filter(|writable| !**writable).count();
        if odd > 0 {
            console.warn(&format!(
                "left out: {} with an id that cannot stand in a table (control characters, or a \
                 # or quotation mark in front)",
                counted(odd as u64, "document")
            ));
        }
        let rows = table::write(self.collected, &self.detector, &picked)?;
        match &self.args.output {
            Some(path) => file::write(path, rows.as_bytes())?,
            None => print(&rows)?,
        }
        for line in self.advice(picked.len(), &plan) {
            console.say(&line);
        }
        Ok(())
    }

    /// What was written, and what to do with it.
    fn advice(&self, picked: usize, plan: &pick::Plan) -> Vec<String> {
        let mut lines = vec![format!(
            "{} to label, with scores from {} to 1, most of them near the threshold {}.",
            counted(picked as u64, "pair"),
            score(plan.floor),
            self.threshold
        )];
        if picked < plan.pairs {
            lines.push(format!(
                "There are no more of different texts, with at most {} of a cluster; a lower --floor \
                 gives more.",
                pick::OF_A_CLUSTER
            ));
        }
        let file = self.args.output.as_ref().map_or_else(
            || "FILE".to_owned(),
            |path| shell_word(&path.to_string_lossy()).into_owned(),
        );
        lines.push(
            "Fill in the column label with y or n, as many from the top as you like; then:"
                .to_owned(),
        );
        lines.push(format!("  firsthand tune {} --pairs {file}", self.inputs()));
        lines
    }

    fn histogram(&self, console: &Console) -> Result<()> {
        let floor = self.floor.value();
        let matches = self.copies.different(&self.pairs).filter(|pair| !pair.exact);
        let histogram = Histogram::new(floor, self.threshold, matches, self.copies.exact);
        if let Some(path) = &self.args.svg {
            file::write(path, picture::draw(&histogram).as_bytes())?;
        }
        print(&screen::draw(&histogram, screen::width()))?;
        let (inputs, flags) = (self.inputs(), self.flags());
        match &histogram.valley {
            Ok(valley) => {
                let threshold = format!("--threshold {}", valley.suggested);
                console.say("Try it, or have pairs around it to label:");
                console.say(&format!("  firsthand dedup {inputs}{flags} {threshold}"));
                console
                    .say(&format!("  firsthand sample {inputs}{flags} {threshold} -o labels.tsv"));
            }
            Err(_) => {
                console.say("Labels will tell; for pairs to label:");
                console.say(&format!("  firsthand sample {inputs}{flags} -o labels.tsv"));
            }
        }
        Ok(())
    }

    /// The inputs, to be typed again.
    fn inputs(&self) -> String {
        let words = self.args.inputs.iter().map(|input| match input.to_string_lossy() {
            stdin if stdin == "-" => "COLLECTION".to_owned(),
            path => shell_word(&path).into_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The settings without the threshold, to be typed again.
    fn flags(&self) -> String {
        let flags = crate::summary::flags(&self.args.settings);
        match self.args.settings.threshold {
            Some(threshold) => flags.replace(&format!(" --threshold {threshold}"), ""),
            None => flags,
        }
    }
}

/// Why there is no pair at all.
fn nothing(collected: &Collected, floor: Threshold) -> String {
    match collected.collection.documents().len() {
        0 => "there is nothing to sample: no document could be read".to_owned(),
        1 => "there is nothing to sample: one document makes no pair".to_owned(),
        documents => format!(
            "no two of {} documents score {floor} or more, so there is no pair to look at: give a \
             lower score with --floor",
            grouped(documents as u64)
        ),
    }
}

fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.context("cannot write to standard output")
}

fn exit_code(unread: &Unread) -> ExitCode {
    if unread.unreadable.count > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}
