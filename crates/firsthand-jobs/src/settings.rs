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

pub use error::LayersError;
pub use overrides::{
    ENDLESS, FieldOverrides, LimitOverrides, Overrides, ReadingOverrides, StreamOverrides,
};

use firsthand::Settings;
use firsthand::settings::{Learned, Scheme, Spot, Window};
use toml::{Table, Value};

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
    pub fn resolve(self, purpose: Purpose) -> Result<Settings, LayersError> {
        let Self { base, profile, method, model, file, overrides } = self;
        if let (Some(method), Some(_)) = (&method, &model) {
            return Err(LayersError::MethodWithModel { method: method.clone(), in_file: false });
        }
        let mut file = file.unwrap_or_default();
        let file_profile = take_name(&mut file, "profile")?;
        let file_method = take_name(&mut file, "method")?;
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
        let mut settings = match &model {
            Some(model) => {
                let base = learned::over(model, base);
                learned::restore(model, overlay(&base, file)?)?
            }
            None => overlay(&base, file)?,
        };
        if settings.model.is_some() {
            refuse_schemes(&overrides)?;
        }
        apply_features(&overrides, &mut settings)?;
        matching::apply(&overrides, &mut settings, purpose)?;
        reading::apply(&overrides.reading, &mut settings.reading);
        match purpose {
            Purpose::Collection => {
                settings.grouping = overrides.grouping.or(settings.grouping);
                settings.original = overrides.original.or(settings.original);
                settings.numbers = overrides.numbers.unwrap_or(settings.numbers);
                settings.check_collection()?;
            }
            Purpose::Stream => {
                apply_stream(&overrides, &mut settings);
                settings.check_stream()?;
            }
        }
        Ok(settings)
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
            // Tables are merged, but a scheme or matcher of another kind replaces the old one.
            (Some(Value::Table(old)), Value::Table(new))
                if key == "reading"
                    || new.get("kind").is_none_or(|kind| old.get("kind") == Some(kind)) =>
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

/// What features are made by, and how they are compared.
fn apply_features(overrides: &Overrides, settings: &mut Settings) -> Result<(), LayersError> {
    let Overrides { n, q, distance, chain, antecedents, language, .. } = overrides;
    if let Some(n) = *n {
        settings.scheme = match settings.scheme {
            Scheme::Prose { .. } => Scheme::Prose { n },
            _ => Scheme::Words { n },
        };
    }
    if let Some(q) = *q {
        settings.scheme = Scheme::Chars { q };
    }
    if distance.is_some() || chain.is_some() || antecedents.is_some() || language.is_some() {
        let mut spot = match &settings.scheme {
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
        settings.scheme = Scheme::Spot(spot);
    }
    settings.threshold = overrides.threshold.unwrap_or(settings.threshold);
    settings.measure = overrides.measure.unwrap_or(settings.measure);
    settings.multiset = overrides.multiset.unwrap_or(settings.multiset);
    settings.min_features = overrides.min_features.unwrap_or(settings.min_features);
    settings.template = overrides.template.unwrap_or(settings.template);
    settings.fold = overrides.fold.unwrap_or(settings.fold);
    Ok(())
}

/// What differs on a stream.
fn apply_stream(overrides: &Overrides, settings: &mut Settings) {
    let StreamOverrides { window, window_documents, window_bytes, clock } = overrides.stream;
    let stream = &mut settings.stream;
    stream.grouping = overrides.grouping.or(stream.grouping);
    stream.original = overrides.original.or(stream.original);
    stream.numbers = overrides.numbers.or(stream.numbers);
    stream.clock = clock.unwrap_or(stream.clock);
    stream.window = Window {
        milliseconds: match window {
            Some(window) => Some(window).filter(|time| *time != ENDLESS),
            None => stream.window.milliseconds,
        },
        documents: window_documents.or(stream.window.documents),
        bytes: window_bytes.or(stream.window.bytes),
    };
}
