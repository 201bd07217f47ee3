//! The model that settings go with: by its fingerprint, and the model itself once it is there.

use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The model that settings go with. Settings that were read from a file know its fingerprint only.
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
