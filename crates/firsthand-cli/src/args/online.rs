//! The arguments of `firsthand stream`, `check` and `watch`, and the settings they share.

use super::values::{duration, named, seconds, size, window};
use super::{RunArgs, SettingArgs};
use clap::Args;
use firsthand::settings::{ClockSource, Numbers};
use std::path::PathBuf;
use std::time::Duration;

/// Flags that apply to collections only.
const BATCH: [&str; 4] = ["group", "lexicons", "bits", "cluster_field"];

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  feed | firsthand stream --store seen/ --profile feed > verdicts.ndjson
  firsthand stream --store seen/ monday.ndjson.gz tuesday.ndjson
  firsthand stream --store postgres://host/news --profile alert
  firsthand stream --store memory: examples/stream.ndjson        to try it out: the store is gone at the end

One answer per line, in the order of the lines. A document is on disk before its answer is written:
  {\"id\":\"b\",\"verdict\":\"duplicate\",\"original\":\"a\",\"score\":0.93,\"cluster\":\"a\",\"exact\":false,
   \"via\":null,\"changed\":[],\"repeated\":false,\"error\":null}
Verdicts: original, duplicate, update (the same text with changed figures), too_short, error. An id
that is sent again with the same text gets the stored answer, marked \"repeated\". Blank lines are
ignored.")]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct StreamArgs {
    /// Files of JSON lines, also .gz .zst .bz2; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    /// Store nothing, like `firsthand check`
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) online: OnlineArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand check --store seen/ new.ndjson
  curl -s https://example.org/item.json | firsthand check --store seen/

Each document is judged as if it were the next to arrive, and none is stored: two copies in the same
input are not compared with each other. The store must exist.")]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct CheckArgs {
    /// Files of JSON lines, also .gz .zst .bz2; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    #[command(flatten)]
    pub(crate) online: OnlineArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand watch INBOX/ --store seen/
  firsthand watch INBOX/ --store seen/ --out verdicts.ndjson --poll 5
  firsthand watch INBOX/ --store seen/ --once       the files that are there now

Reads files of every kind that dedup reads. A file is read once it has not changed for a while, or at
once if it was renamed into the folder. Names that end in .tmp or .part or start with a dot are ignored.
Files are neither moved nor changed; the store remembers which of them are finished.")]
#[command(mut_args(|arg| if BATCH.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }))]
pub(crate) struct WatchArgs {
    /// The folder that other programs put files into
    #[arg(value_name = "INBOX")]
    pub(crate) inbox: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    /// Append answers to this file instead of writing them to stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
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
    pub(crate) online: OnlineArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Where documents are kept.
#[derive(Debug, Args)]
pub(crate) struct StoreAddress {
    /// Where documents are kept: a folder, postgres://..., or memory: until the end of the run
    #[arg(long = "store", value_name = "STORE")]
    pub(crate) address: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Exit with 1 if there are duplicates or updates
    #[arg(long)]
    pub(crate) exit_code: bool,
}

/// Settings of a stream. A store keeps the settings it was made with, and uses them unless --profile,
/// --method or --config names others; settings that differ are refused.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Stream")]
pub(crate) struct OnlineArgs {
    /// How far back documents are compared: 24h, 7d, 90min, or endless
    #[arg(long, value_name = "TIME", value_parser = window)]
    pub(crate) window: Option<i64>,
    /// Keep at most about N documents
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) window_documents: Option<u64>,
    /// Keep at most about BYTES of stored documents
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) window_bytes: Option<u64>,
    /// What the time of a document is: event (its own), arrival
    #[arg(long, value_name = "WHICH", value_parser = named::<ClockSource>)]
    pub(crate) time: Option<ClockSource>,
    /// What changed numbers mean: guard (an update), ignore, plain
    #[arg(long, value_name = "HOW", value_parser = named::<Numbers>)]
    pub(crate) numbers: Option<Numbers>,
    /// If the store was made with other settings, set its documents aside and start a new generation
    #[arg(long)]
    pub(crate) new_generation: bool,
}
