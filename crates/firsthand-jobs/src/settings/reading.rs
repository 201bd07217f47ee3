//! Settings for reading: the table of a file, then single settings.

use super::{FieldOverrides, LayersError, LimitOverrides, ReadingOverrides};
use firsthand_input::{Extract, Fields, Kind, Limits, ReadOptions};
use serde::{Deserialize, Serialize};
use toml::Value;

/// The part of a settings file that is about reading.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InputTable {
    extract: Option<Extract>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[serde(default)]
    follow: bool,
    mail: Option<bool>,
    /// Only with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_quotes: Option<bool>,
    /// Each field is a list of names, tried in this order.
    #[serde(default)]
    fields: Fields,
    #[serde(default)]
    limits: Limits,
}

fn not_usable(error: impl std::error::Error + Send + Sync + 'static) -> LayersError {
    LayersError::Reading(Box::new(error))
}

pub(super) fn resolve(
    mut reading: ReadOptions,
    table: Option<Value>,
    overrides: &ReadingOverrides,
) -> Result<ReadOptions, LayersError> {
    if let Some(table) = table {
        let table: InputTable = table.try_into().map_err(not_usable)?;
        reading.extract = table.extract.unwrap_or(reading.extract);
        reading.kind = table.kind;
        reading.follow = table.follow;
        reading.mail = table.mail.unwrap_or(reading.mail);
        reading.keep_quotes = table.keep_quotes.unwrap_or(reading.keep_quotes);
        reading.fields = table.fields;
        reading.limits = table.limits;
    }
    let ReadingOverrides { extract, kind, mail, follow, fields, limits } = overrides;
    reading.extract = extract.unwrap_or(reading.extract);
    reading.kind = kind.or(reading.kind);
    reading.follow = follow.unwrap_or(reading.follow);
    reading.mail = mail.unwrap_or(reading.mail);
    reading.keep_quotes &= mail.is_none();
    apply_fields(fields, &mut reading.fields);
    apply_limits(limits, &mut reading.limits);
    Ok(reading)
}

fn apply_fields(overrides: &FieldOverrides, fields: &mut Fields) {
    let FieldOverrides { id, text, html, title, url, source, time, cluster } = overrides;
    for (names, name) in [
        (&mut fields.id, id),
        (&mut fields.text, text),
        (&mut fields.html, html),
        (&mut fields.title, title),
        (&mut fields.url, url),
        (&mut fields.source, source),
        (&mut fields.time, time),
        (&mut fields.cluster, cluster),
    ] {
        if let Some(name) = name {
            *names = vec![name.clone()];
        }
    }
}

fn apply_limits(overrides: &LimitOverrides, limits: &mut Limits) {
    for (limit, value) in [
        (&mut limits.file, overrides.file),
        (&mut limits.document, overrides.document),
        (&mut limits.line, overrides.line),
        (&mut limits.json_depth, overrides.json_depth),
        (&mut limits.html_depth, overrides.html_depth),
        (&mut limits.html_attributes, overrides.html_attributes),
        (&mut limits.html_blocks, overrides.html_blocks),
        (&mut limits.mime_parts, overrides.mime_parts),
        (&mut limits.mime_depth, overrides.mime_depth),
        (&mut limits.members, overrides.members),
        (&mut limits.layers, overrides.layers),
        (&mut limits.decompressed, overrides.decompressed),
        (&mut limits.ratio, overrides.ratio),
        (&mut limits.seconds, overrides.seconds),
    ] {
        *limit = value.unwrap_or(*limit);
    }
}

/// The settings for reading as a table.
pub(super) fn table(reading: &ReadOptions, with_model: bool) -> Result<Value, LayersError> {
    let table = InputTable {
        extract: Some(reading.extract),
        kind: reading.kind,
        follow: reading.follow,
        mail: Some(reading.mail),
        keep_quotes: with_model.then_some(reading.keep_quotes),
        fields: reading.fields.clone(),
        limits: reading.limits.clone(),
    };
    Value::try_from(table).map_err(not_usable)
}
