//! The arguments of `firsthand store`.

use super::ExplainFormat;
use super::before;
use super::online::StoreAddress;
use super::values::moment;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("store"))]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Show what a store holds and the settings it was made with
    Info(InfoArgs),
    /// Read and check everything; exit code 2 if there are problems
    Verify(InfoArgs),
    /// Forget documents outside of the window, or before a time
    Expire(ExpireArgs),
    /// Print all documents with their answers as JSON lines
    Export(StoreAddress),
    /// Delete documents; a copy of a deleted original takes its place
    Delete(DeleteArgs),
    /// Free the space of forgotten documents
    Compact(CompactArgs),
    /// Copy a store: a folder to one that opens like it, PostgreSQL to a script that restores it
    Backup(BackupArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ExpireArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Forget whole hours that end before this time, such as 2024-05-31 or 2024-05-31T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) before: Option<i64>,
    /// Only report what would be forgotten
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The ids of the documents
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Only report what would be deleted
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Only report the size of the store
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// A folder that is empty or does not exist
    #[arg(value_name = "COPY")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
}
