//! Single settings for reading.

use super::{FieldOverrides, LimitOverrides, ReadingOverrides};
use firsthand::settings::{Fields, Limits, Reading};

pub(super) fn apply(overrides: &ReadingOverrides, reading: &mut Reading) {
    let ReadingOverrides { extract, kind, mail, follow, fields, limits } = overrides;
    reading.extract = extract.unwrap_or(reading.extract);
    reading.kind = kind.or(reading.kind);
    reading.follow = follow.unwrap_or(reading.follow);
    reading.mail = mail.unwrap_or(reading.mail);
    reading.keep_quotes &= mail.is_none();
    apply_fields(fields, &mut reading.fields);
    apply_limits(limits, &mut reading.limits);
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
