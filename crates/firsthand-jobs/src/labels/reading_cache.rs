//! The documents as the settings of several methods read them, rarely in more than two ways; only
//! one reading is in memory at a time.

use super::{documents::LabelledDocuments, layout::Layout};
use crate::error::{JobError, LabelError};
use crate::observer::{Notice, Observer, Phase};
use crate::settings::RunSettings;
use firsthand_input::ReadOptions;
use std::path::{Path, PathBuf};

/// Settings under the name that reports give them: a method, `profile:NAME`, or a file.
#[derive(Clone, Debug)]
pub struct NamedSettings {
    /// The name.
    pub name: String,
    /// What the method does, in one line.
    pub about: String,
    /// How documents are read and compared.
    pub settings: RunSettings,
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
    current: Option<(String, LabelledDocuments)>,
}

impl<'a> ReadingCache<'a> {
    /// Nothing is read yet. Files in the folder or file `output` are left out.
    pub fn new(layout: &'a Layout, output: Option<&Path>, observer: &'a dyn Observer) -> Self {
        let except = output.and_then(|output| output.canonicalize().ok());
        Self { layout, except, observer, ids: None, current: None }
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
        let keys: Vec<String> =
            methods.iter().map(|method| key(&method.settings.reading)).collect();
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order.sort_by_key(|&at| keys.iter().position(|key| *key == keys[at]));
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

    /// The documents as these options read them.
    ///
    /// # Errors
    /// If documents cannot be read, or are not those that other options read.
    pub fn documents(&mut self, options: &ReadOptions) -> Result<&LabelledDocuments, JobError> {
        let key = key(options);
        let known = self.current.take().filter(|(known, _)| *known == key);
        let documents = match known {
            Some((_, documents)) => documents,
            None => {
                let options = ReadOptions { except: self.except.clone(), ..options.clone() };
                LabelledDocuments::read(self.layout, &options, self.observer)?
            }
        };
        let ids = || documents.documents.iter().map(|document| &document.id);
        match &self.ids {
            None => self.ids = Some(ids().cloned().collect()),
            Some(before) if before.iter().eq(ids()) => {}
            Some(_) => return Err(LabelError::DifferentDocuments.into()),
        }
        Ok(&self.current.insert((key, documents)).1)
    }
}

/// Distinguishes settings for reading.
fn key(options: &ReadOptions) -> String {
    format!("{options:?}")
}
