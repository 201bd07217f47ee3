//! What is measured: methods, profiles and config files, each with all its settings.

use crate::args::{LabelledArgs, ModelArg, SettingArgs};
use crate::settings::{self, RunSettings};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// One row of the evaluation.
pub(crate) struct Asked {
    /// What it was asked for by.
    pub(crate) name: String,
    /// What it does, in one line.
    pub(crate) about: String,
    /// What would have to be typed for it.
    pub(crate) args: SettingArgs,
    pub(crate) settings: RunSettings,
}

/// How profiles are named among methods.
const PROFILE: &str = "profile:";

/// The methods that judge a stream; the others need all documents at once.
const ONLINE: [&str; 4] = ["nrc", "ddd", "shingles", "spotsigs"];

/// Everything that was asked for, each once.
pub(crate) fn asked(args: &LabelledArgs) -> Result<Vec<Asked>> {
    asked_of(args, |_| true)
}

/// Everything that was asked for; `all` is what can judge a stream.
pub(super) fn asked_online(args: &LabelledArgs) -> Result<Vec<Asked>> {
    asked_of(args, |method| ONLINE.contains(&method))
}

fn asked_of(args: &LabelledArgs, is_meant: impl Fn(&str) -> bool) -> Result<Vec<Asked>> {
    let mut all: Vec<Asked> = Vec::new();
    let nothing = args.methods.is_empty() && args.profile.is_empty() && args.config.is_empty();
    let default = ["all".to_owned()];
    let names = if nothing { &default[..] } else { &args.methods[..] };
    for name in names {
        match name.trim() {
            "all" => {
                for (method, _) in
                    firsthand::settings::METHODS.iter().filter(|(name, _)| is_meant(name))
                {
                    add(&mut all, by_name(args, method)?);
                }
                for (profile, _) in firsthand::settings::PROFILES {
                    add(&mut all, by_name(args, &format!("{PROFILE}{profile}"))?);
                }
            }
            "" => {}
            name => add(&mut all, by_name(args, name)?),
        }
    }
    for profile in &args.profile {
        add(&mut all, by_name(args, &format!("{PROFILE}{profile}"))?);
    }
    for path in &args.config {
        add(&mut all, by_file(args, path)?);
    }
    for path in args.models.paths() {
        add(&mut all, by_model(args, path)?);
    }
    if all.is_empty() {
        bail!("nothing to measure: --methods takes names with commas between them, or `all`");
    }
    Ok(all)
}

fn add(all: &mut Vec<Asked>, asked: Asked) {
    if all.iter().all(|known| known.name != asked.name) {
        all.push(asked);
    }
}

pub(super) fn by_name(args: &LabelledArgs, name: &str) -> Result<Asked> {
    let mut typed = typed(args);
    let known: &[(&str, &str)] = match name.strip_prefix(PROFILE) {
        Some(profile) => {
            typed.profile = Some(profile.to_owned());
            &firsthand::settings::PROFILES
        }
        None => {
            typed.method = Some(name.to_owned());
            &firsthand::settings::METHODS
        }
    };
    let plain = name.strip_prefix(PROFILE).unwrap_or(name);
    let about = known.iter().find(|(known, _)| *known == plain).map_or("", |(_, about)| about);
    let is_profile = firsthand::settings::PROFILES.iter().any(|(profile, _)| *profile == name);
    let settings = settings::resolve(&typed).with_context(|| match is_profile {
        true => format!("{name} is a profile: write {PROFILE}{name}"),
        false => format!("--methods {name} cannot be measured"),
    })?;
    Ok(Asked { name: name.to_owned(), about: about.to_owned(), args: typed, settings })
}

fn by_file(args: &LabelledArgs, path: &Path) -> Result<Asked> {
    let mut typed = SettingArgs { config: Some(path.to_path_buf()), ..typed(args) };
    let mut settings = settings::resolve(&typed)?;
    // RunSettings that go with a model name it by its fingerprint.
    if let Some(wanted) = &settings.config.model {
        for model in args.models.paths() {
            let named = by_model(args, model)?;
            if named.settings.config.model.as_ref() == Some(wanted) {
                typed.model = ModelArg::new(model);
                settings = settings::resolve(&typed)?;
                break;
            }
        }
    }
    let name = path.display().to_string();
    Ok(Asked { name, about: "settings of a file".to_owned(), args: typed, settings })
}

/// A model with the settings that it was learned with.
fn by_model(args: &LabelledArgs, path: &Path) -> Result<Asked> {
    let typed = SettingArgs { model: ModelArg::new(path), ..typed(args) };
    let settings = settings::resolve(&typed)?;
    let name = path.display().to_string();
    Ok(Asked { name, about: "learned weights".to_owned(), args: typed, settings })
}

/// How to read holds for all of them.
fn typed(args: &LabelledArgs) -> SettingArgs {
    let (reading, limits) = (args.reading.clone(), args.limits.clone());
    SettingArgs { reading, limits, ..SettingArgs::default() }
}
