//! The report, from what was measured and what was made of it.

use super::measure::Measured;
use super::methods::Asked;
use super::report::{Best, ClusterQuality, Difference, HeldOut, Interval, Method, Point, Quality};
use anyhow::Result;
use firsthand::evaluate::{self, Assessment, Choice, Counts, Sample, Truth};

/// Points of a curve at most.
const POINTS: usize = 400;

/// The row of a method.
pub(super) fn method(
    asked: &Asked,
    measured: &Measured,
    said: &Assessment,
    truth: &Truth,
    ids: &[String],
) -> Result<Method> {
    let subject = &measured.subject;
    let clusters = subject.closure.agreement(truth).map(|agreement| ClusterQuality {
        b_cubed_precision: agreement.b_cubed_precision,
        b_cubed_recall: agreement.b_cubed_recall,
        b_cubed_f1: agreement.b_cubed_f1(),
        ari: agreement.ari,
    });
    let curve = subject.scored.curve(&Sample::whole(truth), POINTS);
    // Without a second cluster there is nothing to hold out.
    let nothing = evaluate::Interval { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    let runs = said.trials.iter().map(|trial| point(trial.threshold.unwrap_or(1.0), &trial.test));
    Ok(Method {
        name: asked.name.clone(),
        about: asked.about.clone(),
        config: crate::settings::show(&asked.settings)?,
        threshold: asked.settings.config.threshold.value(),
        floor: subject.scored.floor(),
        direct: quality(&said.direct_quality, &said.direct),
        closure: quality(&said.closure_quality, &said.closure),
        best: best(&said.best),
        recall_at_99: best(&said.recall),
        held_out: HeldOut { f1: interval(&said.held_out.unwrap_or(nothing)), runs: runs.collect() },
        clusters,
        curve: curve.iter().map(|(threshold, counts)| point(*threshold, counts)).collect(),
        cost: measured.cost.clone(),
        errors: measured.mistakes.report(ids),
    })
}

/// Each other method against the best: the one with the highest held-out F1.
pub(super) fn differences(methods: &[Method], said: &[Assessment]) -> Vec<Difference> {
    let Some(best) = best_of(methods) else { return Vec::new() };
    let others = (0..methods.len()).filter(|&other| other != best);
    others
        .map(|other| {
            let (f1, max_f1) = evaluate::difference(&said[best], &said[other]);
            Difference {
                best: methods[best].name.clone(),
                other: methods[other].name.clone(),
                max_f1: interval(&max_f1),
                f1: interval(&f1),
            }
        })
        .collect()
}

/// The method with the highest held-out F1, or else the highest best F1.
pub(super) fn best_of(methods: &[Method]) -> Option<usize> {
    let value = |method: &Method| match method.held_out.f1.value {
        value if value.is_nan() => method.best.value.value,
        value => value,
    };
    // The first of equals.
    (0..methods.len()).rev().max_by(|&a, &b| value(&methods[a]).total_cmp(&value(&methods[b])))
}

fn interval(interval: &evaluate::Interval) -> Interval {
    Interval { value: interval.value, low: interval.low, high: interval.high }
}

fn quality([precision, recall, f1]: &[evaluate::Interval; 3], counts: &Counts) -> Quality {
    Quality {
        precision: interval(precision),
        recall: interval(recall),
        f1: interval(f1),
        stated: counts.stated,
        hits: counts.hits,
    }
}

fn best((value, choice): &(evaluate::Interval, Option<Choice>)) -> Best {
    Best { value: interval(value), threshold: choice.map(|choice| choice.threshold) }
}

fn point(threshold: f64, counts: &Counts) -> Point {
    let (precision, recall, f1) = (counts.precision(), counts.recall(), counts.f1());
    Point { threshold, precision, recall, f1 }
}
