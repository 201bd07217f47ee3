//! What a scratch folder was made for: by it, a run knows whether it can go on where an earlier one ended.

use super::scratch::Scratch;
use crate::reading::Reading;
use firsthand::Settings;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

const MANIFEST: &str = "manifest.json";
/// The version of all files in the folder.
const VERSION: u32 = 3;

/// What a scratch folder was made for.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    firsthand: String,
    version: u32,
    settings: serde_json::Value,
    /// What is noted of documents: whether titles are, and whether parts are known again.
    noted: (bool, bool),
    inputs: Vec<InputState>,
    against: Option<Vec<InputState>>,
}

/// An input as it was when it was listed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputState {
    path: String,
    bytes: u64,
    /// When it was changed, in nanoseconds since 1970.
    changed: u64,
}

impl InputState {
    fn of(path: &Path) -> Self {
        let file = std::fs::metadata(path);
        let changed = file.as_ref().ok().and_then(|file| file.modified().ok());
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self {
            path: path.to_string_lossy().into_owned(),
            bytes: file.map_or(0, |file| file.len()),
            changed: changed.map_or(0, |since| since.as_nanos() as u64),
        }
    }

    fn all(reading: &Reading) -> Vec<Self> {
        reading.batches.listed().map(|(path, ..)| path.map_or_else(Self::stdin, Self::of)).collect()
    }

    /// A stream, which no later run can know again.
    fn stdin() -> Self {
        let now = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
        let changed = now.map_or(0, |now| now.as_nanos() as u64);
        Self { path: "-".to_owned(), bytes: 0, changed }
    }
}

impl Manifest {
    pub(crate) fn new(
        settings: &Settings,
        described: bool,
        (new, reference): (&Reading, Option<&Reading>),
    ) -> Self {
        Self {
            firsthand: env!("CARGO_PKG_VERSION").to_owned(),
            version: VERSION,
            settings: serde_json::to_value(settings).unwrap_or_default(),
            noted: (described, new.options.checksums),
            inputs: InputState::all(new),
            against: reference.map(InputState::all),
        }
    }

    /// What an earlier run left, if it left something.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(MANIFEST)).ok()?).ok()
    }

    pub(crate) fn write(&self, scratch: &Scratch) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(self)?;
        std::fs::write(scratch.file(MANIFEST), bytes)
    }

    /// The name of its file.
    pub(crate) fn name() -> &'static str {
        MANIFEST
    }

    /// What is different now, in a clause; none if nothing is.
    pub(crate) fn difference(&self, now: &Self) -> Option<String> {
        if (&self.firsthand, self.version) != (&now.firsthand, now.version) {
            return Some(format!("firsthand {} made it", self.firsthand));
        }
        if let Some(setting) = different_key(&self.settings, &now.settings, String::new()) {
            return Some(format!("the setting {setting} is another"));
        }
        let sides = [(&self.inputs, &now.inputs)];
        let against = self.against.as_ref().zip(now.against.as_ref());
        for (then, now) in sides.into_iter().chain(against) {
            for state in then {
                match now.iter().find(|other| other.path == state.path) {
                    None if Path::new(&state.path).exists() => {
                        return Some("the inputs are others".to_owned());
                    }
                    None => return Some(format!("{} is no longer there", state.path)),
                    Some(other) if other != state => {
                        return Some(format!("{} has changed", state.path));
                    }
                    Some(_) => {}
                }
            }
            if let Some(other) = now.iter().find(|other| then.iter().all(|s| s.path != other.path))
            {
                return Some(format!("{} is new", other.path));
            }
        }
        if self.noted != now.noted {
            return Some("other results are asked for".to_owned());
        }
        (self != now).then(|| "the inputs are named in another way".to_owned())
    }
}

/// The first key whose value differs.
fn different_key(a: &serde_json::Value, b: &serde_json::Value, key: String) -> Option<String> {
    match (a, b) {
        (a, b) if a == b => None,
        (serde_json::Value::Object(a), serde_json::Value::Object(b)) => {
            let keys = a.keys().chain(b.keys());
            let below = |name: &String| {
                let null = serde_json::Value::Null;
                let (a, b) = (a.get(name).unwrap_or(&null), b.get(name).unwrap_or(&null));
                let dot = if key.is_empty() { "" } else { "." };
                different_key(a, b, format!("{key}{dot}{name}"))
            };
            keys.into_iter().find_map(below)
        }
        _ => Some(key),
    }
}
