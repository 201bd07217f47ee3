//! Reading twice: once to sign everything, once more for the texts of the few pairs that are shown.

use crate::console::Console;
use crate::problems::{Problems, Unread};
use crate::progress::Progress;
use crate::temp_file_guard::TempFileGuard;
use anyhow::{Context, Result, bail};
use firsthand::{
    Detector, Document,
    collections::{Collection, Signed},
};
use firsthand_input::{Batches, ReadOptions, Spool};
use std::collections::{BTreeSet, HashMap};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A signed collection that can be read again.
pub(super) struct Collected {
    pub(super) collection: Collection,
    pub(super) unread: Unread,
    batches: Batches,
    reading: ReadOptions,
    /// Of each batch with documents, by its number, the position of the first one.
    starts: HashMap<usize, usize>,
    /// The copy of standard input, and what removes it should the run be interrupted.
    _spool: Option<(Spool, TempFileGuard)>,
}

/// Reads and signs everything on all threads.
pub(super) fn read(
    inputs: &[PathBuf],
    mut reading: ReadOptions,
    detector: &Detector,
    twice: bool,
    console: &Arc<Console>,
) -> Result<Collected> {
    let spool = spool(inputs, &mut reading, twice, console)?;
    let mut batches = firsthand_input::open(inputs, &reading)?;
    let (problems, progress) = (Problems::default(), Progress::new(console));
    progress.expect(batches.total_bytes());
    let counts: Mutex<Vec<(usize, usize)>> = Mutex::default();
    let signed = Signed::new(detector, progress.watch(&mut batches), |batch| {
        let index = batch.index();
        let mut documents = Vec::new();
        let mut next = 0;
        for read in batch.into_documents(&reading) {
            match read {
                Ok(item) => {
                    problems.remark(console, (1, index, next), &item, &reading.limits);
                    next += 1;
                    progress.add(1);
                    documents.push(item.document);
                }
                Err(error) => {
                    let number = next;
                    next += error.inputs;
                    problems.add(console, (1, index, number), error);
                }
            }
        }
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.push((index, documents.len()));
        documents
    });
    progress.phase("preparing");
    let collection = Collection::new(signed);
    drop(progress);
    let mut counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    counts.sort_unstable();
    let mut starts = HashMap::new();
    let mut start = 0;
    for (index, count) in counts {
        starts.insert(index, start);
        start += count;
    }
    let batches = batches.again();
    let unread = problems.finish(console, false);
    Ok(Collected { collection, unread, batches, reading, starts, _spool: spool })
}

/// A copy of standard input, which can be read only once.
fn spool(
    inputs: &[PathBuf],
    reading: &mut ReadOptions,
    twice: bool,
    console: &Console,
) -> Result<Option<(Spool, TempFileGuard)>> {
    let times = inputs.iter().filter(|path| path.as_os_str() == "-").count();
    if times > 1 {
        bail!("`-` is named {times} times, but standard input can be read only once");
    }
    if times == 1 && std::io::stdin().is_terminal() {
        console.say("reading JSON lines from the terminal; Ctrl-D ends the input");
    }
    if times == 0 || !twice {
        return Ok(None);
    }
    let folder = std::env::temp_dir();
    let made = TempFileGuard::make(|| Spool::empty(&folder), Spool::path)
        .and_then(|made| made.0.fill(std::io::stdin()).map(|()| made))
        .with_context(|| format!("cannot keep a copy of standard input in {}", folder.display()))?;
    reading.stdin = Some(made.0.path().to_path_buf());
    Ok(Some(made))
}

impl Collected {
    /// The documents at these positions, read once more, under the ids of the collection.
    pub(super) fn documents(&self, wanted: &BTreeSet<usize>) -> Result<HashMap<usize, Document>> {
        let known = self.collection.documents();
        let mut found = HashMap::new();
        for batch in self.batches.again() {
            let Some(&start) = self.starts.get(&batch.index()) else { continue };
            let Some(last) = wanted.range(start..).next() else { break };
            let next = self.starts.get(&(batch.index() + 1)).copied().unwrap_or(known.len());
            if *last >= next {
                continue;
            }
            let documents = batch.into_documents(&self.reading).filter_map(Result::ok);
            for (number, item) in documents.enumerate() {
                let at = start + number;
                if !wanted.contains(&at) {
                    continue;
                }
                let mut document = item.document;
                let Some(summary) = known.get(at).filter(|one| one.id.starts_with(&document.id))
                else {
                    bail!("the inputs changed while they were read: run it again");
                };
                document.id.clone_from(&summary.id);
                found.insert(at, document);
            }
        }
        if found.len() < wanted.len() {
            bail!("the inputs changed while they were read: run it again");
        }
        Ok(found)
    }
}
