//! Limits on reading, so that no input can exhaust memory or time.

use serde::{Deserialize, Serialize};

/// The limits on reading.
///
/// ```
/// use firsthand::settings::{Limit, Limits};
///
/// let mut limits = Limits { seconds: 5, ..Limits::default() };
/// limits.set(Limit::Members, 1_000);
/// assert_eq!((limits.get(Limit::Seconds), limits.members), (5, 1_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// The largest page, text, message or record that is read, in bytes after decompression.
    pub file: u64,
    /// The longest text of one document, in bytes after extraction.
    pub document: u64,
    /// The longest line of JSONL, row of CSV or element of a JSON array, in bytes.
    pub line: u64,
    /// The deepest nesting of JSON.
    pub json_depth: u64,
    /// The depth to which elements of a page are told apart; deeper ones count as their ancestor.
    pub html_depth: u64,
    /// The most attributes of a tag that are read.
    pub html_attributes: u64,
    /// The most blocks of a page, and elements around them, that are told apart.
    pub html_blocks: u64,
    /// The most parts of a message that are read.
    pub mime_parts: u64,
    /// The depth to which nested parts of a message are read.
    pub mime_depth: u64,
    /// The most members of an archive that are read.
    pub members: u64,
    /// The most layers of archives and compression within one another, up to [`Limits::MOST_LAYERS`].
    pub layers: u64,
    /// The most bytes that one file may decompress to.
    pub decompressed: u64,
    /// The most times its own size that a file may decompress to; the first 64 MiB are free.
    pub ratio: u64,
    /// The most seconds that may be spent on one document.
    pub seconds: u64,
    /// The most records of one file.
    pub records: u64,
    /// The most records for each byte of a file on disk; the first 100,000 are free.
    pub records_per_byte: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 64 << 20,
            document: 16 << 20,
            line: 64 << 20,
            json_depth: 128,
            html_depth: 512,
            html_attributes: 256,
            html_blocks: 100_000,
            mime_parts: 1_000,
            mime_depth: 64,
            members: 1_000_000,
            layers: 4,
            decompressed: 256 << 30,
            ratio: 500,
            seconds: 30,
            records: 100_000_000,
            records_per_byte: 1,
        }
    }
}

/// One of the limits, by name.
///
/// ```
/// use firsthand::settings::{Limit, Limits};
///
/// let mut limits = Limits::default();
/// limits.set(Limit::JsonDepth, 32);
/// assert_eq!((limits.json_depth, Limit::JsonDepth.key()), (32, "json-depth"));
/// assert_eq!(Limit::Ratio.label(), "decompression bomb");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::file`]
    File,
    /// [`Limits::document`]
    Document,
    /// [`Limits::line`]
    Line,
    /// [`Limits::json_depth`]
    JsonDepth,
    /// [`Limits::html_depth`]
    HtmlDepth,
    /// [`Limits::html_attributes`]
    HtmlAttributes,
    /// [`Limits::html_blocks`]
    HtmlBlocks,
    /// [`Limits::mime_parts`]
    MimeParts,
    /// [`Limits::mime_depth`]
    MimeDepth,
    /// [`Limits::members`]
    Members,
    /// [`Limits::layers`]
    Layers,
    /// [`Limits::decompressed`]
    Decompressed,
    /// [`Limits::ratio`]
    Ratio,
    /// [`Limits::seconds`]
    Seconds,
    /// [`Limits::records`]
    Records,
    /// [`Limits::records_per_byte`]
    RecordsPerByte,
}

/// The key of each limit in the table `reading.limits`, and the label under which inputs beyond it are
/// counted, in the order of the limits.
const KEYS_AND_LABELS: [(&str, &str); 16] = [
    ("file", "file too large"),
    ("document", "text too long"),
    ("line", "line too long"),
    ("json-depth", "JSON nested too deep"),
    ("html-depth", "elements nested too deep"),
    ("html-attributes", "too many attributes"),
    ("html-blocks", "too many blocks"),
    ("mime-parts", "too many MIME parts"),
    ("mime-depth", "MIME parts nested too deep"),
    ("members", "too many members"),
    ("layers", "archives nested too deep"),
    ("decompressed", "too much decompressed data"),
    ("ratio", "decompression bomb"),
    ("seconds", "took too long"),
    ("records", "too many records"),
    ("records-per-byte", "more records than bytes"),
];

impl Limit {
    /// Its key in the table `reading.limits`.
    pub fn key(self) -> &'static str {
        KEYS_AND_LABELS[self as usize].0
    }

    /// A label under which inputs beyond this limit are counted.
    pub fn label(self) -> &'static str {
        KEYS_AND_LABELS[self as usize].1
    }
}

impl Limits {
    /// The most that `layers` may be: every layer takes space on the stack of the thread that reads.
    pub const MOST_LAYERS: u64 = 64;

    /// The value of a limit.
    pub fn get(&self, limit: Limit) -> u64 {
        self.clone().value(limit).to_owned()
    }

    /// Sets a limit.
    pub fn set(&mut self, limit: Limit, value: u64) {
        *self.value(limit) = value;
    }

    fn value(&mut self, limit: Limit) -> &mut u64 {
        match limit {
            Limit::File => &mut self.file,
            Limit::Document => &mut self.document,
            Limit::Line => &mut self.line,
            Limit::JsonDepth => &mut self.json_depth,
            Limit::HtmlDepth => &mut self.html_depth,
            Limit::HtmlAttributes => &mut self.html_attributes,
            Limit::HtmlBlocks => &mut self.html_blocks,
            Limit::MimeParts => &mut self.mime_parts,
            Limit::MimeDepth => &mut self.mime_depth,
            Limit::Members => &mut self.members,
            Limit::Layers => &mut self.layers,
            Limit::Decompressed => &mut self.decompressed,
            Limit::Ratio => &mut self.ratio,
            Limit::Seconds => &mut self.seconds,
            Limit::Records => &mut self.records,
            Limit::RecordsPerByte => &mut self.records_per_byte,
        }
    }
}
