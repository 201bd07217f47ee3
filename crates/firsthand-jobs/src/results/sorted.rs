//! What is kept and what is dropped, in the form in which it came: the inputs are read once more.

use super::kept::{Disposition, Kept};
use super::{Altered, ChangedFiles, Material, folder::Folder, jsonl, listed};
use crate::error::{InputError, JobError, OutputError};
use firsthand_input::{Raw, ReadError, Reread};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// What an input of the second reading is.
enum Standing {
    /// A document, by its position.
    Document(usize),
    /// One that gave no document.
    Unread {
        /// By rule.
        skipped: bool,
    },
    /// Part of the input that stands behind no document.
    Beside,
}

/// Goes through the inputs again, each with what it is and its raw form. Files that have changed are
/// passed over from there on, and returned.
fn again(
    from: &Material<'_>,
    mut visit: impl FnMut(Standing, Raw<'_>) -> Result<(), OutputError>,
) -> Result<ChangedFiles, JobError> {
    let documents = from.findings.collection.documents().len();
    let mut unread = from.unread.positions.iter().filter(|((side, ..), _)| *side == 1).peekable();
    let mut at = from.findings.first();
    let mut files = ChangedFiles::new();
    let mut is_unread = |batch: usize, item: usize| {
        unread.next_if(|(position, _)| *position == (1, batch, item)).map(|(_, skipped)| *skipped)
    };
    from.reading.batches.reread(|met| {
        match met {
            Reread::Beside(raw) => visit(Standing::Beside, raw)?,
            Reread::Same { batch, item, raw } => match is_unread(batch, item) {
                Some(skipped) => visit(Standing::Unread { skipped }, raw)?,
                None if at == documents => return Err(InputError::Changed.into()),
                None => {
                    visit(Standing::Document(at), raw)?;
                    at += 1;
                }
            },
            Reread::Changed { batch, items, error } => {
                let first = (1, batch, items.start);
                let lost = items.filter(|item| is_unread(batch, *item).is_none()).count();
                at += lost;
                match files.last_mut().filter(|(_, file)| file.place == error.place) {
                    Some((_, file)) => file.inputs += lost,
                    None => files.push((first, ReadError { inputs: lost, ..error })),
                }
            }
        }
        Ok::<(), JobError>(())
    })?;
    if at != documents {
        return Err(InputError::Changed.into());
    }
    Ok(files)
}

/// Writes `kept.*` and `dropped.*`: records as they came, files as a list of paths. Tells what could not
/// be copied as it is.
pub(super) fn to_folder(
    folder: &mut Folder,
    (with_kept, with_dropped): (bool, bool),
    from: &Material<'_>,
) -> Result<Altered, JobError> {
    let mut kept = Kept::default();
    let mut reasons = if with_dropped { Some(folder.file("dropped.jsonl")?) } else { None };
    let (mut dropped_paths, mut dropped_messages, mut escaped) = (None, None, 0);
    let changed = again(from, |standing, raw| {
        let (at, fate) = match standing {
            Standing::Document(at) => match from.findings.fate(at) {
                None => (Some(at), Disposition::Kept),
                Some(_) => (Some(at), Disposition::Dropped),
            },
            Standing::Beside | Standing::Unread { skipped: true } => (None, Disposition::Skipped),
            Standing::Unread { skipped: false } => (None, Disposition::Unreadable),
        };
        let path = at.and_then(|at| path_of(at, raw, from));
        if with_kept {
            kept.take(folder, raw, fate, path, from.null)?;
        }
        let Some((at, reasons)) = at.zip(reasons.as_mut()) else { return Ok(()) };
        if path.is_some() && dropped_paths.is_none() {
            dropped_paths = Some(folder.file("dropped.txt")?);
        }
        if let (Raw::Message(_), None) = (raw, &dropped_messages) {
            dropped_messages = Some(folder.file("dropped.mbox")?);
        }
        if let Some(fate) = from.findings.fate(at) {
            let id = &from.findings.document(at).id;
            let line = jsonl::dropped(id, fate, record_of(raw).as_deref(), from);
            reasons.line(&line.map_err(OutputError::Stream)?)?;
            if let Some((path, paths)) = path.zip(dropped_paths.as_mut()) {
                escaped += u64::from(paths.path(path, from.null)?);
            }
            if let (Raw::Message(message), Some(messages)) = (raw, &mut dropped_messages) {
                messages.message(message)?;
            }
        }
        Ok(())
    })?;
    let mut altered = if with_kept { kept.finish(folder)? } else { Altered::default() };
    altered.escaped += escaped;
    altered.changed = changed;
    for file in [reasons, dropped_messages, dropped_paths].into_iter().flatten() {
        folder.finish(file)?;
    }
    Ok(altered)
}

/// The JSON of a record on one line.
fn record_of(raw: Raw<'_>) -> Option<Cow<'_, [u8]>> {
    match raw {
        Raw::Line(line) => Some(Cow::Borrowed(line)),
        // In JSON, line ends are white space: inside strings they are escaped.
        Raw::Element(element) => Some(Cow::Owned(
            element.iter().map(|byte| if b"\r\n".contains(byte) { b' ' } else { *byte }).collect(),
        )),
        _ => None,
    }
}

/// The bytes of the path of a document that is a file; the id where there is no file to name.
fn path_of<'a>(at: usize, raw: Raw<'a>, from: &'a Material<'_>) -> Option<&'a [u8]> {
    let spool: Option<&Path> = from.reading.stdin.as_ref().map(|copy| copy.path());
    match raw {
        Raw::File(path) if Some(path) != spool => Some(path.as_os_str().as_encoded_bytes()),
        Raw::File(_) | Raw::Nothing => Some(from.findings.document(at).id.as_bytes()),
        _ => None,
    }
}

/// Hands on a line for each kept document: a record of JSON as it came; for others an object with the
/// id, or the path or id alone.
pub(super) fn kept_lines(
    from: &Material<'_>,
    objects: bool,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<ChangedFiles, JobError> {
    again(from, |standing, raw| {
        let Standing::Document(at) = standing else { return Ok(()) };
        if from.findings.fate(at).is_some() {
            return Ok(());
        }
        let id = &from.findings.document(at).id;
        let line = match record_of(raw) {
            Some(record) => record,
            None if objects => serde_json::json!({ "id": id }).to_string().into_bytes().into(),
            None => listed(path_of(at, raw, from).unwrap_or(id.as_bytes()), from.null),
        };
        write(&line).map_err(OutputError::Stream)
    })
}

/// Hands on a line for each dropped document, as in `dropped.jsonl`.
pub(super) fn dropped_lines(
    from: &Material<'_>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<ChangedFiles, JobError> {
    again(from, |standing, raw| {
        let Standing::Document(at) = standing else { return Ok(()) };
        let Some(fate) = from.findings.fate(at) else { return Ok(()) };
        let id = &from.findings.document(at).id;
        let line = jsonl::dropped(id, fate, record_of(raw).as_deref(), from);
        line.and_then(|line| write(&line)).map_err(OutputError::Stream)
    })
}
