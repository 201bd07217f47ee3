//! `firsthand eval`: read labelled documents, run every method on them, and say how good each is,
//! how sure that is, and what it costs.

mod errors;
mod files;
mod fill;
mod ladder;
mod machine;
pub(crate) mod measure;
mod memory;
pub(crate) mod methods;
mod online;
mod page;
pub(crate) mod report;
mod table;
mod words;

use crate::args::{EvalArgs, EvalFormat};
use crate::console::{self, Console};
use crate::labels::{self, Labelled, Layout, Readings};
use crate::results::folder::{self, Folder};
use crate::{clock, inputs, numbers, visible::visible};
use anyhow::{Context, Result, bail};
use firsthand::evaluate::{self, Plan, Subject, Truth};
use measure::Measured;
use methods::Asked;
use report::EvaluationReport;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &EvalArgs) -> Result<ExitCode> {
    if args.online.online {
        return online::run(args);
    }
    let labelled = &args.labelled;
    let asked = methods::asked(labelled)?;
    let console = Arc::new(Console::new(&labelled.run));
    inputs::check(labelled.inputs.iter().chain(&labelled.pairs))?;
    let folder = open_folder(args)?;
    let layout = Layout::find(&labelled.inputs, labelled.pairs.as_deref())?;

    let mut readings = Readings::new(&layout, args.output.output.as_deref(), &console);
    let first = readings.texts(&asked[0].settings.reading)?;
    let unreadable = first.unread.unreadable.count;
    let Labelled { truth, about } = labels::label(&layout, first)?;
    for note in &about.notes {
        console.say(&visible(&format!("note: {note}")));
    }
    let measured = measure_all(args, asked, &truth, &layout, &mut readings)?;

    let ids = readings.into_ids();
    console.show("drawing for the intervals");
    let subjects: Vec<Subject> = measured.iter().map(|(_, found)| found.subject.clone()).collect();
    let plan = Plan { draws: labelled.draws, seed: labelled.seed, ..Plan::default() };
    let said = evaluate::assess(&truth, &subjects, &plan);
    let rows = measured.iter().zip(&said);
    let rows = rows.map(|((asked, found), said)| fill::method(asked, found, said, &truth, &ids));
    let methods = rows.collect::<Result<Vec<_>>>()?;
    let mut about = about;
    about.inputs = labelled.inputs.iter().map(|input| input.display().to_string()).collect();
    let report = EvaluationReport {
        version: env!("CARGO_PKG_VERSION"),
        made: clock::rfc3339(machine::now()),
        machine: machine::name(),
        threads: rayon::current_num_threads(),
        labels: about,
        differences: fill::differences(&methods, &said),
        methods,
    };
    console.show("");

    let written = match folder {
        Some(folder) => Some(write(folder, &report, &measured, &ids)?),
        None => None,
    };
    print(args, &layout, &report, &measured)?;
    if let (Some(files), Some(output)) = (written, &args.output.output) {
        let output = visible(&output.to_string_lossy()).into_owned();
        console.say(&format!("Results are in {output}: {}.", files.join(", ")));
    } else if args.output.dry_run {
        console.say("Dry run: nothing was written.");
    }
    Ok(if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Runs all methods.
fn measure_all(
    args: &EvalArgs,
    asked: Vec<Asked>,
    truth: &Truth,
    layout: &Layout,
    readings: &mut Readings<'_>,
) -> Result<Vec<(Asked, Measured)>> {
    let console = readings.console();
    let (floor, explained) = (args.labelled.floor, args.output.output.is_some());
    let measured = readings.each(asked, |asked, texts| {
        let mut found = measure::measure(asked, &texts.documents, truth, floor, explained)?;
        found.cost.parse_seconds = texts.seconds;
        if !args.no_memory {
            found.cost.peak_memory = memory::peak(asked, &layout.inputs);
        }
        if found.unlisted > 0 {
            let (name, pairs) = (&asked.name, numbers::counted(found.unlisted, "pair"));
            console.say(&format!(
                "note: {name}: {pairs} of texts with very many copies are not counted"
            ));
        }
        Ok(found)
    })?;
    if measured.is_empty() {
        bail!("no method could be measured");
    }
    Ok(measured)
}

/// The folder for results, checked before the long work; none without -o or in a dry run.
fn open_folder(args: &EvalArgs) -> Result<Option<Folder>> {
    let Some(output) = &args.output.output else { return Ok(None) };
    folder::check(output, args.output.force)?;
    inputs::keep_apart(&args.labelled.inputs, output)?;
    if args.output.dry_run { Ok(None) } else { Folder::open(output).map(Some) }
}

/// Writes all files; tells their names.
fn write(
    mut folder: Folder,
    report: &EvaluationReport,
    measured: &[(Asked, Measured)],
    ids: &[String],
) -> Result<Vec<String>> {
    folder.write("errors.tsv", |out| {
        let all = measured.iter().map(|(asked, found)| (asked.name.as_str(), &found.mistakes));
        files::errors(out, all, ids)
    })?;
    folder.write("report.csv", |out| files::csv(out, report))?;
    folder.write("report.html", |out| {
        out.write_all(page::write(report, &examples(report, measured)).as_bytes())
    })?;
    folder.write("report.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report)?;
        out.write_all(b"\n")
    })?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(names)
}

/// The worst errors of the best method; where it makes few, of the next best as well.
fn examples(report: &EvaluationReport, measured: &[(Asked, Measured)]) -> Vec<page::Example> {
    let mut order: Vec<usize> = (0..measured.len()).collect();
    let value = |at: usize| report.methods[at].held_out.f1.value;
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    let all = order.into_iter().flat_map(|at| {
        let (asked, found) = &measured[at];
        found.examples.iter().map(|(wrong, explanation)| page::Example {
            method: asked.name.clone(),
            wrong: wrong.clone(),
            explanation: explanation.clone(),
        })
    });
    all.take(measure::EXPLAINED).collect()
}

/// Prints what was asked for.
fn print(
    args: &EvalArgs,
    layout: &Layout,
    report: &EvaluationReport,
    measured: &[(Asked, Measured)],
) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let text = match args.output.format {
        EvalFormat::Json => serde_json::to_string_pretty(report)? + "\n",
        EvalFormat::Text => {
            let colour = console::colour(stdout.is_terminal());
            let mut text = table::quality(report, colour) + "\n" + &table::cost(report);
            text += &format!("\n{}\n", words::about(report));
            if args.output.output.is_none() {
                text += &words::errors(report, measured, &layout.inputs);
            }
            text
        }
    };
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.context("cannot write to standard output")
}
