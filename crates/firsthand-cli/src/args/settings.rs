//! Flags for settings that change answers: over the config file, over profile or method.

use super::flags::{All, Flags};
use super::values::Names;
use clap::Args;
use firsthand::settings::{METHODS, PROFILES};
use std::path::PathBuf;

/// Flags over config file over profile or method.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingArgs {
    /// For archive (default), feed, alert, mail or corpus
    ///
    /// With alert, a copy with changed figures is an update for stream, watch and serve; for dedup it is a copy like
    /// any other.
    #[arg(long, value_name = "NAME", conflicts_with = "method")]
    #[arg(value_parser = Names(&PROFILES), hide_possible_values = true)]
    pub(crate) profile: Option<String>,
    /// As in a paper: `firsthand config list` has the names
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = Names(&METHODS), hide_possible_values = true)]
    pub(crate) method: Option<String>,
    /// Compare by the weights and the threshold of this model, a file that `firsthand learn` wrote
    #[cfg_attr(feature = "learn", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "learn"), arg(skip))]
    pub(crate) model: Option<PathBuf>,
    /// A TOML file, as `firsthand config show` prints it
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
