//! Why layers of settings do not go together.

use firsthand::SettingsError;

/// Why layers of settings do not go together. A setting is named by its key in a settings file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// Settings that cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A settings file with a value that cannot be used.
    #[error("the settings file holds a setting that cannot be used")]
    File(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A profile or a method that is not a name.
    #[error("{setting} = {value} in the settings file: write a name in quotes")]
    NotAName {
        /// `profile` or `method`.
        setting: &'static str,
        /// What was written.
        value: String,
    },
    /// A settings file with both a profile and a method.
    #[error("the settings file names both a profile and a method: keep one")]
    ProfileAndMethod,
    /// A method beside a model, which is a method of its own.
    #[error("the method {method} does not go with a model, which is a method of its own")]
    MethodWithModel {
        /// The method.
        method: String,
        /// Whether the settings file names it.
        in_file: bool,
    },
    /// A setting that a model has of its own.
    #[error("{setting} does not go with a model, which has grams and weights of its own")]
    NotWithModel {
        /// The setting.
        setting: &'static str,
        /// Whether the settings file sets it.
        in_file: bool,
    },
    /// Settings that were made with another model.
    #[error("the settings go with the model {wanted}, not with the model {given}")]
    OtherModel {
        /// The fingerprint in the settings file.
        wanted: String,
        /// The fingerprint of the model that was given.
        given: String,
    },
    /// Parameters of two schemes.
    #[error("n and q do not go with settings for spot signatures: choose one scheme")]
    TwoSchemes,
    /// A parameter of another matcher.
    #[error("{setting} does not go with the matcher {matcher}")]
    NotWithMatcher {
        /// The setting.
        setting: &'static str,
        /// The matcher.
        matcher: &'static str,
        /// The matcher that has this parameter.
        belongs_to: &'static str,
    },
}
