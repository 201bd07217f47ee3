//! The methods, profiles, config files and models that are measured, each with all its settings.

use crate::args::{LabelledArgs, SettingArgs};
use crate::settings;
use anyhow::{Context, Result, bail};
use firsthand::Settings;
use firsthand::settings::PROFILES;
use firsthand_jobs::Purpose;
use firsthand_jobs::labels::{MethodName, NamedSettings, named_methods};
use std::path::Path;

/// Settings that are measured, and the flags that select them.
pub(crate) struct RequestedMethod {
    pub(crate) named: NamedSettings,
    pub(crate) args: SettingArgs,
}

impl RequestedMethod {
    fn new(name: &str, about: &str, args: SettingArgs, settings: Settings) -> Result<Self> {
        let toml = settings::show(&settings)?;
        let (name, about) = (name.to_owned(), about.to_owned());
        Ok(Self { named: NamedSettings { name, about, settings, toml }, args })
    }
}

/// The method of this name.
pub(crate) fn named<'a>(methods: &'a [RequestedMethod], name: &str) -> Option<&'a RequestedMethod> {
    methods.iter().find(|method| method.named.name == name)
}

/// Everything that was asked for, each once; on a stream, `all` means the methods that can judge one.
pub(crate) fn requested(purpose: Purpose, args: &LabelledArgs) -> Result<Vec<RequestedMethod>> {
    let nothing = args.methods.is_empty() && args.profile.is_empty() && args.config.is_empty();
    let typed = if nothing { &["all".to_owned()][..] } else { &args.methods[..] };
    let typed = typed.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    let mut names = named_methods(typed, purpose);
    names.extend(args.profile.iter().cloned().map(MethodName::Profile));
    let named = names.iter().map(|name| by_name(purpose, args, name));
    let files = args.config.iter().map(|path| by_file(purpose, args, path));
    let models = args.models.iter().map(|path| by_model(purpose, args, path));
    let mut all: Vec<RequestedMethod> = Vec::new();
    for requested in named.chain(files).chain(models) {
        let requested = requested?;
        if all.iter().all(|known| known.named.name != requested.named.name) {
            all.push(requested);
        }
    }
    if all.is_empty() {
        bail!("nothing to measure: --methods takes names separated by commas, or `all`");
    }
    Ok(all)
}

/// The settings that are in use at present: the first file or profile that was named, or without
/// any the default. None if only methods were named.
pub(crate) fn present(methods: &[RequestedMethod], args: &LabelledArgs) -> Option<usize> {
    let name = match (args.config.first(), args.profile.first()) {
        (Some(path), _) => path.display().to_string(),
        (_, Some(profile)) => MethodName::Profile(profile.clone()).written(),
        _ => MethodName::usual().written(),
    };
    methods.iter().position(|method| method.named.name == name)
}

pub(super) fn by_name(
    purpose: Purpose,
    args: &LabelledArgs,
    name: &MethodName,
) -> Result<RequestedMethod> {
    let mut typed = typed(args);
    match name.clone() {
        MethodName::Method(name) => typed.method = Some(name),
        MethodName::Profile(name) => typed.profile = Some(name),
    }
    let written = name.written();
    let settings = resolve(purpose, &typed).with_context(|| {
        match PROFILES.iter().any(|(profile, _)| *profile == written) {
            true => {
                let profile = MethodName::Profile(written.clone()).written();
                format!("{written} is a profile: write {profile}")
            }
            false => match name {
                MethodName::Profile(profile) if args.profile.contains(profile) => {
                    format!("--profile {profile} cannot be measured")
                }
                _ => format!("--methods {written} cannot be measured"),
            },
        }
    })?;
    RequestedMethod::new(&written, name.about(), typed, settings)
}

fn by_file(purpose: Purpose, args: &LabelledArgs, path: &Path) -> Result<RequestedMethod> {
    let mut typed = SettingArgs { config: Some(path.to_path_buf()), ..typed(args) };
    let mut settings = resolve(purpose, &typed)?;
    // Settings that go with a model name it by its fingerprint.
    if let Some(wanted) = &settings.model {
        for model in &args.models {
            let named = by_model(purpose, args, model)?;
            if named.named.settings.model.as_ref() == Some(wanted) {
                typed.model = Some(model.clone());
                settings = resolve(purpose, &typed)?;
                break;
            }
        }
    }
    RequestedMethod::new(&path.display().to_string(), "settings of a file", typed, settings)
}

/// A model with the settings that it was learned with.
fn by_model(purpose: Purpose, args: &LabelledArgs, path: &Path) -> Result<RequestedMethod> {
    let typed = SettingArgs { model: Some(path.to_path_buf()), ..typed(args) };
    let settings = resolve(purpose, &typed)?;
    RequestedMethod::new(&path.display().to_string(), "learned weights", typed, settings)
}

/// The settings for a collection, or for a stream. What a stream cannot use is refused by itself when
/// it is measured, so that the other methods are measured nevertheless.
fn resolve(purpose: Purpose, args: &SettingArgs) -> Result<Settings> {
    if let (Purpose::Stream, Ok(settings)) = (purpose, settings::layers(args)?.resolve(purpose)) {
        return Ok(settings);
    }
    settings::resolve(args)
}

/// The flags for reading, which hold for all methods.
fn typed(args: &LabelledArgs) -> SettingArgs {
    SettingArgs::of(&args.reading)
}
