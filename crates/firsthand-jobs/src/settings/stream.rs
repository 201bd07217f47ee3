//! Single settings for a stream.

use super::{ENDLESS, LayersError, Overrides, StreamOverrides, matching};
use firsthand::Settings;
use firsthand::online::{Collisions, Index};

pub(super) fn apply(overrides: &Overrides, config: &mut Settings) -> Result<(), LayersError> {
    let StreamOverrides { window, window_documents, window_bytes, clock, policy, naming, index } =
        &overrides.stream;
    let online = &mut config.online;
    if let Some(window) = *window {
        online.window.milliseconds = Some(window).filter(|time| *time != ENDLESS);
    }
    online.window.documents = window_documents.or(online.window.documents);
    online.window.bytes = window_bytes.or(online.window.bytes);
    online.clock = clock.unwrap_or(online.clock);
    online.policy = policy.unwrap_or(online.policy);
    online.naming = naming.unwrap_or(online.naming);
    config.numbers = overrides.numbers.unwrap_or(config.numbers);
    if let Some(name) = index
        && name != name_of(&online.index)
    {
        online.index = match name.as_str() {
            "bands" => Index::default(),
            "exact" => Index::Exact,
            "collisions" => Index::Collisions(Collisions::default()),
            _ => return Err(LayersError::UnknownIndex(name.clone())),
        };
    }
    bands(overrides, &mut online.index)?;
    // What is left is about the features themselves, as in a collection.
    let left = Overrides {
        matcher: overrides.matcher.clone(),
        group: overrides.group,
        lexicons: overrides.lexicons,
        bits: overrides.bits,
        ..Overrides::default()
    };
    matching::apply(&left, config)
}

/// Parameters of bands are about the index here: a stream has no other bands.
fn bands(overrides: &Overrides, index: &mut Index) -> Result<(), LayersError> {
    let Overrides { bands, rows, recall, hashes, .. } = overrides;
    let given = [
        ("bands", bands.is_some()),
        ("rows", rows.is_some()),
        ("recall", recall.is_some()),
        ("hashes", hashes.is_some()),
    ];
    let Some((setting, _)) = given.iter().find(|(_, given)| *given) else { return Ok(()) };
    let name = name_of(index);
    let Index::Bands(own) = index else {
        return Err(LayersError::NotWithIndex { setting, index: name });
    };
    (own.bands, own.rows) = (*bands, *rows);
    own.recall = recall.unwrap_or(own.recall);
    own.hashes = hashes.unwrap_or(own.hashes);
    Ok(())
}

fn name_of(index: &Index) -> &'static str {
    match index {
        Index::Bands(_) => "bands",
        Index::Exact => "exact",
        Index::Collisions(_) => "collisions",
    }
}
