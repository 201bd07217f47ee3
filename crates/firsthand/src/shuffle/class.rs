//! The classes of documents with equal sets, and what is decided about them.

use crate::{
    detector::Detector,
    features::Features,
    preference::rank_bytes,
    settings::{Matcher, Settings, SettingsError},
};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Names by a text and names by a set are hashed differently.
const BY_SET: u64 = 1;
const BY_TEXT: u64 = 2;

/// Checks that the settings can be used where no machine sees the whole collection.
///
/// # Errors
///
/// If they depend on the whole collection, need a model, or let sketches decide.
///
/// ```
/// use firsthand::{Settings, shuffle};
///
/// assert!(shuffle::check(&Settings::profile("corpus")?).is_ok());
/// let error = shuffle::check(&Settings::method("simhash")?).unwrap_err();
/// assert!(error.to_string().starts_with("matcher = bits"));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
pub fn check(settings: &Settings) -> Result<(), SettingsError> {
    settings.check_collection()?;
    if let Some(setting) = settings.needs_collection() {
        return Err(SettingsError::NeedsCollection { setting });
    }
    let refused = |setting, value: &str, because: &str| {
        let (value, because) = (value.to_owned(), because.to_owned());
        Err(SettingsError::Unusable { setting, value, because })
    };
    if let Some(model) = &settings.model {
        let because = "does not run on many machines: leave the model out";
        return refused("model", model.fingerprint(), because);
    }
    match settings.collection_matcher() {
        Matcher::Exact | Matcher::Bands(_) => Ok(()),
        other => {
            refused("matcher", other.name(), "does not run on many machines: use exact or bands")
        }
    }
}

/// Whether a document is compared by more than the hash of its text.
pub(super) fn is_compared(settings: &Settings, features: &Features) -> bool {
    features.len() >= settings.min_features.max(1)
}

/// The name of the class of a document: documents with equal sets share it, and exact copies; none if the
/// text is empty. With a second check, which may tell equal sets apart, only exact copies do.
///
/// ```
/// use firsthand::{Detector, Document, Settings, shuffle};
///
/// let detector = Detector::new(Settings::default())?;
/// let class = |text: &str| shuffle::class(&detector, &detector.sign(&Document::new("", text)));
/// assert_eq!(class("Short, but the same."), class("short but the SAME"));
/// assert_eq!(class(""), None);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
pub fn class(detector: &Detector, features: &Features) -> Option<u128> {
    let settings = detector.settings();
    let text = features.fingerprint?;
    if settings.confirm.is_some() || !is_compared(settings, features) {
        return Some(xxh3_128_with_seed(&text.to_le_bytes(), BY_TEXT));
    }
    let bytes: Vec<u8> = features.set.iter().flat_map(|feature| feature.to_le_bytes()).collect();
    Some(xxh3_128_with_seed(&bytes, BY_SET))
}

/// The place of a document in the order of preference as an original, as bytes: of two documents, the one
/// with the lesser bytes is preferred, or else the one with the lesser id. `length` is that of the
/// normalised text, `order` the place in the input.
///
/// ```
/// use firsthand::{Settings, shuffle::rank};
///
/// let settings = Settings::default();
/// assert!(rank(&settings, Some(5), 10, &[]) < rank(&settings, None, 90, &[]));
/// assert!(rank(&settings, Some(5), 90, &[]) < rank(&settings, Some(5), 10, &[]));
/// ```
pub fn rank(settings: &Settings, time: Option<i64>, length: u32, order: &[u8]) -> Vec<u8> {
    rank_bytes(settings.collection_original(), time, length, order)
}

/// The similarity of two classes, given the features of a document of each, if they are near-duplicates.
/// It is decided by the sets alone: texts that are equal while sets differ are in the class of the first.
///
/// # Errors
///
/// If the features were made with other settings.
pub fn verify(
    detector: &Detector,
    a: &Features,
    b: &Features,
) -> Result<Option<f64>, SettingsError> {
    let by_set = |features: &Features| Features { fingerprint: None, ..features.clone() };
    let comparison = detector.compare(&by_set(a), &by_set(b))?;
    Ok(comparison.near.then_some(comparison.score))
}
