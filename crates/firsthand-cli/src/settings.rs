//! From what was typed to layers of settings, and settings as a file.

use crate::args::{OnlineArgs, SettingArgs};
use crate::numbers::score;
use anyhow::Result;
use firsthand::Settings;
use firsthand::settings::Matcher;
use firsthand_jobs::{Layers, Purpose, SettingsFile};

/// Works out the effective settings.
pub(crate) fn resolve(args: &SettingArgs) -> Result<Settings> {
    Ok(layers(args)?.resolve(Purpose::Collection)?)
}

/// The layers that were typed for a stream.
pub(crate) fn stream_layers(args: &SettingArgs, online: &OnlineArgs) -> Result<Layers> {
    let mut layers = layers(args)?;
    online.single.write_to(&mut layers.overrides);
    Ok(layers)
}

/// The layers that were typed.
pub(crate) fn layers(args: &SettingArgs) -> Result<Layers> {
    let mut layers = Layers {
        profile: args.profile.clone(),
        method: args.method.clone(),
        file: args.config.as_deref().map(SettingsFile::read).transpose()?,
        ..Layers::default()
    };
    #[cfg(feature = "learn")]
    if let Some(path) = args.model.as_deref() {
        let model = firsthand_jobs::model_file::read(path)?;
        layers.model = Some(firsthand::settings::Learned::new(model));
    }
    args.single.write_to(&mut layers.overrides);
    Ok(layers)
}

/// Similarities at which the chance to meet is shown.
const SHOWN: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The settings as a config file.
pub(crate) fn show(settings: &Settings) -> Result<String> {
    let mut remarks = remarks(settings);
    if let Some(model) = &settings.model {
        let model = model.fingerprint();
        remarks += &format!("# Goes with the model {model}: name its file with --model.\n\n");
    }
    Ok(remarks + &toml::to_string(settings)?)
}

/// What the bands come to, as comments of a config file.
fn remarks(settings: &Settings) -> String {
    let Matcher::Bands(bands) = settings.collection_matcher() else { return String::new() };
    let Some(banding) = bands.banding(settings.rule()) else { return String::new() };
    let mut text = format!(
        "# {} bands of {} rows, {} min-hashes. The chance that a pair is met, by its Jaccard \
         similarity:\n#  ",
        banding.bands,
        banding.rows,
        banding.hashes()
    );
    for similarity in SHOWN {
        text += &format!(" {similarity}: {} ", score(banding.probability(similarity)));
    }
    text + "\n\n"
}
