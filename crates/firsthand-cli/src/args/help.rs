//! The help of all commands: what it does, usage, examples, then flags; with -h only the usual ones.

use super::{Cli, FLAGS};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, CommandFactory, Error, FromArgMatches};
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
        let matches = Self::shown(is_short).try_get_matches_from(&args);
        let matches = matches.unwrap_or_else(|error| in_our_words(error, &args).exit());
        (Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()), matches)
    }

    /// The command, with the help of -h or that of --help.
    pub(crate) fn shown(is_short: bool) -> Command {
        laid_out(Self::command(), "firsthand", is_short)
    }
}

/// A negative value with a unit is taken for a flag: what is said then is not about dashes.
fn in_our_words(error: Error, args: &[OsString]) -> Error {
    let is_negative = |value: &OsString| {
        value
            .to_str()
            .and_then(|value| value.strip_prefix('-')?.chars().next())
            .is_some_and(|c| c.is_ascii_digit())
    };
    let is_option = |name: &OsString| name.as_encoded_bytes().starts_with(b"-");
    let negative = args.windows(2).find(|pair| is_option(&pair[0]) && is_negative(&pair[1]));
    match negative.filter(|_| error.kind() == ErrorKind::UnknownArgument) {
        Some([name, value]) => {
            let (name, value) = (name.display(), value.display());
            let text = format!("invalid value '{value}' for '{name}': it cannot be negative\n");
            Error::raw(ErrorKind::ValueValidation, text)
        }
        _ => error,
    }
}

/// Lets options take negative numbers, so that they are refused as values out of range.
fn take_negative(arg: Arg) -> Arg {
    let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
    if is_option { arg.allow_negative_numbers(true) } else { arg }
}

fn laid_out(command: Command, path: &str, is_short: bool) -> Command {
    let command = command.mut_args(take_negative);
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
