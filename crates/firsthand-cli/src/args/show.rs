//! The arguments of `firsthand model`.

use super::before;
use super::flags::{Flags, Reading};
use super::values::within;
use super::{ExplainFormat, RunArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("model"))]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Show the weights of a model, its grams in a document, or the score of a pair
    Show(Box<ShowArgs>),
}

#[derive(Debug, Args)]
#[command(before_help = before("show"))]
pub(crate) struct ShowArgs {
    /// The model, a file that `firsthand learn` wrote
    pub(crate) model: PathBuf,
    /// A document: a file, or an id in --in
    pub(crate) document: Option<PathBuf>,
    /// Another document, to compare
    pub(crate) other: Option<PathBuf>,
    /// Collection of the documents, in which ids are looked up and page furniture is learned
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    /// Number of grams to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = within(1, 1_000_000, ""))]
    pub(crate) top: usize,
    /// Format
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, help_heading = "Results")]
    pub(crate) format: ExplainFormat,
    #[command(flatten)]
    pub(crate) reading: Flags<Reading>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
