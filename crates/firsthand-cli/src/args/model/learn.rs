//! What can be typed after `firsthand learn`.

use crate::args::values::{folds, named, training_orders, words};
use crate::args::{LimitArgs, ReadingArgs, RunArgs};
use clap::Args;
use firsthand::settings::Measure;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand learn labelled.jsonl -o mail.model               from records with a field `cluster`
  firsthand learn GOLDSET/ -o news.model --profile archive   from a folder per cluster
  firsthand learn docs.jsonl --pairs graded.tsv -o my.model  from pairs graded by hand
  firsthand model show mail.model                            what was learned
  firsthand dedup MAIL/ --model mail.model -o result/        documents compared by it

Learns from labelled documents how much each gram, of three words unless --words says otherwise,
counts in a comparison. Some sixty documents in several clusters are enough to begin with; more
make a better threshold. Quotes and signatures of mail are not cut away here and with --model, since
a model knows them by a feature, unless --mail true.")]
pub(crate) struct LearnArgs {
    /// Documents with labels: records with a field `cluster`, a folder per cluster, or documents
    /// whose pairs are graded in --pairs
    #[arg(required = true, value_name = "LABELLED")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write the model to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: PathBuf,
    /// Replace a file that is already there
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
    /// Do everything except writing the model
    #[arg(long, help_heading = "Results")]
    pub(crate) dry_run: bool,
    /// Graded pairs, a line each: id, id, grade (y, n, gray), with tabs between them; a pairs.tsv
    /// beside the documents is found by itself
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// How documents are read, folded and grouped: archive, feed, alert, mail, corpus
    #[arg(long, value_name = "NAME", default_value = "archive")]
    pub(crate) profile: String,
    /// Words per gram, 1 to 8
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = words)]
    pub(crate) words: usize,
    /// Measure of similarity: jaccard, cosine, extended-jaccard
    #[arg(long, value_name = "NAME", default_value = "jaccard", value_parser = named::<Measure>)]
    pub(crate) measure: Measure,
    /// Queries or titles, one a line: a word that people search for or put into titles may count
    /// more. Instead of the titles of the documents
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Pairs of pairs whose order is learned
    #[arg(long, value_name = "N", default_value_t = 80_000, value_parser = training_orders)]
    pub(crate) orders: usize,
    /// How many times a part of the labels is held out to measure the model; 0 for not at all
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = folds)]
    pub(crate) folds: usize,
    /// What random choices follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
