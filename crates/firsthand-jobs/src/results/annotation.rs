//! What is said of each row where all rows are written: columns that are added to its own.

use super::Material;
use crate::error::AnnotationError;
use firsthand_input::{Cell, CellType};
use serde::Serialize;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The names of the columns that are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnNames([String; 5]);

/// What the names of the columns are by default, and what each holds.
const COLUMNS: [(&str, CellType); 5] = [
    ("cluster", CellType::Integer),
    ("original", CellType::Text),
    ("score", CellType::Real),
    ("kept", CellType::Truth),
    ("reason", CellType::Text),
];

impl Default for ColumnNames {
    fn default() -> Self {
        Self(COLUMNS.map(|(name, _)| name.to_owned()))
    }
}

impl ColumnNames {
    /// The default names but for those that are given, such as `kept=dedup_kept,score=dedup_score`.
    ///
    /// # Errors
    ///
    /// If a column is not known, or two would have the same name, or one would have none.
    pub fn parse(written: &str) -> Result<Self, AnnotationError> {
        let mut names = Self::default();
        for part in written.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((column, name)) = part.split_once('=') else {
                return Err(AnnotationError::NoName(part.to_owned()));
            };
            let (column, name) = (column.trim(), name.trim());
            let Some(at) = COLUMNS.iter().position(|(known, _)| *known == column) else {
                return Err(AnnotationError::Unknown(column.to_owned()));
            };
            if name.is_empty() {
                return Err(AnnotationError::NoName(part.to_owned()));
            }
            names.0[at] = name.to_owned();
        }
        for (at, name) in names.0.iter().enumerate() {
            if names.0[..at].iter().any(|other| other.eq_ignore_ascii_case(name)) {
                return Err(AnnotationError::Twice(name.clone()));
            }
        }
        Ok(names)
    }

    /// The names, in the order of the columns.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The names with the types of the columns.
    pub(super) fn typed(&self) -> Vec<(&str, CellType)> {
        self.0.iter().map(String::as_str).zip(COLUMNS.map(|(_, cells)| cells)).collect()
    }
}

/// A row that is no document, by the number it is written under.
pub(super) const UNREAD: u64 = u64::MAX;

/// What is said of rows, by the number of their document.
pub(super) struct Annotations<'a> {
    from: Material<'a>,
    names: &'a ColumnNames,
    /// Why a cell could not be told, if that happened.
    failed: Mutex<Option<io::Error>>,
}

impl<'a> Annotations<'a> {
    pub(super) fn new(from: Material<'a>, names: &'a ColumnNames) -> Self {
        Self { from, names, failed: Mutex::new(None) }
    }

    /// Fails if a cell could not be told.
    pub(super) fn check(&self) -> io::Result<()> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.map_or(Ok(()), Err)
    }

    pub(super) fn names(&self) -> &'a ColumnNames {
        self.names
    }

    /// The cells of a row.
    pub(super) fn cells(&self, row: u64) -> [Cell<'a>; 5] {
        std::array::from_fn(|column| self.cell(row, column))
    }

    /// The cell of a row in one of the columns.
    pub(super) fn cell(&self, row: u64, column: usize) -> Cell<'a> {
        if row == UNREAD {
            // It is neither kept nor dropped.
            return match COLUMNS[column].0 {
                "reason" => "no document could be read from it".into(),
                _ => Cell::Null,
            };
        }
        self.told(row as usize, column).unwrap_or_else(|error| {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            Cell::Null
        })
    }

    fn told(&self, at: usize, column: usize) -> io::Result<Cell<'a>> {
        let findings = self.from.findings;
        let standing = findings.standing(at)?;
        let is_dropped = standing.is_some_and(|standing| standing.original != at);
        Ok(match COLUMNS[column].0 {
            "cluster" => standing.map(|standing| i64::from(standing.cluster) + 1).into(),
            "original" => match standing {
                Some(standing) => findings.document(standing.original)?.id.clone().into(),
                None => Cell::Null,
            },
            "score" if is_dropped => standing.map(|standing| standing.member.score).into(),
            "score" => standing.map(|_| 1.0).into(),
            "kept" => (!is_dropped).into(),
            _ => findings.fate(at)?.map(|fate| fate.reason(self.from.threshold)).into(),
        })
    }

    /// The cells as text, nulls as nothing.
    pub(super) fn texts(&self, row: u64) -> [String; 5] {
        self.cells(row).map(|cell| match cell {
            Cell::Null => String::new(),
            Cell::Text(text) => text.into_owned(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Truth(truth) => truth.to_string(),
        })
    }

    /// A JSON object with more members; its own bytes stay as they are. None if it is no object.
    pub(super) fn object(&self, object: &[u8], row: u64) -> Option<Vec<u8>> {
        let inside = object.trim_ascii().strip_prefix(b"{")?.strip_suffix(b"}")?;
        let end = object.trim_ascii_end().len() - 1;
        let (before, after) = object.split_at(end);
        let mut extended = before.to_vec();
        for (at, (name, cell)) in self.names.0.iter().zip(self.cells(row)).enumerate() {
            if at > 0 || !inside.trim_ascii().is_empty() {
                extended.push(b',');
            }
            json(&mut extended, name);
            extended.push(b':');
            match cell {
                Cell::Null => json(&mut extended, &()),
                Cell::Text(text) => json(&mut extended, &text),
                Cell::Integer(number) => json(&mut extended, &number),
                Cell::Real(number) => json(&mut extended, &number),
                Cell::Truth(truth) => json(&mut extended, &truth),
            }
        }
        extended.extend_from_slice(after);
        Some(extended)
    }
}

fn json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Neither writing to memory nor these values can fail.
    let _ = serde_json::to_writer(out, value);
}

/// Whether the bytes are a JSON object.
pub(super) fn is_object(bytes: &[u8]) -> bool {
    let is_json = || serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    bytes.trim_ascii_start().starts_with(b"{") && is_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_set_and_are_checked() {
        let names = |written: &str| ColumnNames::parse(written).map_err(|error| error.to_string());
        assert_eq!(names("").unwrap(), ColumnNames::default());
        let set = names("kept = is_kept, cluster=c").unwrap();
        assert_eq!(set.names(), ["c", "original", "score", "is_kept", "reason"]);
        // Two columns may change names.
        assert!(names("kept=score,score=kept").is_ok());
        assert!(names("kept").unwrap_err().contains("\"kept\""));
        assert!(names("keep=x").unwrap_err().contains("cluster, original, score, kept, reason"));
        assert!(names("kept=Score").unwrap_err().contains("two columns"));
        assert!(names("kept=").is_err());
    }
}
