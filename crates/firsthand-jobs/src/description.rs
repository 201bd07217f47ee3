//! What a document is called: title, URL, source and sender; and where it is.

use crate::decisions::text_hash;
use crate::sources::source_or_host;
use firsthand_input::{Item, Place, Unit};
use serde::{Deserialize, Serialize};

/// What a document is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The title, or the subject of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The source; of a mail its list, or else its sender; of a page without one its host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The sender of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// The [hash](text_hash) of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it is in the inputs, unless its id says all of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DocumentPlace>,
}

/// Where a document is in the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentPlace {
    /// The file, as it was named.
    pub path: String,
    /// The line, row, record, message or item in it, counted from 1; none if it is the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The byte of the file at which its line starts, where lines can be read by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
}

impl DocumentPlace {
    /// The place of a reading.
    pub(crate) fn of(place: &Place) -> Self {
        let line = place.at.filter(|at| at.unit == Unit::Line);
        Self {
            path: place.path.clone(),
            number: place.at.map(|at| at.number),
            byte: line.and_then(|at| at.byte),
        }
    }

    /// The place that an id stands for which names a record of a file by its number.
    pub(crate) fn of_id(id: &str) -> Option<Self> {
        let (path, number) = id.rsplit_once(':')?;
        Some(Self { path: path.to_owned(), number: Some(number.parse().ok()?), byte: None })
    }

    /// The id of a document that has none of its own.
    pub fn id(&self) -> String {
        match self.number {
            Some(number) => format!("{}:{number}", self.path),
            None => self.path.clone(),
        }
    }
}

impl Description {
    /// What a document is called.
    pub(crate) fn of(item: &Item) -> Self {
        let document = &item.document;
        let place = DocumentPlace::of(&item.place);
        Self {
            title: document.title.clone(),
            url: document.url.clone(),
            source: source_or_host(document).map(str::to_owned),
            sender: document.sender.clone(),
            text: Some(text_hash(&document.text)),
            place: Some(place).filter(|place| place.byte.is_some() || place.id() != document.id),
        }
    }
}
