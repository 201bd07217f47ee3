//! The settings that a store was made with: they change its answers, so they are stored with it.

use firsthand::Settings;
use firsthand::online::StoreError;
use firsthand::settings::{Numbers, Stream};

/// Settings as a store keeps them: JSON, compared as text.
///
/// ```
/// use firsthand::Settings;
/// use firsthand_store::StoredSettings;
///
/// let stored = StoredSettings::new(&Settings::default())?;
/// assert_eq!(StoredSettings::kept(stored.as_str()), stored);
/// assert!(stored.differences(&stored).is_empty());
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
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
        text.map(Self)
            .map_err(|e| StoreError::Unfit(format!("the settings cannot be written as JSON: {e}")))
    }

    /// Settings from the text of a store.
    pub fn kept(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text to store.
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

    /// The settings that differ from others, one line for each, for a message.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let value = |text: &str| with_defaults(serde_json::from_str(text).unwrap_or_default());
        let mut lines = Vec::new();
        compare("", &value(&self.0), &value(&other.0), &mut lines);
        lines
    }
}

/// Fills in defaults that are not written down, so that a message does not show them as missing.
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
