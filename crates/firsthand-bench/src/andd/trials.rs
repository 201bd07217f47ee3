//! The halves of the labels, and the quality of a comparison on each, and on draws of the labels.
//!
//! All comparisons are measured on the same halves and draws, so that their figures can be
//! subtracted one by one.

use anyhow::{Context, Result};
use firsthand::evaluate::{Goal, Sample, Scored, Truth};
use firsthand::settings::Measure;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// The seed of draws and halves.
const SEED: u64 = 1;
/// Draws from which a threshold is chosen, as in learning.
const STEADY: u64 = 100;

/// A way of comparing documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// The section of the measurement it belongs to.
    pub(crate) part: &'static str,
    /// Weights, or a method.
    pub(crate) name: String,
    pub(crate) measure: Option<Measure>,
    pub(crate) words: Option<usize>,
    /// Bits, min-hashes, grams or documents.
    pub(crate) size: Option<usize>,
}

/// The figures of one run.
#[derive(Debug, Serialize)]
struct TrialRow<'a> {
    #[serde(flatten)]
    way: &'a Comparison,
    run: usize,
    /// The best F1 over all thresholds on the test half, and precision and recall there.
    max_f1: f64,
    max_precision: f64,
    max_recall: f64,
    /// Precision, recall and F1 there, at the threshold of the training half.
    precision: f64,
    recall: f64,
    f1: f64,
    /// The highest recall at precision .99 on the test half.
    recall_at_99: f64,
    threshold: f64,
    /// The time to learn, or to choose a threshold.
    seconds: f64,
    /// The mean number of features per document, where known.
    features: Option<f64>,
}

/// What else is known about a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunDetails {
    /// The threshold, if it is not chosen here.
    pub(crate) threshold: Option<f64>,
    pub(crate) seconds: f64,
    pub(crate) features: Option<f64>,
}

/// Sums of F1, of the best F1 and of the recall at precision .99 over the runs, draw by draw.
#[derive(Debug)]
struct DrawSums {
    way: Comparison,
    sums: Vec<[f64; 3]>,
    runs: Vec<u32>,
}

/// The halves, and the figures measured on them.
pub(crate) struct Trials<'a, W> {
    truth: &'a Truth,
    halves: Vec<(Sample, Sample)>,
    draws: Vec<Sample>,
    drawn: BTreeMap<String, DrawSums>,
    out: &'a mut W,
}

impl<'a, W: Write> Trials<'a, W> {
    pub(crate) fn new(truth: &'a Truth, runs: u64, draws: u64, out: &'a mut W) -> Result<Self> {
        let halves = (0..runs)
            .map(|run| Sample::halves(truth, SEED, run).context("fewer than two clusters"))
            .collect::<Result<_>>()?;
        let draws = (0..draws).map(|number| Sample::draw(truth, SEED, number)).collect();
        Ok(Self { truth, halves, draws, drawn: BTreeMap::new(), out })
    }

    /// Training and test half of each run.
    pub(crate) fn halves(&self) -> Vec<(Sample, Sample)> {
        self.halves.clone()
    }

    /// Writes the figures of the collection.
    pub(crate) fn collection(&mut self) -> Result<()> {
        let value = serde_json::json!({
            "documents": self.truth.documents(),
            "counted": self.truth.counted(),
            "clusters": self.truth.clusters_first(),
            "positives": self.truth.positives(),
        });
        line(self.out, &value)
    }

    /// Writes the figures of a run.
    pub(crate) fn row(
        &mut self,
        way: &Comparison,
        run: usize,
        scored: &Scored,
        beside: RunDetails,
    ) -> Result<()> {
        let (train, test) = &self.halves[run];
        let threshold = beside.threshold.unwrap_or_else(|| steady(scored, train, self.truth));
        let at = scored.at(test, threshold);
        let best = scored.best(test, Goal::F1);
        let goal = Goal::Recall { precision: 0.99 };
        let row = TrialRow {
            way,
            run,
            max_f1: best.map_or(0.0, |best| best.value),
            max_precision: best.map_or(1.0, |best| best.counts.precision()),
            max_recall: best.map_or(0.0, |best| best.counts.recall()),
            precision: at.precision(),
            recall: at.recall(),
            f1: at.f1(),
            recall_at_99: scored.best(test, goal).map_or(0.0, |best| best.value),
            threshold,
            seconds: beside.seconds,
            features: beside.features,
        };
        line(self.out, &row)?;
        let figures = |draw: &Sample| {
            let half = draw.times(test, self.truth);
            let value = |goal| scored.best(&half, goal).map_or(0.0, |best| best.value);
            // There is no recall on a half without positive pairs.
            (half.positives() > 0)
                .then(|| [scored.at(&half, threshold).f1(), value(Goal::F1), value(goal)])
        };
        let figures: Vec<Option<[f64; 3]>> = self.draws.par_iter().map(figures).collect();
        let key = serde_json::to_string(way)?;
        let drawn = self.drawn.entry(key).or_insert_with(|| DrawSums {
            way: way.clone(),
            sums: vec![[0.0; 3]; figures.len()],
            runs: vec![0; figures.len()],
        });
        for (at, figures) in figures.iter().enumerate() {
            if let Some(figures) = figures {
                drawn.runs[at] += 1;
                drawn.sums[at].iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
            }
        }
        Ok(())
    }

    /// Writes the draws: for each comparison, the mean over its runs, draw by draw.
    pub(crate) fn finish(self) -> Result<()> {
        for drawn in self.drawn.values() {
            let column = |at: usize| -> Vec<f64> {
                let means = drawn.sums.iter().zip(&drawn.runs);
                // Five decimals are enough, and the file stays small.
                means
                    .map(|(sums, &runs)| (sums[at] / f64::from(runs.max(1)) * 1e5).round() / 1e5)
                    .collect()
            };
            let mut value = serde_json::to_value(&drawn.way)?;
            value["drawn"] = serde_json::json!({
                "f1": column(0), "max_f1": column(1), "recall_at_99": column(2),
            });
            line(self.out, &value)?;
        }
        Ok(())
    }
}

/// The threshold for part of the labels: the median of those for draws of it, since the best one
/// depends on few pairs.
fn steady(scored: &Scored, part: &Sample, truth: &Truth) -> f64 {
    let mut thresholds: Vec<f64> = (0..STEADY)
        .map(|number| Sample::draw(truth, SEED, number).times(part, truth))
        .filter_map(|draw| scored.choose(&draw, Goal::F1))
        .map(|choice| choice.middle())
        .collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.get(thresholds.len() / 2).copied().unwrap_or(f64::INFINITY)
}

fn line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    // A run takes minutes: rows appear as they are done.
    Ok(out.flush()?)
}
