//! Single settings that replace those of a profile, a method or a file.

use firsthand::settings::{
    Antecedent, ClockSource, Extract, Grouping, Kind, Language, Measure, Numbers, Original,
    Threshold,
};
use serde::{Deserialize, Deserializer, de::Error};

/// A window without an end, in milliseconds.
pub const ENDLESS: i64 = i64::MAX;

/// Single settings, each of which replaces what the other layers say. The names are those of a
/// settings file; parameters of the scheme and of the matcher stand by themselves. For a stream,
/// `matcher`, `grouping`, `original` and `numbers` are those of the table `stream`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Overrides {
    /// The least similarity of near-duplicates.
    pub threshold: Option<Threshold>,
    /// The measure of similarity.
    pub measure: Option<Measure>,
    /// Shingles of this number of words.
    pub n: Option<usize>,
    /// Grams of this number of characters.
    pub q: Option<usize>,
    /// Spot signatures: words from one step to the next.
    pub distance: Option<usize>,
    /// Spot signatures: words in a chain.
    pub chain: Option<usize>,
    /// Spot signatures: antecedents instead of those of the language.
    pub antecedents: Option<Vec<Antecedent>>,
    /// Spot signatures: the language of all documents, by its code.
    #[serde(deserialize_with = "language")]
    pub language: Option<Language>,
    /// Whether repeated features count as often as they occur.
    pub multiset: Option<bool>,
    /// Documents with fewer features match exact copies only.
    pub min_features: Option<usize>,
    /// Whether passages that recur on different pages of one site are left out.
    pub template: Option<bool>,
    /// Whether disguised letters are folded.
    pub fold: Option<bool>,
    /// How clusters are formed.
    pub grouping: Option<Grouping>,
    /// Which document of a cluster is the original.
    pub original: Option<Original>,
    /// What changed numbers mean.
    pub numbers: Option<Numbers>,
    /// How pairs are found, by name.
    pub matcher: Option<String>,
    /// Bands: the number of them.
    pub bands: Option<usize>,
    /// Bands: min-hashes in each.
    pub rows: Option<usize>,
    /// Bands: the share of the pairs at the threshold that must be found.
    pub recall: Option<f64>,
    /// Min-hashes of a sketch, or the most for bands.
    pub hashes: Option<usize>,
    /// Sketch: min-hashes that must agree together.
    pub group: Option<usize>,
    /// Fingerprint: the number of lexicons.
    pub lexicons: Option<usize>,
    /// Bits: the number of random projections.
    pub bits: Option<usize>,
    /// What only a stream has.
    pub stream: StreamOverrides,
    /// How documents are read.
    pub reading: ReadingOverrides,
}

fn language<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Language>, D::Error> {
    let Some(code) = Option::<String>::deserialize(from)? else { return Ok(None) };
    match Language::from_code(&code) {
        Some(language) => Ok(Some(language)),
        None => Err(Error::custom(format!("there are no word lists for the language {code:?}"))),
    }
}

/// Settings that only a stream has.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct StreamOverrides {
    /// How far back documents are compared, in milliseconds; [`ENDLESS`] is without an end.
    pub window: Option<i64>,
    /// The most documents of the window, roughly.
    pub window_documents: Option<u64>,
    /// The most bytes of the window, roughly.
    pub window_bytes: Option<u64>,
    /// What the time of a document is.
    pub clock: Option<ClockSource>,
}

/// Settings for reading.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReadingOverrides {
    /// How much of a page is its text.
    pub extract: Option<Extract>,
    /// Every file is of this kind.
    pub kind: Option<Kind>,
    /// Whether plain texts are treated as mail.
    pub mail: Option<bool>,
    /// Whether symbolic links inside folders are followed.
    pub follow: Option<bool>,
    /// The names of fields.
    pub fields: FieldOverrides,
    /// What is refused or cut short.
    pub limits: LimitOverrides,
}

macro_rules! overrides {
    ($(#[$doc:meta])* $name:ident: $type:ty { $($(#[$field_doc:meta])* $field:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$type>,)+
        }
    };
}

overrides!(
    /// The one field of a record that holds each thing.
    FieldOverrides: String {
        /// The id.
        id,
        /// Plain text.
        text,
        /// A page.
        html,
        /// The title.
        title,
        /// The URL.
        url,
        /// The source.
        source,
        /// The time.
        time,
        /// The label of the true cluster.
        cluster,
    }
);

overrides!(
    /// Each limit of [`Limits`](firsthand::settings::Limits).
    LimitOverrides: u64 {
        /// The largest page, text, message or record.
        file,
        /// The longest text of one document.
        document,
        /// The longest line, row or element.
        line,
        /// The deepest JSON.
        json_depth,
        /// The deepest element of a page.
        html_depth,
        /// The most attributes of a tag.
        html_attributes,
        /// The most blocks of a page.
        html_blocks,
        /// The most parts of a message.
        mime_parts,
        /// The deepest part of a message.
        mime_depth,
        /// The most members of an archive.
        members,
        /// The most archives and compressions in one another.
        layers,
        /// The most bytes that one file may grow to.
        decompressed,
        /// The most times its size that a file may grow to.
        ratio,
        /// The most seconds for one document.
        seconds,
    }
);
