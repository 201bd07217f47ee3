//! A model among the settings: over profile or method, under the file.

use super::LayersError;
use firsthand::{Settings, settings::Learned};
use std::path::Path;

/// The profile that the model was learned with.
pub(super) fn profile(model: &Learned) -> Option<&str> {
    model.model().map(|model| model.written().profile.as_str())
}

/// Settings with the model in them. Those of a store that was made with it stay as they are.
pub(super) fn over(model: &Learned, base: Settings) -> Settings {
    match model.model() {
        Some(written) if base.model.as_ref() != Some(model) => base.with_model(written),
        _ => within(model, base),
    }
}

/// Puts the model back into settings of the file `path` that know its fingerprint only.
pub(super) fn restore(
    model: &Learned,
    config: Settings,
    path: &Path,
) -> Result<Settings, LayersError> {
    let path = path.to_path_buf();
    if let Some(other) = config.model.as_ref().filter(|known| *known != model) {
        let (wanted, given) = (other.fingerprint().to_owned(), model.fingerprint().to_owned());
        return Err(LayersError::OtherModel { path, wanted, given });
    }
    let Some(written) = model.model() else { return Ok(within(model, config)) };
    let applied = config.clone().with_model(written);
    let others = [
        ("scheme", config.scheme != applied.scheme),
        ("multiset", config.multiset != applied.multiset),
        ("weights", config.weights != applied.weights),
        ("frequency", config.frequency != applied.frequency),
    ];
    match others.iter().find(|(_, differs)| *differs) {
        Some((setting, _)) => Err(LayersError::FileNotWithModel { path, setting }),
        None => Ok(within(model, config)),
    }
}

fn within(model: &Learned, config: Settings) -> Settings {
    Settings { model: Some(model.clone()), ..config }
}
