//! `firsthand eval`: how good methods are on labelled documents, as tables, files and a page.

mod files;
mod memory;
pub(crate) mod methods;
mod online;
mod page;
mod table;
mod words;

use crate::args::{EvalArgs, EvalFormat};
use crate::session::Session;
use crate::terminal::Terminal;
use crate::visible::visible;
use crate::{console, labels, print};
use anyhow::Result;
use firsthand_jobs::evaluate::{Evaluation, EvaluationOptions, evaluate};
use firsthand_jobs::labels::NamedSettings;
use firsthand_jobs::results::folder::{self, Folder};
use firsthand_jobs::{Observer, OutputError, Phase, reading};
use methods::RequestedMethod;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

pub(crate) fn run(args: &EvalArgs, session: &Session) -> Result<ExitCode> {
    if args.online.online {
        return online::run(args, session);
    }
    let labelled = &args.labelled;
    let methods = methods::requested(labelled)?;
    let named: Vec<NamedSettings> = methods.iter().map(|method| method.named.clone()).collect();
    reading::check(labelled.inputs.iter().chain(&labelled.pairs))?;
    let folder = open_folder(args, session)?;
    let mut terminal = Terminal::new(&labelled.run, session);
    let layout = labels::layout(&labelled.inputs, labelled.pairs.as_deref(), session)?;
    let options = EvaluationOptions {
        floor: labelled.floor,
        draws: labelled.draws,
        seed: labelled.seed,
        explain: args.output.output.is_some(),
        output: args.output.output.as_deref(),
    };
    let mut evaluation = evaluate(&layout, &named, &options, &terminal)?;
    let methods: Vec<&RequestedMethod> = evaluation.places.iter().map(|&at| &methods[at]).collect();
    if !args.no_memory {
        terminal.phase(Phase::Other("measuring memory"));
        for (report, method) in evaluation.report.methods.iter_mut().zip(&methods) {
            report.cost.peak_memory = memory::peak(method, &layout.inputs, &session.temp_files);
        }
    }
    terminal.end_progress();

    let written = match folder {
        Some(folder) => Some(write(folder, &evaluation)?),
        None => None,
    };
    let report = &evaluation.report;
    show(args, report, |colour| {
        let mut text = table::quality(report, colour) + "\n" + &table::cost(report);
        text += &format!("\n{}\n", words::about(report));
        if args.output.output.is_none() {
            text += &words::errors(report, &methods, &layout.inputs);
        }
        text
    })?;
    conclude(args, written, &terminal);
    Ok(exit_code(evaluation.unreadable))
}

/// 3 if some inputs could not be read.
pub(crate) fn exit_code(unreadable: usize) -> ExitCode {
    if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}

/// The folder for results, checked before the long work; none without -o or in a dry run.
fn open_folder(args: &EvalArgs, session: &Session) -> Result<Option<Folder>> {
    let Some(output) = &args.output.output else { return Ok(None) };
    folder::check(output, args.output.force)?;
    folder::keep_apart(&args.labelled.inputs, output)?;
    match args.output.dry_run {
        true => Ok(None),
        false => Ok(Some(Folder::open(output, &session.temp_files)?)),
    }
}

/// Writes all files; their names.
fn write(mut folder: Folder, evaluation: &Evaluation) -> Result<Vec<String>, OutputError> {
    let Evaluation { report, errors, examples, ids, .. } = evaluation;
    folder.write("errors.tsv", |out| {
        let names = report.methods.iter().map(|method| method.name.as_str());
        files::errors(out, names.zip(errors), ids)
    })?;
    folder.write("report.csv", |out| files::csv(out, report))?;
    folder.write("report.html", |out| out.write_all(page::write(report, examples).as_bytes()))?;
    write_json(&mut folder, report)?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(names)
}

fn write_json(folder: &mut Folder, report: &impl Serialize) -> Result<(), OutputError> {
    folder.write("report.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report)?;
        out.write_all(b"\n")
    })
}

/// Prints the report in the format that was asked for.
fn show(args: &EvalArgs, report: &impl Serialize, text: impl FnOnce(bool) -> String) -> Result<()> {
    let text = match args.output.format {
        EvalFormat::Json => serde_json::to_string_pretty(report)? + "\n",
        EvalFormat::Text => text(console::colour(io::stdout().is_terminal())),
    };
    print(&text).map(drop)
}

/// Says where the results are.
fn conclude(args: &EvalArgs, written: Option<Vec<String>>, terminal: &Terminal) {
    let console = &terminal.console;
    if let (Some(files), Some(output)) = (written, &args.output.output) {
        let output = visible(&output.to_string_lossy()).into_owned();
        console.say(&format!("Results are in {output}: {}.", files.join(", ")));
    } else if args.output.dry_run {
        console.say("Dry run: nothing was written.");
    }
}

/// The documents as arguments of `firsthand explain`; none if they came from standard input.
fn explain_inputs(inputs: &[PathBuf]) -> Option<String> {
    let path = |input: &PathBuf| crate::visible::shell_word(&input.to_string_lossy()).into_owned();
    let is_stdin = inputs.iter().any(|input| input.as_os_str() == "-");
    (!is_stdin).then(|| inputs.iter().map(|input| format!(" --in {}", path(input))).collect())
}
