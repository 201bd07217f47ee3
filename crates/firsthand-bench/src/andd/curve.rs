//! The quality of weights learned from few documents.
//!
//! Half of the documents are in clusters, half have no near-duplicate, as when somebody searches
//! for copies and labels the results. Clusters stay whole.

use super::{
    AnddTask,
    labelled::Labelled,
    trials::{Comparison, RunDetails, Trials},
};
use crate::rng::Rng;
use anyhow::Result;
use firsthand::evaluate::{Sample, Truth};
use firsthand::learn::{LearnError, LearningPlan, Trainer};
use firsthand::settings::Measure;
use std::io::Write;
use std::time::Instant;

/// A few clusters may have only exact copies, from which nothing can be learned: then others are
/// drawn.
const TRIES: u64 = 20;

pub(super) fn measure<W: Write>(
    task: &AnddTask,
    labelled: &Labelled,
    plan: &LearningPlan,
    trials: &mut Trials<'_, W>,
) -> Result<()> {
    // One curve: for the first number of words per gram and the first measure given.
    let words = task.words.first().copied().unwrap_or(1);
    let measure = task.measures.first().copied().unwrap_or(Measure::Cosine);
    let plan = LearningPlan { words, measure, ..plan.clone() };
    let truth = &labelled.truth;
    let lesson = Trainer::new(&labelled.documents, truth, &plan)?;
    for (run, (train, _)) in trials.halves().iter().enumerate() {
        for &documents in &task.documents {
            let start = Instant::now();
            let model = if documents == 0 {
                lesson.untrained(train)?
            } else {
                let few = |attempt| few(truth, train, documents, run as u64, attempt);
                let mut fitted = lesson.fit(&few(0));
                for attempt in 1..TRIES {
                    if !matches!(fitted, Err(LearnError::TooFew { .. })) {
                        break;
                    }
                    fitted = lesson.fit(&few(attempt));
                }
                fitted?
            };
            let beside = RunDetails {
                threshold: Some(model.written().threshold.value()),
                seconds: start.elapsed().as_secs_f64(),
                features: None,
            };
            let way = Comparison {
                part: "curve",
                name: "learned".to_owned(),
                measure: Some(plan.measure),
                words: Some(plan.words),
                size: Some(documents),
            };
            trials.row(&way, run, &lesson.score(&model)?, beside)?;
        }
    }
    Ok(())
}

/// A random selection of `documents` documents of a half: whole clusters and single documents, half
/// of each.
fn few(truth: &Truth, half: &Sample, documents: usize, run: u64, attempt: u64) -> Sample {
    let mut rng = Rng::new(1, &[run, documents as u64, attempt]);
    let mut units: Vec<u32> =
        (0..truth.units() as u32).filter(|&unit| half.unit(unit) > 0).collect();
    rng.shuffle(&mut units);
    let first = truth.clusters_first() as u32;
    let (clusters, alone): (Vec<u32>, Vec<u32>) = units.into_iter().partition(|&at| at < first);
    let size = |unit: u32| truth.sizes()[unit as usize] as usize;
    let mut taken = vec![false; truth.units()];
    let mut count = 0;
    let within = documents.div_ceil(2);
    for unit in clusters {
        // A large cluster would leave no room for a second one.
        if count + size(unit) <= within {
            taken[unit as usize] = true;
            count += size(unit);
        }
    }
    for unit in alone.into_iter().take(documents.saturating_sub(count)) {
        taken[unit as usize] = true;
    }
    Sample::only(truth, |unit| taken[unit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::evaluate::Label;

    #[test]
    fn few_documents_are_of_the_half_and_clusters_are_whole() {
        let label = |at: u32| if at < 60 { Label::Cluster(at / 3) } else { Label::Alone };
        let truth = Truth::clusters(&(0..160).map(label).collect::<Vec<_>>(), []);
        let (half, other) = Sample::halves(&truth, 1, 0).expect("clusters");
        for documents in [10, 20, 40] {
            let few = few(&truth, &half, documents, 0, 0);
            let taken: Vec<u32> =
                (0..truth.units() as u32).filter(|&unit| few.unit(unit) > 0).collect();
            assert!(taken.iter().all(|&unit| half.unit(unit) > 0 && other.unit(unit) == 0));
            let size: u32 = taken.iter().map(|&unit| truth.sizes()[unit as usize]).sum();
            assert_eq!(size as usize, documents);
            let clusters = taken.iter().filter(|&&unit| truth.sizes()[unit as usize] > 1).count();
            assert_eq!(clusters, documents.div_ceil(2) / 3);
        }
    }
}
