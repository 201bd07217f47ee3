//! Learning: labelled documents are read, and a model learns how much each gram counts.

use crate::error::{InputError, JobError};
use crate::labels::{LabelSummary, Labels, Layout, ReadingCache};
use crate::observer::{Observer, Phase};
use crate::settings::{Layers, LayersError, Purpose};
use firsthand::Settings;
use firsthand::learn::LearningPlan;
use firsthand::model::{Model, Table};
use std::path::Path;

/// The result of learning.
#[derive(Debug)]
pub struct Learning {
    /// The model.
    pub model: Model,
    /// The labels it was learned from.
    pub labels: LabelSummary,
    /// Inputs that could not be read.
    pub unreadable: usize,
}

/// The settings to learn with: those of a profile, and single ones for reading.
///
/// # Errors
/// If there is no such profile, or the settings cannot be used.
pub fn settings(profile: &str, overrides: toml::Table) -> Result<Settings, LayersError> {
    let sets_mail = overrides.get("reading").is_some_and(|reading| reading.get("mail").is_some());
    let layers = Layers { profile: Some(profile.to_owned()), overrides, ..Layers::default() };
    let mut settings = layers.resolve(Purpose::Collection)?;
    // As when the model is used: it weighs quoted lines by a feature of its own.
    settings.reading.keep_quotes = !sets_mail;
    Ok(settings)
}

/// Learns a model from labelled documents, read by the settings of the plan. Files in the folder or file `output` are not read.
///
/// # Errors
/// If the documents cannot be read or have no labels, if there are too few of them, or if the
/// observer asks to stop.
pub fn learn(
    layout: &Layout,
    plan: &LearningPlan,
    output: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Learning, JobError> {
    let mut cache = ReadingCache::new(layout, output, observer);
    let Labels { truth, summary, unreadable } = cache.labels(&plan.settings.reading)?;
    observer.phase(Phase::Other("learning"));
    let documents = cache.documents(&plan.settings.reading)?;
    let model = firsthand::learn::learn(&documents.documents, &truth, plan)?;
    Ok(Learning { model, labels: summary, unreadable })
}

/// The frequencies of words in a file of queries or titles, one per line.
///
/// # Errors
/// If the file cannot be read.
pub fn read_queries(path: &Path) -> Result<Table, InputError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(firsthand::learn::queries(&String::from_utf8_lossy(&bytes))),
        Err(source) => Err(InputError::Io { path: path.to_path_buf(), source }),
    }
}
