//! Why settings cannot be used.

use crate::{measure::Measure, threshold::Threshold};

/// Why settings cannot be used. Settings are named by their keys.
///
/// ```
/// use firsthand::{Detector, Settings, SettingsError, settings::Scheme};
///
/// let settings = Settings { scheme: Scheme::Words { n: 0 }, ..Settings::default() };
/// let error = Detector::new(settings).unwrap_err();
/// assert!(matches!(error, SettingsError::OutOfRange { setting: "scheme.n", value: 0, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A number below 1 or beyond what makes sense.
    #[error("{setting} = {value} is out of range: it must be from 1 to {most}")]
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: usize,
        /// The largest value allowed.
        most: usize,
    },
    /// A value that cannot be used.
    #[error("{setting} = {value} {because}")]
    Unusable {
        /// The setting.
        setting: &'static str,
        /// Its value, as it is written in settings.
        value: String,
        /// What is wrong with it, and what would be right.
        because: String,
    },
    /// Bands without rows, or rows without bands.
    #[error("matcher.bands and matcher.rows go together: set both, or leave both to be chosen")]
    BandsWithoutRows,
    /// Bands cannot be chosen for a measure that says nothing about the Jaccard similarity.
    #[error(
        "bands cannot be chosen for the measure containment, which documents with few common \
         features can reach: set matcher.bands and matcher.rows, or use the exact matcher"
    )]
    NoBands {
        /// The measure.
        measure: Measure,
    },
    /// A recall that the allowed number of min-hashes cannot reach.
    #[error(
        "no bands of {hashes} min-hashes reach a recall of {recall} at threshold {threshold}: raise \
         matcher.hashes, or lower matcher.recall"
    )]
    TooFewHashes {
        /// The recall asked for.
        recall: f64,
        /// The threshold.
        threshold: Threshold,
        /// The most min-hashes allowed.
        hashes: usize,
    },
    /// Weights with a measure or a matcher that cannot use them.
    #[error("weights do not work with {with}: {instead}")]
    Weights {
        /// What cannot use them.
        with: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// The settings name a model by its fingerprint, and the model was not given.
    #[error("the settings need the model {fingerprint}, which was not given")]
    NoModel {
        /// The fingerprint of the model.
        fingerprint: String,
    },
    /// A setting that applies to collections only.
    #[error("{setting} = {value} does not apply to a stream: {instead}")]
    NotOnStream {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// A setting that applies to streams only.
    #[error("{setting} = {value} does not apply to a collection: {instead}")]
    NotOnCollection {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// A setting that needs the whole collection, so that two documents alone cannot be compared.
    #[error("{setting} needs the whole collection: two documents alone cannot be compared")]
    NeedsCollection {
        /// The setting.
        setting: &'static str,
    },
    /// Features that were made with other settings.
    #[error("the features were made with other settings: sign the documents again")]
    OtherSettings,
    /// A profile, method or matcher that does not exist.
    #[error("there is no {kind} {name:?}: use one of {known}")]
    Unknown {
        /// `profile`, `method` or `matcher`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: String,
    },
}

/// Checks that a number is from 1 to `most`.
pub(super) fn check_size(
    setting: &'static str,
    value: usize,
    most: usize,
) -> Result<(), SettingsError> {
    match (1..=most).contains(&value) {
        true => Ok(()),
        false => Err(SettingsError::OutOfRange { setting, value, most }),
    }
}

/// Checks that a share is above 0 and below 1, or 1 where the whole is allowed.
pub(super) fn check_share(
    setting: &'static str,
    value: f64,
    is_whole_allowed: bool,
) -> Result<(), SettingsError> {
    // Written so that NaN fails.
    match value > 0.0 && (value < 1.0 || is_whole_allowed && value == 1.0) {
        true => Ok(()),
        false => {
            let because = "is out of range: it must be above 0 and below 1".to_owned();
            Err(SettingsError::Unusable { setting, value: value.to_string(), because })
        }
    }
}

/// Checks that bits fill 64-bit words.
pub(super) fn check_bits(setting: &'static str, value: usize) -> Result<(), SettingsError> {
    match (64..=4096).contains(&value) && value.is_multiple_of(64) {
        true => Ok(()),
        false => {
            let because = "is not usable: it must be a multiple of 64 from 64 to 4096".to_owned();
            Err(SettingsError::Unusable { setting, value: value.to_string(), because })
        }
    }
}
