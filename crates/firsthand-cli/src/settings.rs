//! From what was typed to what holds: profile or method, then a model, then the config file, then
//! flags.

#[cfg(feature = "learn")]
mod learned;
#[cfg(not(feature = "learn"))]
#[path = "settings/learned/absent.rs"]
mod learned;
mod matching;
mod online;

use crate::args::{OnlineArgs, ReadingArgs, SettingArgs};
use anyhow::{Context, Result, bail};
use firsthand::{
    Settings,
    settings::{Scheme, Spot},
};
use firsthand_input::{Extract, Fields, Kind, Limits};
use std::path::Path;
use toml::{Table, Value};

/// Everything that changes an answer.
#[derive(Debug)]
pub(crate) struct RunSettings {
    pub(crate) config: Settings,
    pub(crate) reading: firsthand_input::ReadOptions,
}

/// Works out the effective settings.
pub(crate) fn resolve(args: &SettingArgs) -> Result<RunSettings> {
    resolve_over(None, args, |config| matching::apply(&args.matching, config))
}

/// The same for a stream, over what its store was made with, if it is there.
pub(crate) fn resolve_online(
    base: Option<Settings>,
    args: &SettingArgs,
    online: &OnlineArgs,
) -> Result<RunSettings> {
    resolve_over(base, args, |config| online::apply(online, &args.matching, config))
}

/// Flags over the config file over a model over profile or method, or over `base` where none is
/// named.
fn resolve_over(
    base: Option<Settings>,
    args: &SettingArgs,
    matching: impl FnOnce(&mut Settings) -> Result<()>,
) -> Result<RunSettings> {
    let chosen = learned::chosen(args)?;
    let mut file = match &args.config {
        Some(path) => read_file(path)?,
        None => Table::new(),
    };
    let name = |file: &mut Table, key: &str| match file.remove(key) {
        Some(Value::String(name)) => Ok(Some(name)),
        Some(other) => bail!("{key} = {other} in the config file: write a name in quotes"),
        None => Ok(None),
    };
    let (file_profile, file_method) = (name(&mut file, "profile")?, name(&mut file, "method")?);
    let input = file.remove("input");
    let named =
        args.profile.as_ref().or(if args.method.is_some() { None } else { file_profile.as_ref() });
    let is_mail = match &chosen {
        Some(chosen) => named.map_or(chosen.profile(), String::as_str) == "mail",
        None => named.is_some_and(|name| name == "mail"),
    };
    // A name on the command line replaces the one in the file, of whichever kind it is.
    let base = match (&args.profile, &args.method) {
        (Some(profile), _) => Settings::profile(profile)?,
        (_, Some(method)) => Settings::method(method)?,
        _ => match (file_profile, file_method) {
            (Some(_), Some(_)) => {
                bail!("the config file names both a profile and a method: keep one")
            }
            (Some(profile), None) => Settings::profile(&profile)?,
            (None, Some(method)) if chosen.is_some() => bail!(
                "the config file names the method {method}, which does not go with --model: a model \
                 is a method of its own; take it out of the file"
            ),
            (None, Some(method)) => Settings::method(&method)?,
            (None, None) => match (base, &chosen) {
                (Some(base), _) => base,
                (None, Some(chosen)) => chosen.base()?,
                (None, None) => Settings::default(),
            },
        },
    };
    let base = match &chosen {
        Some(chosen) => chosen.over(base),
        None => base,
    };
    let mut config = overlay(&base, file, args.config.as_deref())?;
    if let Some(chosen) = &chosen {
        config = chosen.restore(config, args.config.as_deref())?;
    }
    if config.model.is_some() {
        refuse_schemes(args)?;
    }
    apply(args, &mut config)?;
    matching(&mut config)?;
    config.check()?;
    let mut reading = firsthand_input::ReadOptions {
        reading: Reading { mail: is_mail, ..Reading::default() },
        ..Default::default()
    };
    // A model knows what is set apart by a feature of its own.
    reading.keep_quotes = chosen.is_some();
    if let Some(input) = input {
        let shown = args.config.as_deref().unwrap_or(Path::new("the config file")).display();
        let input: InputTable = input
            .try_into()
            .with_context(|| format!("{shown}: a setting of [input] cannot be used"))?;
        reading.extract = input.extract.unwrap_or(reading.extract);
        reading.kind = input.kind;
        reading.follow = input.follow;
        reading.mail = input.mail.unwrap_or(reading.mail);
        reading.keep_quotes = input.keep_quotes.unwrap_or(reading.keep_quotes);
        reading.fields = input.fields;
        reading.limits = input.limits;
    }
    apply_reading(&args.reading, &mut reading);
    args.limits.typed().for_each(|(limit, value)| reading.limits.set(limit, value));
    Ok(RunSettings { config, reading })
}

/// The part of a config file that is about reading.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct InputTable {
    extract: Option<Extract>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[serde(default)]
    follow: bool,
    mail: Option<bool>,
    /// Only with a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_quotes: Option<bool>,
    /// Each field is a list of names, tried in this order.
    #[serde(default)]
    fields: Fields,
    #[serde(default)]
    limits: Limits,
}

fn read_file(path: &Path) -> Result<Table> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the config file {shown}"))?;
    text.parse::<Table>().with_context(|| format!("{shown} is not valid TOML"))
}

/// The base with the keys of the file replaced.
fn overlay(base: &Settings, file: Table, path: Option<&Path>) -> Result<Settings> {
    let mut table = Table::try_from(base).context("settings as TOML")?;
    for (key, value) in file {
        match (table.get_mut(&key), value) {
            // Tables are merged, but a scheme of another kind replaces the scheme.
            (Some(Value::Table(old)), Value::Table(new))
                if new.get("kind").is_none_or(|kind| old.get("kind") == Some(kind)) =>
            {
                old.extend(new);
            }
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
    let shown = path.unwrap_or(Path::new("the settings")).display().to_string();
    Value::Table(table)
        .try_into()
        .with_context(|| format!("{shown} holds a setting that cannot be used"))
}

/// Fails if a flag asks for features that a model does not have.
fn refuse_schemes(args: &SettingArgs) -> Result<()> {
    let flags = [
        ("n", args.n.is_some()),
        ("q", args.q.is_some()),
        ("distance", args.distance.is_some()),
        ("chain", args.chain.is_some()),
        ("antecedents", args.antecedents.is_some()),
        ("language", args.language.is_some()),
        ("multiset", args.multiset.is_some()),
    ];
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!(
            "--{flag} does not go with a model, which has grams and weights of its own: leave it \
             out, or learn a model of other grams with `firsthand learn --words`"
        ),
        None => Ok(()),
    }
}

fn apply(args: &SettingArgs, config: &mut Settings) -> Result<()> {
    if let Some(n) = args.n {
        config.scheme = match config.scheme {
            Scheme::Prose { .. } => Scheme::Prose { n },
            _ => Scheme::Words { n },
        };
    }
    if let Some(q) = args.q {
        config.scheme = Scheme::Chars { q };
    }
    let spot_flags = args.distance.is_some()
        || args.chain.is_some()
        || args.antecedents.is_some()
        || args.language.is_some();
    if spot_flags {
        let mut spot = match &config.scheme {
            Scheme::Spot(spot) => spot.clone(),
            _ if args.n.is_some() || args.q.is_some() => {
                bail!("--n and --q do not go with flags for spot signatures: choose one scheme")
            }
            _ => Spot::default(),
        };
        spot.distance = args.distance.unwrap_or(spot.distance);
        spot.chain = args.chain.unwrap_or(spot.chain);
        spot.language = args.language.or(spot.language);
        if let Some(antecedents) = &args.antecedents {
            spot.antecedents.clone_from(antecedents);
        }
        config.scheme = Scheme::Spot(spot);
    }
    config.threshold = args.threshold.unwrap_or(config.threshold);
    config.measure = args.measure.unwrap_or(config.measure);
    config.multiset = args.multiset.unwrap_or(config.multiset);
    config.min_features = args.min_features.unwrap_or(config.min_features);
    config.template = args.template.unwrap_or(config.template);
    config.grouping = args.grouping.unwrap_or(config.grouping);
    config.original = args.original.unwrap_or(config.original);
    config.fold = args.fold.unwrap_or(config.fold);
    Ok(())
}

fn apply_reading(args: &ReadingArgs, reading: &mut firsthand_input::ReadOptions) {
    reading.extract = args.extract.unwrap_or(reading.extract);
    reading.kind = args.kind.or(reading.kind);
    reading.follow |= args.follow;
    reading.mail = args.mail.unwrap_or(reading.mail);
    reading.keep_quotes &= args.mail.is_none();
    let Fields { id, text, html, title, url, source, time, cluster, .. } = &mut reading.fields;
    for (names, flag) in [
        (id, &args.id_field),
        (text, &args.text_field),
        (html, &args.html_field),
        (title, &args.title_field),
        (url, &args.url_field),
        (source, &args.source_field),
        (time, &args.time_field),
        (cluster, &args.cluster_field),
    ] {
        if let Some(name) = flag {
            *names = vec![name.clone()];
        }
    }
}

/// The settings as a table, as in a config file.
pub(crate) fn table(settings: &RunSettings) -> Result<Table> {
    let mut table = Table::try_from(&settings.config)?;
    let reading = &settings.reading;
    let input = InputTable {
        extract: Some(reading.extract),
        kind: reading.kind,
        follow: reading.follow,
        mail: Some(reading.mail),
        keep_quotes: settings.config.model.as_ref().map(|_| reading.keep_quotes),
        fields: reading.fields.clone(),
        limits: reading.limits.clone(),
    };
    table.insert("input".to_owned(), Value::try_from(input)?);
    Ok(table)
}

/// The settings as a config file.
pub(crate) fn show(settings: &RunSettings) -> Result<String> {
    let mut remarks = matching::remarks(&settings.config);
    if let Some(model) = &settings.config.model {
        let model = model.fingerprint();
        remarks += &format!("# Goes with the model {model}: name its file with --model.\n\n");
    }
    Ok(remarks + &toml::to_string(&table(settings)?)?)
}
