//! Files to answers: they are read as for a collection, and their documents judged in rounds.

use crate::error::{JobError, OutputError};
use crate::observer::Observer;
use crate::stream::{LineSigner, Prepared, ROUND_DOCUMENTS, StreamSession};
use firsthand::online::Answer;
use firsthand_input::{Batch, Item, Place, ReadError, Reason};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What became of some files.
#[derive(Debug, Default)]
pub(super) struct JudgedFiles {
    /// Files that the system did not let us read, by their path relative to the folder. They are
    /// tried again in the next run.
    pub(super) unread: HashSet<String>,
    /// Whether the job was cancelled before all were read.
    pub(super) cancelled: bool,
}

/// Reads files and judges all documents in them; `take_answers` gets the answers of each round.
pub(super) fn judge_files(
    folder: &Path,
    files: &[PathBuf],
    line_signer: &LineSigner,
    session: &mut StreamSession<'_>,
    observer: &dyn Observer,
    take_answers: &mut dyn FnMut(Vec<Answer>) -> Result<(), OutputError>,
) -> Result<JudgedFiles, JobError> {
    let mut judged = JudgedFiles::default();
    let mut batches = firsthand_input::open_listed(folder, files, &line_signer.options);
    let threads = rayon::current_num_threads().max(1);
    loop {
        let some: Vec<Batch> = batches.by_ref().take(threads).collect();
        if some.is_empty() {
            return Ok(judged);
        }
        // Only if there is something left to read: finished files are noted as such.
        if observer.is_cancelled() {
            return Ok(JudgedFiles { cancelled: true, ..judged });
        }
        let read: Vec<Vec<ReadItem>> =
            some.into_par_iter().map(|batch| read_and_sign(batch, folder, line_signer)).collect();
        let mut round = Vec::new();
        for item in read.into_iter().flatten() {
            match item {
                ReadItem::Prepared(prepared) => round.push(*prepared),
                ReadItem::Skipped(error) => observer.problem(&error),
                ReadItem::Unread(path, answer) => {
                    judged.unread.insert(path);
                    round.push(Err(answer));
                }
            }
            if round.len() >= ROUND_DOCUMENTS {
                take_answers(session.judge(std::mem::take(&mut round))?)?;
            }
        }
        take_answers(session.judge(round)?)?;
    }
}

/// One thing that was read from a file.
enum ReadItem {
    /// A document, or the answer to a piece of the file that holds none.
    Prepared(Box<Prepared>),
    /// Something that is skipped by rule.
    Skipped(ReadError),
    /// A file that the system did not let us read, by its relative path, and the answer to it.
    Unread(String, Box<Answer>),
}

fn read_and_sign(batch: Batch, folder: &Path, line_signer: &LineSigner) -> Vec<ReadItem> {
    let read_item = |read: Result<Item, ReadError>| match read {
        Ok(mut item) => {
            if item.document.id == default_id(&item.place) {
                item.document.id = relative(folder, &item.document.id);
            }
            ReadItem::Prepared(Box::new(line_signer.sign(&item)))
        }
        Err(error) if error.is_skip() => ReadItem::Skipped(error),
        Err(error) => {
            let path = relative(folder, &error.place.path);
            let id = error.place.at.is_none().then(|| path.clone());
            let answer = Box::new(line_signer.unread(id, &error));
            match error.reason {
                Reason::Io(_) | Reason::NotFound => ReadItem::Unread(path, answer),
                _ => ReadItem::Prepared(Box::new(Err(answer))),
            }
        }
    };
    batch.into_documents(&line_signer.options).map(read_item).collect()
}

/// The id that readers give to a document without one.
fn default_id(place: &Place) -> String {
    match place.at {
        Some(at) => format!("{}:{}", place.path, at.number),
        None => place.path.clone(),
    }
}

/// A path, or an id made from one, relative to the folder.
pub(super) fn relative(folder: &Path, name: &str) -> String {
    let folder = folder.to_string_lossy();
    match name.strip_prefix(&*folder).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => rest.to_owned(),
        None => name.to_owned(),
    }
}
