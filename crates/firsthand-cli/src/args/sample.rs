//! The arguments of `firsthand sample`.

use super::values::threshold;
use super::{RunArgs, SettingArgs};
use clap::Args;
use firsthand::settings::Threshold;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand sample news.jsonl -o labels.tsv        100 pairs to label
  firsthand tune news.jsonl --pairs labels.tsv     the method and threshold that fit the labels
  firsthand sample PAGES/ --histogram              the scores of all pairs, and the valley")]
pub(crate) struct SampleArgs {
    /// Folders and files, as for dedup; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Most pairs to write
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = pairs)]
    pub(crate) pairs: usize,
    /// Lowest score of a pair [default: half the threshold]
    #[arg(long, value_name = "T", value_parser = threshold)]
    pub(crate) floor: Option<Threshold>,
    /// Seed of the random choice of pairs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Draw the histogram of all scores instead, and mark the valley
    #[arg(long, conflicts_with = "output")]
    pub(crate) histogram: bool,
    /// With --histogram: also write it to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "histogram")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the pairs to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The most pairs of a sample.
const MOST: usize = 100_000;

fn pairs(written: &str) -> Result<usize, String> {
    match written.parse() {
        Ok(pairs) if (1..=MOST).contains(&pairs) => Ok(pairs),
        _ => Err(format!("write a number from 1 to {MOST}")),
    }
}
