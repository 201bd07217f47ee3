//! From layers of settings to those that hold: profile or method, then a model, then a file, then
//! single settings.

mod error;
#[cfg(feature = "learn")]
mod learned;
#[cfg(not(feature = "learn"))]
#[path = "settings/learned/absent.rs"]
mod learned;
mod plain_words;
mod single;

pub use error::LayersError;
pub use plain_words::plain_words;
pub use single::ENDLESS;

use firsthand::Settings;
use firsthand::settings::{Learned, Matcher};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Layers of settings, each over those before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// The settings to start with where no profile and no method is named: those of a store.
    pub base: Option<Settings>,
    /// The name of a profile. It replaces a profile or method of the file.
    pub profile: Option<String>,
    /// The name of a method. It replaces a profile or method of the file.
    pub method: Option<String>,
    /// A model.
    pub model: Option<Learned>,
    /// A settings file, which may name a profile or a method itself.
    pub file: Option<SettingsFile>,
    /// Single settings, in the form of a settings file, each of which replaces what the other layers
    /// say. `scheme` and `matcher` need no kind: it follows from their parameters. For a stream,
    /// `matcher`, `grouping`, `original` and `numbers` are those of the table `stream`.
    pub overrides: Table,
}

/// A settings file as it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub table: Table,
}

impl SettingsFile {
    /// Reads a settings file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not TOML.
    pub fn read(path: &Path) -> Result<Self, LayersError> {
        let path = path.to_path_buf();
        match std::fs::read_to_string(&path) {
            Ok(text) => match text.parse() {
                Ok(table) => Ok(Self { path, table }),
                Err(source) => Err(LayersError::NotToml { path, source }),
            },
            Err(source) => Err(LayersError::Unreadable { path, source }),
        }
    }
}

/// What settings are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A whole collection.
    Collection,
    /// Documents as they arrive.
    Stream,
}

impl Layers {
    /// The settings that hold.
    ///
    /// # Errors
    ///
    /// If the layers do not go together, or their result cannot be used.
    pub fn resolve(self, purpose: Purpose) -> Result<Settings, LayersError> {
        let Self { base, profile, method, model, file, overrides } = self;
        if let (Some(method), Some(_)) = (&method, &model) {
            return Err(LayersError::MethodWithModel { method: method.clone() });
        }
        let SettingsFile { path, mut table } = file.unwrap_or_default();
        let file_profile = take_name(&mut table, &path, "profile")?;
        let file_method = take_name(&mut table, &path, "method")?;
        let base = match (profile, method) {
            (Some(profile), _) => Settings::profile(&profile)?,
            (_, Some(method)) => Settings::method(&method)?,
            _ => match (file_profile, file_method) {
                (Some(_), Some(_)) => return Err(LayersError::ProfileAndMethod { path }),
                (Some(profile), None) => Settings::profile(&profile)?,
                (None, Some(method)) if model.is_some() => {
                    return Err(LayersError::MethodOfFileWithModel { method });
                }
                (None, Some(method)) => Settings::method(&method)?,
                (None, None) => match (base, model.as_ref().and_then(learned::profile)) {
                    (Some(base), _) => base,
                    (None, Some(profile)) => Settings::profile(profile)?,
                    (None, None) => Settings::default(),
                },
            },
        };
        let base = match &model {
            Some(model) => learned::over(model, base),
            None => base,
        };
        let settings = match overlay(&base, table, 1) {
            Ok(settings) => settings,
            Err(source) => return Err(LayersError::File { path, source }),
        };
        let settings = match &model {
            Some(model) => learned::restore(model, settings, &path)?,
            None => settings,
        };
        let mut settings = single::apply(overrides, settings, purpose)?;
        choose_rows(&mut settings);
        match purpose {
            Purpose::Collection => settings.check_collection()?,
            Purpose::Stream => settings.check_stream()?,
        }
        Ok(settings)
    }
}

/// Chooses rows where only a number of bands is set.
fn choose_rows(settings: &mut Settings) {
    let rule = settings.rule();
    let matchers = [&mut settings.matcher, &mut settings.stream.matcher];
    for matcher in matchers.into_iter().flatten() {
        if let Matcher::Bands(bands) = matcher {
            *bands = bands.clone().with_rows(rule);
        }
    }
}

fn take_name(
    file: &mut Table,
    path: &Path,
    setting: &'static str,
) -> Result<Option<String>, LayersError> {
    let value = match file.remove(setting) {
        Some(Value::String(name)) => return Ok(Some(name)),
        None => return Ok(None),
        // These may be long: any file of TOML may be given by mistake.
        Some(Value::Table(_)) => "a table".to_owned(),
        Some(Value::Array(_)) => "an array".to_owned(),
        Some(other) => other.to_string(),
    };
    Err(LayersError::NotAName { path: path.to_path_buf(), setting, value })
}

/// The base with the keys of the table replaced. Tables are merged that lie in at most `levels` others,
/// but a scheme or matcher of another kind replaces the old one.
fn overlay(base: &Settings, over: Table, levels: usize) -> Result<Settings, toml::de::Error> {
    use serde::de::Error as _;
    let mut table = Table::try_from(base).map_err(toml::de::Error::custom)?;
    merge(&mut table, over, levels);
    Value::Table(table).try_into()
}

fn merge(table: &mut Table, over: Table, levels: usize) {
    for (key, value) in over {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new))
                if levels > 0
                    && (key == "reading"
                        || new.get("kind").is_none_or(|kind| old.get("kind") == Some(kind))) =>
            {
                merge(old, new, levels - 1);
            }
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}
