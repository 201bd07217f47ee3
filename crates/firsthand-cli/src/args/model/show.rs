//! The arguments of `firsthand model`.

use crate::args::values::top;
use crate::args::{ExplainFormat, LimitArgs, ReadingArgs, RunArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand model show mail.model                   its origin, and the weight of each feature
  firsthand model show mail.model A.eml             the heaviest grams of a document
  firsthand model show mail.model A.eml B.eml       what each gram adds to the score of a pair")]
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
#[command(before_help = "Examples:
  firsthand model show mail.model                   its origin, and the weight of each feature
  firsthand model show mail.model A.eml             the heaviest grams of a document
  firsthand model show mail.model A.eml B.eml       what each gram adds to the score of a pair
  firsthand model show mail.model id-17 --in mail.jsonl --top 50")]
pub(crate) struct ShowArgs {
    /// The model, a file that `firsthand learn` wrote
    pub(crate) model: PathBuf,
    /// A document: a file, or an id in --in
    pub(crate) document: Option<String>,
    /// Another document, to compare
    pub(crate) other: Option<String>,
    /// Collection of the documents, in which ids are looked up and page furniture is learned
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    /// Number of grams to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = top)]
    pub(crate) top: usize,
    /// Format [default: text on a terminal, otherwise json]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExplainFormat>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
