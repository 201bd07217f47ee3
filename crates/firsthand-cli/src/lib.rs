//! The command `firsthand`: flags to settings, settings to the core, results to files. It is a library so
//! that a Python package can bring the same command.

mod answers;
mod args;
mod console;
mod dedup;
mod eval;
mod exit_code;
mod explain;
mod extract;
mod fitted;
mod labels;
#[cfg(feature = "learn")]
mod learn;
mod manual;
#[cfg(feature = "learn")]
mod model;
mod progress;
mod results;
#[cfg(feature = "serve")]
mod review;
mod sample;
mod screen;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod settings;
pub mod single_settings;
mod store;
mod stream;
mod summary;
mod terminal;
mod tune;
mod watch;
mod words;

pub use exit_code::ExitCode;

use anyhow::{Context, Result};
use args::{Cli, Command, ConfigCommand};
use clap::ArgMatches;
use firsthand_jobs::{JobError, OutputError, numbers, visible};
use session::Session;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

/// Runs the command that was typed: the name of the program and its arguments. `again` starts the same
/// program once more, where something is measured in a process of its own.
///
/// Help and mistakes in the arguments end the process.
pub fn main(args: Vec<OsString>, again: Vec<OsString>) -> ExitCode {
    let (cli, matches) = Cli::typed(args);
    let session = Session::start(again);
    show_only_mistakes_of_ours();
    match use_threads(&matches).and_then(|()| run(cli.command, &session)) {
        Ok(code) => code,
        // The reader has seen enough: that is not an error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let message = words::shown(error.chain());
            let lines: Vec<_> = message.lines().map(visible::visible).collect();
            console::tell(&format!("firsthand: {}", lines.join("\n")));
            ExitCode::from(2)
        }
    }
}

/// A decoder that panics on a damaged document is reported with that document, and only there.
fn show_only_mistakes_of_ours() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !firsthand_input::is_panic_reported() {
            usual(panic);
        }
    }));
}

fn run(command: Command, session: &Session) -> Result<ExitCode> {
    match command {
        Command::Dedup(args) => dedup::run(&args, session),
        Command::Stream(args) => stream::run(&args, session),
        Command::Check(args) => stream::check(&args, session),
        Command::Watch(args) => watch::run(&args, session),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, session),
        #[cfg(feature = "serve")]
        Command::Review(args) => review::run(&args, session),
        #[cfg(not(feature = "serve"))]
        Command::WithoutServer { .. } => anyhow::bail!(
            "this build has no service: build it with the feature `serve`, which is on by default"
        ),
        Command::Store(args) => store::run(&args),
        Command::Eval(args) => eval::run(&args, session),
        Command::Tune(args) => tune::run(&args, session),
        #[cfg(feature = "learn")]
        Command::Learn(args) => learn::run(&args, session),
        #[cfg(feature = "learn")]
        Command::Model(args) => model::run(&args, session),
        #[cfg(not(feature = "learn"))]
        Command::LeftOut { .. } => anyhow::bail!(
            "this build has no learned weights: build it with the feature `learn`, which is on by default"
        ),
        Command::Explain(args) => explain::run(&args, session),
        Command::Extract(args) => extract::run(&args, session),
        Command::Sample(args) => sample::run(&args, session),
        Command::Config { command: ConfigCommand::Show(args) } => {
            print(&settings::show(&settings::resolve(&args)?)?)
        }
        Command::Config { command: ConfigCommand::Check(args) } => {
            print_text(&settings::check(&args)?)
        }
        Command::Config { command: ConfigCommand::List } => print_text(&names()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::shown(false), "firsthand", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man { command } => {
            let page = manual::page(&command)?;
            if io::stdout().is_terminal() && manual::show(&page) {
                return Ok(ExitCode::SUCCESS);
            }
            print(&page)
        }
    }
}

/// Sets the number of worker threads for all that follows, for commands that have any.
fn use_threads(matches: &ArgMatches) -> Result<()> {
    if let Some((_, of_command)) = matches.subcommand() {
        return use_threads(of_command);
    }
    let Ok(threads) = matches.try_get_one("threads") else { return Ok(()) };
    let threads = threads.copied().unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.with_context(|| {
        let threads = numbers::counted(threads as u64, "thread");
        format!("cannot start {threads}; try fewer with --threads")
    })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = match error.downcast_ref() {
        Some(JobError::Output(OutputError::Stream(io))) => Some(io),
        _ => error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()),
    };
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn print(text: &str) -> Result<ExitCode> {
    let mut stdout = console::Stdout;
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints sentences and tables, which on a terminal are wrapped at spaces.
fn print_text(text: &str) -> Result<ExitCode> {
    print(&fitted::fitted(text, fitted::stdout_width()))
}

fn names() -> String {
    let list = |title: &str, names: &[(&str, &str)]| {
        let lines: Vec<_> =
            names.iter().map(|(name, what)| format!("  {name:<16} {what}\n")).collect();
        format!("{title}\n{}", lines.concat())
    };
    let mut text = list("Profiles", &firsthand::settings::PROFILES)
        + &list("Methods", &firsthand::settings::METHODS);
    if cfg!(feature = "learn") {
        // It cannot be without a model, so that it is no name for --method.
        let what = "learned weights (ANDD): --model FILE, see `firsthand learn`";
        text += &format!("  {:<16} {what}\n", "andd");
    }
    text
}
