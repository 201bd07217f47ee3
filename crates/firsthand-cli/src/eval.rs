//! `firsthand eval`: how good methods are on labelled documents, or their verdicts on a stream, as
//! tables, files and a page.

mod memory;
pub(crate) mod methods;
mod words;

use crate::args::{EvalArgs, EvalFormat};
use crate::exit_code::ExitCode;
use crate::fitted::{fitted, stdout_width};
use crate::session::Session;
use crate::terminal::Terminal;
use crate::visible::visible;
use crate::{console, labels, print};
use anyhow::Result;
use firsthand_jobs::evaluate::stream::{evaluate_stream, grid};
use firsthand_jobs::evaluate::{MeasureOptions, evaluate};
use firsthand_jobs::labels::{Layout, MethodName, NamedSettings};
use firsthand_jobs::results::folder::{self, Folder};
use firsthand_jobs::{Observer, OutputError, Phase, Purpose, reading};
use firsthand_pages::{evaluation, stream_evaluation};
use methods::RequestedMethod;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

/// What is measured, and where results go.
struct Measurement<'a> {
    args: &'a EvalArgs,
    methods: &'a [RequestedMethod],
    named: &'a [NamedSettings],
    layout: &'a Layout,
    options: &'a MeasureOptions<'a>,
    /// None without -o or in a dry run.
    folder: Option<Folder>,
}

/// The names of the files written, if any, and the number of inputs that could not be read.
type Done = (Option<Vec<String>>, usize);

pub(crate) fn run(args: &EvalArgs, session: &Session) -> Result<ExitCode> {
    let labelled = &args.labelled;
    let purpose = if args.online.online { Purpose::Stream } else { Purpose::Collection };
    let methods = methods::requested(purpose, labelled)?;
    let named: Vec<NamedSettings> = methods.iter().map(|method| method.named.clone()).collect();
    let grid = match args.online.grid {
        true => {
            let nrc = MethodName::Method("nrc".to_owned());
            grid(&methods::by_name(Purpose::Stream, labelled, &nrc)?.named)?
        }
        false => Vec::new(),
    };
    reading::check(labelled.labels.inputs.iter().chain(&labelled.labels.pairs))?;
    let folder = open_folder(args, session)?;
    let mut terminal = Terminal::new(&labelled.run, session);
    let layout =
        labels::layout(&labelled.labels.inputs, labelled.labels.pairs.as_deref(), session)?;
    let options = labels::options(labelled, args.output.output.as_deref());
    let measurement = Measurement {
        args,
        methods: &methods,
        named: &named,
        layout: &layout,
        options: &options,
        folder,
    };
    let (written, unreadable) = match purpose {
        Purpose::Stream => measurement.on_stream(&grid, &mut terminal)?,
        _ => measurement.on_collection(session, &mut terminal)?,
    };
    conclude(args, written, &terminal);
    Ok(exit_code(unreadable))
}

impl Measurement<'_> {
    fn on_collection(self, session: &Session, terminal: &mut Terminal) -> Result<Done> {
        let Self { args, methods, named, layout, options, folder } = self;
        let mut evaluation = evaluate(layout, named, options, terminal)?;
        if !args.no_memory {
            terminal.phase(Phase::Other("measuring memory"));
            for report in &mut evaluation.report.methods {
                let method = methods::named(methods, &report.name);
                report.cost.peak_memory =
                    method.and_then(|method| memory::peak(method, &layout.inputs, session));
            }
        }
        terminal.end_progress();
        let report = &evaluation.report;
        let page = || evaluation::page(report, &evaluation.examples);
        let errors = |out: &mut _| evaluation.write_errors(out);
        let csv = |out: &mut _| evaluation.write_csv(out);
        let written = write(folder, report, errors, csv, page)?;
        show(args, report, |colour| {
            let text = evaluation::text(report, colour);
            match args.output.output {
                None => text + &words::wrong_pairs(report, methods, &layout.inputs),
                Some(_) => text,
            }
        })?;
        Ok((written, evaluation.unreadable))
    }

    fn on_stream(self, grid: &[NamedSettings], terminal: &mut Terminal) -> Result<Done> {
        let Self { args, methods, named, layout, options, folder } = self;
        let orders = args.online.orders;
        let evaluated = evaluate_stream(layout, named, grid, orders, options, terminal);
        let (report, unreadable) = evaluated?;
        terminal.end_progress();
        let page = || stream_evaluation::page(&report);
        let errors = |out: &mut _| report.write_errors(out);
        let csv = |out: &mut _| report.write_csv(out);
        let written = write(folder, &report, errors, csv, page)?;
        show(args, &report, |colour| {
            let text = stream_evaluation::text(&report, colour);
            text + &words::wrong_verdicts(&report, methods, &layout.inputs)
        })?;
        Ok((written, unreadable))
    }
}

/// 3 if some inputs could not be read.
pub(crate) fn exit_code(unreadable: usize) -> ExitCode {
    if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}

/// The folder for results, checked before the long work; none without -o or in a dry run.
fn open_folder(args: &EvalArgs, session: &Session) -> Result<Option<Folder>> {
    let Some(output) = &args.output.output else { return Ok(None) };
    folder::keep_apart(&args.labelled.labels.inputs, output)?;
    folder::check(output, args.output.force)?;
    match args.output.dry_run {
        true => Ok(None),
        false => Ok(Some(Folder::open(output, &session.temp_files)?)),
    }
}

/// Writes all files; their names.
fn write(
    folder: Option<Folder>,
    report: &impl Serialize,
    errors: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    csv: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    page: impl FnOnce() -> String,
) -> Result<Option<Vec<String>>, OutputError> {
    let Some(mut folder) = folder else { return Ok(None) };
    folder.write("errors.tsv", errors)?;
    folder.write("report.csv", csv)?;
    folder.write("report.html", |out| out.write_all(page().as_bytes()))?;
    folder.write("report.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report)?;
        out.write_all(b"\n")
    })?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(Some(names))
}

/// Prints the report in the format that was asked for.
fn show(args: &EvalArgs, report: &impl Serialize, text: impl FnOnce(bool) -> String) -> Result<()> {
    let text = match args.output.format {
        EvalFormat::Json => serde_json::to_string_pretty(report)? + "\n",
        EvalFormat::Text => {
            fitted(&text(console::colour(io::stdout().is_terminal())), stdout_width())
        }
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
