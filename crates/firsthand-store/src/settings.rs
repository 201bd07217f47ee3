//! The settings that a store was made with. They change answers, so they are kept with it.

use firsthand::Settings;
use firsthand::online::StoreError;
use firsthand::settings::{Numbers, Stream};

/// Settings as a store keeps them: a text that is compared as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSettings(String);

impl StoredSettings {
    /// Settings as a store keeps them: see [`Settings::kept_with_store`].
    ///
    /// # Errors
    ///
    /// If they cannot be written as JSON.
    pub fn new(settings: &Settings) -> Result<Self, StoreError> {
        let value = serde_json::to_value(settings.kept_with_store());
        let text = value.and_then(|value| serde_json::to_string_pretty(&value));
        text.map(Self).map_err(|e| StoreError::Unfit(format!("settings cannot be written: {e}")))
    }

    /// Settings that were kept.
    pub fn kept(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text to keep.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The settings, for a store that is opened without any.
    ///
    /// # Errors
    ///
    /// If they are not settings that this version knows.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        serde_json::from_str(&self.0).map_err(|e| {
            StoreError::Unfit(format!("the settings of the store cannot be read: {e}"))
        })
    }

    /// What differs from other settings, a line for each, for a message.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let value = |text: &str| with_defaults(serde_json::from_str(text).unwrap_or_default());
        let mut lines = Vec::new();
        compare("", &value(&self.0), &value(&other.0), &mut lines);
        lines
    }
}

/// What is at its default is not written down, and should not look like nothing.
fn with_defaults(mut value: serde_json::Value) -> serde_json::Value {
    if let serde_json::Value::Object(settings) = &mut value {
        let stream = serde_json::to_value(Stream::default()).unwrap_or_default();
        let numbers = serde_json::to_value(Numbers::default()).unwrap_or_default();
        settings.entry("stream").or_insert(stream);
        settings.entry("numbers").or_insert(numbers);
    }
    value
}

fn compare(name: &str, a: &serde_json::Value, b: &serde_json::Value, lines: &mut Vec<String>) {
    use serde_json::Value::{Null, Object};
    match (a, b) {
        (Object(x), Object(y)) => {
            let mut names: Vec<&String> = x.keys().chain(y.keys()).collect();
            names.sort();
            names.dedup();
            for key in names {
                let full = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                let (x, y) = (x.get(key).unwrap_or(&Null), y.get(key).unwrap_or(&Null));
                compare(&full, x, y, lines);
            }
        }
        _ if a != b => {
            let (a, b) = (shown(a), shown(b));
            lines.push(format!("{name}: {a} in the store, {b} asked for"));
        }
        _ => {}
    }
}

/// A value for a message.
fn shown(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => "none".to_owned(),
        value => value.to_string(),
    }
}
