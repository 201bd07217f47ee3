//! The arguments of `firsthand eval` and `firsthand tune`, which share those for labels.

use super::RunArgs;
use super::before;
use super::flags::{Flags, Reading};
use super::values::{Names, share, threshold, within};
use clap::{Args, ValueEnum};
use firsthand::settings::{METHODS, PROFILES, Threshold};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("eval"))]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    #[command(flatten)]
    pub(crate) online: EvalOnlineArgs,
    /// Do not measure memory, which takes a separate run of each method
    #[arg(long)]
    pub(crate) no_memory: bool,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}

/// Documents with their labels.
#[derive(Debug, Args)]
pub(crate) struct LabelsArgs {
    /// Documents with labels: records with a field `cluster`, one folder per cluster, or documents
    /// whose pairs are graded in --pairs
    #[arg(required = true, value_name = "LABELLED")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Graded pairs, one per line: id, id, grade (y, n, gray), separated by tabs [default: pairs.tsv
    /// in the folder that is given, or beside the file]
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
}

/// Labelled documents, and the methods that are measured on them.
#[derive(Debug, Args)]
pub(crate) struct LabelledArgs {
    #[command(flatten)]
    pub(crate) labels: LabelsArgs,
    /// Methods to measure: names, profile:NAME, or all, separated by commas [default: all, unless
    /// --profile or --config is given]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = Names(&METHODS), hide_possible_values = true)]
    pub(crate) methods: Vec<String>,
    /// Measure this profile (repeatable)
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = Names(&PROFILES), hide_possible_values = true)]
    pub(crate) profile: Vec<String>,
    /// Measure the settings of this TOML file (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// Also measure this model, a file that `firsthand learn` wrote (repeatable)
    #[cfg_attr(feature = "learn", arg(long = "model", value_name = "FILE"))]
    #[cfg_attr(not(feature = "learn"), arg(skip))]
    pub(crate) models: Vec<PathBuf>,
    /// Lowest threshold to measure [default: 0.2, or half the threshold of the method if that is lower]
    #[arg(long, value_name = "T", value_parser = threshold)]
    pub(crate) floor: Option<Threshold>,
    /// Number of bootstrap draws for the 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = within(0, 1_000_000, "; 0 leaves the intervals out"))]
    pub(crate) draws: usize,
    /// Seed of the random draws and splits
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: Flags<Reading>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(before_help = before("tune"))]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Write the settings to this file, for --config, instead of stdout
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Goal")]
pub(crate) struct GoalArgs {
    /// Aim for the highest recall with a precision of at least P
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) precision: Option<f64>,
    /// Aim for the highest precision with a recall of at least R
    #[arg(long, value_name = "R", value_parser = share)]
    pub(crate) recall: Option<f64>,
    /// Aim for the highest F1 (default)
    #[arg(long)]
    pub(crate) f1: bool,
}

/// How documents arrive on a stream.
#[derive(Debug, Args)]
#[command(next_help_heading = "Streams")]
pub(crate) struct EvalOnlineArgs {
    /// Measure verdicts on a stream instead of pairs: documents arrive in random orders, each original
    /// before its copies, and also in the order of time if they have times
    #[arg(long)]
    pub(crate) online: bool,
    /// Number of random orders; with fewer than 20 the mean is uncertain
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = within(1, 10_000, "; 20 or more for a sure mean"), requires = "online")]
    pub(crate) orders: usize,
    /// Also measure nrc with each combination of n, f and r in Table 3 of its paper
    #[arg(long, requires = "online")]
    pub(crate) grid: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct EvalOutputArgs {
    /// Write report.json, report.csv, report.html and errors.tsv into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the report on stdout
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    pub(crate) format: EvalFormat,
    /// Replace existing results
    #[arg(long)]
    pub(crate) force: bool,
    /// Do everything except write results
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Tables
    Text,
    /// One JSON object, as in report.json
    Json,
}
