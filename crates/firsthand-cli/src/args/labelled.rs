//! What can be typed after `firsthand eval` and `firsthand tune`, which share their labels.

use super::values::{draws, orders, share, threshold};
use super::{LimitArgs, ModelsArg, ReadingArgs, RunArgs};
use clap::{Args, ValueEnum};
use firsthand::settings::Threshold;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand eval labelled.jsonl                     every method and profile, as a table
  firsthand eval GOLDSET/ -o result/                a folder per cluster; with report.html
  firsthand eval labelled.jsonl --methods shingles,spotsigs,profile:archive
  firsthand eval news.jsonl --pairs graded.tsv      pairs that were graded by hand
  firsthand eval labelled.jsonl --config mine.toml  settings of your own
  firsthand eval --online labelled.jsonl --profile alert    verdicts on a stream, in 20 orders")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    #[command(flatten)]
    pub(crate) online: EvalOnlineArgs,
    /// Do not run each method once more in a process of its own to measure its memory
    #[arg(long)]
    pub(crate) no_memory: bool,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}

/// Labelled documents, and what is measured on them.
#[derive(Debug, Args)]
pub(crate) struct LabelledArgs {
    /// Documents with labels: records with a field `cluster`, a folder per cluster, or documents
    /// whose pairs are graded in --pairs
    #[arg(required = true, value_name = "LABELLED")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Graded pairs, a line each: id, id, grade (y, n, gray), with tabs between them; a pairs.tsv
    /// beside the documents is found by itself
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// What to measure: methods, profile:NAME, or all [default: all, unless --profile or --config
    /// is given]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Measure this profile (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Vec<String>,
    /// Measure the settings of this TOML file (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) models: ModelsArg,
    /// The lowest threshold to look at [default: 0.2, or half of the method's own]
    #[arg(long, value_name = "T", value_parser = threshold)]
    pub(crate) floor: Option<Threshold>,
    /// Draws of the bootstrap for the 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = draws)]
    pub(crate) draws: usize,
    /// What draws and splits follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand tune labelled.jsonl -o mine.toml        the method with the best F1 on held-out labels
  firsthand tune labelled.jsonl --precision 0.99    the most copies with hardly an error
  firsthand tune docs.jsonl --pairs graded.tsv      pairs graded by hand, from `firsthand sample`
  firsthand dedup docs.jsonl --config mine.toml -o result/")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Write the settings to this file, ready for --config; else they go to stdout
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Goal")]
pub(crate) struct GoalArgs {
    /// The highest recall at which precision is at least P
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) precision: Option<f64>,
    /// The highest precision at which recall is at least R
    #[arg(long, value_name = "R", value_parser = share)]
    pub(crate) recall: Option<f64>,
    /// The highest F1 (default)
    #[arg(long)]
    pub(crate) f1: bool,
}

/// Orders in which documents arrive.
#[derive(Debug, Args)]
#[command(next_help_heading = "Streams")]
pub(crate) struct EvalOnlineArgs {
    /// Measure verdicts on a stream instead of pairs: the documents arrive in random orders, originals
    /// first, and by time where they have times
    #[arg(long)]
    pub(crate) online: bool,
    /// Random orders; with fewer than 20 the mean is not sure
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = orders, requires = "online")]
    pub(crate) orders: usize,
    /// Also measure nrc over n, f and r, as in Table 3 of its paper
    #[arg(long, requires = "online")]
    pub(crate) grid: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct EvalOutputArgs {
    /// Write report.json, report.csv, report.html and errors.tsv into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    pub(crate) format: EvalFormat,
    /// Replace results that are already there
    #[arg(long)]
    pub(crate) force: bool,
    /// Do everything except writing results
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Tables for a person to read
    Text,
    /// One JSON object, as in report.json
    Json,
}
