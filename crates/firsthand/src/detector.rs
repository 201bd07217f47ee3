//! The waist of the engine: sign documents, find the keys under which they meet, compare them.

use crate::{
    compare::Comparison,
    document::Document,
    features::Features,
    keys::{self, Keys},
    lines::LineFate,
    settings::{Settings, SettingsError},
    sign::{SignedPage, Signer, settings_tag},
    template::Templates,
};
use std::sync::Arc;

/// Signs and compares documents by settings that were checked.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let a = detector.sign(&Document::new("a", "one two three four five six seven eight nine ten"));
/// let b = detector.sign(&Document::new("b", "one two three four five six seven eight nine ten!"));
/// let comparison = detector.compare(&a, &b)?;
/// assert!(comparison.near && comparison.score > 0.8);
/// let (keys, others) = (detector.keys(&a)?, detector.keys(&b)?);
/// assert!(keys.keys.iter().any(|key| others.keys.contains(key)));
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    settings: Arc<Settings>,
    tag: u64,
}

impl Detector {
    /// A detector for collections and pairs of documents.
    ///
    /// # Errors
    ///
    /// If the settings cannot be used on a collection, or name a model that was not given.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check_collection()?;
        settings.model()?;
        Ok(Self { tag: settings_tag(&settings), settings: Arc::new(settings) })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn shared_settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// The features of a document, without setting page furniture aside.
    pub fn sign(&self, document: &Document) -> Features {
        let mut signed = self.sign_page(document);
        Templates::default().settle(&mut signed);
        signed.into_features(&self.settings, self.tag)
    }

    /// Signs a document whose page furniture will be set aside by [`Self::apply`].
    pub fn sign_page(&self, document: &Document) -> SignedPage {
        Signer::default().sign(document, &self.settings)
    }

    /// The features of a page without the furniture of its site.
    pub fn apply(&self, templates: &Templates, page: &SignedPage) -> Features {
        let mut page = page.clone();
        templates.settle(&mut page);
        page.into_features(&self.settings, self.tag)
    }

    /// The same, where the fates of its lines are known.
    pub(crate) fn apply_fates(
        &self,
        templates: &Templates,
        page: &SignedPage,
        fates: &[LineFate],
    ) -> Features {
        let mut page = page.clone();
        templates.settle_by(&mut page, fates);
        page.into_features(&self.settings, self.tag)
    }

    /// The keys under which a document meets its near-duplicates.
    ///
    /// # Errors
    ///
    /// If the features were made with other settings, or the settings need the whole collection.
    pub fn keys(&self, features: &Features) -> Result<Keys, SettingsError> {
        self.keys_sharing(features, 1)
    }

    /// More keys, so that near-duplicates share at least `least` of them: candidates that share fewer
    /// need not be compared. Small sets have too few features for that: [`Keys::least_shared`] says how
    /// many keys their near-duplicates share.
    ///
    /// # Errors
    ///
    /// If the features were made with other settings, or the settings need the whole collection.
    pub fn keys_sharing(&self, features: &Features, least: u32) -> Result<Keys, SettingsError> {
        self.check(features)?;
        Ok(keys::of_features(&self.settings, features, least))
    }

    /// Compares two documents, exactly as a collection of the two would.
    ///
    /// # Errors
    ///
    /// If the features were made with other settings, or the settings need the whole collection.
    pub fn compare(&self, a: &Features, b: &Features) -> Result<Comparison, SettingsError> {
        self.check(a)?;
        self.check(b)?;
        Ok(Comparison::new(&self.settings, a, b))
    }

    pub(crate) fn check(&self, features: &Features) -> Result<(), SettingsError> {
        if features.settings_tag != self.tag {
            return Err(SettingsError::OtherSettings);
        }
        match self.settings.needs_collection() {
            Some(setting) => Err(SettingsError::NeedsCollection { setting }),
            None => Ok(()),
        }
    }
}

/// Compares two texts.
///
/// ```
/// use firsthand::{Detector, Settings, compare};
///
/// let detector = Detector::new(Settings::default())?;
/// assert!(compare(&detector, "Short, but the same.", "short,  but the SAME.")?.exact);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
///
/// # Errors
///
/// If the settings need the whole collection.
pub fn compare(detector: &Detector, a: &str, b: &str) -> Result<Comparison, SettingsError> {
    let sign = |text: &str| detector.sign(&Document::new("", text));
    detector.compare(&sign(a), &sign(b))
}
