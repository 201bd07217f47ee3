//! Why layers of settings do not go together.

use firsthand::SettingsError;
use std::{io, path::PathBuf};

/// Why layers of settings do not go together. A setting is named by its key in a settings file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// Settings that cannot be used.
    #[error("{}{}", .0, about_models(.0))]
    Settings(SettingsError),
    /// A settings file that cannot be read.
    #[error("cannot read the config file {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A settings file that is not TOML.
    #[error("{} is not valid TOML", .path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// Why.
        source: toml::de::Error,
    },
    /// A settings file with a value that cannot be used.
    #[error("{} holds a setting that cannot be used", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: toml::de::Error,
    },
    /// A single setting with a value that cannot be used.
    #[error("a setting cannot be used")]
    Single(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A profile or a method that is not a name.
    #[error("{}: {setting} is {value} and must be a name in quotes", .path.display())]
    NotAName {
        /// The file.
        path: PathBuf,
        /// `profile` or `method`.
        setting: &'static str,
        /// What was written, in short.
        value: String,
    },
    /// A settings file with both a profile and a method.
    #[error("{} names both a profile and a method: keep one", .path.display())]
    ProfileAndMethod {
        /// The file.
        path: PathBuf,
    },
    /// A method beside a model, which is a method of its own.
    #[error(
        "`method` {method} does not go with `model`: a model is a method of its own, with grams, \
         measure and threshold; `profile` says how documents are read and grouped"
    )]
    MethodWithModel {
        /// The method.
        method: String,
    },
    /// A method in the settings file beside a model.
    #[error(
        "the config file names the method {method}, which does not go with `model`: a model is a \
         method of its own; take it out of the file"
    )]
    MethodOfFileWithModel {
        /// The method.
        method: String,
    },
    /// A setting that a model has of its own.
    #[error(
        "`{setting}` does not go with a model, which has grams and weights of its own: leave it out, \
         or learn a model of other grams (`words`)"
    )]
    NotWithModel {
        /// The setting.
        setting: &'static str,
    },
    /// A setting of the settings file that a model has of its own.
    #[error(
        "{} sets {setting:?}, which does not go with `model`: a model has grams and weights of its \
         own; take it out of the file", .path.display()
    )]
    FileNotWithModel {
        /// The file.
        path: PathBuf,
        /// The setting.
        setting: &'static str,
    },
    /// Settings that were made with another model.
    #[error(
        "{} goes with the model {wanted}, and `model` names the model {given}: name the one that it \
         was made with, or take \"model\" out of it", .path.display()
    )]
    OtherModel {
        /// The settings file.
        path: PathBuf,
        /// The fingerprint in the settings file.
        wanted: String,
        /// The fingerprint of the model that was given.
        given: String,
    },
    /// Parameters of two schemes.
    #[error("`n` and `q` do not go with settings for spot signatures: choose one scheme")]
    TwoSchemes,
    /// A parameter of another matcher.
    #[error(
        "`{setting}` does not go with the matcher {matcher}: add `matcher` {belongs_to}, or leave it \
         out"
    )]
    NotWithMatcher {
        /// The setting.
        setting: &'static str,
        /// The matcher.
        matcher: &'static str,
        /// The matcher that has this parameter.
        belongs_to: &'static str,
    },
}

impl From<SettingsError> for LayersError {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}

fn about_models(error: &SettingsError) -> &'static str {
    match error {
        SettingsError::NoModel { .. } if cfg!(feature = "learn") => ": name its file with `model`",
        SettingsError::NoModel { .. } => ": this firsthand was built without models",
        _ => "",
    }
}
