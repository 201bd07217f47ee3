//! Keywords, settings files and dictionaries to settings. The names of single settings are those of the
//! flags, with underscores; columns go by the short names that read well beside a table.

use crate::errors::{self, SettingsError};
use firsthand::Settings;
use firsthand_cli::single_settings::{self, SingleSetting};
use firsthand_jobs::{Layers, Purpose, SettingsFile};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::path::PathBuf;
use toml::{Table, Value};

/// Columns, by the names that they have beside a table.
const COLUMNS: [&str; 8] = ["id", "text", "html", "title", "url", "source", "time", "cluster"];

/// The flag `--time` of a stream: `time` is a column here.
const CLOCK: &str = "clock";

/// The layers of settings that keywords make.
pub(crate) fn layers(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Layers> {
    let mut layers = Layers::default();
    let Some(keywords) = keywords else { return Ok(layers) };
    for (name, value) in keywords {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        match name.as_str() {
            "profile" => layers.profile = Some(text(&name, &value)?),
            "method" => layers.method = Some(text(&name, &value)?),
            "settings" => layers.file = Some(file(&value)?),
            #[cfg(feature = "learn")]
            "model" => layers.model = Some(crate::model::learned(&value)?),
            _ => {
                let setting = setting(&name).ok_or_else(|| unknown(&name))?;
                let value = value_of(setting, &name, &value)?;
                setting.insert(&mut layers.overrides, value);
            }
        }
    }
    if let (Some(profile), Some(method)) = (&layers.profile, &layers.method) {
        return Err(SettingsError::new_err(format!(
            "profile {profile:?} and method {method:?} do not go together: keep one"
        )));
    }
    Ok(layers)
}

/// The settings for a purpose that keywords make.
pub(crate) fn resolve(
    keywords: Option<&Bound<'_, PyDict>>,
    purpose: Purpose,
) -> PyResult<Settings> {
    layers(keywords)?.resolve(purpose).map_err(|error| errors::of_layers(&error))
}

/// A choice by its name.
pub(crate) fn choice<T: serde::de::DeserializeOwned>(keyword: &str, name: &str) -> PyResult<T> {
    serde_json::from_value(serde_json::Value::from(name)).map_err(|error| {
        let words = firsthand_jobs::settings::plain_words(&error.to_string());
        SettingsError::new_err(format!("{keyword} = {name:?}: {words}"))
    })
}

/// The keywords for single settings, each with the key of a settings file that it sets, whether only a
/// stream has it, and what it does.
#[pyfunction]
pub(crate) fn setting_names() -> Vec<(String, String, bool, String)> {
    let rows = single_settings::all().map(|setting| {
        let name = match (setting.name(), setting.heading() == "Stream") {
            ("time", true) => CLOCK.to_owned(),
            (name, _) => name.replace('-', "_"),
        };
        (name, setting.key().to_owned(), setting.heading() == "Stream", setting.help().to_owned())
    });
    rows.collect()
}

fn setting(name: &str) -> Option<SingleSetting> {
    let flag = name.replace('_', "-");
    match COLUMNS.contains(&name) {
        true => single_settings::named(&format!("{flag}-field")),
        false if name == CLOCK => single_settings::named("time"),
        false => single_settings::named(&flag),
    }
}

fn unknown(name: &str) -> PyErr {
    let names = single_settings::all().map(|setting| setting.name().replace('-', "_"));
    let like: Vec<String> = names.filter(|known| is_like(known, name)).collect();
    let hint = match like.is_empty() {
        true => "`firsthand config show` lists them".to_owned(),
        false => format!("do you mean {}?", like.join(" or ")),
    };
    PyTypeError::new_err(format!("there is no keyword {name:?}: {hint}"))
}

/// Whether a name may be meant by another: the beginning of it, or two letters away at most.
fn is_like(known: &str, name: &str) -> bool {
    let is_long = name.len() >= 4;
    is_long && (known.starts_with(name) || name.starts_with(known) || distance(known, name) <= 2)
}

/// The number of letters to add, drop or replace.
fn distance(a: &str, b: &str) -> usize {
    let mut before: Vec<usize> = (0..=b.chars().count()).collect();
    for (row, x) in a.chars().enumerate() {
        let mut now = vec![row + 1];
        for (at, y) in b.chars().enumerate() {
            let replaced = before[at] + usize::from(x != y);
            now.push(replaced.min(before[at + 1] + 1).min(now[at] + 1));
        }
        before = now;
    }
    before.last().copied().unwrap_or(0)
}

fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let wrong =
        |_| PyTypeError::new_err(format!("{name} is a name in quotes, not {}", kind(value)));
    value.extract().map_err(wrong)
}

/// The type of a value, as Python calls it.
fn kind(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name();
    name.map_or_else(|_| "another value".to_owned(), |name| name.to_string())
}

/// A settings file: its path, or a dictionary in its form.
fn file(value: &Bound<'_, PyAny>) -> PyResult<SettingsFile> {
    if let Ok(table) = value.cast::<PyDict>() {
        return Ok(SettingsFile { path: PathBuf::from("settings"), table: of_dict(table)? });
    }
    let path: PathBuf = value.extract().map_err(|_| {
        let kind = kind(value);
        PyTypeError::new_err(format!("settings is the path of a TOML file or a dict, not {kind}"))
    })?;
    SettingsFile::read(&path).map_err(|error| errors::of_layers(&error))
}

fn of_dict(dict: &Bound<'_, PyDict>) -> PyResult<Table> {
    let mut table = Table::new();
    for (key, value) in dict {
        let key: String = key.extract()?;
        if !value.is_none() {
            let value = plain(&key, &value)?;
            table.insert(key, value);
        }
    }
    Ok(table)
}

/// The value of a single setting: what is written in quotes is understood as on the command line.
fn value_of(setting: SingleSetting, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(written) = value.cast::<PyString>() {
        let written = written.to_string();
        return setting.read(&written).map_err(|error| {
            SettingsError::new_err(format!("{name} = {written:?} cannot be used: {error}"))
        });
    }
    if setting.name() == "antecedents"
        && let Ok(list) = value.cast::<PyList>()
    {
        let values = list.iter().map(|item| value_of(setting, name, &item));
        return values.collect::<PyResult<Vec<_>>>().map(Value::Array);
    }
    plain(name, value)
}

/// A value as it stands in a settings file.
fn plain(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let too_large = |_| SettingsError::new_err(format!("{name} = {value} is too large"));
        return value.extract().map(Value::Integer).map_err(too_large);
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.to_string()));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        return of_dict(table).map(Value::Table);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| plain(name, &item?));
        return items.collect::<PyResult<Vec<_>>>().map(Value::Array);
    }
    // A fraction, a path or a number of another library is what it is written as.
    match value.extract::<f64>() {
        Ok(number) => Ok(Value::Float(number)),
        Err(_) => Err(PyTypeError::new_err(format!("{name} cannot be set to {}", kind(value)))),
    }
}
