//! From layers of settings to those that hold: profile or method, then a model, then a file, then
//! single settings.

mod error;
#[cfg(feature = "learn")]
mod learned;
#[cfg(not(feature = "learn"))]
#[path = "settings/learned/absent.rs"]
mod learned;
mod matching;
mod overrides;
mod reading;
mod stream;

pub use error::LayersError;
pub use overrides::{
    ENDLESS, FieldOverrides, LimitOverrides, Overrides, ReadingOverrides, StreamOverrides,
};

use firsthand::{Learned, Scheme, Settings, Spot};
use firsthand_input::ReadOptions;
use toml::{Table, Value};

/// Everything that changes an answer.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// How documents are compared.
    pub config: Settings,
    /// How they are read.
    pub reading: ReadOptions,
}

/// Layers of settings, each over those before it.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The settings to start with where no profile and no method is named: those of a store.
    pub base: Option<Settings>,
    /// The name of a profile. It replaces a profile or method of the file.
    pub profile: Option<String>,
    /// The name of a method. It replaces a profile or method of the file.
    pub method: Option<String>,
    /// A model.
    pub model: Option<Learned>,
    /// A settings file, which may name a profile or a method itself.
    pub file: Option<Table>,
    /// Single settings.
    pub overrides: Overrides,
}

/// What settings are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A whole collection.
    Collection,
    /// Documents as they arrive.
    Stream,
}

impl Layers {
    /// The settings that hold.
    ///
    /// # Errors
    ///
    /// If the layers do not go together, or their result cannot be used.
    pub fn resolve(self, purpose: Purpose) -> Result<RunSettings, LayersError> {
        let Self { base, profile, method, model, file, overrides } = self;
        if let (Some(method), Some(_)) = (&method, &model) {
            return Err(LayersError::MethodWithModel { method: method.clone(), in_file: false });
        }
        let mut file = file.unwrap_or_default();
        let file_profile = take_name(&mut file, "profile")?;
        let file_method = take_name(&mut file, "method")?;
        let input = file.remove("input");
        let named = profile.as_ref().or(file_profile.as_ref().filter(|_| method.is_none()));
        let is_mail = match (named, &model) {
            (Some(named), _) => named == "mail",
            (None, Some(model)) => learned::profile(model) == Some("mail"),
            (None, None) => false,
        };
        let base = match (profile, method) {
            (Some(profile), _) => Settings::profile(&profile)?,
            (_, Some(method)) => Settings::method(&method)?,
            _ => match (file_profile, file_method) {
                (Some(_), Some(_)) => return Err(LayersError::ProfileAndMethod),
                (Some(profile), None) => Settings::profile(&profile)?,
                (None, Some(method)) if model.is_some() => {
                    return Err(LayersError::MethodWithModel { method, in_file: true });
                }
                (None, Some(method)) => Settings::method(&method)?,
                (None, None) => match (base, model.as_ref().and_then(learned::profile)) {
                    (Some(base), _) => base,
                    (None, Some(profile)) => Settings::profile(profile)?,
                    (None, None) => Settings::default(),
                },
            },
        };
        let mut config = match &model {
            Some(model) => {
                let base = learned::over(model, base);
                learned::restore(model, overlay(&base, file)?)?
            }
            None => overlay(&base, file)?,
        };
        if config.model.is_some() {
            refuse_schemes(&overrides)?;
        }
        apply(&overrides, &mut config)?;
        match purpose {
            Purpose::Collection => matching::apply(&overrides, &mut config)?,
            Purpose::Stream => stream::apply(&overrides, &mut config)?,
        }
        config.check()?;
        let start = ReadOptions {
            mail: is_mail,
            // A model weighs quoted lines by a feature of its own.
            keep_quotes: model.is_some(),
            ..ReadOptions::default()
        };
        let reading = reading::resolve(start, input, &overrides.reading)?;
        Ok(RunSettings { config, reading })
    }
}

impl RunSettings {
    /// The settings as a table, as in a settings file.
    ///
    /// # Errors
    ///
    /// If a value cannot be written as TOML.
    pub fn table(&self) -> Result<Table, LayersError> {
        let mut table = Table::try_from(&self.config).map_err(|error| not_usable(error))?;
        let input = reading::table(&self.reading, self.config.model.is_some())?;
        table.insert("input".to_owned(), input);
        Ok(table)
    }
}

fn not_usable(error: impl std::error::Error + Send + Sync + 'static) -> LayersError {
    LayersError::File(Box::new(error))
}

fn take_name(file: &mut Table, setting: &'static str) -> Result<Option<String>, LayersError> {
    match file.remove(setting) {
        Some(Value::String(name)) => Ok(Some(name)),
        Some(other) => Err(LayersError::NotAName { setting, value: other.to_string() }),
        None => Ok(None),
    }
}

/// The base with the keys of the file replaced.
fn overlay(base: &Settings, file: Table) -> Result<Settings, LayersError> {
    let mut table = Table::try_from(base).map_err(not_usable)?;
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
    Value::Table(table).try_into().map_err(not_usable)
}

/// Fails if a single setting asks for features that a model does not have.
fn refuse_schemes(overrides: &Overrides) -> Result<(), LayersError> {
    let given = [
        ("n", overrides.n.is_some()),
        ("q", overrides.q.is_some()),
        ("distance", overrides.distance.is_some()),
        ("chain", overrides.chain.is_some()),
        ("antecedents", overrides.antecedents.is_some()),
        ("language", overrides.language.is_some()),
        ("multiset", overrides.multiset.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((setting, _)) => Err(LayersError::NotWithModel { setting, in_file: false }),
        None => Ok(()),
    }
}

fn apply(overrides: &Overrides, config: &mut Settings) -> Result<(), LayersError> {
    let Overrides { n, q, distance, chain, antecedents, language, .. } = overrides;
    if let Some(n) = *n {
        config.scheme = match config.scheme {
            Scheme::Prose { .. } => Scheme::Prose { n },
            _ => Scheme::Words { n },
        };
    }
    if let Some(q) = *q {
        config.scheme = Scheme::Chars { q };
    }
    if distance.is_some() || chain.is_some() || antecedents.is_some() || language.is_some() {
        let mut spot = match &config.scheme {
            Scheme::Spot(spot) => spot.clone(),
            _ if n.is_some() || q.is_some() => return Err(LayersError::TwoSchemes),
            _ => Spot::default(),
        };
        spot.distance = distance.unwrap_or(spot.distance);
        spot.chain = chain.unwrap_or(spot.chain);
        spot.language = language.or(spot.language);
        if let Some(antecedents) = antecedents {
            spot.antecedents.clone_from(antecedents);
        }
        config.scheme = Scheme::Spot(spot);
    }
    config.threshold = overrides.threshold.unwrap_or(config.threshold);
    config.measure = overrides.measure.unwrap_or(config.measure);
    config.multiset = overrides.multiset.unwrap_or(config.multiset);
    config.min_features = overrides.min_features.unwrap_or(config.min_features);
    config.template = overrides.template.unwrap_or(config.template);
    config.grouping = overrides.grouping.unwrap_or(config.grouping);
    config.original = overrides.original.unwrap_or(config.original);
    config.fold = overrides.fold.unwrap_or(config.fold);
    Ok(())
}
