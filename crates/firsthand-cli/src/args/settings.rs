//! Flags for settings that change answers: over the config file, over profile or method.

use super::values::{language, named, threshold};
use super::{LimitArgs, ModelArg, ReadingArgs};
use clap::Args;
use firsthand::settings::{Antecedent, Grouping, Language, Measure, Original, Threshold};
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
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Settings from a TOML file, as `firsthand config show` prints them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Least similarity of near-duplicates: a decimal or a fraction, such as 0.8 or 4/5
    #[arg(short, long, value_name = "T", value_parser = threshold)]
    pub(crate) threshold: Option<Threshold>,
    /// Measure of similarity
    #[arg(long, value_parser = named::<Measure>, value_name = "NAME", help = "Measure: jaccard, max-overlap, cosine, dice, containment, extended-jaccard")]
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
    /// How clusters are formed: star, component; chain on a stream
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
    /// How pairs are found: exact, bands, sketch, fingerprint, bits; collisions on a stream
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
