//! The model of the settings: its fingerprint and, once it was given, the model itself.

use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
#[cfg(feature = "learn")]
use {
    super::{Frequency, Reading, Settings},
    crate::{scheme::Scheme, weights::Weighting},
};

/// The model of the settings. Settings that were read from a file have only its fingerprint.
///
/// ```
/// # #[cfg(feature = "learn")] {
/// use firsthand::{Document, settings::Learned};
/// use firsthand::{evaluate::{Label, Sample, Truth}, learn::{LearningPlan, Trainer}};
/// use std::sync::Arc;
///
/// let text = "The ferry to the island did not sail because of the storm over the coast";
/// let documents = ["today", "again"].map(|end| Document::new(end, format!("{text} {end}")));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let plan = LearningPlan::new("corpus")?;
/// let model = Trainer::new(&documents, &truth, &plan)?.binary(&Sample::whole(&truth))?;
/// let fingerprint = model.fingerprint();
/// let learned = Learned::new(Arc::new(model));
/// assert_eq!(learned.fingerprint(), fingerprint);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    fingerprint: String,
    #[serde(skip)]
    model: Option<Arc<Model>>,
}

impl Learned {
    /// The setting for a model.
    pub fn new(model: Arc<Model>) -> Self {
        Self { fingerprint: model.fingerprint(), model: Some(model) }
    }

    /// The fingerprint of the model.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The model, if it was given.
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

#[cfg(feature = "learn")]
impl Settings {
    /// These settings with the scheme, measure and threshold of a model. Quotes of mail stay in the
    /// text, since a model has a weight of its own for quoted lines.
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
