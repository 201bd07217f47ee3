//! `firsthand eval --online`: how good verdicts on a stream are, as tables, files and a page.

mod files;
mod page;
mod table;
mod words;

use super::{conclude, exit_code, methods, open_folder, show, write_json};
use crate::args::EvalArgs;
use crate::labels;
use crate::session::Session;
use crate::terminal::Terminal;
use anyhow::Result;
use firsthand_jobs::evaluate::stream::{
    StreamEvaluation, StreamEvaluationOptions, evaluate_stream, grid,
};
use firsthand_jobs::labels::NamedSettings;
use firsthand_jobs::results::folder::Folder;
use firsthand_jobs::{OutputError, Purpose, reading};
use std::io::Write;
use std::process::ExitCode;

pub(super) fn run(args: &EvalArgs, session: &Session) -> Result<ExitCode> {
    let labelled = &args.labelled;
    let methods = methods::requested_online(labelled)?;
    let named: Vec<NamedSettings> = methods.iter().map(|method| method.named.clone()).collect();
    let grid = match args.online.grid {
        true => grid(&methods::by_name(Purpose::Stream, labelled, "nrc")?.named)?,
        false => Vec::new(),
    };
    reading::check(labelled.inputs.iter().chain(&labelled.pairs))?;
    let folder = open_folder(args, session)?;
    let mut terminal = Terminal::new(&labelled.run, session);
    let layout = labels::layout(&labelled.inputs, labelled.pairs.as_deref(), session)?;
    let options = StreamEvaluationOptions {
        orders: args.online.orders,
        draws: labelled.draws,
        seed: labelled.seed,
        output: args.output.output.as_deref(),
    };
    let evaluated = evaluate_stream(&layout, &named, &grid, &options, &terminal);
    let (report, unreadable) = evaluated?;
    terminal.end_progress();

    let written = match folder {
        Some(folder) => Some(write(folder, &report)?),
        None => None,
    };
    show(args, &report, |colour| {
        let mut text = table::quality(&report);
        text += &table::guard(&report);
        text += &table::grid(&report, colour);
        text += &format!("\n{}\n", words::about(&report));
        text += &words::errors(&report, &methods, &layout.inputs);
        text
    })?;
    conclude(args, written, &terminal);
    Ok(exit_code(unreadable))
}

/// Writes all files; their names.
fn write(mut folder: Folder, report: &StreamEvaluation) -> Result<Vec<String>, OutputError> {
    folder.write("errors.tsv", |out| files::errors(out, report))?;
    folder.write("report.csv", |out| files::csv(out, report))?;
    folder.write("report.html", |out| out.write_all(page::write(report).as_bytes()))?;
    write_json(&mut folder, report)?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(names)
}
