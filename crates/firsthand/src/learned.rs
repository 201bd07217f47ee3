//! The model that settings refer to: its fingerprint, and the model itself once it is loaded.

use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model that settings refer to. Settings read from a file have only its fingerprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    fingerprint: String,
    #[serde(skip)]
    model: Option<Arc<Model>>,
}

impl Learned {
    /// A model that is loaded.
    pub fn new(model: Arc<Model>) -> Self {
        Self { fingerprint: model.fingerprint(), model: Some(model) }
    }

    /// Identifies the model.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The model, if it is loaded.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }
}

/// Models with the same fingerprint give the same answers.
impl PartialEq for Learned {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}
