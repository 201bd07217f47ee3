//! What is kept and what is dropped, in the form in which it came: the inputs are read once more.

use super::{Material, STDOUT, folder::File, folder::Folder, jsonl};
use crate::args::{Format, OutputArgs};
use crate::visible::visible;
use anyhow::{Context, Result, bail};
use firsthand_input::Raw;
use std::io::Write;
use std::path::Path;

/// Goes through the documents of the inputs again, each with its position and raw form.
fn again(from: &Material<'_>, mut visit: impl FnMut(usize, Raw<'_>) -> Result<()>) -> Result<()> {
    let changed = "the inputs changed while they were read: run again";
    let documents = from.findings.collection.documents().len();
    let mut unread = from.unread.positions.iter().filter(|(side, ..)| *side == 1).peekable();
    let mut at = from.findings.first();
    for batch in from.inputs.new.again() {
        for (item, raw) in batch.raw().enumerate() {
            if unread.next_if(|position| **position == (1, batch.index(), item)).is_some() {
                continue;
            }
            if at == documents {
                bail!(changed);
            }
            visit(at, raw)?;
            at += 1;
        }
    }
    if at < documents || unread.next().is_some() {
        bail!(changed);
    }
    Ok(())
}

/// Writes `kept.*` and `dropped.*`: records as lines of JSONL, files as a list of paths.
pub(crate) fn to_folder(folder: &mut Folder, args: &OutputArgs, from: &Material<'_>) -> Result<()> {
    let mut kept = Files { lines: None, paths: None };
    let mut reasons = if args.dropped { Some(folder.file("dropped.jsonl")?) } else { None };
    let mut dropped_paths = None;
    again(from, |at, raw| {
        // A kind of input that is there gets its files, even if they stay empty.
        if args.kept {
            match raw {
                Raw::Line(_) => open(&mut kept.lines, folder, "kept.jsonl")?,
                Raw::File(_) | Raw::Nothing => open(&mut kept.paths, folder, "kept.txt")?,
            };
        }
        let record = if let Raw::Line(line) = raw { Some(line) } else { None };
        let path = path_of(at, raw, from);
        if args.dropped && path.is_some() {
            open(&mut dropped_paths, folder, "dropped.txt")?;
        }
        let lines = match from.findings.fate(at) {
            None => [(kept.lines.as_mut(), record), (kept.paths.as_mut(), path)],
            Some(fate) => {
                if let Some(reasons) = &mut reasons {
                    let id = &from.findings.document(at).id;
                    reasons.line(&jsonl::dropped(id, fate, record, from)?)?;
                }
                [(dropped_paths.as_mut(), path), (None, None)]
            }
        };
        for (file, line) in lines {
            if let (Some(file), Some(line)) = (file, line) {
                file.line(line)?;
            }
        }
        Ok(())
    })?;
    if args.kept && kept.lines.is_none() && kept.paths.is_none() {
        open(&mut kept.lines, folder, "kept.jsonl")?;
    }
    for file in [kept.lines, kept.paths, reasons, dropped_paths].into_iter().flatten() {
        folder.finish(file)?;
    }
    Ok(())
}

struct Files {
    lines: Option<File>,
    paths: Option<File>,
}

fn open(file: &mut Option<File>, folder: &Folder, name: &'static str) -> Result<()> {
    if file.is_none() {
        *file = Some(folder.file(name)?);
    }
    Ok(())
}

/// The bytes of the path of a document that is a file; the id where there is no file to name.
fn path_of<'a>(at: usize, raw: Raw<'a>, from: &'a Material<'_>) -> Option<&'a [u8]> {
    let spool: Option<&Path> = from.inputs.spool.as_ref().map(|(spool, _)| spool.path());
    match raw {
        Raw::Line(_) => None,
        Raw::File(path) if Some(path) != spool => Some(path.as_os_str().as_encoded_bytes()),
        Raw::File(_) | Raw::Nothing => Some(from.findings.document(at).id.as_bytes()),
    }
}

/// Prints what is kept: records as they came; files as paths, or as objects for JSONL.
pub(crate) fn print_kept(
    out: &mut impl Write,
    format: Format,
    terminal: bool,
    from: &Material<'_>,
) -> Result<()> {
    again(from, |at, raw| {
        if from.findings.fate(at).is_some() {
            return Ok(());
        }
        let id = &from.findings.document(at).id;
        let written = match (raw, format) {
            // Text goes to the terminal as it is written, so it is made safe here.
            (Raw::Line(line), Format::Text) if terminal => {
                writeln!(out, "{}", visible(&String::from_utf8_lossy(line)))
            }
            (Raw::Line(line), _) => out.write_all(line).and_then(|()| out.write_all(b"\n")),
            (_, Format::Jsonl) => writeln!(out, "{}", serde_json::json!({ "id": id })),
            (raw, _) => {
                let path = path_of(at, raw, from).unwrap_or_default();
                match terminal {
                    true => writeln!(out, "{}", visible(&String::from_utf8_lossy(path))),
                    false => out.write_all(path).and_then(|()| out.write_all(b"\n")),
                }
            }
        };
        written.context(STDOUT)
    })?;
    out.flush().context(STDOUT)
}

/// Prints what is dropped, as in `dropped.jsonl`.
pub(crate) fn print_dropped(out: &mut impl Write, from: &Material<'_>) -> Result<()> {
    again(from, |at, raw| {
        if let Some(fate) = from.findings.fate(at) {
            let record = if let Raw::Line(line) = raw { Some(line) } else { None };
            let line = jsonl::dropped(&from.findings.document(at).id, fate, record, from)?;
            out.write_all(&line).and_then(|()| out.write_all(b"\n")).context(STDOUT)?;
        }
        Ok(())
    })?;
    out.flush().context(STDOUT)
}
