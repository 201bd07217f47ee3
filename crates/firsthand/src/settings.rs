//! Every setting that changes an answer, with its default written once.
//!
//! One type serves collections and streams, and is the same in code, TOML and JSON. If `matcher`,
//! `grouping` or `original` is unset, collections and streams each have a default of their own; the table
//! `stream` says what differs on a stream. A setting that does not apply where it is given is refused
//! by name.

mod choices;
mod duration;
mod error;
mod kind;
mod learned;
mod limits;
mod matcher;
mod profiles;
mod reading;
mod stream;
mod weighing;

pub use choices::{Frequency, Grouping, Numbers, Original};
pub use duration::{duration, parse_duration};
pub use error::SettingsError;
pub use kind::Kind;
pub use learned::Learned;
pub use limits::{Limit, Limits};
pub use matcher::{Bands, Collisions, Confirm, Matcher};
pub use profiles::{METHODS, PROFILES};
pub use reading::{Extract, Fields, Reading};
pub use stream::{ClockSource, Stream, Window};

pub use crate::{
    languages::Language,
    measure::{Measure, Rule},
    scheme::{Antecedent, AntecedentError, Scheme, Spot},
    sketch::Banding,
    threshold::{Threshold, ThresholdError},
    weights::Weighting,
};

use crate::{model::Model, scheme::MOST_WORDS};
use error::check_size;
use serde::{Deserialize, Serialize};

/// Everything that changes an answer, in code, TOML and JSON alike.
///
/// ```
/// use firsthand::Settings;
///
/// let settings = Settings { threshold: "0.7".parse()?, ..Settings::profile("corpus")? };
/// settings.check_collection()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The measure of similarity.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
    /// Whether repeated features count as often as they occur, or once.
    pub multiset: bool,
    /// How much each feature counts. Weights need the measure cosine, extended Jaccard or Jaccard, and
    /// include repetitions.
    #[serde(default)]
    pub weights: Weighting,
    /// A document with fewer features is *short*: it matches only exact copies.
    pub min_features: usize,
    /// Whether blocks that recur on different pages of one site are set aside.
    pub template: bool,
    /// Whether obfuscation is undone before a text is cut into words: invisible characters and
    /// look-alike letters.
    #[serde(default)]
    pub fold: bool,
    /// How clusters are formed; stars if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grouping: Option<Grouping>,
    /// Which document of a cluster is the original; if unset, the earliest in a collection and the
    /// first to arrive on a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Original>,
    /// How documents are turned into features.
    pub scheme: Scheme,
    /// Which features are left out because they are too common or too rare.
    #[serde(default)]
    pub frequency: Frequency,
    /// How near-duplicates are found; if unset, by the exact matcher in a collection, and on a stream
    /// by bands with a recall of .99 where the measure allows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Matcher>,
    /// A second check of each pair that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// What changed numbers mean.
    #[serde(default, skip_serializing_if = "is_default")]
    pub numbers: Numbers,
    /// The model that weighs the grams of documents; they then replace the scheme, and `weights` has no
    /// effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Learned>,
    /// How inputs are turned into documents.
    #[serde(default)]
    pub reading: Reading,
    /// What differs on a stream.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stream: Stream,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Settings {
    /// The rule that decides whether a pair is a near-duplicate.
    pub fn rule(&self) -> Rule {
        Rule { measure: self.measure, threshold: self.threshold }
    }

    /// How pairs of a collection are found.
    pub fn collection_matcher(&self) -> &Matcher {
        self.matcher.as_ref().unwrap_or(&Matcher::Exact)
    }

    /// How clusters of a collection are formed.
    pub fn collection_grouping(&self) -> Grouping {
        self.grouping.unwrap_or_default()
    }

    /// Which document of a cluster of a collection is the original.
    pub fn collection_original(&self) -> Original {
        self.original.unwrap_or(Original::Earliest)
    }

    /// The settings as resolved for a stream: `matcher`, `grouping`, `original` and `numbers` are those
    /// of the table `stream`, else the general ones, else the defaults of a stream.
    pub fn on_stream(&self) -> Self {
        let Stream { matcher, grouping, original, numbers, .. } = &self.stream;
        // Min-hashes of weights estimate Jaccard, and no other measure.
        let by_default = match self.model.is_some() && self.measure != Measure::Jaccard {
            true => Matcher::Exact,
            false => Matcher::of_stream(),
        };
        Self {
            matcher: matcher.clone().or_else(|| self.matcher.clone()).or(Some(by_default)),
            grouping: Some(grouping.or(self.grouping).unwrap_or_default()),
            original: Some(original.or(self.original).unwrap_or(Original::First)),
            numbers: numbers.unwrap_or(self.numbers),
            stream: Stream {
                window: self.stream.window,
                clock: self.stream.clock,
                salt: self.stream.salt,
                ..Stream::default()
            },
            ..self.clone()
        }
    }

    /// The settings that must stay the same for the life of a store, so that its documents can be
    /// compared: those resolved for a stream and, of reading, only what changes the text. Names of
    /// fields, kinds of files and limits may differ from run to run.
    pub fn kept_with_store(&self) -> Self {
        let Reading { extract, mail, keep_quotes, .. } = self.reading;
        let reading = Reading { extract, mail, keep_quotes, ..Reading::default() };
        Self { reading, ..self.on_stream() }
    }

    /// The model, if the settings have one.
    ///
    /// # Errors
    ///
    /// If the settings name a model that was not given.
    pub(crate) fn model(&self) -> Result<Option<&Model>, SettingsError> {
        match &self.model {
            None => Ok(None),
            Some(learned) => match learned.model() {
                Some(model) => Ok(Some(model)),
                None => {
                    Err(SettingsError::NoModel { fingerprint: learned.fingerprint().to_owned() })
                }
            },
        }
    }

    /// Whether sketches decide about a pair of a collection, as in the papers. With a model they only
    /// propose pairs, and the measure verifies them.
    pub(crate) fn is_by_sketch(&self) -> bool {
        self.collection_matcher().is_sketch() && self.model.is_none()
    }

    /// The key of the setting that depends on the whole collection, if there is one.
    pub(crate) fn needs_collection(&self) -> Option<&'static str> {
        if self.weights != Weighting::Equal {
            return Some("weights");
        }
        (!self.frequency.is_off()).then_some("frequency")
    }

    /// Checks the settings for a collection.
    ///
    /// # Errors
    ///
    /// If a setting is out of range, does not work with another, or applies to streams only.
    pub fn check_collection(&self) -> Result<(), SettingsError> {
        self.check_features()?;
        let matcher = self.collection_matcher();
        matcher.check(self.rule())?;
        self.check_weights(matcher)?;
        let refused = |setting, value, instead| {
            Err(SettingsError::NotOnCollection { setting, value, instead })
        };
        if let Matcher::Collisions(_) = matcher {
            return refused("matcher", "collisions", "use another matcher");
        }
        if self.grouping == Some(Grouping::Chain) {
            return refused("grouping", "chain", "use star or component");
        }
        match self.numbers {
            Numbers::Guard => refused("numbers", "guard", "use plain or ignore"),
            Numbers::Ignore | Numbers::Plain => Ok(()),
        }
    }

    /// Checks the settings for a stream, on which nothing can depend on the whole collection.
    ///
    /// # Errors
    ///
    /// If a setting is out of range, does not work with another, or applies to collections only.
    pub fn check_stream(&self) -> Result<(), SettingsError> {
        let settings = self.on_stream();
        settings.check_features()?;
        let refused =
            |setting, value, instead| Err(SettingsError::NotOnStream { setting, value, instead });
        let because = "it needs the whole collection";
        if self.weights != Weighting::Equal {
            return refused("weights", "tf-idf", because);
        }
        if !self.frequency.is_off() {
            return refused("frequency", "a cut", because);
        }
        let matcher = settings.matcher.as_ref().unwrap_or(&Matcher::Exact);
        matcher.check(self.rule())?;
        settings.check_weights(matcher)?;
        self.stream.check()?;
        let because = "use exact, bands or collisions";
        if matcher.is_sketch() {
            return refused("matcher", matcher.name(), because);
        }
        if self.confirm.is_some() {
            return refused("confirm", "a second check", "leave it out");
        }
        let instead = "use first or earliest";
        match settings.original {
            Some(Original::Latest) => refused("original", "latest", instead),
            Some(Original::Longest) => refused("original", "longest", instead),
            _ => Ok(()),
        }
    }

    /// Checks the settings that features depend on.
    fn check_features(&self) -> Result<(), SettingsError> {
        let layers = usize::try_from(self.reading.limits.layers).unwrap_or(usize::MAX);
        check_size("reading.limits.layers", layers.max(1), Limits::MOST_LAYERS as usize)?;
        match &self.scheme {
            Scheme::Prose { n } | Scheme::Words { n } => check_size("scheme.n", *n, MOST_WORDS)?,
            Scheme::Chars { q } => check_size("scheme.q", *q, 256)?,
            Scheme::Spot(spot) => {
                check_size("scheme.distance", spot.distance, 64)?;
                check_size("scheme.chain", spot.chain, 64)?;
                check_size("scheme.grams", spot.grams, 256)?;
            }
        }
        self.confirm.map_or(Ok(()), |confirm| confirm.check())?;
        match self.frequency.idf {
            Some((low, high)) if !(0.0 <= low && low <= high && high <= 1.0) => {
                let because =
                    "is not a range: give the lower bound first, both from 0 to 1".to_owned();
                let value = format!("[{low}, {high}]");
                Err(SettingsError::Unusable { setting: "frequency.idf", value, because })
            }
            _ => Ok(()),
        }
    }
}

impl Default for Settings {
    /// The profile `archive`.
    fn default() -> Self {
        Self {
            measure: Measure::Jaccard,
            threshold: Threshold::percent(40),
            multiset: false,
            weights: Weighting::Equal,
            min_features: 5,
            template: true,
            fold: false,
            grouping: None,
            original: None,
            scheme: Scheme::Words { n: 3 },
            frequency: Frequency::default(),
            matcher: None,
            confirm: None,
            numbers: Numbers::default(),
            model: None,
            reading: Reading::default(),
            stream: Stream::default(),
        }
    }
}
