//! Single settings for the matcher.

use super::{LayersError, Overrides, Purpose};
use firsthand::Settings;
use firsthand::settings::Matcher;

pub(super) fn apply(
    overrides: &Overrides,
    settings: &mut Settings,
    purpose: Purpose,
) -> Result<(), LayersError> {
    let Overrides { matcher: name, bands, rows, recall, hashes, group, lexicons, bits, .. } =
        overrides;
    // Each with the matcher that it is a parameter of.
    let given = [
        ("bands", bands.is_some(), "bands"),
        ("rows", rows.is_some(), "bands"),
        ("recall", recall.is_some(), "bands"),
        ("hashes", hashes.is_some(), if purpose == Purpose::Stream { "bands" } else { "sketch" }),
        ("group", group.is_some(), "sketch"),
        ("lexicons", lexicons.is_some(), "fingerprint"),
        ("bits", bits.is_some(), "bits"),
    ];
    if name.is_none() && given.iter().all(|(_, given, _)| !given) {
        return Ok(());
    }
    let mut matcher = match purpose {
        Purpose::Collection => settings.collection_matcher().clone(),
        Purpose::Stream => settings.on_stream().matcher.unwrap_or_default(),
    };
    if let Some(name) = name.as_ref().filter(|name| *name != matcher.name()) {
        matcher = match (name.as_str(), purpose) {
            ("bands", Purpose::Stream) => Matcher::of_stream(),
            (name, _) => Matcher::named(name, settings.model.is_some())?,
        };
    }
    let set = |slot: &mut usize, value: &Option<usize>| *slot = value.unwrap_or(*slot);
    let name = matcher.name();
    let taken: &[&str] = match &mut matcher {
        Matcher::Bands(own) => {
            if bands.is_some() || recall.is_some() || hashes.is_some() {
                (own.bands, own.rows) = (*bands, *rows);
            }
            own.recall = recall.unwrap_or(own.recall);
            set(&mut own.hashes, hashes);
            &["bands", "rows", "recall", "hashes"]
        }
        Matcher::Sketch { hashes: own, group: together } => {
            set(own, hashes);
            set(together, group);
            &["hashes", "group"]
        }
        Matcher::Fingerprint { lexicons: own, .. } => {
            set(own, lexicons);
            &["lexicons"]
        }
        Matcher::Bits { bits: own } => {
            set(own, bits);
            &["bits"]
        }
        Matcher::Exact | Matcher::Collisions(_) => &[],
    };
    if let Some(&(setting, _, belongs_to)) =
        given.iter().find(|(setting, given, _)| *given && !taken.contains(setting))
    {
        return Err(LayersError::NotWithMatcher { setting, matcher: name, belongs_to });
    }
    match purpose {
        Purpose::Collection => settings.matcher = Some(matcher),
        Purpose::Stream => settings.stream.matcher = Some(matcher),
    }
    Ok(())
}
