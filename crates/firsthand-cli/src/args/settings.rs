//! Flags for settings that change answers: over the config file, over profile or method.

use super::flags::{All, Flags};
use clap::Args;
use std::path::PathBuf;

/// Flags over config file over profile or method.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingArgs {
    /// Settings for a kind of user: archive (default), feed, alert, mail, corpus
    #[arg(long, value_name = "NAME", conflicts_with = "method")]
    pub(crate) profile: Option<String>,
    /// Settings after a paper, such as spotsigs, shingles, ddd, lsh: `firsthand config list`
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Compare by the weights and the threshold of this model, a file that `firsthand learn` wrote
    #[cfg_attr(feature = "learn", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "learn"), arg(skip))]
    pub(crate) model: Option<PathBuf>,
    /// Settings from a TOML file, as `firsthand config show` prints them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) single: Flags<All>,
}

impl SettingArgs {
    /// Single settings by themselves.
    pub(crate) fn of<P>(single: &Flags<P>) -> Self {
        Self { single: single.part_of(), ..Self::default() }
    }
}
