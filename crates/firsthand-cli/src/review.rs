//! `firsthand review`: the page on results, or what was decided there, written.

use crate::args::ReviewArgs;
use crate::console::Stdout;
use crate::exit_code::ExitCode;
use crate::numbers::{counted, grouped};
use crate::serve;
use crate::session::Session;
use crate::summary;
use crate::terminal::Terminal;
use crate::visible::visible;
use anyhow::{Context, Result, bail};
use firsthand_jobs::beyond::Memory;
use firsthand_jobs::decisions;
use firsthand_jobs::dedup::{self, Dedup, Output};
use firsthand_jobs::results::{Contents, file};
use firsthand_jobs::review::{ReportHead, Review, write_labels, write_tags};
use firsthand_server::{Content, Limits, ServerSettings, run_until_cancelled};
use std::io::Write;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;

pub(crate) fn run(args: &ReviewArgs, session: &Session) -> Result<ExitCode> {
    if args.apply {
        return apply(args, session);
    }
    let keys = serve::keys(args.keys.as_deref())?;
    if keys.is_empty() && !args.listen.ip().is_loopback() {
        bail!(
            "--listen {} could be reached by others: give keys with --keys FILE, or listen on 127.0.0.1",
            args.listen
        );
    }
    let review = Review::open(&args.results)?;
    let listener = TcpListener::bind(args.listen).with_context(|| {
        format!("cannot listen on {}; choose another with --listen", args.listen)
    })?;
    let address = listener.local_addr()?;
    let page = format!("http://{address}/");
    let clusters = counted(review.index().len() as u64, "cluster");
    let settings = ServerSettings {
        content: Content::Results(Arc::new(review)),
        limits: Limits::default(),
        keys,
        hosts: args.host.clone(),
        tls: None,
    };
    run_until_cancelled(listener, settings, &session.cancel, || {
        writeln!(Stdout, "Review of {clusters} on {page} (end with Ctrl-C)")?;
        Stdout.flush()?;
        if !args.no_open && !open_browser(&page) {
            let terminal = Terminal::new(&args.run, session).without_progress();
            terminal.console.say("No browser could be opened: open the address above in one.");
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Asks the system to open an address in the browser.
fn open_browser(page: &str) -> bool {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = Command::new(program)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    quiet.is_ok()
}

/// Searches the inputs of the results again, obeys the decisions, and writes what is kept and dropped.
fn apply(args: &ReviewArgs, session: &Session) -> Result<ExitCode> {
    let ReportHead { inputs, against, settings } = ReportHead::read(&args.results)?;
    let path = args.results.join(decisions::NAME);
    if !path.is_file() {
        bail!(
            "nothing was decided about {}: look at it with `firsthand review` first",
            args.results.display()
        );
    }
    let lines = decisions::read(&path)?;
    let folder = args.output.clone().unwrap_or_else(|| args.results.join("reviewed"));
    let mut terminal = Terminal::new(&args.run, session);
    let default = Memory::default();
    let job = Dedup {
        settings,
        inputs: inputs.into(),
        against: against.into(),
        decisions: Some(path),
        output: Some(Output { path: folder.clone(), force: args.force, dry_run: false }),
        contents: Contents { kept: true, dropped: true, ..Contents::default() },
        emit: None,
        memory: Memory { resume: false, bytes: args.memory.unwrap_or(default.bytes), ..default },
        stop_after: None,
        stdin: None,
        explain: None,
        page: None,
        temp_files: &session.temp_files,
    };
    let outcome = dedup::run(job, &terminal)?;
    terminal.end_progress();
    let (mut tags, mut labels) = (Vec::new(), Vec::new());
    write_tags(&mut tags, &lines)?;
    write_labels(&mut labels, &lines)?;
    file::write(&folder.join("tags.jsonl"), &tags, &session.temp_files)?;
    file::write(&folder.join("labels.tsv"), &labels, &session.temp_files)?;
    for line in outcome.decisions.iter().flat_map(summary::decisions::lines) {
        terminal.console.say(&line);
    }
    terminal.console.say(&format!(
        "Kept {} and dropped {}; they are in {}, tags in tags.jsonl, labels in labels.tsv.",
        grouped(outcome.counts.kept as u64),
        counted(outcome.counts.dropped as u64, "near-duplicate"),
        visible(&folder.display().to_string())
    ));
    Ok(if outcome.unread.unreadable.count > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}
