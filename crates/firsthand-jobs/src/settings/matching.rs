//! Single settings for the matcher.

use super::{LayersError, Overrides};
use firsthand::{Matcher, Settings};

pub(super) fn apply(overrides: &Overrides, config: &mut Settings) -> Result<(), LayersError> {
    let Overrides { matcher, bands, rows, recall, hashes, group, lexicons, bits, .. } = overrides;
    if let Some(name) = matcher
        && name != config.matcher.name()
    {
        config.matcher = Matcher::named(name)?;
        // As many as in the paper that learned weights are from.
        if let (Matcher::Sketch { hashes, .. }, Some(_)) = (&mut config.matcher, &config.model) {
            *hashes = 80;
        }
    }
    let set = |slot: &mut usize, value: &Option<usize>| *slot = value.unwrap_or(*slot);
    let matcher = config.matcher.name();
    let taken: &[&str] = match &mut config.matcher {
        Matcher::Bands(own) => {
            if bands.is_some() || recall.is_some() || hashes.is_some() {
                (own.bands, own.rows) = (*bands, *rows);
            }
            own.recall = recall.unwrap_or(own.recall);
            set(&mut own.hashes, hashes);
            &["bands", "recall", "hashes"]
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
        Matcher::Exact => &[],
    };
    let given = [
        ("bands", bands.is_some(), "bands"),
        ("recall", recall.is_some(), "bands"),
        ("hashes", hashes.is_some(), "sketch"),
        ("group", group.is_some(), "sketch"),
        ("lexicons", lexicons.is_some(), "fingerprint"),
        ("bits", bits.is_some(), "bits"),
    ];
    match given.iter().find(|(setting, given, _)| *given && !taken.contains(setting)) {
        Some(&(setting, _, belongs_to)) => {
            Err(LayersError::NotWithMatcher { setting, matcher, belongs_to })
        }
        None => Ok(()),
    }
}
