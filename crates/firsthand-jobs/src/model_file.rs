//! A model as a file: read with everything that can be wrong with it, and written whole.

use crate::error::{ModelFileError, OutputError};
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
    let file = parse(path, &bytes(path)?)?;
    let model = Model::new(file);
    model.map(Arc::new).map_err(|error| ModelFileError::Unusable(path.to_path_buf(), error))
}

/// Writes a model so that a person can read it; the number of its bytes.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(path: &Path, model: &Model, temp_files: &TempFiles) -> Result<usize, OutputError> {
    let text = serde_json::to_string_pretty(model.written());
    let text = text.map_err(|error| OutputError::write(path, error.into()))? + "\n";
    file::write(path, text.as_bytes(), temp_files)?;
    Ok(text.len())
}

fn bytes(path: &Path) -> Result<Vec<u8>, ModelFileError> {
    let named = || path.to_path_buf();
    if path.is_dir() {
        return Err(ModelFileError::Folder(named()));
    }
    if !path.exists() {
        return Err(ModelFileError::NotFound(named()));
    }
    let read = File::open(path).and_then(|file| {
        let expected = file.metadata().map_or(0, |about| about.len().min(MOST));
        let mut bytes = Vec::with_capacity(expected as usize + 1);
        file.take(MOST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    match read {
        Ok(bytes) if bytes.len() as u64 > MOST => Err(ModelFileError::TooLarge(named())),
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(ModelFileError::Io(named(), error)),
    }
}

/// What a file says, told apart from everything that is no model.
fn parse(path: &Path, bytes: &[u8]) -> Result<ModelFile, ModelFileError> {
    // Text is read faster than bytes, of which each word would have to be shown to be text.
    let read = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(bytes),
    };
    // A whole model is read only once.
    if !matches!(&read, Ok(ModelFile { version: VERSION, .. })) {
        check_head(path, bytes)?;
    }
    read.map_err(|error| ModelFileError::Damaged(path.to_path_buf(), error))
}

/// Whether it is JSON at all, a model, and of this version.
fn check_head(path: &Path, bytes: &[u8]) -> Result<(), ModelFileError> {
    let path = path.to_path_buf();
    let is_object = bytes.trim_ascii_start().starts_with(b"{");
    let head = match is_object {
        true => serde_json::from_slice(bytes),
        false => serde_json::from_slice(bytes).map(|_: IgnoredAny| Head::default()),
    };
    let head = match head {
        Ok(head) => head,
        Err(error) if error.is_eof() && is_object => {
            return Err(ModelFileError::CutOff(path, error));
        }
        Err(error) => return Err(ModelFileError::NotJson(path, error)),
    };
    match head.version.filter(|_| head.fingerprint.is_some()) {
        None => Err(ModelFileError::NoModel(path)),
        Some(found) if found.as_u64() != Some(u64::from(VERSION)) => {
            Err(ModelFileError::Version(path, found))
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
