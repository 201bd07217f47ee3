//! A detector: settings that have been checked, ready to sign and to compare.

use crate::{
    document::Document,
    settings::{Settings, SettingsError},
    signature::{Signature, Signer},
};

/// Signs documents by one configuration.
#[derive(Clone, Debug)]
pub struct Detector {
    settings: Settings,
}

impl Detector {
    /// A detector for the configuration, if it is usable.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        settings.model()?;
        Ok(Self { settings })
    }

    /// A detector that looks after documents that were signed before: it needs no model, and signs
    /// no document.
    pub fn for_upkeep(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Reduces a document to its signature.
    pub fn sign(&self, document: &Document) -> Signature {
        Signer::default().sign(document, &self.settings)
    }
}
