//! Options of reading, beside the settings that change an answer.

use firsthand::settings::Reading;
use std::path::PathBuf;

/// How inputs are read.
///
/// ```
/// use firsthand_input::{ReadOptions, read_bytes};
///
/// let mut options = ReadOptions::default();
/// options.reading.fields.text = vec!["body".to_owned()];
/// let mut documents = read_bytes("news.jsonl", b"{\"body\": \"Ferry late\"}", &options);
/// assert_eq!(documents.next().unwrap().unwrap().text, "Ferry late");
/// ```
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The settings that change the text of documents.
    pub reading: Reading,
    /// Whether to report the blocks of each document and why each was kept or dropped.
    pub blocks: bool,
    /// The approximate number of bytes per [`Batch`](crate::Batch).
    pub batch_bytes: usize,
    /// Whether to note checksums of what is read, so that a second reading knows it again
    /// ([`Batches::reread`](crate::Batches::reread)).
    pub checksums: bool,
    /// A copy of standard input (see [`Spool`](crate::Spool)) to read for the input `-`.
    pub stdin: Option<PathBuf>,
    /// The names of columns that will be added to all records: a file whose records have one of them,
    /// or have no columns, is an error.
    pub added_columns: Vec<String>,
    /// Whether a row of a table in memory that has no id is an error, instead of being known by its number.
    pub needs_ids: bool,
    /// The canonical path of a folder to skip inside other folders: the one for results.
    pub except: Option<PathBuf>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new(Reading::default())
    }
}

impl ReadOptions {
    /// The first of these names under which a column is to be added, in whatever case: many programs
    /// do not tell `Kept` from `kept`.
    pub(crate) fn taken<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let mut names = names
            .filter(|name| self.added_columns.iter().any(|added| added.eq_ignore_ascii_case(name)));
        names.next().map(str::to_owned)
    }

    /// Options with these settings and the defaults for everything else.
    pub fn new(reading: Reading) -> Self {
        Self {
            reading,
            blocks: false,
            batch_bytes: 1 << 20,
            checksums: false,
            stdin: None,
            added_columns: Vec::new(),
            needs_ids: false,
            except: None,
        }
    }
}
