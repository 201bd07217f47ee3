//! What can be typed after `firsthand store`.

use super::online::StoreAddress;
use super::values::moment;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand store info --store seen/
  firsthand store verify --store seen/
  firsthand store export --store seen/ > documents.ndjson
  firsthand store expire --store seen/ --before 2024-05-01 --dry-run
  firsthand store delete ID --store seen/
  firsthand store backup COPY/ --store seen/")]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// What a store holds, what it gave up, and the settings it was made with
    Info(InfoArgs),
    /// Read everything and check it; exit code 2 if something is wrong
    Verify(InfoArgs),
    /// Forget what lies before the window, or before a time
    Expire(ExpireArgs),
    /// Print all documents with what was said about them, as JSON lines
    Export(ExportArgs),
    /// Delete a document; a member of its cluster becomes the original
    Delete(DeleteArgs),
    /// Give back the space of what is forgotten
    Compact(CompactArgs),
    /// Make a copy: of a folder one that opens like it, of PostgreSQL a script that restores it
    Backup(BackupArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = StoreFormat::Text)]
    pub(crate) format: StoreFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreFormat {
    /// For a person to read
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
}

#[derive(Debug, Args)]
pub(crate) struct ExpireArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Forget whole hours that end before this time, such as 2024-05-31 or 2024-05-31T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) before: Option<i64>,
    /// Only say what would be forgotten
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The document
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Only say whether it is there
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Only say how much room the store takes
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// A folder that is empty or not there
    #[arg(value_name = "COPY")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
}
