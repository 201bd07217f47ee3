//! The `firsthand` command: flags to settings, settings to the core, results to files.

mod args;
mod dedup;
mod explain;
mod settings;

use args::{Cli, Command, ConfigCommand};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "firsthand: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Dedup(args) => dedup::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Config { command: ConfigCommand::Show(args) } => {
            print(&settings::show(&settings::resolve(&args)?)?)
        }
        Command::Config { command: ConfigCommand::List } => print(&names()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "firsthand", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print(&String::from_utf8_lossy(&page))
        }
    }
}

fn print(text: &str) -> anyhow::Result<ExitCode> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn names() -> String {
    let list = |title: &str, names: &[(&str, &str)]| {
        let lines: Vec<_> = names.iter().map(|(name, what)| format!("  {name:<10} {what}\n")).collect();
        format!("{title}\n{}", lines.concat())
    };
    list("Profiles", &firsthand::PROFILES) + &list("Methods", &firsthand::METHODS)
}
