//! Tests the number guard through the whole detector: real texts with one figure changed must be
//! updates, and those with only other page furniture duplicates.

use super::run::{LabelledStream, StreamError, sign};
use crate::{
    document::Document,
    evaluate::{change_furniture, change_one_figure},
    guard::Change,
    online::{Memory, Online, StreamDetector, Verdict},
    settings::Settings,
};
use serde::Serialize;

/// The guard's results.
///
/// ```
/// use firsthand::{Document, Settings, evaluate::{Label, Truth, online::{LabelledStream, guarded}}};
///
/// let text = "The storm has killed 17 people in the old town by the river, said the police.";
/// let documents = [Document::new("storm", text)];
/// let truth = Truth::clusters(&[Label::Alone], []);
/// let stream = LabelledStream { documents: &documents, truth: &truth };
/// let guarded = guarded(&stream, &Settings::profile("alert")?, 1)?;
/// assert_eq!((guarded.changed, guarded.caught, guarded.recall), (1, 1, Some(1.0)));
/// assert_eq!((guarded.furniture, guarded.false_updates), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Guarded {
    /// Texts with one figure changed.
    pub changed: u64,
    /// Those of them called updates.
    pub caught: u64,
    /// Those of them called duplicates: the new figure would go unnoticed.
    pub hidden: u64,
    /// The share of changed figures that are caught; `None` if there were none.
    pub recall: Option<f64>,
    /// Texts with other furniture only.
    pub furniture: u64,
    /// Those of them called updates.
    pub false_updates: u64,
    /// Those of them called originals.
    pub unlinked: u64,
    /// The share of changed furniture that is reported as an update; `None` if there was none.
    pub false_rate: Option<f64>,
    /// The errors, at most 50 of each kind.
    pub slips: Vec<Slip>,
}

/// A text with a wrong verdict.
///
/// ```
/// use firsthand::{Document, Settings, settings::Numbers};
/// use firsthand::{evaluate::{Label, Truth, online::{LabelledStream, guarded}}, online::Verdict};
///
/// let text = "The storm has killed 17 people in the old town by the river, said the police.";
/// let documents = [Document::new("storm", text)];
/// let truth = Truth::clusters(&[Label::Alone], []);
/// let stream = LabelledStream { documents: &documents, truth: &truth };
/// // Without the guard, the text with another number of dead is a duplicate.
/// let mut settings = Settings::profile("alert")?;
/// settings.stream.numbers = Some(Numbers::Ignore);
/// let slip = &guarded(&stream, &settings, 1)?.slips[0];
/// assert_eq!((&*slip.id, slip.verdict), ("storm", Verdict::Duplicate));
/// assert_eq!(slip.made.as_ref().map(|change| &*change.before), Some("17"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slip {
    /// The document it was made from.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The figure that was changed; `None` if only furniture was.
    pub made: Option<Change>,
    /// The figures reported as changed.
    pub found: Vec<Change>,
}

/// Errors kept of each kind, at most.
const SLIPS: usize = 50;

impl Guarded {
    fn slip(&mut self, slip: Slip) {
        let is_furniture = slip.made.is_none();
        let known = self.slips.iter().filter(|known| known.made.is_none() == is_furniture);
        if known.count() < SLIPS {
            self.slips.push(slip);
        }
    }
}

/// Stores the original of every cluster, with furniture around it, and asks about two texts made
/// from each: one in which only a figure of the article has changed, one in which only figures of
/// the furniture have. Neither is stored.
///
/// # Errors
///
/// The settings do not suit a stream, or the store fails.
pub fn guarded(
    stream: &LabelledStream<'_>,
    settings: &Settings,
    seed: u64,
) -> Result<Guarded, StreamError> {
    let detector = StreamDetector::new(settings.clone())?;
    let stories = stream.stories();
    // Each text has its own seeds.
    let seeds = |at: usize| {
        let seed = seed.wrapping_add(at as u64);
        (seed, !seed)
    };
    let with = |at: usize, what: &str, text: String| {
        let document = &stream.documents[at];
        let id = format!("{}{what}", document.id);
        Document { id, text, time: None, ..document.clone() }
    };
    let originals = stories.originals().iter();
    let originals: Vec<usize> =
        originals.copied().filter(|&at| !stream.documents[at].text.trim().is_empty()).collect();
    let framed = originals.iter().map(|&at| {
        let text = change_furniture(&stream.documents[at].text, seeds(at).0);
        with(at, "", text)
    });
    let framed: Vec<Document> = framed.collect();
    let mut online = Online::new(detector.clone(), Memory::new());
    online.add(&sign(&detector, &framed))?;

    let mut made: Vec<(Document, usize, Option<Change>)> = Vec::new();
    for &at in &originals {
        let text = &stream.documents[at].text;
        let (seed, other) = seeds(at);
        if let Some((changed, change)) = change_one_figure(text, seed) {
            let text = change_furniture(&changed, seed);
            made.push((with(at, " (a figure changed)", text), at, Some(change)));
        }
        let text = change_furniture(text, other);
        made.push((with(at, " (furniture changed)", text), at, None));
    }
    let documents: Vec<Document> = made.iter().map(|(document, ..)| document.clone()).collect();
    let answers = online.check(&sign(&detector, &documents))?;

    let mut guarded = Guarded::default();
    for ((_, document, change), answer) in made.into_iter().zip(answers) {
        let verdict = answer.verdict;
        let is_right = match &change {
            Some(_) => {
                guarded.changed += 1;
                guarded.caught += u64::from(verdict == Verdict::Update);
                guarded.hidden += u64::from(verdict == Verdict::Duplicate);
                verdict == Verdict::Update
            }
            None => {
                guarded.furniture += 1;
                let is_linked = matches!(verdict, Verdict::Duplicate | Verdict::Update);
                guarded.false_updates += u64::from(verdict == Verdict::Update);
                guarded.unlinked += u64::from(!is_linked);
                verdict == Verdict::Duplicate
            }
        };
        if !is_right {
            let id = stream.documents[document].id.clone();
            guarded.slip(Slip { id, verdict, made: change, found: answer.changed });
        }
    }
    let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
    guarded.recall = share(guarded.caught, guarded.changed);
    guarded.false_rate = share(guarded.false_updates, guarded.furniture);
    Ok(guarded)
}
