//! A place in the input: a file, and a position in it.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A file, or a line, row, record or message in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as the user would name it; `stdin` for standard input. Members of an archive are
    /// named as if the archive were a folder.
    pub path: String,
    /// Where in the file.
    pub at: Option<At>,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct At {
    /// What is counted.
    pub unit: Unit,
    /// Which one, counted from 1.
    pub number: u64,
    /// The offset of its start in the file on disk.
    pub byte: Option<u64>,
}

/// The unit in which positions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Unit {
    /// A line of JSONL or CSV.
    Line,
    /// A row of a Parquet table.
    Row,
    /// A record of a crawl.
    Record,
    /// A message of a mailbox.
    Message,
    /// An item of a feed, or an element of a JSON array.
    Item,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Line => "line",
            Unit::Row => "row",
            Unit::Record => "record",
            Unit::Message => "message",
            Unit::Item => "item",
        }
    }
}

impl Place {
    /// A whole file.
    pub(crate) fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), at: None }
    }

    /// A line.
    pub(crate) fn line(path: impl Into<String>, line: u64) -> Self {
        Self::numbered(path, Unit::Line, line)
    }

    /// A numbered unit.
    pub(crate) fn numbered(path: impl Into<String>, unit: Unit, number: u64) -> Self {
        Self { path: path.into(), at: Some(At { unit, number, byte: None }) }
    }

    /// The line number, if positions are lines.
    pub fn line_number(&self) -> Option<u64> {
        self.at.filter(|at| at.unit == Unit::Line).map(|at| at.number)
    }

    /// The id of a document that has none of its own.
    pub(crate) fn id(&self) -> String {
        match self.at {
            Some(at) => format!("{}:{}", self.path, at.number),
            None => self.path.clone(),
        }
    }

    /// The place as entries of a JSON object.
    pub(crate) fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("path", &self.path)?;
        object.serialize_entry("line", &self.line_number())?;
        if let Some(at) = self.at {
            if at.unit != Unit::Line {
                object.serialize_entry(at.unit.name(), &at.number)?;
            }
            if let Some(byte) = at.byte {
                object.serialize_entry("byte", &byte)?;
            }
        }
        Ok(())
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.entries(&mut object)?;
        object.end()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        let Some(At { unit, number, byte }) = self.at else { return Ok(()) };
        write!(f, ", {} {number}", unit.name())?;
        match byte {
            Some(byte) => write!(f, " (byte {byte})"),
            None => Ok(()),
        }
    }
}
