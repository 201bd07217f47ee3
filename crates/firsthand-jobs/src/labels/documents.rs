//! All labelled documents in memory, since every method signs them anew.

use super::layout::Layout;
use crate::error::JobError;
use crate::observer::Observer;
use crate::problems::Unread;
use crate::reading::Pass;
use firsthand::collections::Ids;
use firsthand::{Document, settings};
use firsthand_input::ReadOptions;
use std::path::PathBuf;
use std::time::Instant;

/// The documents as one method reads them.
#[derive(Debug)]
pub struct LabelledDocuments {
    /// In the order of the input, with the ids that a collection gives them.
    pub documents: Vec<Document>,
    /// The file of each document.
    pub(super) paths: Vec<String>,
    /// The ids that several documents have, sorted.
    pub(super) repeated_ids: Vec<String>,
    /// Inputs that gave no document.
    pub unread: Unread,
    /// The time for reading and extraction.
    pub seconds: f64,
}

impl LabelledDocuments {
    /// Reads everything but the folder or file `except`, on all threads.
    ///
    /// # Errors
    /// If an input is missing, or the observer asks to stop.
    pub fn read(
        layout: &Layout,
        reading: &settings::Reading,
        except: Option<PathBuf>,
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        let started = Instant::now();
        let options =
            ReadOptions { stdin: layout.stdin(), except, ..ReadOptions::new(reading.clone()) };
        let mut reading = layout.documents().open(options, None, observer)?;
        let is_graded_file = |path: &str| layout.is_graded_file(path);
        let pass = Pass::new(observer, reading.batches.total_bytes()).except(&is_graded_file);
        let batches = pass.read(&mut reading, |items| {
            items.map(|item| (item.document, item.place.path)).collect::<Vec<_>>()
        });
        let (_, unread) = pass.finish()?;
        let (mut documents, paths): (Vec<Document>, Vec<String>) =
            batches.into_iter().flatten().unzip();
        let mut ids = Ids::default();
        let mut repeated_ids = Vec::new();
        for document in &mut documents {
            let before = document.id.clone();
            if ids.claim(&mut document.id) {
                repeated_ids.push(before);
            }
        }
        repeated_ids.sort_unstable();
        repeated_ids.dedup();
        let seconds = started.elapsed().as_secs_f64();
        Ok(Self { documents, paths, repeated_ids, unread, seconds })
    }
}
