//! The help of all commands: what it does, usage, examples, then flags; with -h only the usual ones.

use super::{Cli, FLAGS};
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;

const LAYOUT: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Single settings that -h shows.
const USUAL: [&str; 2] = ["threshold", "window"];

/// Other flags that -h leaves out.
const RARE: [&str; 16] = [
    "dry_run",
    "draws",
    "emit",
    "exit_code",
    "folds",
    "grid",
    "measure",
    "model",
    "new_generation",
    "no_memory",
    "orders",
    "poll",
    "queries",
    "seed",
    "settle",
    "threads",
];

impl Cli {
    /// What was typed; help, mistakes and versions are printed, and end the program.
    pub(crate) fn typed(args: Vec<OsString>) -> (Self, ArgMatches) {
        let is_short = args.iter().any(|arg| arg == "-h");
        let matches = Self::shown(is_short).get_matches_from(args);
        (Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()), matches)
    }

    /// The command, with the help of -h or that of --help.
    pub(crate) fn shown(is_short: bool) -> Command {
        laid_out(Self::command(), "firsthand", is_short)
    }
}

fn laid_out(command: Command, path: &str, is_short: bool) -> Command {
    let command = command.help_template(LAYOUT).mut_subcommands(|command| {
        let path = format!("{path} {}", command.get_name());
        laid_out(command, &path, is_short)
    });
    let command = match is_short && path.contains(' ') {
        true => command.disable_version_flag(true),
        false => command,
    };
    if !is_short || !command.get_arguments().any(is_rare) {
        return command;
    }
    let rest = format!("More flags, for settings, reading and limits: {path} --help");
    command.mut_args(|arg| if is_rare(&arg) { arg.hide(true) } else { arg }).after_help(rest)
}

fn is_rare(arg: &Arg) -> bool {
    let id = arg.get_id().as_str();
    let is_single = FLAGS.iter().any(|flag| flag.name == id && !USUAL.contains(&id));
    // In other commands, --pairs names a file.
    let is_pair_list = id == "pairs" && arg.get_help_heading() == Some("Results");
    arg.get_long().is_some() && (is_single || is_pair_list || RARE.contains(&id))
}
