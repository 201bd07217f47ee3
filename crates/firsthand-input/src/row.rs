//! A document out of named values, for callers that have tables of their own.

use std::borrow::Cow;

use firsthand::Document;

use crate::build_document::from_record;
use crate::error::Reason;
use crate::options::ReadOptions;
use crate::place::Place;
use crate::record::{FieldRecord, Slot};
use crate::remarks::Remarks;

/// The values of a row, as text. They become a document as those of a record of a file would.
///
/// ```
/// use firsthand_input::{ReadOptions, Row};
///
/// let row = Row { id: "a".into(), text: "The ferry".into(), host: Some("www.site.example".into()), ..Row::default() };
/// let (document, _) = row.document(&ReadOptions::default())?;
/// assert_eq!(document.site(), Some("site.example"));
/// # Ok::<(), firsthand_input::Reason>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Row<'a> {
    /// The id.
    pub id: Cow<'a, str>,
    /// The text.
    pub text: Cow<'a, str>,
    /// The title.
    pub title: Option<Cow<'a, str>>,
    /// The URL.
    pub url: Option<Cow<'a, str>>,
    /// The host or site, if it is not to be taken from the URL.
    pub host: Option<Cow<'a, str>>,
    /// The time.
    pub time: Option<Cow<'a, str>>,
}

impl<'a> Row<'a> {
    /// The document of the row, with what was odd about it.
    ///
    /// # Errors
    ///
    /// If the text is beyond a limit.
    pub fn document(self, options: &ReadOptions) -> Result<(Document, Remarks), Reason> {
        let place = Place::file(self.id.clone());
        let mut record = FieldRecord::default();
        record.offer(Slot::Id, 0, self.id);
        record.offer(Slot::Text, 0, self.text);
        let others = [
            (Slot::Title, self.title),
            (Slot::Url, self.url),
            (Slot::Host, self.host),
            (Slot::Time, self.time),
        ];
        for (slot, value) in others {
            if let Some(value) = value {
                record.offer(slot, 0, value);
            }
        }
        from_record(record, &place, options)
    }
}
