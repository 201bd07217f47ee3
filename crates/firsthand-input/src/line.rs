//! One line of a stream, parsed strictly: the sender waits for an answer and must hear of mistakes.

use crate::error::{ReadError, Reason};
use crate::item::{Item, finish};
use crate::options::ReadOptions;
use crate::place::Place;
use crate::record::{self, FieldRecord, Slot, UnexpectedType};
use crate::{build_document, time};
use firsthand::settings::Fields;
use std::sync::Arc;

/// The most bytes an id may have.
const LONGEST_ID: usize = 4096;

/// A line of a [`LineStream`](crate::LineStream), not yet parsed.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) name: Arc<str>,
    pub(crate) number: u64,
    /// Without the line end; only the start of a line that could not be read in full.
    pub(crate) bytes: Vec<u8>,
    /// Why it could not be read in full.
    pub(crate) broken: Option<Reason>,
}

/// A line that is not a valid document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct LineError {
    /// The id, if it could still be read.
    pub id: Option<String>,
    /// What is wrong.
    pub error: Box<ReadError>,
}

impl Line {
    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Approximate memory use in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of::<Self>()
    }

    /// Parses the document on this line.
    ///
    /// # Errors
    /// Stricter than for a collection: fails if the line is not valid UTF-8 or JSON, has no id, holds
    /// a value of the wrong type, or gives a time that cannot be parsed.
    pub fn read(&self, options: &ReadOptions) -> Result<Item, LineError> {
        let place = Place::line(&*self.name, self.number);
        let made = finish(place, |place| {
            let (document, mut remarks) = self.made(place, options)?;
            remarks.blocks.clear();
            Ok((document, remarks))
        });
        made.map_err(|error| LineError {
            id: self.id(&options.reading.fields),
            error: Box::new(error),
        })
    }

    fn made(&self, place: &Place, options: &ReadOptions) -> build_document::Made {
        if let Some(reason) = &self.broken {
            return Err(reason.clone());
        }
        if let Some(record) = record::usual(&self.bytes, &options.reading) {
            return from_record(record, place, options);
        }
        record::within(&self.bytes, &options.reading.limits)?;
        let json = std::str::from_utf8(&self.bytes)
            .map_err(|error| Reason::NotUtf8(error.valid_up_to() + 1))?;
        record::made(json, &options.reading.fields, |record| from_record(record, place, options))
    }

    /// The id of an invalid line.
    fn id(&self, fields: &Fields) -> Option<String> {
        let start = &self.bytes[..self.bytes.len().min(1 << 20)];
        let id = record::id_before_damage(&String::from_utf8_lossy(start), fields)?;
        (!id.trim().is_empty() && id.len() <= LONGEST_ID).then_some(id)
    }
}

fn from_record(
    record: FieldRecord<'_>,
    place: &Place,
    options: &ReadOptions,
) -> build_document::Made {
    let fields = &options.reading.fields;
    // Ids and times may be numbers; null counts as absent.
    let fields_that_count = [
        ("id", Slot::Id, true),
        ("text", Slot::Text, false),
        ("page", Slot::Html, false),
        ("time", Slot::Time, true),
    ];
    for (field, slot, numbers) in fields_that_count {
        let strange = record.strange.iter().find(|strange| {
            // A valid value under another name of the field takes precedence.
            let counts = record.get(slot).rank().is_none_or(|rank| rank == strange.rank);
            strange.slot == slot
                && counts
                && strange.kind != "null"
                && !(numbers && strange.kind == "a number")
        });
        if let Some(strange) = strange {
            return Err(Reason::WrongType { field, found: strange.kind });
        }
    }
    match record.get(Slot::Id).peek() {
        Some(id) if id.len() > LONGEST_ID => return Err(Reason::LongId(id.len(), LONGEST_ID)),
        Some(id) if !id.trim().is_empty() => {}
        _ => return Err(no_id(&record, fields)),
    }
    let written = record.get(Slot::Time).peek().map(str::trim).filter(|time| !time.is_empty());
    if let Some(written) = written
        && time::parse(written).is_none()
    {
        return Err(Reason::BadTime(written.chars().take(80).collect()));
    }
    build_document::from_record(record, place, options)
}

/// Why a record has no id: what its field holds, or that there is none.
fn no_id(record: &FieldRecord<'_>, fields: &Fields) -> Reason {
    let value = record.get(Slot::Id);
    let blank = value.rank().zip(value.peek()).map(|(rank, id)| match id.is_empty() {
        true => (rank, "an empty string"),
        false => (rank, "nothing but spaces"),
    });
    let is_null = |strange: &&UnexpectedType| strange.slot == Slot::Id && strange.kind == "null";
    let null = record.strange.iter().find(is_null).map(|strange| (strange.rank, "null"));
    match blank.or(null).and_then(|(rank, found)| Some((fields.id.get(rank)?, found))) {
        Some((field, found)) => Reason::NotAnId { field: field.clone(), found },
        None => Reason::NoId(fields.id.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Item, LineError> {
        let line = Line { name: "stdin".into(), number: 7, bytes: bytes.to_vec(), broken: None };
        line.read(&ReadOptions::default())
    }

    #[test]
    fn a_good_line_is_a_document() {
        let item = read(br#"{"id": 5, "text": "Ferry late", "time": 1400000000, "body": {}}"#);
        let document = item.unwrap().document;
        assert_eq!((document.id.as_str(), document.text.as_str()), ("5", "Ferry late"));
        assert_eq!(document.time, Some(1_400_000_000_000));
    }

    #[test]
    fn a_bad_line_says_why_and_which() {
        let cases: [(&[u8], Option<&str>, &str); 17] = [
            (b"{\"id\":\"a\",\"text\":\"cut", Some("a"), "line 7: not valid JSON"),
            (b"nonsense", None, "not valid JSON"),
            (b"[1,2]", None, "a JSON array"),
            (b"{\"text\":\"no id\"}", None, "no id: none of the fields id, _id"),
            (b"{\"id\":\"\",\"text\":\"t\"}", None, "no id: the field id holds an empty string"),
            (b"{\"id\":\" \",\"text\":\"t\"}", None, "the field id holds nothing but spaces"),
            (b"{\"_id\":null,\"text\":\"t\"}", None, "no id: the field _id holds null"),
            (b"{\"id\":\"\\udfff\",\"text\":\"t\"}", None, "its id holds half of a surrogate pair"),
            (b"{\"id\":\"a\",\"text\":null}", Some("a"), "the field text holds null"),
            (b"{\"id\":[1],\"text\":\"t\"}", None, "the id field holds an array"),
            (b"{\"id\":true,\"text\":\"t\"}", None, "the id field holds a Boolean"),
            (b"{\"id\":\"b\",\"text\":{}}", Some("b"), "the text field holds an object"),
            (b"{\"id\":\"c\",\"text\":4}", Some("c"), "the text field holds a number"),
            (b"{\"id\":\"d\"}", Some("d"), "no text"),
            (b"{\"id\":\"e\",\"text\":\"t\",\"time\":\"soon\"}", Some("e"), "its time \"soon\""),
            (
                b"{\"id\":\"f\",\"text\":\"t\",\"time\":[]}",
                Some("f"),
                "the time field holds an array",
            ),
            (b"{\"id\":\"g\",\"text\":\"\xff\"}", Some("g"), "not valid UTF-8 from byte 19"),
        ];
        for (bytes, id, says) in cases {
            let error = read(bytes).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
            assert_eq!(error.id.as_deref(), id, "{error}");
        }
        let long = format!("{{\"id\":\"{}\",\"text\":\"t\"}}", "x".repeat(5000));
        assert!(read(long.as_bytes()).unwrap_err().to_string().contains("its id has 5000 bytes"));
    }
}
