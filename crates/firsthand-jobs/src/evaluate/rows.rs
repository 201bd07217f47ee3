//! The report of each method, from its run and its assessment.

use super::measure::MethodRun;
use super::report::{
    BestAt, ClusterQuality, CurvePoint, F1Difference, HeldOutQuality, MethodReport, PairQuality,
};
use crate::labels::NamedSettings;
use firsthand::evaluate::{Assessment, Choice, Counts, Interval, Sample, Truth, difference};

/// The most points of a curve.
const POINTS: usize = 400;

/// The report of a method.
pub(super) fn method(
    named: &NamedSettings,
    run: &MethodRun,
    assessment: &Assessment,
    truth: &Truth,
    ids: &[String],
) -> MethodReport {
    let subject = &run.subject;
    let clusters = subject.closure.agreement(truth).map(|agreement| ClusterQuality {
        b_cubed_precision: agreement.b_cubed_precision,
        b_cubed_recall: agreement.b_cubed_recall,
        b_cubed_f1: agreement.b_cubed_f1(),
        ari: agreement.ari,
    });
    let curve = subject.scored.curve(&Sample::whole(truth), POINTS);
    // Without a second cluster there is nothing to hold out.
    let nothing = Interval { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    let trials = assessment.trials.iter();
    let runs = trials.map(|trial| point(trial.threshold.unwrap_or(1.0), &trial.test)).collect();
    MethodReport {
        name: named.name.clone(),
        about: named.about.clone(),
        config: named.toml.clone(),
        threshold: named.settings.threshold.value(),
        floor: subject.scored.floor(),
        direct: quality(assessment.direct_quality, &assessment.direct),
        closure: quality(assessment.closure_quality, &assessment.closure),
        best: best(assessment.best),
        recall_at_99: best(assessment.recall),
        held_out: HeldOutQuality { f1: assessment.held_out.unwrap_or(nothing), runs },
        clusters,
        curve: curve.iter().map(|(threshold, counts)| point(*threshold, counts)).collect(),
        cost: run.cost.clone(),
        suppressed: run.suppressed.clone(),
        errors: run.errors.report(ids),
    }
}

/// Each other method against the best one.
pub(super) fn differences(
    methods: &[MethodReport],
    assessments: &[Assessment],
) -> Vec<F1Difference> {
    let Some(best) = best_method(methods) else { return Vec::new() };
    let others = (0..methods.len()).filter(|&other| other != best);
    others
        .map(|other| {
            let (f1, max_f1) = difference(&assessments[best], &assessments[other]);
            let name = |at: usize| methods[at].name.clone();
            F1Difference { best: name(best), other: name(other), max_f1, f1 }
        })
        .collect()
}

/// The position of the method with the highest held-out F1, or the highest F1 over all thresholds
/// where nothing could be held out.
pub fn best_method(methods: &[MethodReport]) -> Option<usize> {
    let value = |method: &MethodReport| match method.held_out.f1.value {
        value if value.is_nan() => method.best.value.value,
        value => value,
    };
    // The first of equals.
    (0..methods.len()).rev().max_by(|&a, &b| value(&methods[a]).total_cmp(&value(&methods[b])))
}

fn quality([precision, recall, f1]: [Interval; 3], counts: &Counts) -> PairQuality {
    PairQuality { precision, recall, f1, stated: counts.stated, hits: counts.hits }
}

fn best((value, choice): (Interval, Option<Choice>)) -> BestAt {
    BestAt { value, threshold: choice.map(|choice| choice.threshold) }
}

fn point(threshold: f64, counts: &Counts) -> CurvePoint {
    let (precision, recall, f1) = (counts.precision(), counts.recall(), counts.f1());
    CurvePoint { threshold, precision, recall, f1 }
}
