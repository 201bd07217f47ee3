//! What can be typed after `firsthand model`.

use crate::args::values::top;
use crate::args::{ExplainFormat, LimitArgs, ReadingArgs, RunArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand model show mail.model                   what it is, and the weight of each feature
  firsthand model show mail.model A.eml             the heaviest grams of a document, and why
  firsthand model show mail.model A.eml B.eml       how the score of a pair comes about")]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Show what a model says, what it makes of a document, or how a pair gets its score
    Show(Box<ShowArgs>),
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand model show mail.model                   what it is, and the weight of each feature
  firsthand model show mail.model A.eml             the heaviest grams of a document, and why
  firsthand model show mail.model A.eml B.eml       how the score of a pair comes about
  firsthand model show mail.model id-17 --in mail.jsonl --top 50")]
pub(crate) struct ShowArgs {
    /// The model, a file that `firsthand learn` wrote
    pub(crate) model: PathBuf,
    /// A file, or the id of a document of --in
    pub(crate) document: Option<String>,
    /// Another
    pub(crate) other: Option<String>,
    /// The collection the documents belong to: ids are looked up and site templates learned there
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    /// How many grams to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = top)]
    pub(crate) top: usize,
    /// Format; text on a terminal, else JSON
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExplainFormat>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
