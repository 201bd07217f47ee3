//! The arguments of `firsthand learn`.

use crate::args::values::{folds, named, training_orders, words};
use crate::args::{LimitArgs, ReadingArgs, RunArgs};
use clap::Args;
use firsthand::settings::Measure;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand learn labelled.jsonl -o mail.model               from records with a field `cluster`
  firsthand learn GOLDSET/ -o news.model --profile archive   from one folder per cluster
  firsthand learn docs.jsonl --pairs graded.tsv -o my.model  from pairs graded by hand
  firsthand model show mail.model                            what was learned
  firsthand dedup MAIL/ --model mail.model -o result/        compare documents by it

Learns from labelled documents how much each gram (of three words, or see --words) counts in a
comparison. Sixty documents in ten clusters are enough to begin with; more give a better threshold.
Quotes and signatures of mail are kept, here and with --model, since the model has a feature for
them; --mail true cuts them away.")]
pub(crate) struct LearnArgs {
    /// Documents with labels: records with a field `cluster`, one folder per cluster, or documents
    /// whose pairs are graded in --pairs
    #[arg(required = true, value_name = "LABELLED")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write the model to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: PathBuf,
    /// Replace an existing file
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
    /// Do everything except write the model
    #[arg(long, help_heading = "Results")]
    pub(crate) dry_run: bool,
    /// Graded pairs, one per line: id, id, grade (y, n, gray), separated by tabs [default: pairs.tsv
    /// beside the documents, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Profile by which documents are read and grouped: archive, feed, alert, mail, corpus
    #[arg(long, value_name = "NAME", default_value = "archive")]
    pub(crate) profile: String,
    /// Words per gram, 1 to 8
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = words)]
    pub(crate) words: usize,
    /// Measure of similarity: jaccard, cosine, extended-jaccard
    #[arg(long, value_name = "NAME", default_value = "jaccard", value_parser = named::<Measure>)]
    pub(crate) measure: Measure,
    /// Queries or titles, one per line, instead of the titles of the documents: words that occur in
    /// them may count more
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Number of pairs of pairs whose order is learned
    #[arg(long, value_name = "N", default_value_t = 80_000, value_parser = training_orders)]
    pub(crate) orders: usize,
    /// Number of times that a part of the labels is held out to measure the model; 0 to skip this
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = folds)]
    pub(crate) folds: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
