//! The arguments of `firsthand serve`.

use super::before;
use super::values::address;
use super::{OnlineArgs, RunArgs, SettingArgs, StoreAddress};
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = before("serve"))]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) store: StoreAddress,
    /// Where to listen; port 0 takes a free one, and prints it
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7411", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Keep the texts of documents, compressed, as long as the documents are kept
    ///
    /// Stores keep no text otherwise. Differences and explanations need them.
    #[arg(long)]
    pub(crate) keep_text: bool,
    /// A file of keys, one a line: NAME SCOPES KEY
    ///
    /// SCOPES are read, check, write, review, admin, separated by commas, or all; KEY is the key itself
    /// or sha256: and its hash. The variable FIRSTHAND_KEYS takes such lines too. Without keys, everybody
    /// on this machine may do everything, and nobody else can reach the service.
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    pub(crate) keys: Option<PathBuf>,
    /// A name by which clients address the service, such as news.example (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    pub(crate) host: Vec<String>,
    /// The certificate for TLS, as a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Access")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its private key, as a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Another limit than the default, such as body=64M or idle=30s (repeatable); docs/service.md lists
    /// them
    #[arg(long = "limit", value_name = "NAME=VALUE", help_heading = "Access")]
    pub(crate) limits: Vec<String>,
    /// Format of the log on stderr, one line for each request
    #[arg(long, value_enum, default_value_t = LogFormat::Text, help_heading = "Running")]
    pub(crate) log_format: LogFormat,
    #[command(flatten)]
    pub(crate) online: OnlineArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For a person to read
    Text,
    /// One JSON object a line
    Json,
}
