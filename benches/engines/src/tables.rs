//! What a general engine offers: tables that map 64-bit keys to bytes, and durable transactions.

use anyhow::{Context, Result};

/// Cache of the engines that have one of their own. It holds the whole store at 200,000 documents.
pub const CACHE_BYTES: usize = 1 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contents {
    /// Key of a document: numbers of the documents under it.
    Keys,
    /// Number of a document: the document. Numbers only ascend.
    Documents,
    /// Hour: the numbers of its first and its last document.
    Hours,
}

/// A table, of one hour or of all hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Table {
    pub contents: Contents,
    pub hour: Option<i64>,
}

impl Table {
    pub fn name(&self) -> String {
        let contents = match self.contents {
            Contents::Keys => "keys",
            Contents::Documents => "documents",
            Contents::Hours => "hours",
        };
        match self.hour {
            Some(hour) => format!("{contents}_{hour}"),
            None => contents.to_owned(),
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        let (contents, hour) = match name.split_once('_') {
            Some((contents, hour)) => (contents, Some(hour.parse()?)),
            None => (name, None),
        };
        let contents = match contents {
            "keys" => Some(Contents::Keys),
            "documents" => Some(Contents::Documents),
            "hours" => Some(Contents::Hours),
            _ => None,
        };
        Ok(Self { contents: contents.with_context(|| format!("unknown table {name}"))?, hour })
    }
}

/// A value to write, or a key to delete.
pub struct Change {
    pub table: Table,
    pub key: u64,
    pub value: Option<Vec<u8>>,
}

/// Called with the position of the table, the position of the key, and the value.
pub type OnFound<'a> = &'a mut dyn FnMut(usize, usize, &[u8]);

/// A general engine.
pub trait Tables {
    /// The tables that exist.
    fn list(&mut self) -> Result<Vec<Table>>;

    fn create(&mut self, tables: &[Table]) -> Result<()>;

    /// Finds ascending keys in each of the tables.
    fn get(&mut self, tables: &[Table], keys: &[u64], on_found: OnFound) -> Result<()>;

    /// Makes changes, ordered by table and key, in one transaction. Durable when it returns.
    fn write(&mut self, changes: Vec<Change>) -> Result<()>;

    /// Drops tables with all that is in them. Durable when it returns.
    fn drop_tables(&mut self, tables: &[Table]) -> Result<()>;
}
