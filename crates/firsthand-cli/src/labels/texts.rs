//! All labelled documents in memory: every method signs them anew.

use super::layout::Layout;
use crate::console::Console;
use crate::problems::{Problems, Unread};
use crate::progress::Progress;
use anyhow::Result;
use firsthand::{Document, collections::Ids};
use firsthand_input::ReadOptions;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The documents as some settings read them.
pub(crate) struct Texts {
    /// In input order, with the ids that a collection gives them.
    pub(crate) documents: Vec<Document>,
    /// Per document, the file it came from.
    pub(super) paths: Vec<String>,
    /// The ids that several documents have.
    pub(super) repeated: Vec<String>,
    /// What gave no document.
    pub(crate) unread: Unread,
    /// How long it took to read and extract.
    pub(crate) seconds: f64,
}

impl Texts {
    /// Reads everything, on all threads.
    pub(crate) fn read(
        layout: &Layout,
        settings: &ReadOptions,
        console: &Arc<Console>,
    ) -> Result<Self> {
        let started = Instant::now();
        let settings = ReadOptions { stdin: layout.stdin(), ..settings.clone() };
        let mut batches = firsthand_input::open(&layout.inputs, &settings)?;
        let progress = Progress::new(console);
        progress.expect(batches.total_bytes());
        let problems = Problems::default();
        let watched = Mutex::new(progress.watch(&mut batches));
        let next = || watched.lock().unwrap_or_else(PoisonError::into_inner).next();
        let parts = rayon::broadcast(|_| {
            let mut parts = Vec::new();
            while let Some(batch) = next() {
                let index = batch.index();
                let mut read = Vec::new();
                for (number, item) in batch.into_documents(&settings).enumerate() {
                    let position = (1, index, number);
                    match item {
                        Ok(item) if !layout.is_pairs(&item.place.path) => {
                            problems.remark(console, position, &item, &settings.limits);
                            progress.add(1);
                            read.push((item.document, item.place.path));
                        }
                        Err(error) if !layout.is_pairs(&error.place.path) => {
                            problems.add(console, position, error);
                        }
                        _ => {}
                    }
                }
                parts.push((index, read));
            }
            parts
        });
        drop(watched);
        drop(progress);
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(index, _)| *index);
        let (mut documents, paths): (Vec<Document>, Vec<String>) =
            parts.into_iter().flat_map(|(_, read)| read).unzip();
        let mut ids = Ids::default();
        let mut repeated = Vec::new();
        for document in &mut documents {
            let before = document.id.clone();
            if ids.claim(&mut document.id) {
                repeated.push(before);
            }
        }
        repeated.sort_unstable();
        repeated.dedup();
        let unread = problems.finish(console, false);
        let seconds = started.elapsed().as_secs_f64();
        Ok(Self { documents, paths, repeated, unread, seconds })
    }
}
