//! Reported pairs with their scores, and their quality at every threshold.

use super::{
    counts::{Counts, Goal},
    sample::Sample,
    truth::Truth,
};
use crate::pairs::Match;

/// The recall given up for a threshold that is not on the edge.
const GIVEN: f64 = 0.005;

/// The counted pairs of a method, by descending score.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Label, Sample, Scored, Truth};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// let pairs = [(0, 1, 0.9), (0, 2, 0.4)].map(|(a, b, score)| Match { a, b, score, exact: false });
/// let scored = Scored::new(&truth, pairs, 0.2);
/// let precision = |threshold| scored.at(&Sample::whole(&truth), threshold).precision();
/// assert_eq!((precision(0.3), precision(0.5)), (0.5, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Scored {
    events: Vec<ScoreEvent>,
    floor: f64,
}

/// All pairs with one score between two units.
#[derive(Clone, Copy, Debug)]
struct ScoreEvent {
    score: f64,
    a: u32,
    b: u32,
    positive: bool,
    count: u32,
}

/// The best threshold for a goal.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Goal, Label, Sample, Scored, Truth};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// let pairs = [(0, 1, 0.75), (0, 2, 0.25)];
/// let pairs = pairs.map(|(a, b, score)| Match { a, b, score, exact: false });
/// let scored = Scored::new(&truth, pairs, 0.2);
/// let choice = scored.best(&Sample::whole(&truth), Goal::F1).ok_or("no pair is right")?;
/// assert_eq!((choice.threshold, choice.below, choice.middle()), (0.75, 0.25, 0.5));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The value of the goal.
    pub value: f64,
    /// The highest such threshold: the lowest score reported.
    pub threshold: f64,
    /// The highest score not reported; the floor if there is none.
    pub below: f64,
    /// The counts at this threshold.
    pub counts: Counts,
}

impl Choice {
    /// The middle between the lowest score reported and the highest one not reported: the threshold
    /// to use on other documents.
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.threshold, self.below)
    }
}

impl Scored {
    /// The pairs of a method, each once; pairs below the `floor` were not searched for.
    pub fn new(truth: &Truth, pairs: impl IntoIterator<Item = Match>, floor: f64) -> Self {
        let event = |pair: Match| {
            let positive = truth.label(pair.a, pair.b)?;
            let (a, b) = (truth.unit(pair.a)?, truth.unit(pair.b)?);
            Some(ScoreEvent { score: pair.score, a: a.min(b), b: a.max(b), positive, count: 1 })
        };
        let mut events: Vec<ScoreEvent> = pairs.into_iter().filter_map(event).collect();
        let key = |event: &ScoreEvent| (event.a, event.b, event.positive);
        events
            .sort_unstable_by(|x, y| y.score.total_cmp(&x.score).then_with(|| key(x).cmp(&key(y))));
        events.dedup_by(|next, kept| {
            let same = next.score == kept.score && key(next) == key(kept);
            if same {
                kept.count += next.count;
            }
            same
        });
        Self { events, floor }
    }

    /// The lowest score searched for.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// Each score, whether its pairs are near-duplicates, and how often they count.
    #[cfg(feature = "learn")]
    pub(crate) fn counted(&self, sample: &Sample) -> impl Iterator<Item = (f64, bool, u64)> {
        self.events.iter().map(|event| {
            let times = sample.pair(event.a, event.b) * u64::from(event.count);
            (event.score, event.positive, times)
        })
    }

    /// The counts of all pairs.
    pub fn all(&self, sample: &Sample) -> Counts {
        count(&self.events, sample)
    }

    /// The counts of the pairs with at least this score.
    pub fn at(&self, sample: &Sample, threshold: f64) -> Counts {
        let end = self.events.partition_point(|event| event.score >= threshold);
        count(&self.events[..end], sample)
    }

    /// The best threshold for a goal; `None` if its condition never holds or no pair is positive.
    pub fn best(&self, sample: &Sample, goal: Goal) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut open = false;
        for (score, counts) in self.levels(sample) {
            if let Some(best) = best.as_mut().filter(|_| open) {
                best.below = score;
                open = false;
            }
            let before = best.map(|best| best.value);
            // At equal precision, more recall is better.
            let tie = matches!(goal, Goal::Precision { .. })
                && best.is_some_and(|best| counts.hits > best.counts.hits);
            match goal.value(&counts) {
                Some(value) if value > before.unwrap_or(0.0) || tie && before == Some(value) => {
                    let below = self.floor.min(score);
                    best = Some(Choice { value, threshold: score, below, counts });
                    open = true;
                }
                _ if goal.is_out_of_reach(&counts, before) => break,
                _ => {}
            }
        }
        best
    }

    /// The threshold for a goal on other documents. Where a least precision is required, the best
    /// threshold lies right on its edge: a little recall is given up for as much precision as it
    /// buys.
    pub fn choose(&self, sample: &Sample, goal: Goal) -> Option<Choice> {
        let best = self.best(sample, goal)?;
        match goal {
            Goal::F1 | Goal::Precision { .. } => Some(best),
            Goal::Recall { .. } => {
                self.best(sample, Goal::Precision { recall: best.value - GIVEN })
            }
        }
    }

    /// Thresholds with their counts, ascending: at every score, thinned to about `most` evenly
    /// spread points, including the best F1.
    pub fn curve(&self, sample: &Sample, most: usize) -> Vec<(f64, Counts)> {
        let mut points: Vec<(f64, Counts)> = self.levels(sample).collect();
        points.reverse();
        let (Some(&(first, _)), Some(&(last, _))) = (points.first(), points.last()) else {
            return points;
        };
        if points.len() > most {
            let best = self.best(sample, Goal::F1).map(|best| best.threshold);
            let width = (last - first) / most.saturating_sub(1).max(1) as f64;
            let bucket = |score: f64| ((score - first) / width) as usize;
            let mut before = None;
            points.retain(|&(score, _)| {
                let new = before != Some(bucket(score));
                before = Some(bucket(score));
                new || best == Some(score)
            });
        }
        points
    }

    /// Each score with a counted pair, descending, with the counts down to it.
    fn levels<'a>(&'a self, sample: &'a Sample) -> impl Iterator<Item = (f64, Counts)> + 'a {
        let mut counts = Counts { positives: sample.positives(), ..Counts::default() };
        self.events.chunk_by(|a, b| a.score == b.score).filter_map(move |level| {
            let added = count(level, sample);
            counts.stated += added.stated;
            counts.hits += added.hits;
            (added.stated > 0).then(|| (level[0].score, counts))
        })
    }
}

fn count(events: &[ScoreEvent], sample: &Sample) -> Counts {
    let mut counts = Counts { positives: sample.positives(), ..Counts::default() };
    for event in events {
        let times = sample.pair(event.a, event.b) * u64::from(event.count);
        counts.stated += times;
        counts.hits += if event.positive { times } else { 0 };
    }
    counts
}
