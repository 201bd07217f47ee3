//! `firsthand stream`: lines in, verdicts out, in order, and durable before they are said.
//!
//! Three threads: one reads lines, one has them signed, this one stores and answers. A round takes what
//! is there: under load many documents share a commit, and a line that comes alone is answered at once.

pub(crate) mod arriving;
pub(crate) mod queue;
pub(crate) mod session;
pub(crate) mod tally;

use crate::args::{AnswerArgs, OnlineArgs, RunArgs, SettingArgs, StreamArgs};
use crate::console::Console;
use crate::progress::Progress;
use crate::store::open;
use crate::{inputs, stop};
use anyhow::{Context, Result, bail};
use arriving::{Arriving, LineSigner};
use firsthand::online::Answer;
use session::StreamSession;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use tally::{Tally, held};

/// The most documents that share a commit.
pub(crate) const ROUND: usize = 256;

/// And the most bytes of them.
pub(crate) const ROUND_BYTES: usize = 8 << 20;

pub(crate) fn run(args: &StreamArgs) -> Result<ExitCode> {
    judge_lines(&Job {
        inputs: &args.inputs,
        address: &args.store.address,
        answers: &args.answers,
        online: &args.online,
        settings: &args.settings,
        run: &args.run,
        keep: !args.dry_run,
    })
}

/// What `stream` and `check` have in common.
pub(crate) struct Job<'a> {
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) address: &'a str,
    pub(crate) answers: &'a AnswerArgs,
    pub(crate) online: &'a OnlineArgs,
    pub(crate) settings: &'a SettingArgs,
    pub(crate) run: &'a RunArgs,
    /// Whether documents are kept.
    pub(crate) keep: bool,
}

/// Judges all lines of the inputs.
pub(crate) fn judge_lines(job: &Job<'_>) -> Result<ExitCode> {
    let console = Arc::new(Console::new(job.run));
    let inputs = match job.inputs {
        [] => vec![PathBuf::from("-")],
        inputs => inputs.to_vec(),
    };
    inputs::check(&inputs)?;
    if let Some(folder) = inputs.iter().find(|input| input.is_dir()) {
        bail!(
            "{} is a folder: name files of JSON lines, or use `firsthand watch`",
            folder.display()
        );
    }
    let times = inputs.iter().filter(|input| input.as_os_str() == "-").count();
    if times > 1 {
        bail!("`-` is named {times} times, but standard input can be read only once");
    }
    let ready = open::open(job.address, job.settings, job.online, job.keep, &console)?;
    if times == 1 && io::stdin().is_terminal() {
        console.say("reading JSON lines from the terminal; Ctrl-D ends the input");
    }
    let line_signer =
        LineSigner { detector: ready.detector.clone(), reading: ready.reading.clone() };
    let mut judge = StreamSession::new(ready, job.keep, &console);
    let arriving = Arriving::start(&inputs, line_signer)?;
    let queue = Arc::clone(&arriving.queue);
    stop::listen(move || queue.close());

    let (started, mut tally) = (Instant::now(), Tally::default());
    let stdout = io::stdout();
    // A line of progress would come between the answers on a terminal.
    let progress = (!stdout.is_terminal()).then(|| Progress::new(&console));
    let mut out = BufWriter::with_capacity(1 << 16, stdout.lock());
    while let Some(round) = arriving.queue.take(ROUND, ROUND_BYTES) {
        let answers = judge.judge(round)?;
        if let Some(progress) = &progress {
            progress.add(answers.len());
        }
        answers.iter().for_each(|answer| tally.add(answer));
        tell(&mut out, &answers).context("cannot write to standard output")?;
    }
    drop(progress);
    tally.blank = arriving.blank();
    finish(&console, &tally, started, &mut judge, job.keep);
    Ok(exit_code(job.answers, &tally))
}

/// Writes answers and hands them on at once.
pub(crate) fn tell(out: &mut impl Write, answers: &[Answer]) -> io::Result<()> {
    for answer in answers {
        serde_json::to_writer(&mut *out, answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The summary.
pub(crate) fn finish(
    console: &Console,
    tally: &Tally,
    started: Instant,
    judge: &mut StreamSession,
    kept: bool,
) {
    tally.summary(started.elapsed()).iter().for_each(|line| console.say(line));
    match judge.holdings() {
        Ok(holdings) if kept => held(&holdings).iter().for_each(|line| console.say(line)),
        Ok(_) => console.say("Nothing was stored."),
        Err(error) => console.warn(&format!("{error:#}")),
    }
}

/// Errors weigh more than duplicates, and a signal more than both.
pub(crate) fn exit_code(args: &AnswerArgs, tally: &Tally) -> ExitCode {
    let found = tally.duplicates + tally.updates > 0;
    stop::exit_code().unwrap_or(match () {
        () if tally.errors > 0 => ExitCode::from(3),
        () if args.exit_code && found => ExitCode::from(1),
        () => ExitCode::SUCCESS,
    })
}
