//! The arguments of `firsthand sample`.

use super::before;
use super::values::{threshold, within};
use super::{RunArgs, SettingArgs};
use clap::Args;
use firsthand::settings::Threshold;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("sample"))]
pub(crate) struct SampleArgs {
    /// Folders and files, as for dedup; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Most pairs to write
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(1, 100_000, ""))]
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
