//! Flags for reading: what a file is, where its fields are, and every limit.

use super::values::{kind, named, size};
use clap::Args;
use firsthand_input::Kind;

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    /// Text of a page: main (without navigation and adverts), text (all of it), none (as it is)
    #[arg(long, value_name = "HOW", value_parser = named::<firsthand_input::Extract>)]
    pub(crate) extract: Option<firsthand_input::Extract>,
    /// Read every file as this kind, whatever its name: html, text, mail, jsonl, json, csv, tsv,
    /// parquet, warc, mbox, feed
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) kind: Option<Kind>,
    /// Treat plain texts as mail: set quotes and signatures apart; on in the profile mail
    #[arg(long, value_name = "BOOL")]
    pub(crate) mail: Option<bool>,
    /// Follow symbolic links inside folders
    #[arg(long)]
    pub(crate) follow: bool,
    /// Field that holds the id
    #[arg(long, value_name = "NAME")]
    pub(crate) id_field: Option<String>,
    /// Field that holds the plain text
    #[arg(long, value_name = "NAME")]
    pub(crate) text_field: Option<String>,
    /// Field that holds a page
    #[arg(long, value_name = "NAME")]
    pub(crate) html_field: Option<String>,
    /// Field that holds the title
    #[arg(long, value_name = "NAME")]
    pub(crate) title_field: Option<String>,
    /// Field that holds the URL
    #[arg(long, value_name = "NAME")]
    pub(crate) url_field: Option<String>,
    /// Field that holds the source
    #[arg(long, value_name = "NAME")]
    pub(crate) source_field: Option<String>,
    /// Field that holds the time
    #[arg(long, value_name = "NAME")]
    pub(crate) time_field: Option<String>,
    /// Field that holds the label of the true cluster
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster_field: Option<String>,
}

/// Sizes may be written as 500k, 64M or 2G.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Largest page, text, message or record [default: 64M]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) max_file: Option<u64>,
    /// Longest text of one document [default: 16M]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) max_document: Option<u64>,
    /// Longest line of JSONL, row of CSV or element of a JSON array [default: 64M]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) max_line: Option<u64>,
    /// How deep JSON may be nested [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) max_json_depth: Option<u64>,
    /// How deep elements of a page are told apart [default: 512]
    #[arg(long, value_name = "N")]
    pub(crate) max_html_depth: Option<u64>,
    /// How many attributes of a tag are looked at [default: 256]
    #[arg(long, value_name = "N")]
    pub(crate) max_html_attributes: Option<u64>,
    /// How many blocks of a page are told apart [default: 100000]
    #[arg(long, value_name = "N")]
    pub(crate) max_html_blocks: Option<u64>,
    /// How many parts of a message are looked at [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) max_mime_parts: Option<u64>,
    /// How deep parts of a message are looked at [default: 64]
    #[arg(long, value_name = "N")]
    pub(crate) max_mime_depth: Option<u64>,
    /// How many members of an archive are read [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_members: Option<u64>,
    /// How many archives and compressions may lie in one another [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) max_layers: Option<u64>,
    /// What one file may grow to by decompression [default: 256G]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) max_decompressed: Option<u64>,
    /// How many times its size a file may grow to, beyond 64M [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) max_ratio: Option<u64>,
    /// How long the reading of one document may take [default: 30]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_seconds: Option<u64>,
}
