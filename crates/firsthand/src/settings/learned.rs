//! The model of the settings: its fingerprint, and the model itself once it was given.

use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
#[cfg(feature = "learn")]
use {
    super::{Frequency, Reading, Settings},
    crate::{scheme::Scheme, weights::Weighting},
};

/// The model of the settings. Settings that were read from a file know its fingerprint only.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    fingerprint: String,
    #[serde(skip)]
    model: Option<Arc<Model>>,
}

impl Learned {
    /// A model that is there.
    pub fn new(model: Arc<Model>) -> Self {
        Self { fingerprint: model.fingerprint(), model: Some(model) }
    }

    /// What tells the model from others.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The model, if it is there.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }
}

/// Models with one fingerprint give the same answers.
impl PartialEq for Learned {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

#[cfg(feature = "learn")]
impl Settings {
    /// These settings with a model in place of their scheme, measure and threshold. Quotes of mail stay
    /// in the text: a model weighs quoted lines by a feature of their own.
    #[must_use]
    pub fn with_model(self, model: &Arc<Model>) -> Self {
        let written = model.written();
        Self {
            measure: written.measure,
            threshold: written.threshold,
            scheme: Scheme::Words { n: written.words },
            multiset: false,
            weights: Weighting::Equal,
            frequency: Frequency::default(),
            model: Some(Learned::new(model.clone())),
            reading: Reading { keep_quotes: true, ..self.reading },
            ..self
        }
    }
}
