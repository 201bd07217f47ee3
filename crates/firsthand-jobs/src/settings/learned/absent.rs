//! A model among the settings, in a build without the feature `learn`: only its fingerprint is known.

use super::LayersError;
use firsthand::{Settings, settings::Learned};
use std::path::Path;

pub(super) fn profile(_: &Learned) -> Option<&str> {
    None
}

pub(super) fn over(model: &Learned, base: Settings) -> Settings {
    Settings { model: Some(model.clone()), ..base }
}

pub(super) fn restore(_: &Learned, settings: Settings, _: &Path) -> Result<Settings, LayersError> {
    Ok(settings)
}
