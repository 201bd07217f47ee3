//! The arguments of `firsthand store`.

use super::ExplainFormat;
use super::before;
use super::online::StoreAddress;
use super::values::moment;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("store"))]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Show what a store holds, or the settings it was made with
    Info(InfoArgs),
    /// Read and check everything; exit code 2 if there are problems
    Verify(VerifyArgs),
    /// Forget documents outside of the window, or before a time
    Expire(ExpireArgs),
    /// Print all documents with their answers as JSON lines
    Export(StoreAddress),
    /// Print what people have decided as JSON lines, which `stream` and `dedup` read
    Decisions(StoreAddress),
    /// Show what became of a document: its verdict, its cluster, its copies
    Get(GetArgs),
    /// List the clusters in a store
    Clusters(ClustersArgs),
    /// Delete documents and every mention of them; a copy of a deleted original takes its place
    Delete(DeleteArgs),
    /// Write a store anew, without ids, URLs, titles and texts that were deleted, replaced or forgotten
    ///
    /// Of a document that was deleted or replaced, its time and its keys stay until the window has passed it:
    /// the keys are hashes, and name nothing.
    Compact(CompactArgs),
    /// Copy a store: a folder to one that opens like it, PostgreSQL to a script that restores it
    Backup(BackupArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Print the settings that the store was made with instead, ready for --config
    #[arg(long, conflicts_with = "format", help_heading = "Results")]
    pub(crate) settings: bool,
    /// Format of stdout; JSON holds the settings as well
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, help_heading = "Results")]
    pub(crate) format: ExplainFormat,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, help_heading = "Results")]
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
#[command(group(clap::ArgGroup::new("which").required(true).args(["id", "url"])))]
pub(crate) struct GetArgs {
    /// The id of the document
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// The URL of the document, instead of its id
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, help_heading = "Results")]
    pub(crate) format: ExplainFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// The order: the largest, the earliest or the most recent first
    #[arg(long, value_enum, default_value_t = SortClusters::Size)]
    pub(crate) sort: SortClusters,
    /// Print at most N clusters
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub(crate) limit: usize,
    /// Leave out clusters of fewer documents
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) min_size: u64,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ClustersFormat::Text, help_heading = "Results")]
    pub(crate) format: ClustersFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortClusters {
    /// The largest first
    Size,
    /// By the time of the earliest document
    First,
    /// By the time of the latest document, the most recent first
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClustersFormat {
    /// For a person to read
    Text,
    /// One JSON object per line
    Jsonl,
    /// A table for spreadsheets
    Csv,
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
