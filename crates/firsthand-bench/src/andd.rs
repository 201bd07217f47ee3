//! Learned weights against others, as in the ANDD paper: clusters split in half at random, learned on
//! one half, measured on all pairs of the other.

mod labelled;

use anyhow::{Context, Result};
use firsthand::Measure;
use firsthand::evaluate::{Goal, Sample, Scored};
use firsthand::learn::{Lesson, Plan};
use firsthand::model::Model;
use firsthand_input::Extract;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// What is to be measured.
#[derive(Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) input: PathBuf,
    pub(crate) pairs: Option<PathBuf>,
    pub(crate) profile: String,
    pub(crate) runs: u64,
    pub(crate) words: Vec<usize>,
    pub(crate) measures: Vec<Measure>,
    /// How much of a page is read, and whether what recurs on its site is set aside.
    pub(crate) extract: Extract,
    pub(crate) template: bool,
}

/// One way to weigh, in one run.
#[derive(Debug, Serialize)]
struct Row<'a> {
    run: u64,
    weights: &'a str,
    measure: Measure,
    words: usize,
    /// The best F1 over all thresholds on the test half.
    max_f1: f64,
    /// Precision, recall and F1 there, at the threshold of the training half.
    precision: f64,
    recall: f64,
    f1: f64,
    /// The highest recall at precision .99 on the test half.
    recall_at_99: f64,
    threshold: f64,
    seconds: f64,
}

pub(crate) fn run(task: &Task, out: &mut impl Write) -> Result<()> {
    let mut plan = Plan::new(&task.profile)?;
    plan.config.template &= task.template;
    let labelled = labelled::read(&task.input, task.pairs.as_deref(), task.extract)?;
    let (documents, truth) = (&labelled.documents, &labelled.truth);
    for &words in &task.words {
        for &measure in &task.measures {
            let plan = Plan { words, measure, ..plan.clone() };
            let lesson = Lesson::new(documents, truth, &plan)?;
            for run in 0..task.runs {
                let (train, test) =
                    Sample::halves(truth, 1, run).context("fewer than two clusters")?;
                let mut row = |weights: &str, model: Model, start: Instant| -> Result<()> {
                    let scored: Scored = lesson.score(&model)?;
                    let threshold = model.written().threshold.value();
                    let at = scored.at(&test, threshold);
                    let best = |goal| scored.best(&test, goal).map_or(0.0, |best| best.value);
                    let row = Row {
                        run,
                        weights,
                        measure,
                        words,
                        max_f1: best(Goal::F1),
                        precision: at.precision(),
                        recall: at.recall(),
                        f1: at.f1(),
                        recall_at_99: best(Goal::Recall { precision: 0.99 }),
                        threshold,
                        seconds: start.elapsed().as_secs_f64(),
                    };
                    serde_json::to_writer(&mut *out, &row)?;
                    out.write_all(b"\n")?;
                    Ok(out.flush()?)
                };
                let start = Instant::now();
                row("binary", lesson.binary(&train)?, start)?;
                row("tf-idf", lesson.tf_idf(&train)?, Instant::now())?;
                row("idf", lesson.untrained(&train)?, Instant::now())?;
                let start = Instant::now();
                row("learned", lesson.fit(&train)?, start)?;
            }
        }
    }
    Ok(())
}
