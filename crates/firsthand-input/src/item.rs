//! A document and its place; a failure while building it affects no other document.

use firsthand::Document;

use crate::caught::{caught, words_of};
use crate::error::{ReadError, Reason};
use crate::place::Place;
use crate::remarks::Remarks;

/// A document, where it came from, and remarks on how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The document.
    pub document: Document,
    /// Where it came from.
    pub place: Place,
    /// Irregularities found while reading it.
    pub remarks: Remarks,
}

/// Builds a document; turns any failure, panics included, into an error at its place.
pub(crate) fn finish(
    place: Place,
    make: impl FnOnce(&Place) -> Result<(Document, Remarks), Reason>,
) -> Result<Item, ReadError> {
    let made = caught(|| make(&place));
    match made {
        Ok(Ok((document, remarks))) => Ok(Item { document, place, remarks }),
        Ok(Err(reason)) => Err(ReadError::at(place, reason)),
        Err(cause) => Err(ReadError::at(place, Reason::Io(words_of(&*cause)))),
    }
}
