//! The arguments of `firsthand stream`, `check` and `watch`, and the settings they share.

use super::before;
use super::flags::{Flags, Stream};
use super::values::{duration, seconds};
use super::{RunArgs, SettingArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Flags that apply to collections only.
const BATCH: [&str; 4] = ["group", "lexicons", "bits", "cluster-field"];

#[derive(Debug, Args)]
#[command(before_help = before("stream"))]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct StreamArgs {
    /// Store nothing, like `firsthand check`
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Keep the texts of documents too, compressed, as long as the documents are kept
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) keep_text: bool,
    /// A file of decisions that the store takes over, once each, and obeys
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub(crate) decisions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) lines: LineArgs,
}

#[derive(Debug, Args)]
#[command(before_help = before("check"))]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) lines: LineArgs,
}

/// Lines, and what they are compared with.
#[derive(Debug, Args)]
pub(crate) struct LineArgs {
    /// Files of JSON lines, also .gz .zst .bz2; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

#[derive(Debug, Args)]
#[command(before_help = before("watch"))]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct WatchArgs {
    /// The folder that other programs put files into
    #[arg(value_name = "INBOX")]
    pub(crate) inbox: PathBuf,
    /// Read the files that are there now, then exit
    #[arg(long)]
    pub(crate) once: bool,
    /// List the folder every SECONDS instead of waiting for notifications, as for network folders
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) poll: Option<Duration>,
    /// How long the size and the time of a file must stay the same before it is read
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = duration)]
    pub(crate) settle: Duration,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// A store, and how documents are judged with it.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Format of answers; text on a terminal, else JSON
    #[arg(long, value_enum, conflicts_with = "out", help_heading = "Results")]
    pub(crate) format: Option<AnswerFormat>,
    /// Append answers as JSON to this file instead of writing them to stdout; SIGHUP opens it anew
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) out: Option<PathBuf>,
    /// Exit with 1 if there are duplicates or updates
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) online: OnlineArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// A line for a person to read
    Text,
    /// One JSON object a line
    Json,
}

/// Where documents are kept.
#[derive(Debug, Args)]
pub(crate) struct StoreAddress {
    /// Where documents are kept: a folder, postgres://..., or memory: until the end of the run
    #[arg(long = "store", value_name = "STORE")]
    pub(crate) address: String,
}

/// Settings of a stream. A store keeps the settings it was made with, and uses them unless --profile,
/// --method or --config names others; settings that differ are refused.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Stream")]
pub(crate) struct OnlineArgs {
    #[command(flatten)]
    pub(crate) single: Flags<Stream>,
    /// If the store was made with other settings, set its documents aside and start a new generation
    #[arg(long)]
    pub(crate) new_generation: bool,
}
