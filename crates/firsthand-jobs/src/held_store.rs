//! A store that is held open by a caller with documents of its own: they are judged as those of a stream,
//! and the store answers questions in between.

use crate::error::JobError;
use crate::inputs::Inputs;
use crate::observer::{Observer, Phase};
use crate::store::{
    ClusterOrder, DocumentLine, OpenStore, StoreRequest, erase_texts, open, sorted,
};
use crate::stream::{LineSigner, Prepared, ROUND_DOCUMENTS, StreamSession};
use firsthand::Settings;
use firsthand::online::{
    Answer, Deleted, FoundDocument, Holdings, Online, StoreError, StoredCluster,
};
use firsthand_input::{Batch, Item, ReadError};
use firsthand_store::ManagedStore;
use rayon::prelude::*;
use serde_json::Value;

/// A store that is held open.
pub struct HeldStore {
    /// None only if a round panicked.
    online: Option<Online<Box<dyn ManagedStore>>>,
    signer: LineSigner,
    shared: bool,
}

impl HeldStore {
    /// Opens a store.
    ///
    /// # Errors
    ///
    /// As [`open`].
    pub fn open(request: StoreRequest, observer: &dyn Observer) -> Result<Self, JobError> {
        let store = open(request, observer)?;
        let (mut signer, shared) = (LineSigner::new(&store, observer), store.is_shared());
        // What has no id could never be told from what comes later.
        signer.options.needs_ids = true;
        let OpenStore { store, detector, .. } = store;
        Ok(Self { online: Some(Online::new(detector, store)), signer, shared })
    }

    /// The settings of the store.
    pub fn settings(&self) -> &Settings {
        self.signer.detector.settings()
    }

    /// Judges all documents, one after another: an answer for each, and for each that cannot be read. What
    /// is kept is durable round by round; if the job is cancelled or fails, the rounds before are kept.
    ///
    /// # Errors
    ///
    /// If the inputs cannot be read or the store fails, or the job is cancelled.
    pub fn judge(
        &mut self,
        inputs: &Inputs,
        keep: bool,
        observer: &dyn Observer,
    ) -> Result<Vec<Answer>, JobError> {
        crate::reading::check(inputs.paths())?;
        let mut reading = inputs.open(self.signer.options.clone(), None, observer)?;
        observer.phase(Phase::Reading { bytes: reading.batches.total_bytes() });
        let online = self.online.take().ok_or_else(broken)?;
        let mut session = StreamSession::over(online, self.shared, keep, observer);
        let answers = judge(&mut reading.batches, &self.signer, &mut session, observer);
        self.online = Some(session.into_online());
        answers
    }

    /// The document with an id; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn get(&mut self, id: &str) -> Result<Option<FoundDocument>, JobError> {
        Ok(self.online()?.upkeep().get(id)?)
    }

    /// The latest document with a URL; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn get_by_url(&mut self, url: &str) -> Result<Option<FoundDocument>, JobError> {
        Ok(self.online()?.upkeep().get_by_url(url)?)
    }

    /// The clusters of at least `least` documents, at most `limit` of them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn clusters(
        &mut self,
        least: u64,
        order: ClusterOrder,
        limit: usize,
    ) -> Result<Vec<StoredCluster>, JobError> {
        Ok(sorted(self.online()?.upkeep().clusters(least)?, order, limit))
    }

    /// Deletes documents; what became of each, `None` if there was no such document.
    ///
    /// # Errors
    ///
    /// If the store cannot be changed.
    pub fn delete(&mut self, ids: &[&str]) -> Result<Vec<Option<Deleted>>, JobError> {
        let upkeep = self.online()?.upkeep();
        erase_texts(&mut **upkeep.store_mut(), ids)?;
        Ok(upkeep.delete_all(ids)?)
    }

    /// What the store holds.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn holdings(&mut self) -> Result<Holdings, JobError> {
        Ok(self.online()?.upkeep().holdings()?)
    }

    /// Some documents with their answers as objects of an export, and where the next ones start; `None` at
    /// the end.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn export(&mut self, from: u64) -> Result<(Vec<Value>, Option<u64>), JobError> {
        const STEP: usize = 1000;
        let (documents, next) = self.online()?.upkeep().export(from, STEP)?;
        let lines =
            documents.iter().map(|document| serde_json::to_value(DocumentLine::new(document)));
        let lines = lines.collect::<Result<Vec<_>, _>>();
        let failed = |error: serde_json::Error| StoreError::Failed(error.to_string());
        Ok((lines.map_err(failed)?, next))
    }

    fn online(&mut self) -> Result<&mut Online<Box<dyn ManagedStore>>, JobError> {
        self.online.as_mut().ok_or_else(broken)
    }
}

fn broken() -> JobError {
    StoreError::Failed("an earlier round broke off: open the store again".to_owned()).into()
}

fn judge(
    batches: &mut firsthand_input::Batches,
    signer: &LineSigner,
    session: &mut StreamSession<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Answer>, JobError> {
    let threads = rayon::current_num_threads().max(1);
    let mut answers = Vec::new();
    loop {
        let some: Vec<Batch> = batches.by_ref().take(threads).collect();
        if observer.is_cancelled() {
            return Err(JobError::Cancelled);
        }
        if some.is_empty() {
            return Ok(answers);
        }
        observer.bytes(batches.consumed_bytes());
        let prepare = |read: Result<Item, ReadError>| -> Option<Prepared> {
            match read {
                Ok(item) => Some(signer.sign(&item)),
                Err(error) if error.is_skip() => {
                    observer.problem(&error);
                    None
                }
                Err(error) => {
                    observer.problem(&error);
                    Some(Err(Box::new(signer.unread(None, &error))))
                }
            }
        };
        let prepared: Vec<Vec<Prepared>> = some
            .into_par_iter()
            .map(|batch| batch.into_documents(&signer.options).filter_map(prepare).collect())
            .collect();
        let mut prepared = prepared.into_iter().flatten().peekable();
        while prepared.peek().is_some() {
            let round: Vec<Prepared> = prepared.by_ref().take(ROUND_DOCUMENTS).collect();
            let judged = session.judge(round)?;
            observer.documents(judged.len() as u64);
            answers.extend(judged);
            if observer.is_cancelled() {
                return Err(JobError::Cancelled);
            }
        }
    }
}
