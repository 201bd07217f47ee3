//! Which method to use at which threshold, by cross-validation over clusters.
//!
//! The threshold of a method is chosen on one half of the labels and evaluated on the other,
//! several times. The method that does best there is selected, and its threshold is then chosen
//! once more on all labels.

use super::{
    bootstrap::{Interval, draws},
    counts::{Counts, Goal},
    held_out::{Trial, held_out},
    sample::Sample,
    scored::{Choice, Scored},
    truth::Truth,
};

/// The penalty per hundredth short of the required precision or recall, in hundredths: a method
/// that just misses it should not lose to one that finds next to nothing.
const SHORTFALL: f64 = 10.0;

/// The number of draws and splits.
///
/// ```
/// use firsthand::evaluate::Effort;
///
/// let quick = Effort { draws: 100, ..Effort::default() };
/// assert_eq!((quick.runs, quick.seed), (10, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Splits into halves.
    pub runs: usize,
    /// Draws of the bootstrap.
    pub draws: usize,
    /// The seed of draws and splits.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { runs: 10, draws: 1_000, seed: 1 }
    }
}

/// The result of a method.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Effort, Goal, Label, Scored, Truth, tune};
///
/// let truth = Truth::clusters(&[1, 1, 2, 2, 3, 3, 4, 4].map(Label::Cluster), []);
/// let scored = |wrong| {
///     let pairs = [(0, 1, 0.9), (2, 3, 0.9), (4, 5, 0.8), (6, 7, 0.8), (1, 4, wrong)];
///     Scored::new(&truth, pairs.map(|(a, b, score)| Match { a, b, score, exact: false }), 0.2)
/// };
/// // The first method takes a wrong pair for the most similar one.
/// let candidates = tune(&truth, &[scored(1.0), scored(0.3)], Goal::F1, Effort::default());
/// assert_eq!((candidates[0].at, candidates[0].value, candidates[0].kept), (1, 1.0, (10, 10)));
/// assert!(candidates[1].behind.value > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its position among the given methods.
    pub at: usize,
    /// The threshold for all labels; `None` if the goal is out of reach.
    pub choice: Option<Choice>,
    /// Mean precision, recall and F1 on the halves on which the threshold was not chosen.
    pub held_out: [Interval; 3],
    /// The runs in which the condition of the goal held on the other half, and all runs.
    pub kept: (usize, usize),
    /// The lowest and the highest threshold chosen on a half.
    pub thresholds: Option<(f64, f64)>,
    /// The value by which it is ranked.
    pub value: f64,
    /// How far it is behind the best method, on the same draws.
    pub behind: Interval,
}

/// All methods, best first. Empty if the labels cannot be split, which takes two clusters.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Effort, Goal, Label, Scored, Truth, tune};
///
/// let truth = Truth::clusters(&[1, 1, 2, 2].map(Label::Cluster), []);
/// let pairs = [(0, 1, 0.9), (2, 3, 0.8), (1, 2, 0.3)];
/// let pairs = pairs.map(|(a, b, score)| Match { a, b, score, exact: false });
/// let methods = [Scored::new(&truth, pairs, 0.2)];
/// let best = &tune(&truth, &methods, Goal::F1, Effort::default())[0];
/// assert_eq!(best.choice.map(|choice| choice.threshold), Some(0.8));
/// ```
pub fn tune(truth: &Truth, methods: &[Scored], goal: Goal, effort: Effort) -> Vec<Candidate> {
    let trials: Vec<Vec<Trial>> = methods
        .iter()
        .map(|scored| held_out(truth, scored, goal, effort.runs, effort.seed))
        .collect();
    if trials.first().is_none_or(Vec::is_empty) {
        return Vec::new();
    }
    let figures = |sample: &Sample| -> Vec<[f64; 3]> {
        let of = |(scored, trials): (&Scored, &Vec<Trial>)| {
            mean(trials.iter().filter_map(|trial| {
                let half = trial.half.times(sample, truth);
                // There is no recall on a half without positive pairs.
                (half.positives() > 0).then(|| trial.on(scored, &half))
            }))
        };
        methods.iter().zip(&trials).map(of).collect()
    };
    let whole = Sample::whole(truth);
    let plain = figures(&whole);
    let drawn = draws(truth, effort.draws, effort.seed, figures);
    let values: Vec<f64> = plain.iter().map(|figures| value(goal, *figures)).collect();
    let mut order: Vec<usize> = (0..methods.len()).collect();
    // Ties go to the method whose threshold has the widest margin.
    let choices: Vec<Option<Choice>> =
        methods.iter().map(|scored| scored.choose(&whole, goal)).collect();
    let room = |at: usize| choices[at].map_or(0.0, |choice| choice.threshold - choice.below);
    let rank = |at: usize| (values[at], room(at));
    order.sort_by(|&a, &b| {
        let (a, b) = (rank(a), rank(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    let best = order[0];
    let candidate = |at: usize| {
        let column = |figure: usize| {
            Interval::new(plain[at][figure], drawn.iter().map(|draw| draw[at][figure]))
        };
        let thresholds = || trials[at].iter().filter_map(|trial| trial.threshold);
        let holds = |trial: &&Trial| goal.value(&trial.test).is_some();
        Candidate {
            at,
            choice: choices[at],
            held_out: [0, 1, 2].map(column),
            kept: (trials[at].iter().filter(holds).count(), trials[at].len()),
            thresholds: thresholds()
                .min_by(f64::total_cmp)
                .zip(thresholds().max_by(f64::total_cmp)),
            value: values[at],
            behind: Interval::new(
                values[best] - values[at],
                drawn.iter().map(|draw| value(goal, draw[best]) - value(goal, draw[at])),
            ),
        }
    };
    order.into_iter().map(candidate).collect()
}

/// How far a method is ahead of another that keeps its threshold, on labels that the threshold of
/// the first was not chosen by. If the lower end is not above 0, the labels do not tell them apart.
pub fn lead(
    truth: &Truth,
    first: &Scored,
    (other, threshold): (&Scored, f64),
    goal: Goal,
    effort: Effort,
) -> Interval {
    let trials = held_out(truth, first, goal, effort.runs, effort.seed);
    let lead = |sample: &Sample| {
        let halves: Vec<(&Trial, Sample)> = trials
            .iter()
            .map(|trial| (trial, trial.half.times(sample, truth)))
            .filter(|(_, half)| half.positives() > 0)
            .collect();
        let of_first = mean(halves.iter().map(|(trial, half)| trial.on(first, half)));
        let of_other = mean(halves.iter().map(|(_, half)| other.at(half, threshold)));
        value(goal, of_first) - value(goal, of_other)
    };
    Interval::new(lead(&Sample::whole(truth)), draws(truth, effort.draws, effort.seed, lead))
}

fn mean(counts: impl Iterator<Item = Counts>) -> [f64; 3] {
    let mut sums = [0.0; 3];
    let mut runs = 0.0;
    for counts in counts {
        sums[0] += counts.precision();
        sums[1] += counts.recall();
        sums[2] += counts.f1();
        runs += 1.0;
    }
    sums.map(|sum| sum / runs)
}

/// The value for ranking: the goal's figure, minus the penalty for missing its condition.
fn value(goal: Goal, [precision, recall, f1]: [f64; 3]) -> f64 {
    match goal {
        Goal::F1 => f1,
        Goal::Recall { precision: least } => recall - SHORTFALL * (least - precision).max(0.0),
        Goal::Precision { recall: least } => precision - SHORTFALL * (least - recall).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate::Label, pairs::Match};

    /// Twenty clusters of three, and scores for pairs within (near 0.8) and across (near 0.3).
    fn truth() -> Truth {
        Truth::clusters(&(0..60).map(|at| Label::Cluster(at / 3)).collect::<Vec<_>>(), [])
    }

    fn scored(noise: f64) -> Scored {
        let mut pairs = Vec::new();
        for b in 0..60usize {
            for a in 0..b {
                // Something irregular between -1 and 1.
                let wave = ((a * 37 + b * 101) as f64).sin();
                let base = if a / 3 == b / 3 { 0.8 } else { 0.3 };
                pairs.push(Match { a, b, score: base + noise * wave, exact: false });
            }
        }
        Scored::new(&truth(), pairs, 0.0)
    }

    #[test]
    fn the_method_that_separates_best_is_picked() {
        let methods = [scored(0.6), scored(0.1), scored(0.3)];
        for goal in [Goal::F1, Goal::Recall { precision: 0.99 }, Goal::Precision { recall: 0.9 }] {
            let ranked = tune(&truth(), &methods, goal, Effort { draws: 50, ..Effort::default() });
            assert_eq!(ranked.iter().map(|c| c.at).collect::<Vec<_>>(), [1, 2, 0], "{goal:?}");
            let best = &ranked[0];
            let threshold = best.choice.unwrap().middle();
            assert!((0.4..0.7).contains(&threshold), "{threshold}");
            assert_eq!((best.value, best.kept), (1.0, (10, 10)));
            assert_eq!(best.behind.value, 0.0);
            assert!(ranked[2].behind.low > 0.0);
        }
    }

    #[test]
    fn a_threshold_is_not_chosen_on_the_edge() {
        // One true pair of many has a low score, and a false one is above it.
        let edge = |pairs: usize| {
            let clusters: Vec<Label> =
                (0..2 * pairs as u32).map(|at| Label::Cluster(at / 2)).collect();
            let truth = Truth::clusters(&clusters, []);
            let right = (0..pairs).map(|pair| Match {
                a: 2 * pair,
                b: 2 * pair + 1,
                score: if pair == 0 { 0.4 } else { 0.7 },
                exact: false,
            });
            let wrong = Match { a: 0, b: 2, score: 0.45, exact: false };
            let scored = Scored::new(&truth, right.chain([wrong]), 0.1);
            let goal = Goal::Recall { precision: 0.99 };
            let whole = Sample::whole(&truth);
            [scored.best(&whole, goal), scored.choose(&whole, goal)].map(|c| c.unwrap().threshold)
        };
        assert_eq!(edge(400), [0.4, 0.7]);
        // Of 150 pairs, one is more than may be given up.
        assert_eq!(edge(150), [0.4, 0.4]);
    }

    #[test]
    fn only_what_the_labels_show_is_a_lead() {
        let effort = Effort { draws: 200, ..Effort::default() };
        let (good, poor) = (scored(0.1), scored(0.6));
        let same = lead(&truth(), &good, (&scored(0.12), 0.55), Goal::F1, effort);
        assert!(same.low <= 0.0, "{same:?}");
        let better = lead(&truth(), &good, (&poor, 0.55), Goal::F1, effort);
        assert!(better.low > 0.0, "{better:?}");
    }

    #[test]
    fn just_missing_the_goal_costs_little() {
        let goal = Goal::Recall { precision: 0.99 };
        assert!(value(goal, [0.988, 0.95, 0.0]) > value(goal, [1.0, 0.4, 0.0]));
        assert!(value(goal, [0.9, 0.95, 0.0]) < value(goal, [0.99, 0.4, 0.0]));
    }

    #[test]
    fn one_cluster_cannot_be_split() {
        let truth = Truth::clusters(&[Label::Cluster(0), Label::Cluster(0), Label::Alone], []);
        let pair = Match { a: 0, b: 1, score: 0.9, exact: false };
        let scored = Scored::new(&truth, [pair], 0.1);
        assert!(tune(&truth, &[scored], Goal::F1, Effort::default()).is_empty());
    }
}
