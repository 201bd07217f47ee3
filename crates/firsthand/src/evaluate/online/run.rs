//! Runs documents through the online detector in a given order.

use super::{
    order::{by_time, originals_first},
    score::{ScoredVerdict, Tally, VerdictOutcome, outcomes},
    stories::Stories,
};
use crate::{
    document::Document,
    evaluate::truth::Truth,
    online::{Answer, Arrival, Memory, Online, StoreError, StreamDetector, Verdict},
    settings::{ClockSource, Settings, SettingsError, Window},
};
use rayon::prelude::*;
use std::collections::HashMap;

/// Documents with their labels, ready to arrive in any order.
///
/// ```
/// use firsthand::{Document, Settings, evaluate::{Label, Truth, online::LabelledStream}};
///
/// let at = |id: &str, time| Document { time: Some(time), ..Document::new(id, "The same text") };
/// let documents = [at("later", 2_000), at("earlier", 1_000)];
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let stream = LabelledStream { documents: &documents, truth: &truth };
/// assert_eq!(stream.stories().originals(), [1]);
/// let run = stream.in_time(&Settings::profile("feed")?)?.ok_or("no times")?;
/// assert_eq!(run.order, [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LabelledStream<'a> {
    /// The documents.
    pub documents: &'a [Document],
    /// Their labels.
    pub truth: &'a Truth,
}

/// Why a stream could not be evaluated.
///
/// ```
/// use firsthand::{Settings, SettingsError, settings::Original};
/// use firsthand::evaluate::{Truth, online::{LabelledStream, StreamError}};
///
/// let stream = LabelledStream { documents: &[], truth: &Truth::clusters(&[], []) };
/// // Which document is the longest is known only at the end of a stream.
/// let settings = Settings { original: Some(Original::Longest), ..Settings::default() };
/// let error = stream.at_random(&settings, 1, 1).unwrap_err();
/// assert!(matches!(error, StreamError::Settings(SettingsError::NotOnStream { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of one order.
///
/// ```
/// use firsthand::{Document, Settings};
/// use firsthand::evaluate::{Label, Truth, online::{VerdictOutcome, LabelledStream}};
///
/// let documents = ["a", "b"].map(|id| Document::new(id, "The ferry to the island did not sail."));
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let stream = LabelledStream { documents: &documents, truth: &truth };
/// for run in stream.at_random(&Settings::profile("feed")?, 5, 1)? {
///     // The original comes first in each order, and the first document does not count.
///     assert_eq!(run.order, [0, 1]);
///     assert_eq!(run.outcomes, [None, Some(VerdictOutcome::Found)]);
///     assert_eq!(run.tally().counts().recall(), 1.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The documents in the order of their arrival, by position.
    pub order: Vec<usize>,
    /// The verdict on each document, by position.
    pub said: Vec<ScoredVerdict>,
    /// The outcome of each verdict, by position; `None` where it does not count.
    pub outcomes: Vec<Option<VerdictOutcome>>,
}

impl Run {
    /// The totals.
    pub fn tally(&self) -> Tally {
        Tally::new(self.outcomes.iter().flatten().map(|&outcome| (outcome, 1)))
    }
}

impl LabelledStream<'_> {
    /// The clusters and their originals.
    pub fn stories(&self) -> Stories {
        Stories::new(self.truth, &self.times())
    }

    fn times(&self) -> Vec<Option<i64>> {
        self.documents.iter().map(|document| document.time).collect()
    }

    /// This many random orders with originals first, with an unlimited window. Times are ignored,
    /// because they mean nothing in a random order.
    ///
    /// # Errors
    ///
    /// The settings do not suit a stream, or the store fails.
    pub fn at_random(
        &self,
        settings: &Settings,
        orders: usize,
        seed: u64,
    ) -> Result<Vec<Run>, StreamError> {
        let mut settings = settings.clone();
        settings.stream.window = Window::default();
        settings.stream.clock = ClockSource::Arrival;
        let detector = StreamDetector::new(settings)?;
        let stories = self.stories();
        let arrivals = sign(&detector, self.documents);
        (0..orders as u64)
            .into_par_iter()
            .map(|number| {
                let order = originals_first(&stories, seed, number);
                self.run(&detector, &stories, &arrivals, order)
            })
            .collect()
    }

    /// The documents that have times, in that order, with the configured window; `None` if fewer
    /// than two have one.
    ///
    /// # Errors
    ///
    /// The settings do not suit a stream, or the store fails.
    pub fn in_time(&self, settings: &Settings) -> Result<Option<Run>, StreamError> {
        let order = by_time(&self.times());
        if order.len() < 2 {
            return Ok(None);
        }
        let detector = StreamDetector::new(settings.clone())?;
        let arrivals = sign(&detector, self.documents);
        self.run(&detector, &self.stories(), &arrivals, order).map(Some)
    }

    fn run(
        &self,
        detector: &StreamDetector,
        stories: &Stories,
        arrivals: &[Arrival],
        order: Vec<usize>,
    ) -> Result<Run, StreamError> {
        let places: HashMap<&str, usize> =
            self.documents.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
        let mut online = Online::new(detector.clone(), Memory::new());
        let mut said = vec![ScoredVerdict::Original; self.documents.len()];
        for &at in &order {
            for answer in online.add(std::slice::from_ref(&arrivals[at]))? {
                said[at] = heard(&answer, &places);
            }
        }
        let in_order = outcomes(self.truth, stories, &order, &said);
        let mut outcomes = vec![None; self.documents.len()];
        for (&at, outcome) in order.iter().zip(in_order) {
            outcomes[at] = outcome;
        }
        Ok(Run { order, said, outcomes })
    }
}

pub(super) fn sign(detector: &StreamDetector, documents: &[Document]) -> Vec<Arrival> {
    documents
        .par_iter()
        .map(|document| detector.sign(document, document.time.unwrap_or(0)))
        .collect()
}

/// The verdict of an answer; documents that cannot be compared are originals.
fn heard(answer: &Answer, places: &HashMap<&str, usize>) -> ScoredVerdict {
    let update = match answer.verdict {
        Verdict::Duplicate => false,
        Verdict::Update => true,
        Verdict::Original | Verdict::TooShort | Verdict::Error => return ScoredVerdict::Original,
    };
    let of = answer.original.as_deref().and_then(|id| places.get(id));
    let score = answer.score.unwrap_or(0.0);
    of.map_or(ScoredVerdict::Original, |&of| ScoredVerdict::Copy { of, score, update })
}
