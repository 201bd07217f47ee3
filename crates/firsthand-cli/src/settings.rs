//! From what was typed to layers of settings, and settings as a file.

use crate::args::{CheckConfigArgs, OnlineArgs, SettingArgs};
use crate::numbers::{counted, score};
use crate::visible::visible;
use crate::words;
use anyhow::{Result, bail};
use firsthand::Settings;
use firsthand::settings::Matcher;
use firsthand_jobs::{Layers, LayersError, Purpose, SettingsFile};

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

/// What settings files can be used for.
pub(crate) fn check(args: &CheckConfigArgs) -> Result<String> {
    let mut text = String::new();
    for path in &args.files {
        let (config, model) = (Some(path.clone()), args.model.clone());
        let layers = layers(&SettingArgs { config, model, ..SettingArgs::default() })?;
        let path = path.display().to_string();
        let shown = |error: LayersError| words::shown(anyhow::Error::from(error).chain());
        let collection = layers.clone().resolve(Purpose::Collection);
        let line = match (collection, layers.resolve(Purpose::Stream)) {
            (Ok(_), Ok(_)) => "can be used for collections and streams".to_owned(),
            (Ok(_), Err(error)) => {
                format!("can be used for collections, not on a stream: {}", shown(error))
            }
            (Err(error), Ok(_)) => {
                format!("can be used on a stream, not for collections: {}", shown(error))
            }
            // It does not know which file it comes from.
            (Err(error @ LayersError::Settings(_)), Err(_)) => bail!("{path}: {}", shown(error)),
            (Err(error), Err(_)) => return Err(error.into()),
        };
        text += &format!("{}: {line}\n", visible(&path));
    }
    Ok(text)
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
        "# {} of {}, {}. The chance that a pair is met, by its Jaccard similarity:\n#  ",
        counted(banding.bands as u64, "band"),
        counted(banding.rows as u64, "row"),
        counted(banding.hashes() as u64, "min-hash")
    );
    for similarity in SHOWN {
        text += &format!(" {similarity}: {} ", score(banding.probability(similarity)));
    }
    text + "\n\n"
}
