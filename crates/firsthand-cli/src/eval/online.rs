//! `firsthand eval --online`: labelled documents arrive one by one, in many orders, and each verdict
//! is scored as it is given.

mod files;
mod grid;
mod measure;
mod page;
mod report;
mod table;
mod words;

use super::{machine, methods, open_folder};
use crate::args::{EvalArgs, EvalFormat};
use crate::console::{self, Console};
use crate::labels::{self, Labelled, Layout, Readings};
use crate::results::folder::Folder;
use crate::{clock, inputs, visible::visible};
use anyhow::{Context, Result, bail};
use report::StreamEvaluation;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// Fewer orders than this are for a quick look.
const ENOUGH: usize = 20;

pub(super) fn run(args: &EvalArgs) -> Result<ExitCode> {
    let labelled = &args.labelled;
    let asked = methods::asked_online(labelled)?;
    let grid = match args.online.grid {
        true => grid::asked(labelled)?,
        false => Vec::new(),
    };
    let console = Arc::new(Console::new(&labelled.run));
    inputs::check(labelled.inputs.iter().chain(&labelled.pairs))?;
    let folder = open_folder(args)?;
    let layout = Layout::find(&labelled.inputs, labelled.pairs.as_deref())?;

    let mut readings = Readings::new(&layout, args.output.output.as_deref(), &console);
    let first = readings.texts(&asked[0].settings.reading)?;
    let unreadable = first.unread.unreadable.count;
    let Labelled { truth, mut about } = labels::label(&layout, first)?;
    if args.online.orders < ENOUGH {
        about.notes.push(format!(
            "{} orders only: with {ENOUGH} or more the mean is surer",
            args.online.orders
        ));
    }
    for note in &about.notes {
        console.say(&visible(&format!("note: {note}")));
    }
    let plan = measure::Plan::new(args);
    let measured = readings
        .each(asked, |asked, texts| measure::measure(asked, &texts.documents, &truth, &plan))?;
    if measured.is_empty() {
        bail!("no method could be measured");
    }
    let grid = readings
        .each(grid, |asked, texts| measure::quality(asked, &texts.documents, &truth, &plan))?;
    about.inputs = labelled.inputs.iter().map(|input| input.display().to_string()).collect();
    let report = StreamEvaluation {
        version: env!("CARGO_PKG_VERSION"),
        made: clock::rfc3339(machine::now()),
        machine: machine::name(),
        threads: rayon::current_num_threads(),
        scoring: words::SCORING,
        orders: plan.orders,
        seed: plan.seed,
        labels: about,
        methods: measured.into_iter().map(|(_, method)| method).collect(),
        grid: grid::rows(grid),
    };
    console.show("");

    let written = match folder {
        Some(folder) => Some(write(folder, &report)?),
        None => None,
    };
    print(args, &layout, &report)?;
    if let (Some(files), Some(output)) = (written, &args.output.output) {
        let output = visible(&output.to_string_lossy()).into_owned();
        console.say(&format!("Results are in {output}: {}.", files.join(", ")));
    } else if args.output.dry_run {
        console.say("Dry run: nothing was written.");
    }
    Ok(if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Writes all files; tells their names.
fn write(mut folder: Folder, report: &StreamEvaluation) -> Result<Vec<String>> {
    folder.write("errors.tsv", |out| files::errors(out, report))?;
    folder.write("report.csv", |out| files::csv(out, report))?;
    folder.write("report.html", |out| out.write_all(page::write(report).as_bytes()))?;
    folder.write("report.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report)?;
        out.write_all(b"\n")
    })?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(names)
}

fn print(args: &EvalArgs, layout: &Layout, report: &StreamEvaluation) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let text = match args.output.format {
        EvalFormat::Json => serde_json::to_string_pretty(report)? + "\n",
        EvalFormat::Text => {
            let colour = console::colour(stdout.is_terminal());
            let mut text = table::quality(report);
            text += &table::guard(report);
            text += &table::grid(report, colour);
            text += &format!("\n{}\n", words::about(report));
            text += &words::errors(report, &layout.inputs);
            text
        }
    };
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.context("cannot write to standard output")
}
