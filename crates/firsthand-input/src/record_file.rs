//! A file of records as a second reading meets it: what kind it is, how it is compressed, which
//! columns it has. A copy of some of its records is made alike.

use std::sync::Arc;

use crate::compression::Compression;
use crate::csv::TableHeader;
use crate::parquet::ParquetTable;
use firsthand::settings::Kind;

/// A file of records, or a member of an archive.
#[derive(Clone, Debug)]
pub struct RecordFile {
    /// Its name in places: the path, and that of the member.
    pub(crate) name: Arc<str>,
    pub(crate) kind: Kind,
    pub(crate) layers: Vec<Compression>,
    pub(crate) columns: Columns,
}

/// The columns of a file of records.
#[derive(Clone, Debug)]
pub(crate) enum Columns {
    /// Each record has fields of its own, or none.
    None,
    Rows(Arc<TableHeader>),
    Cells(Arc<ParquetTable>),
}

impl RecordFile {
    /// Its name in places: the path, and that of the member.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is a file of.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How it is compressed, the outermost first; a web archive perhaps record by record.
    pub fn layers(&self) -> &[Compression] {
        &self.layers
    }

    /// The header of a table of CSV or TSV that is not blank.
    pub fn header(&self) -> Option<&TableHeader> {
        match &self.columns {
            Columns::Rows(header) => Some(header),
            _ => None,
        }
    }

    /// The columns of a Parquet table.
    pub fn table(&self) -> Option<&ParquetTable> {
        match &self.columns {
            Columns::Cells(table) => Some(table),
            _ => None,
        }
    }
}

/// Whether records of this kind have named fields, to which others can be added.
pub fn has_columns(kind: Kind) -> bool {
    matches!(kind, Kind::Jsonl | Kind::Json | Kind::Csv | Kind::Tsv | Kind::Parquet)
}
