//! The arguments of `firsthand learn`.

use super::RunArgs;
use super::before;
use super::flags::{Flags, Reading};
use super::labelled::LabelsArgs;
use super::values::{named, within};
use clap::Args;
use firsthand::settings::Measure;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("learn"))]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) labels: LabelsArgs,
    /// Write the model to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: PathBuf,
    /// Replace an existing file
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
    /// Do everything except write the model
    #[arg(long, help_heading = "Results")]
    pub(crate) dry_run: bool,
    /// Profile by which documents are read and grouped: archive, feed, alert, mail, corpus
    #[arg(long, value_name = "NAME", default_value = "archive")]
    pub(crate) profile: String,
    /// Words per gram, 1 to 8
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = within(1, 8, ""))]
    pub(crate) words: usize,
    /// Measure of similarity: jaccard, cosine, extended-jaccard
    #[arg(long, value_name = "NAME", default_value = "jaccard", value_parser = named::<Measure>)]
    pub(crate) measure: Measure,
    /// Queries or titles, one per line, instead of the titles of the documents: words that occur in
    /// them may count more
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Number of pairs of pairs whose order is learned
    #[arg(long, value_name = "N", default_value_t = 80_000, value_parser = within(100, 10_000_000, ""))]
    pub(crate) orders: usize,
    /// Number of times that a part of the labels is held out to measure the model; 0 to skip this
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within(0, 100, ""))]
    pub(crate) folds: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: Flags<Reading>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
