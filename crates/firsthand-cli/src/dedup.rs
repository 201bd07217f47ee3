//! `firsthand dedup`: the job, then results or a summary in words.

use crate::args::{DedupArgs, Emit, Format, MemoryArgs};
use crate::exit_code::ExitCode;
use crate::results;
use crate::session::Session;
use crate::settings;
use crate::summary::{explain_command, summary};
use crate::terminal::Terminal;
use anyhow::{Result, bail};
use firsthand_jobs::beyond::{Memory, budget};
use firsthand_jobs::dedup::{self, Dedup, DedupOutcome, Output};
use firsthand_jobs::results::Contents;
use firsthand_jobs::{MemoryError, PairList};
use std::io::{self, IsTerminal};

pub(crate) fn run(args: &DedupArgs, session: &Session) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let typed = &args.output;
    if typed.output.is_some() && typed.format == Some(Format::Text) {
        bail!("--format text is for the screen and -o writes files: leave one of them out");
    }
    if typed.output.is_none() && typed.emit == Emit::Pairs && args.pairs == PairList::None {
        bail!("--pairs none leaves no pair for --emit pairs: leave one of them out");
    }
    if typed.output.is_none() && typed.format == Some(Format::Parquet) && io::stdout().is_terminal()
    {
        bail!(
            "--format parquet is not for a screen: redirect it to a file, or write to a folder with -o"
        );
    }
    let is_listed = match typed.output {
        Some(_) => typed.kept || typed.dropped,
        None => typed.emit == Emit::Kept,
    };
    if typed.null && !is_listed {
        bail!(
            "--null is for lists of paths, and none is asked for: add --kept or --dropped with -o, or --emit kept"
        );
    }
    let mut terminal = Terminal::new(&args.run, session);
    if typed.output.is_some() && !typed.dry_run {
        terminal = terminal.with_report();
    }
    let (force, dry_run, emit) = (typed.force, typed.dry_run, results::emitted(typed));
    let mut stdin = io::stdin();
    let job = Dedup {
        settings,
        inputs: args.inputs.clone().into(),
        against: args.against.clone().into(),
        decisions: args.decisions.clone(),
        output: typed.output.clone().map(|path| Output { path, force, dry_run }),
        contents: Contents {
            kept: typed.kept,
            dropped: typed.dropped,
            annotate: typed.annotate.then(|| typed.annotate_names.clone().unwrap_or_default()),
            csv: typed.format == Some(Format::Csv),
            parquet: typed.format == Some(Format::Parquet),
            pairs: args.pairs,
            max_pairs: args.max_pairs,
            null: typed.null,
        },
        emit: (typed.output.is_none() && !dry_run).then_some(emit),
        memory: memory(&args.memory)?,
        stop_after: args.stop_after,
        stdin: Some(&mut stdin),
        explain: Some(&|a, b| explain_command(args, a, b)),
        page: Some(&firsthand_pages::overview::html),
        temp_files: &session.temp_files,
    };
    let mut outcome = dedup::run(job, &terminal)?;
    terminal.end_progress();
    if typed.output.is_none() && !dry_run {
        session.prints();
        let changed = results::to_stdout(emit, &outcome.material())?;
        outcome.add_changed(changed, &terminal);
    }
    for line in summary(args, &outcome) {
        terminal.console.say(&line);
    }
    let code = exit_code(args, &outcome);
    // The program ends here: the system takes the memory back faster than piece by piece. What is on
    // disk has to be removed.
    if !outcome.findings.is_on_disk() {
        std::mem::forget(outcome.findings);
    }
    Ok(code)
}

/// The memory to keep to.
fn memory(args: &MemoryArgs) -> Result<Memory> {
    let default = Memory::default();
    if let Some(memory) = args.memory.filter(|memory| *memory < budget::LEAST) {
        bail!(MemoryError::TooLittle { memory, least: budget::LEAST });
    }
    Ok(Memory {
        bytes: args.memory.unwrap_or(default.bytes),
        is_asked: args.memory.is_some(),
        scratch: args.scratch.clone(),
        resume: !args.no_resume,
        ..default
    })
}

/// Unreadable inputs and pairs that were not searched for weigh more than duplicates: the result may
/// lack some of them.
fn exit_code(args: &DedupArgs, outcome: &DedupOutcome) -> ExitCode {
    if outcome.unread.unreadable.count > 0 || outcome.stopped.is_some() {
        ExitCode::from(3)
    } else if args.output.exit_code && outcome.findings.cluster_count() > 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}
