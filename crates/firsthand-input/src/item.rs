//! A document with where it came from, made so that whatever goes wrong concerns it alone.

use firsthand::Document;

use crate::caught::{caught, words_of};
use crate::error::{ReadError, Reason};
use crate::place::Place;
use crate::remarks::Remarks;

/// A document, and what is worth telling about how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The document.
    pub document: Document,
    /// Where it came from.
    pub place: Place,
    /// Its oddities.
    pub remarks: Remarks,
}

/// Runs what makes a document; whatever goes wrong is about this document alone.
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
