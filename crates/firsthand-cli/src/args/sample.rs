//! What can be typed after `firsthand sample`.

use super::values::threshold;
use super::{RunArgs, SettingArgs};
use clap::Args;
use firsthand::settings::Threshold;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand sample news.jsonl -o labels.tsv        100 pairs around the threshold, to be labelled
  firsthand tune news.jsonl --pairs labels.tsv     the method and threshold that labels speak for
  firsthand sample PAGES/ --histogram              all scores, and the valley between them")]
pub(crate) struct SampleArgs {
    /// Folders and files: whatever dedup reads; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// How many pairs to write
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = pairs)]
    pub(crate) pairs: usize,
    /// Least score of a pair; half the threshold by default
    #[arg(long, value_name = "T", value_parser = threshold)]
    pub(crate) floor: Option<Threshold>,
    /// Another number picks other pairs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Draw how many pairs have which score instead, and mark the valley
    #[arg(long, conflicts_with = "output")]
    pub(crate) histogram: bool,
    /// With --histogram: write the picture to this file too
    #[arg(long, value_name = "FILE", requires = "histogram")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the pairs to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Nobody labels more.
const MOST: usize = 100_000;

fn pairs(written: &str) -> Result<usize, String> {
    match written.parse() {
        Ok(pairs) if (1..=MOST).contains(&pairs) => Ok(pairs),
        _ => Err(format!("write a number from 1 to {MOST}")),
    }
}
