//! Files to verdicts: read as `dedup` reads them, judged in rounds.

use crate::console::Console;
use crate::stop;
use crate::stream::ROUND;
use crate::stream::arriving::{LineSigner, Prepared};
use crate::stream::session::StreamSession;
use crate::visible::visible;
use anyhow::Result;
use firsthand::online::Answer;
use firsthand_input::{Batch, Item, Place, ReadError, Reason};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What became of some files.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Files that the system did not let us read; they may be tried again after a restart.
    pub(crate) unread: HashSet<String>,
    /// Whether a signal came before all were read.
    pub(crate) stopped: bool,
}

/// Reads files and judges all documents in them; `tell` gets the answers of each round.
pub(crate) fn take(
    folder: &Path,
    files: &[PathBuf],
    line_signer: &LineSigner,
    judge: &mut StreamSession,
    console: &Console,
    mut tell: impl FnMut(Vec<Answer>) -> Result<()>,
) -> Result<Taken> {
    let mut taken = Taken::default();
    let mut batches = firsthand_input::open_listed(folder, files, &line_signer.reading);
    let together = rayon::current_num_threads().max(1);
    loop {
        let some: Vec<Batch> = batches.by_ref().take(together).collect();
        if some.is_empty() {
            return Ok(taken);
        }
        // Only where something is left undone: files that were finished are noted as such.
        if stop::is_asked() {
            return Ok(Taken { stopped: true, ..taken });
        }
        let read: Vec<Vec<Outcome>> =
            some.into_par_iter().map(|batch| prepare(batch, folder, line_signer)).collect();
        let mut round = Vec::new();
        for outcome in read.into_iter().flatten() {
            match outcome {
                Outcome::Ready(prepared) => round.push(prepared),
                Outcome::Skipped(error) if console.verbose() => {
                    console.warn(&visible(&format!("skipped: {error}")));
                }
                Outcome::Skipped(_) => {}
                Outcome::Unread(path, answer) => {
                    taken.unread.insert(path);
                    round.push(Err(answer));
                }
            }
            if round.len() >= ROUND {
                tell(judge.judge(std::mem::take(&mut round))?)?;
            }
        }
        tell(judge.judge(round)?)?;
    }
}

enum Outcome {
    Ready(Prepared),
    Skipped(ReadError),
    /// The path below the folder, and the answer.
    Unread(String, Box<Answer>),
}

fn prepare(batch: Batch, folder: &Path, line_signer: &LineSigner) -> Vec<Outcome> {
    let outcome = |read: Result<Item, ReadError>| match read {
        Ok(mut item) => {
            if item.document.id == id_of(&item.place) {
                item.document.id = below(folder, &item.document.id);
            }
            Outcome::Ready(line_signer.item(&item))
        }
        Err(error) if error.is_skip() => Outcome::Skipped(error),
        Err(error) => {
            let path = below(folder, &error.place.path);
            let id = error.place.at.is_none().then(|| path.clone());
            let answer = Box::new(Answer::error(id, error.to_string()));
            match error.reason {
                Reason::Io(_) | Reason::NotFound => Outcome::Unread(path, answer),
                _ => Outcome::Ready(Err(answer)),
            }
        }
    };
    batch.into_documents(&line_signer.reading).map(outcome).collect()
}

/// What a document without an id of its own is called.
fn id_of(place: &Place) -> String {
    match place.at {
        Some(at) => format!("{}:{}", place.path, at.number),
        None => place.path.clone(),
    }
}

/// A path or an id made of one, as seen from the folder.
pub(crate) fn below(folder: &Path, name: &str) -> String {
    let folder = folder.to_string_lossy();
    match name.strip_prefix(&*folder).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => rest.to_owned(),
        None => name.to_owned(),
    }
}
