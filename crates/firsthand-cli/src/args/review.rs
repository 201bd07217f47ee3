//! The arguments of `firsthand review`.

use super::RunArgs;
use super::before;
use super::values::{address, size};
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("review"))]
pub(crate) struct ReviewArgs {
    /// A folder of results that `firsthand dedup -o` wrote
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,
    /// Where to listen; port 0 takes a free one, and prints it
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7412", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Do not open a page: write what is kept and dropped, and tags, by the decisions
    ///
    /// The inputs are searched again with the settings of the results, and the decisions are obeyed.
    #[arg(long, conflicts_with_all = ["listen", "no_open", "keys", "host"])]
    pub(crate) apply: bool,
    /// With --apply: the folder to write to [default: reviewed in RESULTS]
    #[arg(short, long, value_name = "DIR", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// With --apply: replace what was written before
    #[arg(long, requires = "apply")]
    pub(crate) force: bool,
    /// With --apply: memory to keep to, such as 2G, and at most 96 MB beside it [default: three quarters
    /// of what there is]
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "apply")]
    pub(crate) memory: Option<u64>,
    /// A file of keys, one a line: NAME SCOPES KEY; see `firsthand serve --help`
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    pub(crate) keys: Option<PathBuf>,
    /// A name by which browsers address the page (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    pub(crate) host: Vec<String>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
