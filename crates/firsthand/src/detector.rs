//! A detector: settings that have been checked, ready to sign and to compare.

use crate::{
    config::{Config, ConfigError},
    document::Document,
    signature::{Signature, Signer},
};

/// Signs documents by one configuration.
#[derive(Clone, Debug)]
pub struct Detector {
    config: Config,
}

impl Detector {
    /// A detector for the configuration, if it is usable.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        config.model()?;
        Ok(Self { config })
    }

    /// A detector that looks after documents that were signed before: it needs no model, and signs
    /// no document.
    pub fn for_upkeep(config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Reduces a document to its signature.
    pub fn sign(&self, document: &Document) -> Signature {
        Signer::default().sign(document, &self.config)
    }
}
