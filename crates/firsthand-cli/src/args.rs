//! What can be typed: commands, flags and their help.

mod flags;
mod help;
mod labelled;
#[cfg(feature = "learn")]
mod learn;
mod online;
#[cfg(feature = "serve")]
mod review;
mod sample;
#[cfg(feature = "serve")]
mod serve;
mod settings;
#[cfg(feature = "learn")]
mod show;
mod store;
mod values;

pub(crate) use flags::{FLAGS, Flag, insert};
pub(crate) use labelled::{EvalArgs, EvalFormat, GoalArgs, LabelledArgs, TuneArgs};
#[cfg(feature = "learn")]
pub(crate) use learn::LearnArgs;
pub(crate) use online::{
    AnswerFormat, CheckArgs, LineArgs, OnlineArgs, SessionArgs, StoreAddress, StreamArgs, WatchArgs,
};
#[cfg(feature = "serve")]
pub(crate) use review::ReviewArgs;
pub(crate) use sample::SampleArgs;
#[cfg(feature = "serve")]
pub(crate) use serve::{LogFormat, ServeArgs};
pub(crate) use settings::SettingArgs;
#[cfg(feature = "learn")]
pub(crate) use show::{ModelArgs, ModelCommand, ShowArgs};
pub(crate) use store::{
    BackupArgs, ClustersArgs, ClustersFormat, CompactArgs, DeleteArgs, ExpireArgs, GetArgs,
    InfoArgs, SortClusters, StoreArgs, StoreCommand, VerifyArgs,
};
pub(crate) use values::size;

use clap::{Args, Parser, Subcommand, ValueEnum};
use firsthand_jobs::PairList;
use firsthand_jobs::results::{ColumnNames, MOST_LISTED};
use std::path::PathBuf;
use std::time::Duration;
use values::{column_names, duration, within};

/// What stands before the flags in the help of a command.
fn before(command: &str) -> String {
    let texts = include_str!("args/before.txt");
    let text = texts.split_once(&format!("\n[{command}]\n")).map_or("", |(_, rest)| rest);
    let text = text.split_once("\n\n[").map_or(text, |(text, _)| text);
    let is_there = |line: &&str| cfg!(feature = "learn") || !line.contains("firsthand learn");
    text.lines().filter(is_there).collect::<Vec<_>>().join("\n")
}

/// Near-duplicate detection for documents: which texts are copies, of which original, and why.
#[derive(Debug, Parser)]
#[command(name = "firsthand", version, max_term_width = 100, propagate_version = true)]
#[command(before_help = before("firsthand"))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find all near-duplicates in a collection and group them
    Dedup(Box<DedupArgs>),
    /// Judge documents as they arrive, given as JSON lines: one verdict per line, durable
    Stream(Box<StreamArgs>),
    /// Judge documents against a store without storing them
    Check(Box<CheckArgs>),
    /// Judge files as they are put into a folder
    Watch(Box<WatchArgs>),
    /// Judge documents as they arrive over HTTP, and show clusters, until it is stopped
    #[cfg(feature = "serve")]
    Serve(Box<ServeArgs>),
    /// Look at the results of dedup in the browser, and decide: not a copy, keep this one, tags
    #[cfg(feature = "serve")]
    Review(Box<ReviewArgs>),
    /// Said of commands that this build does not have
    #[cfg(not(feature = "serve"))]
    #[command(name = "serve", alias = "review", hide = true, disable_help_flag = true)]
    WithoutServer {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<std::ffi::OsString>,
    },
    /// Look after the store of a stream: info, get, clusters, export, verify, expire, delete, compact,
    /// backup
    Store(Box<StoreArgs>),
    /// Measure methods on labelled documents: which one and which threshold, how sure, at what cost
    Eval(Box<EvalArgs>),
    /// Pick method and threshold by labelled documents, and write them as settings for dedup
    Tune(Box<TuneArgs>),
    /// Learn from labelled documents how much each word counts
    #[cfg(feature = "learn")]
    Learn(Box<LearnArgs>),
    /// Show what a model says, and what it makes of documents
    #[cfg(feature = "learn")]
    Model(ModelArgs),
    /// Said of commands that this build does not have
    #[cfg(not(feature = "learn"))]
    #[command(name = "learn", alias = "model", hide = true, disable_help_flag = true)]
    LeftOut {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<std::ffi::OsString>,
    },
    /// Show how alike two documents are, and why
    Explain(Box<ExplainArgs>),
    /// Show the text of documents, and what was left out of it and why
    Extract(Box<ExtractArgs>),
    /// Pick pairs around the threshold for a person to label, or draw all scores
    Sample(Box<SampleArgs>),
    /// Show or check settings
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of all commands or of one
    Man {
        /// The command, such as dedup or store info
        command: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the effective settings as TOML, ready for --config
    Show(Box<SettingArgs>),
    /// Check settings files: whether they can be used, and for what
    Check(CheckConfigArgs),
    /// List profiles and methods
    List,
}

#[derive(Debug, Args)]
pub(crate) struct CheckConfigArgs {
    /// Settings files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The model that the settings go with
    #[cfg_attr(feature = "learn", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "learn"), arg(skip))]
    pub(crate) model: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(before_help = before("dedup"))]
pub(crate) struct DedupArgs {
    /// Folders and files: .html .txt .md .eml .mbox Maildir .jsonl .json .csv .tsv .parquet .warc
    /// .arc .rss .atom .zip .tar, also .gz .zst .bz2; others by content; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Match against this collection instead (repeatable)
    #[arg(long, value_name = "REFERENCE")]
    pub(crate) against: Vec<PathBuf>,
    /// Obey what people have decided in a review; by default decisions.jsonl in the folder of -o
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) decisions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    /// Which pairs are listed: capped (of over 1,000 equal texts the further ones only with the
    /// first), all, star (each near-duplicate with its original), none
    #[arg(long, value_name = "WHICH", value_parser = values::named::<PairList>, default_value = "capped", help_heading = "Results")]
    pub(crate) pairs: PairList,
    /// The most pairs that --pairs all lists; if equal texts alone have more, nothing is searched
    #[arg(long, value_name = "N", default_value_t = MOST_LISTED, help_heading = "Results")]
    #[arg(hide_short_help = true)]
    pub(crate) max_pairs: u64,
    /// Stop the search for pairs after this time, such as 90s or 5min, and go on with those found
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Results")]
    #[arg(hide_short_help = true)]
    pub(crate) stop_after: Option<Duration>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct MemoryArgs {
    /// Memory to keep to, such as 2G; the rest goes to disk
    ///
    /// Results are the same. The program itself and what is being read take at most 96 MB beside it. By
    /// default three quarters of what the machine or its container allows.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Folder for what does not fit into memory [default: inside the folder of -o]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub(crate) scratch: Option<PathBuf>,
    /// Start anew, even if a run of the same command was killed and could be gone on with
    #[arg(long, hide_short_help = true)]
    pub(crate) no_resume: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct OutputArgs {
    /// Write pairs, clusters and a report into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// With -o: also what is kept, in the input's format
    ///
    /// It is compressed as the input was. Of several files, each is under its own name in kept/.
    #[arg(long, requires = "output")]
    pub(crate) kept: bool,
    /// With -o: also what is dropped, and why
    ///
    /// A list has the reason of each; the rows themselves are in the input's format.
    #[arg(long, requires = "output")]
    pub(crate) dropped: bool,
    /// With -o: also all rows, with columns added
    ///
    /// Rows of tables and JSON get the columns cluster, original, score, kept and reason, in the
    /// input's format.
    #[arg(long, requires = "output")]
    pub(crate) annotate: bool,
    /// Other names for columns that --annotate adds, such as kept=dedup_kept,score=dedup_score
    #[arg(long, value_name = "COLUMN=NAME,...", requires = "annotate", value_parser = column_names)]
    #[arg(hide_short_help = true)]
    pub(crate) annotate_names: Option<ColumnNames>,
    /// Lists of paths (kept.txt, dropped.txt, --emit kept) have a zero byte after each path, as
    /// `xargs -0` reads them
    #[arg(long, hide_short_help = true)]
    pub(crate) null: bool,
    /// Of stdout, and of lists beside -o
    ///
    /// With -o, `csv` and `parquet` write lists of pairs, clusters and what was dropped in that format as well.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// What to print on stdout when there is no -o
    ///
    /// `kept` prints records of JSON as they came, and of other documents the path of the file, or the id.
    #[arg(long, value_enum, default_value_t = Emit::Clusters, conflicts_with = "output")]
    pub(crate) emit: Emit,
    /// Replace results that are already there
    #[arg(long)]
    pub(crate) force: bool,
    /// Do everything except writing results
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Exit with 1 if there are near-duplicates
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person to read
    Text,
    /// One JSON object a line
    Jsonl,
    /// For spreadsheets
    Csv,
    /// For programs that read columns
    #[cfg_attr(not(feature = "parquet"), value(skip))]
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// Groups of near-duplicates
    Clusters,
    /// Pairs of near-duplicates
    Pairs,
    /// Documents that are first-hand
    Kept,
    /// Documents that are copies, with original, score and reason
    Dropped,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunArgs {
    /// Worker threads; all cores by default
    #[arg(long, value_name = "N", value_parser = within(1, 1024, ", or leave the flag out"))]
    pub(crate) threads: Option<usize>,
    /// Neither progress nor summary, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// List every input that was skipped
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
#[command(before_help = before("extract"))]
pub(crate) struct ExtractArgs {
    /// Files, folders, archives: whatever dedup reads; with --in, also ids of its documents
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Other pages of the same sites: what they have as well is set aside, and what only this page has
    /// may be text after all, as in dedup
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text, help_heading = "Results")]
    pub(crate) format: ExtractFormat,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// The text as documents are compared by it
    Text,
    /// One JSON object a document, over many lines, with every block and why it was kept or not
    Json,
    /// One JSON object a line, ready for dedup: id, text, title, url, time
    Jsonl,
}

#[derive(Debug, Args)]
#[command(before_help = before("explain"))]
#[command(mut_arg("verbose", |verbose| verbose.help("Show every passage, signature and skipped input in full")))]
pub(crate) struct ExplainArgs {
    /// A file, or the id of a document of --in
    pub(crate) a: PathBuf,
    /// Another
    pub(crate) b: PathBuf,
    /// The collection the documents belong to: ids are looked up and site templates learned there
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    /// A store of a stream: the first document is an id in it, the second a file. They are compared by
    /// what the store always keeps, also with --keep-text, so passages are not shown
    #[arg(long, value_name = "STORE", conflicts_with = "collection")]
    pub(crate) store: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    /// Format
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, help_heading = "Results")]
    pub(crate) format: ExplainFormat,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For a person to read
    Text,
    /// One JSON object
    Json,
}
