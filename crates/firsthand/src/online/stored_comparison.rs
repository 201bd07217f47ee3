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
    compare::{Comparison, similarity},
    features::Features,
    guard::{Change, Figures},
    same_site::are_of_one_site,
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
    /// Whether they reach the threshold and are no copies all the same, since more is asked of pages of one
    /// site with different headlines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub held_to_more: bool,
}

impl StoredComparison {
    fn new(
        settings: &Settings,
        record: &DocumentRecord,
        features: &Features,
        arrival: &Arrival,
        above: bool,
    ) -> Self {
        let Comparison { score, shared, sizes, exact, .. } =
            Comparison::new(settings, &record.features, features);
        let least = settings.min_features.max(1);
        let is_short = sizes.0 < least || sizes.1 < least;
        let by_stream = similarity(settings.rule(), &record.features, features, above);
        let by_stream = by_stream.filter(|_| !is_short);
        let near = exact || by_stream.is_some();
        let heads = (record.features.page.as_ref(), features.page.as_ref());
        let is_like = !is_short && score >= settings.threshold.value();
        let held_to_more = !near && is_like && are_of_one_site(heads.0, heads.1);
        let score = by_stream.filter(|_| !exact).unwrap_or(score);
        let figures = |bytes: &[u8]| Figures::from_bytes(bytes).unwrap_or_default();
        let changed = match near && !exact {
            true => figures(&record.figures).changed(&figures(&arrival.figures)),
            false => Vec::new(),
        };
        let verdict = match near {
            true if changed.is_empty() => Verdict::Duplicate,
            true => Verdict::Update,
            false if is_short => Verdict::TooShort,
            false => Verdict::Original,
        };
        let (id, time) = (record.id.clone(), record.time);
        Self { id, time, verdict, score, shared, sizes, exact, changed, held_to_more }
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
                    let above = round_judge.is_above();
                    let compared =
                        StoredComparison::new(settings, &record, features, arrival, above);
                    return Ok(Some(compared));
                }
            }
            Ok(None)
        })();
        round.abandon();
        result
    }
}
