//! What can be typed: commands, flags and their help.

use crate::sample::args::SampleArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use firsthand::{Antecedent, Grouping, Language, Measure, Original, Threshold};
use firsthand_input::{Kind, Limit};
use std::path::PathBuf;

/// Near-duplicate detection for documents: which texts are copies, of which original, and why.
#[derive(Debug, Parser)]
#[command(
    name = "firsthand",
    version,
    before_help = "Examples:
  firsthand dedup PAGES/ -o result/                 groups of near-duplicates in a folder of pages
  firsthand dedup news.jsonl.zst --format jsonl     the same as JSON lines, for the next program
  firsthand dedup crawl.warc.gz mail.mbox t.parquet -o result/    whatever there is, together
  firsthand explain A.html B.html                   how alike two documents are, and why
  firsthand eval labelled.jsonl                     how good each method is on such documents
  firsthand tune labelled.jsonl -o mine.toml        the best of them, as settings for dedup
  firsthand extract PAGE.html                       its main text; --format json says why
  firsthand sample news.jsonl --histogram           which threshold suits a collection
  firsthand config show --profile mail              the settings behind a name",
    max_term_width = 100,
    propagate_version = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find all near-duplicates in a collection and group them
    Dedup(Box<DedupArgs>),
    /// Measure methods on labelled documents: which one and which threshold, how sure, at what cost
    Eval(Box<EvalArgs>),
    /// Pick method and threshold by labelled documents, and write them as settings for dedup
    Tune(Box<TuneArgs>),
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
    /// Print the manual page
    Man,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the effective settings as TOML, ready for --config
    Show(Box<SettingArgs>),
    /// List profiles and methods
    List,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand dedup PAGES/ -o result/
  firsthand dedup crawl.jsonl.gz --profile corpus -o result/ --kept --dropped
  firsthand dedup new.jsonl --against old.jsonl -o result/
  firsthand dedup docs.jsonl --method shingles --n 5 --threshold 0.8 -o out
  cat docs.jsonl | firsthand dedup - --format jsonl --emit pairs")]
pub(crate) struct DedupArgs {
    /// Folders and files: .html .txt .md .eml .mbox Maildir .jsonl .json .csv .tsv .parquet .warc
    /// .rss .atom .zip .tar, also .gz .zst .bz2; others by content; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Match the inputs against this collection instead of among themselves (repeatable)
    #[arg(long, value_name = "REFERENCE")]
    pub(crate) against: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct OutputArgs {
    /// Write pairs.jsonl, clusters.jsonl and report.json into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// With -o: also write what is kept, in the format of the input
    #[arg(long, requires = "output")]
    pub(crate) kept: bool,
    /// With -o: also write what is dropped, each with its original, score and reason
    #[arg(long, requires = "output")]
    pub(crate) dropped: bool,
    /// Format of stdout; with -o, `csv` adds pairs.csv and clusters.csv
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// What to print on stdout when there is no -o
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
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Neither progress nor summary, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// List every input that was skipped
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

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
    /// Settings from a TOML file, as `firsthand config show` prints them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Least similarity of near-duplicates: a decimal or a fraction, such as 0.8 or 4/5
    #[arg(short, long, value_name = "T", value_parser = threshold)]
    pub(crate) threshold: Option<Threshold>,
    /// Measure of similarity
    #[arg(long, value_parser = named::<Measure>, value_name = "NAME", help = "Measure: jaccard, max-overlap, cosine, dice, containment")]
    pub(crate) measure: Option<Measure>,
    /// Compare by shingles of N words
    #[arg(long, value_name = "N", conflicts_with_all = ["q", "distance", "chain"])]
    pub(crate) n: Option<usize>,
    /// Compare by grams of Q characters
    #[arg(long, value_name = "Q", conflicts_with_all = ["distance", "chain"])]
    pub(crate) q: Option<usize>,
    /// Spot signatures: words from one step to the next
    #[arg(long, value_name = "D")]
    pub(crate) distance: Option<usize>,
    /// Spot signatures: words in a chain
    #[arg(long, value_name = "C")]
    pub(crate) chain: Option<usize>,
    /// Spot signatures: antecedents instead of those of the language, such as 'the(2,3);is'
    #[arg(long, value_name = "WORDS", value_delimiter = ';')]
    pub(crate) antecedents: Option<Vec<Antecedent>>,
    /// Spot signatures: language of all documents instead of detecting each
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(crate) language: Option<Language>,
    /// Count repeated features as often as they occur
    #[arg(long, value_name = "BOOL")]
    pub(crate) multiset: Option<bool>,
    /// Documents with fewer features match exact copies only
    #[arg(long, value_name = "N")]
    pub(crate) min_features: Option<usize>,
    /// Set passages aside that recur over different pages of one site
    #[arg(long, value_name = "BOOL")]
    pub(crate) template: Option<bool>,
    /// How clusters are formed: star, component
    #[arg(long, value_name = "HOW", value_parser = named::<Grouping>)]
    pub(crate) grouping: Option<Grouping>,
    /// Which document is the original: earliest, latest, longest, first
    #[arg(long, value_name = "WHICH", value_parser = named::<Original>)]
    pub(crate) original: Option<Original>,
    /// Fold look-alike letters and invisible characters that hide words; on in the profile mail
    #[arg(long, value_name = "BOOL")]
    pub(crate) fold: Option<bool>,
    #[command(flatten)]
    pub(crate) matching: MatchingArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Matching")]
pub(crate) struct MatchingArgs {
    /// How pairs are found: exact, bands, sketch, fingerprint, bits
    #[arg(long, value_name = "NAME")]
    pub(crate) matcher: Option<String>,
    /// Bands: how many; chosen for threshold and recall if not stated
    #[arg(long, value_name = "N", requires = "rows", conflicts_with = "recall")]
    pub(crate) bands: Option<usize>,
    /// Bands: min-hashes in each
    #[arg(long, value_name = "N", requires = "bands")]
    pub(crate) rows: Option<usize>,
    /// Bands: choose them to meet this share of the pairs at the threshold
    #[arg(long, value_name = "SHARE")]
    pub(crate) recall: Option<f64>,
    /// Sketch: min-hashes in all; bands: the most that may be chosen
    #[arg(long, value_name = "N")]
    pub(crate) hashes: Option<usize>,
    /// Sketch: min-hashes that must agree together, for super-shingles
    #[arg(long, value_name = "N")]
    pub(crate) group: Option<usize>,
    /// Fingerprint: the whole lexicon and random parts of it, in all
    #[arg(long, value_name = "N")]
    pub(crate) lexicons: Option<usize>,
    /// Bits: random projections, a multiple of 64
    #[arg(long, value_name = "N")]
    pub(crate) bits: Option<usize>,
}

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

impl LimitArgs {
    /// The limits that were typed.
    pub(crate) fn typed(&self) -> impl Iterator<Item = (Limit, u64)> {
        let all = [
            (Limit::File, self.max_file),
            (Limit::Document, self.max_document),
            (Limit::Line, self.max_line),
            (Limit::JsonDepth, self.max_json_depth),
            (Limit::HtmlDepth, self.max_html_depth),
            (Limit::HtmlAttributes, self.max_html_attributes),
            (Limit::HtmlBlocks, self.max_html_blocks),
            (Limit::MimeParts, self.max_mime_parts),
            (Limit::MimeDepth, self.max_mime_depth),
            (Limit::Members, self.max_members),
            (Limit::Layers, self.max_layers),
            (Limit::Decompressed, self.max_decompressed),
            (Limit::Ratio, self.max_ratio),
            (Limit::Seconds, self.max_seconds),
        ];
        all.into_iter().filter_map(|(limit, value)| Some((limit, value?)))
    }
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand extract PAGE.html                        the main text
  firsthand extract PAGE.html --format json          every block, and why it was kept or dropped
  firsthand extract crawl.warc.gz --format jsonl     all documents, as dedup reads them")]
pub(crate) struct ExtractArgs {
    /// Files, folders, archives: whatever dedup reads
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
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
#[command(before_help = "Examples:
  firsthand eval labelled.jsonl                     every method and profile, as a table
  firsthand eval GOLDSET/ -o result/                a folder per cluster; with report.html
  firsthand eval labelled.jsonl --methods shingles,spotsigs,profile:archive
  firsthand eval news.jsonl --pairs graded.tsv      pairs that were graded by hand
  firsthand eval labelled.jsonl --config mine.toml  settings of your own")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    /// Do not run each method once more in a process of its own to measure its memory
    #[arg(long)]
    pub(crate) no_memory: bool,
    #[command(flatten)]
    pub(crate) output: EvalOutputArgs,
}

/// Labelled documents, and what is measured on them.
#[derive(Debug, Args)]
pub(crate) struct LabelledArgs {
    /// Documents with labels: records with a field `cluster`, a folder per cluster, or documents
    /// whose pairs are graded in --pairs
    #[arg(required = true, value_name = "LABELLED")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Graded pairs, a line each: id, id, grade (y, n, gray), with tabs between them; a pairs.tsv
    /// beside the documents is found by itself
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// What to measure: methods, profile:NAME, or all [default: all, unless --profile or --config
    /// is given]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Measure this profile (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Vec<String>,
    /// Measure the settings of this TOML file (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// The lowest threshold to look at [default: 0.2, or half of the method's own]
    #[arg(long, value_name = "T", value_parser = threshold)]
    pub(crate) floor: Option<Threshold>,
    /// Draws of the bootstrap for the 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = draws)]
    pub(crate) draws: usize,
    /// What draws and splits follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand tune labelled.jsonl -o mine.toml        the method with the best F1 on held-out labels
  firsthand tune labelled.jsonl --precision 0.99    the most copies with hardly an error
  firsthand tune docs.jsonl --pairs graded.tsv      pairs graded by hand, from `firsthand sample`
  firsthand dedup docs.jsonl --config mine.toml -o result/")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) labelled: LabelledArgs,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Write the settings to this file, ready for --config; else they go to stdout
    #[arg(short, long, value_name = "FILE", help_heading = "Results")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long, help_heading = "Results")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Goal")]
pub(crate) struct GoalArgs {
    /// The highest recall at which precision is at least P
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) precision: Option<f64>,
    /// The highest precision at which recall is at least R
    #[arg(long, value_name = "R", value_parser = share)]
    pub(crate) recall: Option<f64>,
    /// The highest F1 (default)
    #[arg(long)]
    pub(crate) f1: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub(crate) struct EvalOutputArgs {
    /// Write report.json, report.csv, report.html and errors.tsv into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Format of stdout
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    pub(crate) format: EvalFormat,
    /// Replace results that are already there
    #[arg(long)]
    pub(crate) force: bool,
    /// Do everything except writing results
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Tables for a person to read
    Text,
    /// One JSON object, as in report.json
    Json,
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:
  firsthand explain A.html B.html
  firsthand explain id-17 id-42 --in news.jsonl
  firsthand explain PAGES/a.html PAGES/b.html --in PAGES/      with the site templates of PAGES/")]
#[command(mut_arg("verbose", |verbose| verbose.help("Show every passage, signature and skipped input in full")))]
pub(crate) struct ExplainArgs {
    /// A file, or the id of a document of --in
    pub(crate) a: String,
    /// Another
    pub(crate) b: String,
    /// The collection the documents belong to: ids are looked up and site templates learned there
    #[arg(long = "in", value_name = "INPUT")]
    pub(crate) collection: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    /// Format; text on a terminal, else JSON
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExplainFormat>,
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

/// Reads a value by the name that the configuration file uses for it.
fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::from(name)).map_err(|error| error.to_string())
}

/// A threshold; someone who types 80 means 0.8.
pub(crate) fn threshold(written: &str) -> Result<Threshold, String> {
    written.parse::<Threshold>().map_err(|error| {
        let percent = written.trim().trim_end_matches('%').trim().parse::<f64>().ok();
        match percent.filter(|percent| 1.0 < *percent && *percent <= 100.0) {
            Some(percent) => format!("{error}; for {percent} per cent write {}", percent / 100.0),
            None => error.to_string(),
        }
    })
}

fn share(written: &str) -> Result<f64, String> {
    match written.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("write a share above 0 and up to 1, such as 0.99".to_owned()),
    }
}

/// More threads than this are a slip of the finger.
const MOST_THREADS: usize = 1024;

fn threads(written: &str) -> Result<usize, String> {
    match written.parse() {
        Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("write a number from 1 to {MOST_THREADS}, or leave the flag out")),
    }
}

/// More draws than this are a slip of the finger.
const MOST_DRAWS: usize = 1_000_000;

fn draws(written: &str) -> Result<usize, String> {
    match written.parse() {
        Ok(draws) if draws <= MOST_DRAWS => Ok(draws),
        _ => Err(format!("write a number up to {MOST_DRAWS}; 0 leaves the intervals out")),
    }
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("use one of {}", known.join(", "))
    })
}

/// A number of bytes: 1000000, 500k, 64M, 2G.
fn size(written: &str) -> Result<u64, String> {
    let lower = written.trim().to_ascii_lowercase();
    let plain = lower.trim_end_matches("ib").trim_end_matches('b');
    let (digits, shift) = match plain.chars().last() {
        Some('k') => (&plain[..plain.len() - 1], 10),
        Some('m') => (&plain[..plain.len() - 1], 20),
        Some('g') => (&plain[..plain.len() - 1], 30),
        Some('t') => (&plain[..plain.len() - 1], 40),
        _ => (plain, 0),
    };
    let count = digits.trim().parse::<u64>().ok();
    let size = count.and_then(|count| count.checked_mul(1 << shift));
    size.ok_or_else(|| "write a number of bytes, such as 500k, 64M or 2G".to_owned())
}

fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code).ok_or_else(|| {
        let known: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
        format!("there are word lists for {}", known.join(", "))
    })
}
