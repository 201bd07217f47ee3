//! The full assessment of several methods, with intervals on the same draws for all of them.

use super::{
    bootstrap::{Interval, draws},
    closure::Closure,
    counts::{Counts, Goal},
    held_out::{Trial, held_out},
    sample::Sample,
    scored::{Choice, Scored},
    truth::Truth,
};

/// The number of draws and splits.
///
/// ```
/// use firsthand::evaluate::Plan;
///
/// let quick = Plan { draws: 100, ..Plan::default() };
/// assert_eq!((quick.draws, quick.runs), (100, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Bootstrap draws.
    pub draws: usize,
    /// Runs with one half held out.
    pub runs: usize,
    /// The seed of draws and splits.
    pub seed: u64,
    /// The least precision for the recall figure.
    pub precision: f64,
}

impl Default for Plan {
    /// 2,000 draws, five runs, recall at precision .99.
    fn default() -> Self {
        Self { draws: 2_000, runs: 5, seed: 1, precision: 0.99 }
    }
}

/// What a method reports.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Closure, Label, Sample, Scored, Subject, Truth};
///
/// let truth = Truth::clusters(&[1, 1, 1].map(Label::Cluster), []);
/// let pairs = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.3)];
/// let pairs = pairs.map(|(a, b, score)| Match { a, b, score, exact: false });
/// let found = pairs.iter().copied().filter(|pair| pair.score >= 0.8);
/// let subject = Subject {
///     direct: Scored::new(&truth, found.clone(), 0.8),
///     closure: Closure::new(&truth, found),
///     scored: Scored::new(&truth, pairs, 0.2),
/// };
/// // The closure has the third pair, too.
/// let whole = Sample::whole(&truth);
/// assert_eq!((subject.direct.all(&whole).hits, subject.closure.counts(&whole).hits), (2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Subject {
    /// The pairs at its own threshold.
    pub direct: Scored,
    /// The groups these form.
    pub closure: Closure,
    /// The pairs down to a low threshold.
    pub scored: Scored,
}

/// The assessment of a method.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Closure, Label, Plan, Scored, Subject, Truth, assess};
///
/// let truth = Truth::clusters(&[1, 1, 2, 2].map(Label::Cluster), []);
/// let pairs = [(0, 1, 0.9), (2, 3, 0.7), (1, 2, 0.4)];
/// let pairs = pairs.map(|(a, b, score)| Match { a, b, score, exact: false });
/// // At its own threshold, 0.8, it finds one pair of two.
/// let subject = Subject {
///     direct: Scored::new(&truth, [pairs[0]], 0.8),
///     closure: Closure::new(&truth, [pairs[0]]),
///     scored: Scored::new(&truth, pairs, 0.2),
/// };
/// let assessment = &assess(&truth, &[subject], &Plan { draws: 50, ..Plan::default() })[0];
/// assert_eq!((assessment.direct.precision(), assessment.direct.recall()), (1.0, 0.5));
/// assert_eq!(assessment.best.1.map(|choice| choice.threshold), Some(0.7));
/// ```
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The counts at its own threshold.
    pub direct: Counts,
    /// Precision, recall and F1 of these.
    pub direct_quality: [Interval; 3],
    /// The counts of the transitive closure.
    pub closure: Counts,
    /// Precision, recall and F1 of these.
    pub closure_quality: [Interval; 3],
    /// The best F1 over all thresholds, and its threshold.
    pub best: (Interval, Option<Choice>),
    /// The highest recall at the required precision, and its threshold.
    pub recall: (Interval, Option<Choice>),
    /// The mean F1 over the runs; `None` without runs.
    pub held_out: Option<Interval>,
    /// The runs.
    pub trials: Vec<Trial>,
    /// Per draw, F1 at its own threshold and the best F1.
    drawn: Vec<(f64, f64)>,
}

/// The figures of one method on one sample.
struct SampleFigures {
    direct: [f64; 3],
    closure: [f64; 3],
    best: f64,
    recall: f64,
    held_out: f64,
}

/// Assesses several methods on the same draws and splits.
pub fn assess(truth: &Truth, subjects: &[Subject], plan: &Plan) -> Vec<Assessment> {
    let trials: Vec<Vec<Trial>> = subjects
        .iter()
        .map(|subject| held_out(truth, &subject.scored, Goal::F1, plan.runs, plan.seed))
        .collect();
    let goal = Goal::Recall { precision: plan.precision };
    // All methods get the same halves.
    let halves: Vec<Sample> =
        trials.first().into_iter().flatten().map(|trial| trial.half.clone()).collect();
    let all_figures = |sample: &Sample| -> Vec<SampleFigures> {
        let halves: Vec<Sample> = halves.iter().map(|half| half.times(sample, truth)).collect();
        let of = |(subject, trials): (&Subject, &Vec<Trial>)| {
            figures(subject, trials, &halves, sample, goal)
        };
        subjects.iter().zip(&trials).map(of).collect()
    };
    let whole = Sample::whole(truth);
    let plain = all_figures(&whole);
    let drawn = draws(truth, plan.draws, plan.seed, all_figures);
    let assess = |at: usize| {
        let (subject, plain) = (&subjects[at], &plain[at]);
        let column = |value: f64, of: &dyn Fn(&SampleFigures) -> f64| {
            Interval::new(value, drawn.iter().map(|draw| of(&draw[at])))
        };
        let three = |values: [f64; 3], of: &dyn Fn(&SampleFigures) -> [f64; 3]| {
            [0, 1, 2].map(|at| column(values[at], &|figures| of(figures)[at]))
        };
        Assessment {
            direct: subject.direct.all(&whole),
            direct_quality: three(plain.direct, &|figures| figures.direct),
            closure: subject.closure.counts(&whole),
            closure_quality: three(plain.closure, &|figures| figures.closure),
            best: (
                column(plain.best, &|figures| figures.best),
                subject.scored.best(&whole, Goal::F1),
            ),
            recall: (
                column(plain.recall, &|figures| figures.recall),
                subject.scored.best(&whole, goal),
            ),
            held_out: (!trials[at].is_empty())
                .then(|| column(plain.held_out, &|figures| figures.held_out)),
            trials: trials[at].clone(),
            drawn: drawn.iter().map(|draw| (draw[at].direct[2], draw[at].best)).collect(),
        }
    };
    (0..subjects.len()).map(assess).collect()
}

fn figures(
    subject: &Subject,
    trials: &[Trial],
    halves: &[Sample],
    sample: &Sample,
    goal: Goal,
) -> SampleFigures {
    let three = |counts: Counts| [counts.precision(), counts.recall(), counts.f1()];
    let value = |goal| subject.scored.best(sample, goal).map_or(0.0, |best| best.value);
    // There is no recall on a half without positive pairs.
    let tests: Vec<f64> = trials
        .iter()
        .zip(halves)
        .filter(|(_, half)| half.positives() > 0)
        .map(|(trial, half)| trial.on(&subject.scored, half).f1())
        .collect();
    SampleFigures {
        direct: three(subject.direct.all(sample)),
        closure: three(subject.closure.counts(sample)),
        best: value(Goal::F1),
        recall: value(goal),
        held_out: tests.iter().sum::<f64>() / tests.len() as f64,
    }
}

/// F1 of one method minus F1 of another: at their own thresholds, and at the best ones. Both must
/// come from the same call of [`assess`].
pub fn difference(one: &Assessment, other: &Assessment) -> (Interval, Interval) {
    let pairs = || one.drawn.iter().zip(&other.drawn);
    let own = one.direct_quality[2].value - other.direct_quality[2].value;
    let best = one.best.0.value - other.best.0.value;
    (
        Interval::new(own, pairs().map(|(a, b)| a.0 - b.0)),
        Interval::new(best, pairs().map(|(a, b)| a.1 - b.1)),
    )
}
