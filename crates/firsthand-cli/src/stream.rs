//! `firsthand stream` and `firsthand check`: answers to JSON lines on standard output.

pub(crate) mod summary;

use crate::args::{AnswerArgs, CheckArgs, OnlineArgs, RunArgs, SettingArgs, StreamArgs};
use crate::console::Console;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{settings, words};
use anyhow::Result;
use firsthand::online::Answer;
use firsthand_jobs::JobError;
use firsthand_jobs::answers::{AnswerCounts, AnswerSink, write_lines};
use firsthand_jobs::store::{OpenStore, StoreRequest, open};
use firsthand_jobs::stream::{self, LineInput, StreamJob, StreamSummary};
use firsthand_store::OnOtherSettings;
use std::io::{self, BufWriter, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

pub(crate) fn run(args: &StreamArgs, session: &Session) -> Result<ExitCode> {
    let StreamArgs { inputs, store, answers, dry_run, online, settings, run } = args;
    let address = &store.address;
    answer_lines(Lines { inputs, address, answers, online, settings, run, keep: !dry_run }, session)
}

pub(crate) fn check(args: &CheckArgs, session: &Session) -> Result<ExitCode> {
    let CheckArgs { inputs, store, answers, online, settings, run } = args;
    let address = &store.address;
    answer_lines(Lines { inputs, address, answers, online, settings, run, keep: false }, session)
}

/// What `stream` and `check` have in common.
struct Lines<'a> {
    inputs: &'a [PathBuf],
    address: &'a str,
    answers: &'a AnswerArgs,
    online: &'a OnlineArgs,
    settings: &'a SettingArgs,
    run: &'a RunArgs,
    /// Whether documents are kept.
    keep: bool,
}

fn answer_lines(args: Lines<'_>, session: &Session) -> Result<ExitCode> {
    let Lines { inputs, address, answers, online, settings, run, keep } = args;
    let mut terminal = Terminal::new(run, session);
    if io::stdout().is_terminal() {
        terminal = terminal.without_progress();
    }
    let inputs = LineInput::from_paths(inputs).map_err(words::of_input)?;
    let store = open_store(address, settings, online, keep, &terminal)?;
    let job = StreamJob { store, inputs, keep };
    let mut sink = Stdout(BufWriter::with_capacity(1 << 16, io::stdout()));
    let summary = stream::run(job, &mut sink, &terminal).map_err(words::of_job)?;
    terminal.end_progress();
    say_summary(&terminal.console, &summary, keep);
    Ok(exit_code(answers, &summary.counts, session))
}

/// Opens the store of a stream with what was typed.
pub(crate) fn open_store(
    address: &str,
    settings: &SettingArgs,
    online: &OnlineArgs,
    writable: bool,
    terminal: &Terminal,
) -> Result<OpenStore> {
    let request = StoreRequest {
        address: address.to_owned(),
        layers: settings::stream_layers(settings, online)?,
        writable,
        on_other_settings: match online.new_generation {
            true => OnOtherSettings::NewGeneration,
            false => OnOtherSettings::Refuse,
        },
    };
    open(request, terminal).map_err(|error| match error {
        JobError::Settings(error) => words::of_settings(error, settings.config.as_deref()),
        error => words::of_job(error),
    })
}

/// Answers as JSON lines on standard output.
pub(crate) struct Stdout(pub(crate) BufWriter<io::Stdout>);

impl AnswerSink for Stdout {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        write_lines(&mut self.0, answers)
    }
}

pub(crate) fn say_summary(console: &Console, summary: &StreamSummary, kept: bool) {
    summary::answers(summary).iter().for_each(|line| console.say(line));
    match &summary.holdings {
        Ok(_) if !kept => console.say("Nothing was stored."),
        Ok(holdings) => summary::holdings(holdings).iter().for_each(|line| console.say(line)),
        Err(error) => console.warn(&format!("cannot read the store: {error}")),
    }
}

/// A signal takes precedence over errors, and errors over duplicates.
pub(crate) fn exit_code(args: &AnswerArgs, counts: &AnswerCounts, session: &Session) -> ExitCode {
    let found = counts.duplicates + counts.updates > 0;
    session.exit_code().unwrap_or(match () {
        () if counts.errors > 0 => ExitCode::from(3),
        () if args.exit_code && found => ExitCode::from(1),
        () => ExitCode::SUCCESS,
    })
}
