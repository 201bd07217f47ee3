//! A collection that is read twice: once to sign everything, and once more for the texts of the few
//! pairs that are picked.

use crate::descriptions::Description;
use crate::error::{InputError, JobError};
use crate::observer::{Observer, Phase};
use crate::problems::Unread;
use crate::reading::{Pass, Reading, StandardInput};
use firsthand::collections::Collection;
use firsthand::{Detector, Document, Settings};
use firsthand_input::{Item, ReadOptions};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A signed collection whose documents can be read again.
pub(super) struct RereadableCollection {
    signed: Collection,
    pub(super) unread: Unread,
    reading: Reading,
    /// The position of the first document of each batch, by the number of the batch.
    starts: HashMap<usize, usize>,
}

impl RereadableCollection {
    /// Reads and signs everything on all threads.
    pub(super) fn read(
        inputs: &[PathBuf],
        settings: Settings,
        stdin: Option<StandardInput<'_>>,
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        let options = ReadOptions::new(settings.reading.clone());
        let detector = Detector::new(settings)?;
        let mut reading = Reading::open(inputs, options, stdin, observer)?;
        let pass = Pass::new(observer, reading.batches.total_bytes());
        let counts: Mutex<BTreeMap<usize, usize>> = Mutex::default();
        let add = |batch: usize, documents: usize| {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            *counts.entry(batch).or_default() += documents;
        };
        let signed = pass.sign(&mut reading, 1, &detector, |batch| {
            add(batch, 0);
            move |_: &Item| add(batch, 1)
        });
        let (_, unread) = pass.finish()?;
        observer.phase(Phase::Preparing);
        let signed = Collection::new(signed);
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut starts = HashMap::new();
        let mut start = 0;
        for (batch, documents) in counts {
            starts.insert(batch, start);
            start += documents;
        }
        reading.batches = reading.batches.again();
        Ok(Self { signed, unread, reading, starts })
    }

    pub(super) fn signed(&self) -> &Collection {
        &self.signed
    }

    /// The documents at these positions, read again, with the ids of the collection, and what they are
    /// called.
    pub(super) fn reread(
        &self,
        wanted: &BTreeSet<usize>,
    ) -> Result<HashMap<usize, (Document, Description)>, InputError> {
        let known = self.signed.documents();
        let mut found = HashMap::new();
        for batch in self.reading.batches.again() {
            let Some(&start) = self.starts.get(&batch.index()) else { continue };
            let Some(last) = wanted.range(start..).next() else { break };
            let next = self.starts.get(&(batch.index() + 1)).copied().unwrap_or(known.len());
            if *last >= next {
                continue;
            }
            let documents = batch.into_documents(&self.reading.options).filter_map(Result::ok);
            for (number, item) in documents.enumerate() {
                let at = start + number;
                if !wanted.contains(&at) {
                    continue;
                }
                let description = Description::of(&item);
                let mut document = item.document;
                let Some(summary) = known.get(at).filter(|one| one.id.starts_with(&document.id))
                else {
                    return Err(InputError::Changed);
                };
                document.id.clone_from(&summary.id);
                found.insert(at, (document, description));
            }
        }
        if found.len() < wanted.len() {
            return Err(InputError::Changed);
        }
        Ok(found)
    }
}
