//! Errors of the jobs as exceptions of Python, which are classes of `firsthand.errors`.

use firsthand::SettingsError as CoreSettingsError;
use firsthand::features::BytesError;
use firsthand_input::{ReadError, Reason};
use firsthand_jobs::settings::plain_words;
use firsthand_jobs::{DocumentError, JobError, LayersError};
use pyo3::PyErr;
use std::error::Error;

pyo3::import_exception!(firsthand.errors, FirsthandError);
pyo3::import_exception!(firsthand.errors, SettingsError);
pyo3::import_exception!(firsthand.errors, InputError);
pyo3::import_exception!(firsthand.errors, StoreError);

/// The exception for an error of a job.
pub(crate) fn of_job(error: &JobError) -> PyErr {
    let words = words(error);
    match error {
        JobError::Input(firsthand_jobs::InputError::Read(error)) => of_read(error),
        JobError::Input(firsthand_jobs::InputError::NoRow(error)) => of_read(error),
        JobError::Document(DocumentError::NoDocument { name, example }) => {
            let like = example.as_ref().map(|id| format!("; ids look like {id:?}"));
            let like = like.unwrap_or_default();
            InputError::new_err(format!("there is no document with the id {name:?}{like}"))
        }
        JobError::Settings(_) | JobError::Threshold(_) => SettingsError::new_err(words),
        JobError::Input(_) | JobError::Document(_) | JobError::Labels(_) | JobError::Explain(_) => {
            InputError::new_err(words)
        }
        JobError::Store(_) | JobError::Open(_) | JobError::Round(_) => StoreError::new_err(words),
        _ => FirsthandError::new_err(words),
    }
}

/// The exception for settings that do not go together.
pub(crate) fn of_layers(error: &LayersError) -> PyErr {
    SettingsError::new_err(words(error))
}

/// The exception for settings that cannot be used.
pub(crate) fn of_settings(error: CoreSettingsError) -> PyErr {
    of_layers(&error.into())
}

/// The exception for bytes that are no features.
pub(crate) fn of_bytes(error: &BytesError) -> PyErr {
    InputError::new_err(words(error))
}

/// Why something was not read, in the words of Python: rows are counted from 0.
pub(crate) fn of_read_words(error: &ReadError) -> String {
    let advice = match &error.reason {
        Reason::NoText { .. } | Reason::NotAText { .. } => {
            "; text= or html= names the column of the text".to_owned()
        }
        Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) => {
            "; text= names the column of the text".to_owned()
        }
        Reason::NoId(_) | Reason::NotAnId { .. } => "; id= names the column of the id".to_owned(),
        Reason::Beyond(exceeded) => format!("; max_{} sets the limit", key(exceeded.limit.key())),
        _ => String::new(),
    };
    match row(error) {
        Some(row) => format!("row {row}: {}{advice}", error.reason),
        None if is_table(error) => format!("{}{advice}", error.reason),
        None => format!("{error}{advice}"),
    }
}

fn key(name: &str) -> String {
    name.replace('-', "_")
}

/// Whether an error is about a table in memory, which has no name.
fn is_table(error: &ReadError) -> bool {
    error.place.path == "table" || error.place.path == "rows"
}

/// The row of a table in memory that an error is about, from 0.
fn row(error: &ReadError) -> Option<u64> {
    let at = error.place.at.filter(|_| is_table(error))?;
    at.number.checked_sub(1)
}

/// The column that an error is about.
fn field(error: &ReadError) -> Option<String> {
    match &error.reason {
        Reason::NotAText { field, .. }
        | Reason::NotAnId { field, .. }
        | Reason::UnfitColumn(field) => Some(field.clone()),
        Reason::NoTextColumn { wanted, .. } => wanted.first().cloned(),
        Reason::NoText { wanted: fields, .. } | Reason::NoId(fields) => {
            fields.split(", ").next().map(str::to_owned)
        }
        _ => None,
    }
}

/// The exception for something that could not be read.
pub(crate) fn of_read(error: &ReadError) -> PyErr {
    InputError::new_err((of_read_words(error), row(error), field(error)))
}

/// An error and its causes on one line. What is named by its key in backticks is a keyword here, without
/// dashes.
pub(crate) fn words(error: &(dyn Error + 'static)) -> String {
    let chain =
        std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source());
    let sentences = chain.map(|error| match error.is::<toml::de::Error>() {
        true => plain_words(&error.to_string()),
        false => with_keywords(&error.to_string()),
    });
    sentences.collect::<Vec<_>>().join(": ")
}

fn with_keywords(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate().map(|(at, part)| match at % 2 == 1 {
        true if !part.contains(' ') => part.replace('-', "_"),
        true => format!("`{part}`"),
        false => part.to_owned(),
    });
    parts.collect()
}
