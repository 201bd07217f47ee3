//! Which method to use, and at which threshold: by cross-validation over clusters.
//!
//! The threshold of a method is chosen on one half of the labels and judged on the other, several
//! times. The method that does best there is picked, and its threshold is then chosen once more on
//! all labels.

use super::{
    bootstrap::{Interval, draws},
    counts::{Counts, Goal},
    held_out::{Trial, held_out},
    sample::Sample,
    scored::{Choice, Scored},
    truth::Truth,
};

/// What a hundredth that is missing of the asked-for precision or recall costs, in hundredths: a
/// method that misses it by a hair is not to lose against one that finds next to nothing.
const SHORTFALL: f64 = 10.0;

/// How much is drawn and split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Splits into halves.
    pub runs: usize,
    /// Draws of the bootstrap.
    pub draws: usize,
    /// What draws and splits follow from.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { runs: 10, draws: 1_000, seed: 1 }
    }
}

/// A method as it came out.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its place among those that were given.
    pub at: usize,
    /// The threshold for all labels; none if the goal is out of its reach.
    pub choice: Option<Choice>,
    /// Precision, recall and F1 on halves on which the threshold was not chosen, on average.
    pub held_out: [Interval; 3],
    /// In how many runs what the goal asks for held on the other half, and of how many.
    pub kept: (usize, usize),
    /// The lowest and the highest threshold that was chosen on a half.
    pub thresholds: Option<(f64, f64)>,
    /// What it was ranked by, and how much better the best one is.
    pub value: f64,
    /// The value of the best minus its own, on the same draws.
    pub behind: Interval,
}

/// All methods, the best first. Empty if the labels cannot be split: that takes two clusters.
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
                // Of a half without positive pairs there is no recall.
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
    // Of equals, the one whose threshold has the most room around it.
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

/// What a method is ranked by: what the goal wants most, less what is missing of its condition.
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
    fn the_method_that_tells_apart_is_picked_with_a_threshold_between() {
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
        // Of 150 pairs, one is more than may be given.
        assert_eq!(edge(150), [0.4, 0.4]);
    }

    #[test]
    fn missing_what_was_asked_for_by_a_hair_costs_little() {
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
