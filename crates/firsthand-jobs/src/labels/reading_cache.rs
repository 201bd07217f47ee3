//! The documents as the settings of several methods read them, rarely in more than two ways; only
//! one reading is in memory at a time.

use super::truth::{self, Labels};
use super::{documents::LabelledDocuments, layout::Layout};
use crate::error::{JobError, LabelError};
use crate::observer::{Notice, Observer, Phase};
use firsthand::Settings;
use firsthand::settings::Reading;
use std::path::{Path, PathBuf};

/// Settings under the name that reports give them: a method, `profile:NAME`, or a file.
#[derive(Clone, Debug)]
pub struct NamedSettings {
    /// The name.
    pub name: String,
    /// What the method does, in one line.
    pub about: String,
    /// How documents are read and compared.
    pub settings: Settings,
    /// The settings as a TOML file, for reports.
    pub toml: String,
}

/// Reads labelled documents as each method wants them, and keeps the last reading.
pub struct ReadingCache<'a> {
    layout: &'a Layout,
    /// Where results go, which is not read.
    except: Option<PathBuf>,
    observer: &'a dyn Observer,
    /// The ids of all documents, which are the same for all methods.
    ids: Option<Vec<String>>,
    current: Option<(Reading, LabelledDocuments)>,
}

impl<'a> ReadingCache<'a> {
    /// Nothing is read yet. Files in the folder or file `output` are left out.
    pub fn new(layout: &'a Layout, output: Option<&Path>, observer: &'a dyn Observer) -> Self {
        let except = output.and_then(|output| output.canonicalize().ok());
        Self { layout, except, observer, ids: None, current: None }
    }

    /// Reads the documents and works out the ground truth about them; the observer hears what else
    /// there is to know about the labels.
    ///
    /// # Errors
    /// If documents cannot be read, or have no labels that can be used.
    pub fn labels(&mut self, reading: &Reading) -> Result<Labels, JobError> {
        let (layout, observer) = (self.layout, self.observer);
        let labels = truth::label(layout, self.documents(reading)?)?;
        labels.summary.notes.iter().for_each(|note| observer.notice(Notice::Labels { note }));
        Ok(labels)
    }

    /// Runs `work` for every method; those that read documents in the same way come one after
    /// another. A method that fails is left out, and the observer is told.
    ///
    /// # Errors
    /// If documents cannot be read, or the observer asks to stop.
    pub fn each<T>(
        &mut self,
        methods: &[NamedSettings],
        mut work: impl FnMut(&NamedSettings, &LabelledDocuments) -> Result<T, JobError>,
    ) -> Result<Vec<(usize, T)>, JobError> {
        let reading = |at: usize| &methods[at].settings.reading;
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order.sort_by_key(|&at| (0..at).find(|&other| reading(other) == reading(at)).unwrap_or(at));
        let mut results = Vec::new();
        for (done, &at) in order.iter().enumerate() {
            let method = &methods[at];
            let observer = self.observer;
            let documents = self.documents(&method.settings.reading)?;
            if observer.is_cancelled() {
                return Err(JobError::Cancelled);
            }
            let (name, of) = (method.name.as_str(), methods.len());
            observer.phase(Phase::Measuring { method: name, number: done + 1, of });
            match work(method, documents) {
                Ok(result) => results.push((at, result)),
                Err(JobError::Cancelled) => return Err(JobError::Cancelled),
                Err(error) => {
                    observer.notice(Notice::NotMeasured { method: name, error: &error });
                }
            }
        }
        results.sort_by_key(|(at, _)| *at);
        Ok(results)
    }

    /// The ids of the documents, once they have been read.
    pub fn into_ids(self) -> Vec<String> {
        self.ids.unwrap_or_default()
    }

    /// The documents as these settings read them.
    ///
    /// # Errors
    /// If documents cannot be read, or are not those that other settings read.
    pub fn documents(&mut self, reading: &Reading) -> Result<&LabelledDocuments, JobError> {
        let known = self.current.take().filter(|(known, _)| known == reading);
        let documents = match known {
            Some((_, documents)) => documents,
            None => {
                LabelledDocuments::read(self.layout, reading, self.except.clone(), self.observer)?
            }
        };
        let ids = || documents.documents.iter().map(|document| &document.id);
        match &self.ids {
            None => self.ids = Some(ids().cloned().collect()),
            Some(before) if before.iter().eq(ids()) => {}
            Some(_) => return Err(LabelError::DifferentDocuments.into()),
        }
        Ok(&self.current.insert((reading.clone(), documents)).1)
    }
}
