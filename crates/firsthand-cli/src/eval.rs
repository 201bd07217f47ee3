//! `firsthand eval`: read labelled documents, run every method on them, and say how good each is,
//! how sure that is, and what it costs.

mod errors;
mod files;
mod fill;
mod ladder;
mod machine;
mod measure;
mod memory;
mod methods;
pub(crate) mod report;
mod table;
mod words;

use crate::args::{EvalArgs, EvalFormat};
use crate::console::{self, Console};
use crate::labels::{self, Labelled, Layout, Texts};
use crate::results::folder::{self, Folder};
use crate::{clock, inputs, numbers, visible::visible};
use anyhow::{Context, Result, bail};
use firsthand::evaluate::{self, Plan, Subject, Truth};
use firsthand_input::Settings;
use measure::Measured;
use methods::Asked;
use report::Report;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &EvalArgs) -> Result<ExitCode> {
    let asked = methods::asked(args)?;
    let console = Arc::new(Console::new(&args.run));
    inputs::check(args.inputs.iter().chain(&args.pairs))?;
    let folder = open_folder(args)?;
    let layout = Layout::find(&args.inputs, args.pairs.as_deref())?;

    let mut readings = Readings::new(args, &layout, &console);
    let first = readings.texts(&asked[0].settings.reading)?;
    let unreadable = first.unread.unreadable.count;
    let Labelled { truth, about } = labels::label(&layout, first)?;
    for note in &about.notes {
        console.say(&visible(&format!("note: {note}")));
    }
    let measured = measure_all(args, asked, &truth, &layout, &mut readings)?;

    let ids = readings.ids.unwrap_or_default();
    console.show("drawing for the intervals");
    let subjects: Vec<Subject> = measured.iter().map(|(_, found)| found.subject.clone()).collect();
    let plan = Plan { draws: args.draws, seed: args.seed, ..Plan::default() };
    let said = evaluate::assess(&truth, &subjects, &plan);
    let rows = measured.iter().zip(&said);
    let rows = rows.map(|((asked, found), said)| fill::method(asked, found, said, &truth, &ids));
    let methods = rows.collect::<Result<Vec<_>>>()?;
    let mut about = about;
    about.inputs = args.inputs.iter().map(|input| input.display().to_string()).collect();
    let report = Report {
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

/// Runs all methods; those that read alike one after another.
fn measure_all(
    args: &EvalArgs,
    asked: Vec<Asked>,
    truth: &Truth,
    layout: &Layout,
    readings: &mut Readings<'_>,
) -> Result<Vec<(Asked, Measured)>> {
    let console = readings.console;
    let keys: Vec<String> = asked.iter().map(|asked| key(&asked.settings.reading)).collect();
    let first = |number: usize| keys.iter().position(|key| *key == keys[number]);
    let mut order: Vec<(usize, Asked)> = asked.into_iter().enumerate().collect();
    order.sort_by_key(|(number, _)| first(*number));
    let all = order.len();
    let mut measured = Vec::new();
    for (done, (number, asked)) in order.into_iter().enumerate() {
        let texts = readings.texts(&asked.settings.reading)?;
        console.show(&format!("measuring {} ({} of {all})", asked.name, done + 1));
        match measure::measure(&asked, &texts.documents, truth, args) {
            Ok(mut found) => {
                found.cost.parse_seconds = texts.seconds;
                if !args.no_memory {
                    found.cost.peak_memory = memory::peak(&asked, &layout.inputs);
                }
                if found.unlisted > 0 {
                    let (name, pairs) = (&asked.name, numbers::counted(found.unlisted, "pair"));
                    console.say(&format!(
                        "note: {name}: {pairs} of texts with very many copies are not counted"
                    ));
                }
                measured.push((number, asked, found));
            }
            Err(error) => console.warn(&visible(&format!("not measured: {error:#}"))),
        }
    }
    if measured.is_empty() {
        bail!("no method could be measured");
    }
    measured.sort_by_key(|(number, ..)| *number);
    Ok(measured.into_iter().map(|(_, asked, found)| (asked, found)).collect())
}

/// The folder for results, checked before the long work; none without -o or in a dry run.
fn open_folder(args: &EvalArgs) -> Result<Option<Folder>> {
    let Some(output) = &args.output.output else { return Ok(None) };
    folder::check(output, args.output.force)?;
    inputs::keep_apart(&args.inputs, output)?;
    if args.output.dry_run { Ok(None) } else { Folder::open(output).map(Some) }
}

/// The documents, as the settings for reading have it: hardly ever more than two ways, and only
/// one of them is in memory at a time.
struct Readings<'a> {
    args: &'a EvalArgs,
    layout: &'a Layout,
    console: &'a Arc<Console>,
    /// The ids of all documents, to which the labels belong.
    ids: Option<Vec<String>>,
    now: Option<(String, Texts)>,
}

/// What settings for reading are told apart by.
fn key(settings: &Settings) -> String {
    format!("{settings:?}")
}

impl<'a> Readings<'a> {
    fn new(args: &'a EvalArgs, layout: &'a Layout, console: &'a Arc<Console>) -> Self {
        Self { args, layout, console, ids: None, now: None }
    }

    fn texts(&mut self, settings: &Settings) -> Result<&Texts> {
        let key = key(settings);
        if self.now.as_ref().is_none_or(|(known, _)| *known != key) {
            // The old ones go before the new ones come.
            self.now = None;
            let output = self.args.output.output.as_ref();
            let except = output.and_then(|output| output.canonicalize().ok());
            let settings = Settings { except, ..settings.clone() };
            let texts = Texts::read(self.layout, &settings, self.console)?;
            let ids = || texts.documents.iter().map(|document| &document.id);
            match &self.ids {
                None => self.ids = Some(ids().cloned().collect()),
                Some(before) if before.iter().eq(ids()) => {}
                Some(_) => bail!(
                    "the methods do not read the same documents, so that labels fit only some of \
                     them: measure methods with other settings for reading one at a time"
                ),
            }
            self.now = Some((key, texts));
        }
        self.now.as_ref().map(|(_, texts)| texts).context("nothing was read")
    }
}

/// Writes all files; tells their names.
fn write(
    mut folder: Folder,
    report: &Report,
    measured: &[(Asked, Measured)],
    ids: &[String],
) -> Result<Vec<String>> {
    folder.write("errors.tsv", |out| {
        let all = measured.iter().map(|(asked, found)| (asked.name.as_str(), &found.mistakes));
        files::errors(out, all, ids)
    })?;
    folder.write("report.csv", |out| files::csv(out, report))?;
    // report.html goes here: the examples of the best method are in `measured`.
    folder.write("report.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report)?;
        out.write_all(b"\n")
    })?;
    let names = folder.names().collect();
    folder.publish()?;
    Ok(names)
}

/// Prints what was asked for.
fn print(
    args: &EvalArgs,
    layout: &Layout,
    report: &Report,
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
