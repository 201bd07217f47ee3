//! What is kept and what is dropped, in the form in which it came: the inputs are read once more.

use super::kept::{Disposition, Kept, open};
use super::{Material, STDOUT, folder::Folder, jsonl};
use crate::args::{Format, OutputArgs};
use crate::visible::visible;
use anyhow::{Context, Result, bail};
use firsthand_input::Raw;
use std::borrow::Cow;
use std::io::Write;
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

/// Goes through the inputs again, each with what it is and its raw form.
fn again(
    from: &Material<'_>,
    mut visit: impl FnMut(Standing, Raw<'_>) -> Result<()>,
) -> Result<()> {
    let changed = "the inputs changed while they were read: run again";
    let documents = from.findings.collection.documents().len();
    let mut unread = from.unread.positions.iter().filter(|((side, ..), _)| *side == 1).peekable();
    let mut at = from.findings.first();
    for batch in from.inputs.new.again() {
        let mut item = 0;
        for raw in batch.raw() {
            if matches!(raw, Raw::Beside { .. }) {
                visit(Standing::Beside, raw)?;
                continue;
            }
            let here = (1, batch.index(), item);
            item += 1;
            if let Some((_, skipped)) = unread.next_if(|(position, _)| *position == here) {
                visit(Standing::Unread { skipped: *skipped }, raw)?;
                continue;
            }
            if at == documents {
                bail!(changed);
            }
            visit(Standing::Document(at), raw)?;
            at += 1;
        }
    }
    if at < documents || unread.next().is_some() {
        bail!(changed);
    }
    Ok(())
}

/// Writes `kept.*` and `dropped.*`: records as they came, files as a list of paths. Tells how many
/// records that are no documents were too large to be copied.
pub(crate) fn to_folder(
    folder: &mut Folder,
    args: &OutputArgs,
    from: &Material<'_>,
) -> Result<u64> {
    let mut kept = Kept::default();
    let mut reasons = if args.dropped { Some(folder.file("dropped.jsonl")?) } else { None };
    let mut dropped_paths = None;
    again(from, |standing, raw| {
        let (at, fate) = match standing {
            Standing::Document(at) => match from.findings.fate(at) {
                None => (Some(at), Disposition::Kept),
                Some(_) => (Some(at), Disposition::Dropped),
            },
            Standing::Beside | Standing::Unread { skipped: true } => (None, Disposition::Skipped),
            Standing::Unread { skipped: false } => (None, Disposition::Unreadable),
        };
        let path = at.and_then(|at| path_of(at, raw, from));
        if args.kept {
            kept.take(folder, raw, fate, path)?;
        }
        let Some((at, reasons)) = at.zip(reasons.as_mut()) else { return Ok(()) };
        if path.is_some() {
            open(&mut dropped_paths, folder, "dropped.txt")?;
        }
        if let Some(fate) = from.findings.fate(at) {
            let id = &from.findings.document(at).id;
            reasons.line(&jsonl::dropped(id, fate, record_of(raw).as_deref(), from)?)?;
            if let Some((path, paths)) = path.zip(dropped_paths.as_mut()) {
                paths.line(path)?;
            }
        }
        Ok(())
    })?;
    let too_large = if args.kept { kept.finish(folder)? } else { 0 };
    for file in [reasons, dropped_paths].into_iter().flatten() {
        folder.finish(file)?;
    }
    Ok(too_large)
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
    let spool: Option<&Path> = from.inputs.spool.as_ref().map(|(spool, _)| spool.path());
    match raw {
        Raw::File(path) if Some(path) != spool => Some(path.as_os_str().as_encoded_bytes()),
        Raw::File(_) | Raw::Nothing => Some(from.findings.document(at).id.as_bytes()),
        _ => None,
    }
}

/// Prints what is kept: records of JSON as they came; others as paths or ids, or as objects for
/// JSONL.
pub(crate) fn print_kept(
    out: &mut impl Write,
    format: Format,
    terminal: bool,
    from: &Material<'_>,
) -> Result<()> {
    again(from, |standing, raw| {
        let Standing::Document(at) = standing else { return Ok(()) };
        if from.findings.fate(at).is_some() {
            return Ok(());
        }
        let id = &from.findings.document(at).id;
        let line = match (record_of(raw), format) {
            (Some(record), _) => record,
            (_, Format::Jsonl) => serde_json::json!({ "id": id }).to_string().into_bytes().into(),
            _ => path_of(at, raw, from).unwrap_or(id.as_bytes()).into(),
        };
        // Text goes to the terminal as it is written, so it is made safe here.
        let written = match terminal && format == Format::Text {
            true => writeln!(out, "{}", visible(&String::from_utf8_lossy(&line))),
            false => out.write_all(&line).and_then(|()| out.write_all(b"\n")),
        };
        written.context(STDOUT)
    })?;
    out.flush().context(STDOUT)
}

/// Prints what is dropped, as in `dropped.jsonl`.
pub(crate) fn print_dropped(out: &mut impl Write, from: &Material<'_>) -> Result<()> {
    again(from, |standing, raw| {
        let Standing::Document(at) = standing else { return Ok(()) };
        if let Some(fate) = from.findings.fate(at) {
            let id = &from.findings.document(at).id;
            let line = jsonl::dropped(id, fate, record_of(raw).as_deref(), from)?;
            out.write_all(&line).and_then(|()| out.write_all(b"\n")).context(STDOUT)?;
        }
        Ok(())
    })?;
    out.flush().context(STDOUT)
}
