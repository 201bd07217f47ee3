//! A model as a file: read with everything that can be wrong with it, and written whole.

use crate::results::file;
use anyhow::{Context, Result, bail};
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
pub(crate) fn read(path: &Path) -> Result<Arc<Model>> {
    let shown = path.display();
    let written = parse(path, &bytes(path)?)?;
    let model = Model::new(written).with_context(|| format!("{shown} cannot be used"))?;
    Ok(Arc::new(model))
}

/// Writes a model so that a person can read it.
pub(crate) fn write(path: &Path, model: &Model) -> Result<usize> {
    let text = serde_json::to_string_pretty(model.written())? + "\n";
    file::write(path, text.as_bytes())?;
    Ok(text.len())
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    if path.is_dir() {
        bail!("the model {shown} is a folder: name the file that `firsthand learn` wrote");
    }
    if !path.exists() {
        bail!("there is no model {shown}: `firsthand learn` makes one from labelled documents");
    }
    let file = File::open(path).with_context(|| format!("cannot read the model {shown}"))?;
    let expected = file.metadata().map_or(0, |about| about.len().min(MOST));
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    let read = file.take(MOST + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read the model {shown}"))?;
    if bytes.len() as u64 > MOST {
        bail!("{shown} is not a model: it is larger than any model can be");
    }
    Ok(bytes)
}

/// What a file says, told apart from all that is no model.
fn parse(path: &Path, bytes: &[u8]) -> Result<ModelFile> {
    // Text is read faster than bytes, of which each word would have to be shown to be text.
    let read = match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(bytes),
    };
    // A whole model is read only once. Of others it is told first what they are.
    if !matches!(&read, Ok(ModelFile { version: VERSION, .. })) {
        check_head(path, bytes)?;
    }
    read.with_context(|| {
        let shown = path.display();
        format!("the model {shown} was damaged or changed: copy it anew, or learn it again")
    })
}

/// Whether it is JSON at all, a model, and of this version.
fn check_head(path: &Path, bytes: &[u8]) -> Result<()> {
    let shown = path.display();
    let is_object = bytes.trim_ascii_start().starts_with(b"{");
    let head = match is_object {
        true => serde_json::from_slice(bytes),
        false => serde_json::from_slice(bytes).map(|_: IgnoredAny| Head::default()),
    };
    let head = match head {
        Ok(head) => head,
        Err(error) if error.is_eof() && is_object => {
            bail!("the model {shown} is cut off ({error}): copy it anew, or learn it again")
        }
        Err(error) => {
            bail!("{shown} is not a model of `firsthand learn`: it is not JSON ({error})")
        }
    };
    match head.version.filter(|_| head.fingerprint.is_some()) {
        None => bail!(
            "{shown} is not a model of `firsthand learn`: it is JSON, but has neither version nor \
             fingerprint"
        ),
        Some(version) if version.as_u64() != Some(u64::from(VERSION)) => bail!(
            "the model {shown} is of version {version}, and this firsthand knows version {VERSION}: \
             learn it again"
        ),
        Some(_) => {}
    }
    Ok(())
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
