//! A model as a file: read with everything that can be wrong with it, and written whole.

use crate::error::{ModelFileError, ModelFileReason, OutputError};
use crate::results::file;
use crate::temp_files::TempFiles;
use firsthand::model::{Model, ModelFile, VERSION};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The most bytes of a model: its tables hold 20,000 words each.
const MOST: u64 = 64 << 20;

/// Reads a model.
///
/// # Errors
///
/// If it is not there or not a model of this version.
pub fn read(path: &Path) -> Result<Arc<Model>, ModelFileError> {
    let model = bytes(path).and_then(|bytes| parse(&bytes)).and_then(|file| Ok(Model::new(file)?));
    match model {
        Ok(model) => Ok(Arc::new(model)),
        Err(reason) => Err(ModelFileError { path: path.to_path_buf(), reason }),
    }
}

/// Writes a model so that a person can read it; the number of its bytes.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(path: &Path, model: &Model, temp_files: &TempFiles) -> Result<usize, OutputError> {
    let text = serde_json::to_string_pretty(model.written()).map_err(|error| {
        let (path, source) = (path.to_path_buf(), error.into());
        OutputError::Write { path, source }
    })? + "\n";
    file::write(path, text.as_bytes(), temp_files)?;
    Ok(text.len())
}

fn bytes(path: &Path) -> Result<Vec<u8>, ModelFileReason> {
    if path.is_dir() {
        return Err(ModelFileReason::Folder);
    }
    if !path.exists() {
        return Err(ModelFileReason::NotFound);
    }
    let file = File::open(path)?;
    let expected = file.metadata().map_or(0, |about| about.len().min(MOST));
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(ModelFileReason::TooLarge);
    }
    Ok(bytes)
}

/// What a file says, told apart from everything that is no model.
fn parse(bytes: &[u8]) -> Result<ModelFile, ModelFileReason> {
    // Text is read faster than bytes, of which each word would have to be shown to be text.
    let read = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(bytes),
    };
    // A whole model is read only once.
    if !matches!(&read, Ok(ModelFile { version: VERSION, .. })) {
        check_head(bytes)?;
    }
    read.map_err(ModelFileReason::Damaged)
}

/// Whether it is JSON at all, a model, and of this version.
fn check_head(bytes: &[u8]) -> Result<(), ModelFileReason> {
    let is_object = bytes.trim_ascii_start().starts_with(b"{");
    let head = match is_object {
        true => serde_json::from_slice(bytes),
        false => serde_json::from_slice(bytes).map(|_: IgnoredAny| Head::default()),
    };
    let head = match head {
        Ok(head) => head,
        Err(error) if error.is_eof() && is_object => return Err(ModelFileReason::CutOff(error)),
        Err(error) => return Err(ModelFileReason::NotJson(error)),
    };
    match head.version.filter(|_| head.fingerprint.is_some()) {
        None => Err(ModelFileReason::NoModel),
        Some(found) if found.as_u64() != Some(u64::from(VERSION)) => {
            Err(ModelFileReason::Version { found })
        }
        Some(_) => Ok(()),
    }
}

/// What a model says before all else.
#[derive(Default, Deserialize)]
struct Head {
    #[serde(default, deserialize_with = "there")]
    version: Option<Value>,
    #[serde(default, deserialize_with = "there")]
    fingerprint: Option<Value>,
}

/// A field that is there, and may be null.
fn there<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}
