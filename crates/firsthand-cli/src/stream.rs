//! `firsthand stream` and `firsthand check`: answers to JSON lines on standard output.

pub(crate) mod summary;

use crate::answers;
use crate::args::{CheckArgs, LineArgs, SessionArgs, StreamArgs};
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::settings;
use crate::terminal::Terminal;
use anyhow::Result;
use firsthand_jobs::answers::AnswerCounts;
use firsthand_jobs::decisions::{self, Decision};
use firsthand_jobs::store::{OpenStore, StoreRequest, open};
use firsthand_jobs::stream::{self, LineInput, StreamJob, StreamSummary};
use firsthand_store::OnOtherSettings;
use std::io::{self, IsTerminal};

pub(crate) fn run(args: &StreamArgs, session: &Session) -> Result<ExitCode> {
    let decisions = args.decisions.as_deref().map(decisions::read).transpose()?;
    let keeping = Keeping { text: args.keep_text, decisions: decisions.unwrap_or_default() };
    answer_lines(&args.lines, Some(keeping).filter(|_| !args.dry_run), session)
}

pub(crate) fn check(args: &CheckArgs, session: &Session) -> Result<ExitCode> {
    answer_lines(&args.lines, None, session)
}

/// What is kept beside the documents.
struct Keeping {
    text: bool,
    decisions: Vec<Option<Decision>>,
}

/// Judges lines, and keeps documents or not.
fn answer_lines(args: &LineArgs, keeping: Option<Keeping>, session: &Session) -> Result<ExitCode> {
    let keep = keeping.is_some();
    let Keeping { text: keep_text, decisions } =
        keeping.unwrap_or(Keeping { text: false, decisions: Vec::new() });
    let mut terminal = Terminal::new(&args.session.run, session);
    if args.session.out.is_none() && io::stdout().is_terminal() {
        terminal = terminal.without_progress();
    }
    let inputs = LineInput::from_paths(&args.inputs)?;
    let store = open_store(&args.session, keep, &terminal)?;
    let mut sink = answers::sink(&args.session, None, session)?;
    let summary = stream::run(
        StreamJob { store, inputs, keep, keep_text, decisions },
        &mut *sink,
        &terminal,
    )?;
    terminal.end_progress();
    say_summary(&terminal.console, &summary, keep);
    Ok(exit_code(&args.session, &summary.counts, session))
}

/// Opens the store of a stream with what was typed.
pub(crate) fn open_store(
    args: &SessionArgs,
    writable: bool,
    terminal: &Terminal,
) -> Result<OpenStore> {
    let request = StoreRequest {
        address: args.store.address.clone(),
        layers: settings::stream_layers(&args.settings, &args.online)?,
        writable,
        on_other_settings: match args.online.new_generation {
            true => OnOtherSettings::NewGeneration,
            false => OnOtherSettings::Refuse,
        },
    };
    Ok(open(request, terminal)?)
}

pub(crate) fn say_summary(console: &Console, summary: &StreamSummary, kept: bool) {
    summary::answers(summary).iter().for_each(|line| console.say(line));
    match &summary.holdings {
        Ok(_) if !kept => console.say("Nothing was stored."),
        Ok(holdings) => {
            summary::holdings(holdings, summary.left_out).iter().for_each(|line| console.say(line))
        }
        Err(error) => console.warn(&format!("cannot read the store: {error}")),
    }
}

/// A signal takes precedence over errors, and errors over duplicates.
pub(crate) fn exit_code(args: &SessionArgs, counts: &AnswerCounts, session: &Session) -> ExitCode {
    let found = counts.duplicates + counts.updates > 0;
    session.exit_code().unwrap_or(match () {
        () if counts.errors > 0 => ExitCode::from(3),
        () if args.exit_code && found => ExitCode::from(1),
        () => ExitCode::SUCCESS,
    })
}
