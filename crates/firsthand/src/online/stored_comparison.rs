//! A document compared with one that a store keeps, of which there is no text.

use super::{
    answer::Verdict,
    arrival::Arrival,
    lookup,
    record::DocumentRecord,
    round::Round,
    round_judge::RoundJudge,
    store::{Store, StoreError},
    upkeep::Upkeep,
};
use crate::{
    compare::Comparison,
    features::Features,
    guard::{Change, Figures},
    settings::Settings,
};
use serde::Serialize;
use std::slice::from_ref;

/// How a document compares with one of a store.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector, Verdict}};
///
/// let detector = StreamDetector::new(Settings::profile("alert")?)?;
/// let story = "The river rose by 3 metres in the night, and the town was warned of a flood by noon.";
/// let first = detector.sign(&Document::new("first", story), 0);
/// let later = detector.sign(&Document::new("later", story.replace('3', "5")), 1);
/// let mut online = Online::new(detector, Memory::new());
/// online.add(&[first])?;
/// let compared = online.upkeep().compare("first", &later)?.expect("it is stored");
/// assert_eq!((compared.verdict, compared.changed.len()), (Verdict::Update, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredComparison {
    /// The id of the stored document.
    pub id: String,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: i64,
    /// What the new document is beside it: a duplicate, an update, an original, or too short.
    pub verdict: Verdict,
    /// Their similarity.
    pub score: f64,
    /// The number of features that they share.
    pub shared: usize,
    /// The number of features of the stored document and of the new one.
    pub sizes: (usize, usize),
    /// Whether their normalised texts are equal.
    pub exact: bool,
    /// The figures that changed, with the number guard.
    pub changed: Vec<Change>,
}

impl StoredComparison {
    fn new(
        settings: &Settings,
        record: &DocumentRecord,
        features: &Features,
        arrival: &Arrival,
    ) -> Self {
        let Comparison { score, shared, sizes, near, exact, .. } =
            Comparison::new(settings, &record.features, features);
        let figures = |bytes: &[u8]| Figures::from_bytes(bytes).unwrap_or_default();
        let changed = match near && !exact {
            true => figures(&record.figures).changed(&figures(&arrival.figures)),
            false => Vec::new(),
        };
        let least = settings.min_features.max(1);
        let verdict = match near {
            true if changed.is_empty() => Verdict::Duplicate,
            true => Verdict::Update,
            false if sizes.0 < least || sizes.1 < least => Verdict::TooShort,
            false => Verdict::Original,
        };
        let (id, time) = (record.id.clone(), record.time);
        Self { id, time, verdict, score, shared, sizes, exact, changed }
    }
}

impl<S: Store> Upkeep<S> {
    /// Compares a document with the one of the store that has this id, as the stream would, without
    /// the page furniture of its site; `None` if there is no such document. Nothing is stored.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn compare(
        &mut self,
        id: &str,
        arrival: &Arrival,
    ) -> Result<Option<StoredComparison>, StoreError> {
        let Self { settings, store, keys, clock, pages, decisions, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let round_judge = RoundJudge { settings, keys, bitmap_index: None, clock, decisions };
        let result = (|| {
            let lookups = round_judge.look_up(&mut round, from_ref(arrival))?;
            let probe = lookup::of_id(id);
            let found = round.find(from_ref(&probe))?.remove(0);
            for seq in round.under(&probe, &found) {
                if let (Some(record), Some(lookup)) = (round.record(seq)?, lookups.first())
                    && record.id == id
                    && !record.dead
                {
                    let features = &lookup.features;
                    return Ok(Some(StoredComparison::new(settings, &record, features, arrival)));
                }
            }
            Ok(None)
        })();
        round.abandon();
        result
    }
}
