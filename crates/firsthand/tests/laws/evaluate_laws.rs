//! The evaluation against its definitions, by brute force over all pairs of small collections.

use firsthand::collections::Match;
use firsthand::evaluate::{
    Closure, Counts, Goal, Interval, Label, Plan, Sample, Scored, Subject, Truth, assess,
    difference, draws, held_out,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A small collection, its labels and some reported pairs.
#[derive(Clone, Debug)]
struct LabelledCase {
    labels: Vec<Label>,
    ignored: BTreeSet<(usize, usize)>,
    /// Labelled pairs, for a collection in which only these are known.
    graded: BTreeMap<(usize, usize), bool>,
    stated: Vec<Match>,
}

const DOCUMENTS: usize = 12;

fn pair() -> impl Strategy<Value = (usize, usize)> {
    (0..DOCUMENTS, 1..DOCUMENTS).prop_map(|(a, step)| {
        let b = (a + step) % DOCUMENTS;
        (a.min(b), a.max(b))
    })
}

fn case() -> impl Strategy<Value = LabelledCase> {
    let label = prop_oneof![
        4 => (0..3u32).prop_map(Label::Cluster),
        2 => Just(Label::Alone),
        1 => Just(Label::Unknown),
    ];
    (
        prop::collection::vec(label, DOCUMENTS),
        prop::collection::btree_set(pair(), 0..8),
        prop::collection::btree_map(pair(), any::<bool>(), 0..20),
        prop::collection::btree_map(pair(), 1..=8u32, 0..40),
    )
        .prop_map(|(labels, ignored, graded, stated)| {
            let stated = stated.into_iter().map(|((a, b), eighths)| {
                let score = f64::from(eighths) / 8.0;
                Match { a, b, score, exact: eighths == 8 }
            });
            LabelledCase { labels, ignored, graded, stated: stated.collect() }
        })
}

impl LabelledCase {
    fn closed(&self) -> Truth {
        Truth::clusters(&self.labels, self.ignored.iter().copied())
    }

    fn open(&self) -> Truth {
        Truth::pairs(DOCUMENTS, self.graded.iter().map(|(&(a, b), &yes)| (a, b, yes)))
    }

    /// The label of a pair by definition.
    fn closed_label(&self, a: usize, b: usize) -> Option<bool> {
        match (self.labels[a], self.labels[b]) {
            (Label::Unknown, _) | (_, Label::Unknown) => None,
            (Label::Cluster(x), Label::Cluster(y)) if x == y => Some(true),
            _ if self.ignored.contains(&(a, b)) => None,
            _ => Some(false),
        }
    }

    fn open_label(&self, a: usize, b: usize) -> Option<bool> {
        self.graded.get(&(a, b)).copied()
    }

    /// The group of each document, by following reported pairs.
    fn groups(&self, takes_part: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..DOCUMENTS).collect();
        for _ in 0..DOCUMENTS {
            for pair in self.stated.iter().filter(|pair| takes_part(pair.a) && takes_part(pair.b)) {
                let least = groups[pair.a].min(groups[pair.b]);
                (groups[pair.a], groups[pair.b]) = (least, least);
            }
        }
        groups
    }

    fn is_counted(&self, at: usize) -> bool {
        self.labels[at] != Label::Unknown
    }
}

fn all_pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..DOCUMENTS).flat_map(|a| (a + 1..DOCUMENTS).map(move |b| (a, b)))
}

/// Counts all pairs one by one, each `times` times.
fn by_hand(
    label: impl Fn(usize, usize) -> Option<bool>,
    stated: impl Fn(usize, usize) -> bool,
    times: impl Fn(usize, usize) -> u64,
) -> Counts {
    let mut counts = Counts::default();
    for (a, b) in all_pairs() {
        let Some(positive) = label(a, b) else { continue };
        counts.positives += if positive { times(a, b) } else { 0 };
        if stated(a, b) {
            counts.stated += times(a, b);
            counts.hits += if positive { times(a, b) } else { 0 };
        }
    }
    counts
}

/// How often a pair counts in a sample.
fn times<'a>(truth: &'a Truth, sample: &'a Sample) -> impl Fn(usize, usize) -> u64 + 'a {
    |a, b| match (truth.unit(a), truth.unit(b)) {
        (Some(a), Some(b)) if a == b => sample.unit(a),
        (Some(a), Some(b)) => sample.unit(a) * sample.unit(b),
        _ => 0,
    }
}

const GOALS: [Goal; 5] = [
    Goal::F1,
    Goal::Recall { precision: 0.99 },
    Goal::Recall { precision: 0.6 },
    Goal::Precision { recall: 0.5 },
    Goal::Precision { recall: 0.9 },
];

proptest! {
    #[test]
    fn labels_follow_their_rule(case in case()) {
        let (closed, open) = (case.closed(), case.open());
        let counts = |label: &dyn Fn(usize, usize) -> Option<bool>, wanted: Option<bool>| {
            all_pairs().filter(|&(a, b)| label(a, b) == wanted).count() as u64
        };
        for (a, b) in all_pairs() {
            prop_assert_eq!(closed.label(a, b), case.closed_label(a, b));
            prop_assert_eq!(closed.label(b, a), case.closed_label(a, b));
            prop_assert_eq!(open.label(a, b), case.open_label(a, b));
        }
        prop_assert_eq!(closed.positives(), counts(&|a, b| case.closed_label(a, b), Some(true)));
        prop_assert_eq!(closed.negatives(), counts(&|a, b| case.closed_label(a, b), Some(false)));
        prop_assert_eq!(open.positives(), counts(&|a, b| case.open_label(a, b), Some(true)));
        prop_assert_eq!(open.negatives(), counts(&|a, b| case.open_label(a, b), Some(false)));
        let counted = (0..DOCUMENTS).filter(|&at| case.is_counted(at)).count();
        prop_assert_eq!(closed.counted(), counted);
        let ignored = case.ignored.iter().filter(|&&(a, b)| {
            case.is_counted(a) && case.is_counted(b) && case.closed_label(a, b).is_none()
        });
        prop_assert_eq!(closed.ignored(), ignored.count() as u64);
        for truth in [&closed, &open] {
            let mut listed: Vec<_> = truth.positive_pairs().collect();
            listed.sort_unstable();
            let expected: Vec<_> =
                all_pairs().filter(|&(a, b)| truth.label(a, b) == Some(true)).collect();
            prop_assert_eq!(listed, expected);
            let sizes: u32 = truth.sizes().iter().sum();
            prop_assert_eq!(sizes as usize, truth.counted());
        }
    }

    #[test]
    fn counts_at_every_threshold(case in case(), draw in 0..50u64) {
        for truth in [case.closed(), case.open()] {
            let scored = Scored::new(&truth, case.stated.clone(), 0.1);
            for sample in [Sample::whole(&truth), Sample::draw(&truth, 3, draw)] {
                let times = times(&truth, &sample);
                let at = |threshold: f64| by_hand(
                    |a, b| truth.label(a, b),
                    |a, b| case.stated.iter().any(|m| (m.a, m.b) == (a, b) && m.score >= threshold),
                    &times,
                );
                let thresholds = (0..=9).map(|eighths| f64::from(eighths) / 8.0);
                for threshold in thresholds.clone() {
                    prop_assert_eq!(scored.at(&sample, threshold), at(threshold));
                }
                prop_assert_eq!(scored.all(&sample), at(0.0));
                for goal in GOALS {
                    // The best value over all thresholds, and the highest threshold that has it; at
                    // equal precision, the one with the most recall.
                    let more = |counts: Counts| match goal {
                        Goal::Precision { .. } => counts.hits,
                        _ => 0,
                    };
                    let reached = thresholds.clone().filter_map(|threshold| {
                        let counts = at(threshold);
                        let value = goal.value(&counts)?;
                        Some((value, more(counts), threshold)).filter(|_| counts.stated > 0)
                    });
                    let best = reached.fold(None, |best: Option<(f64, u64, f64)>, next| {
                        if best.is_none_or(|best| next >= best) { Some(next) } else { best }
                    });
                    let best = best.filter(|best| best.0 > 0.0).map(|best| (best.0, best.2));
                    let found = scored.best(&sample, goal);
                    prop_assert_eq!(found.map(|found| (found.value, found.threshold)), best);
                    if let Some(found) = found {
                        prop_assert_eq!(found.counts, at(found.threshold));
                        // Between the two scores nothing changes.
                        prop_assert_eq!(at(found.middle()), found.counts);
                        prop_assert!(found.below < found.threshold);
                    }
                }
            }
        }
    }

    #[test]
    fn the_curve_has_every_score(case in case(), most in 2..6usize) {
        let truth = case.closed();
        let sample = Sample::whole(&truth);
        let scored = Scored::new(&truth, case.stated.clone(), 0.1);
        let counts = |pair: &&Match| truth.label(pair.a, pair.b).is_some();
        let mut scores: Vec<f64> = case.stated.iter().filter(counts).map(|m| m.score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        scores.dedup();
        let curve = scored.curve(&sample, 400);
        prop_assert_eq!(curve.iter().map(|point| point.0).collect::<Vec<_>>(), scores);
        for (threshold, counts) in curve {
            prop_assert_eq!(counts, scored.at(&sample, threshold));
        }
        let thinned = scored.curve(&sample, most);
        prop_assert!(thinned.len() <= most + 1);
        if let Some(best) = scored.best(&sample, Goal::F1) {
            prop_assert!(thinned.iter().any(|point| point.0 == best.threshold));
        }
    }

    #[test]
    fn closure_and_agreement_by_definition(case in case(), draw in 0..50u64) {
        let closed = case.closed();
        let groups = case.groups(|at| case.is_counted(at));
        let closure = Closure::new(&closed, case.stated.clone());
        for sample in [Sample::whole(&closed), Sample::draw(&closed, 5, draw)] {
            let times = times(&closed, &sample);
            let expected = by_hand(
                |a, b| case.closed_label(a, b), |a, b| groups[a] == groups[b], times,
            );
            prop_assert_eq!(closure.counts(&sample), expected);
        }
        let open = case.open();
        let chains = case.groups(|_| true);
        let joined = Closure::new(&open, case.stated.clone());
        let sample = Sample::draw(&open, 5, draw);
        let expected = by_hand(
            |a, b| case.open_label(a, b), |a, b| chains[a] == chains[b], times(&open, &sample),
        );
        prop_assert_eq!(joined.counts(&sample), expected);
        prop_assert!(joined.agreement(&open).is_none());

        let agreement = closure.agreement(&closed).unwrap();
        let documents: Vec<usize> = (0..DOCUMENTS).filter(|&at| case.is_counted(at)).collect();
        let same_cluster = |a: usize, b: usize| {
            a == b || case.closed_label(a.min(b), a.max(b)) == Some(true)
        };
        let (mut precision, mut recall) = (0.0, 0.0);
        for &i in &documents {
            let group: Vec<_> = documents.iter().filter(|&&j| groups[i] == groups[j]).collect();
            let cluster: Vec<_> = documents.iter().filter(|&&j| same_cluster(i, j)).collect();
            let both = group.iter().filter(|&&&j| same_cluster(i, j)).count() as f64;
            precision += both / group.len() as f64 / documents.len() as f64;
            recall += both / cluster.len() as f64 / documents.len() as f64;
        }
        if !documents.is_empty() {
            prop_assert!((agreement.b_cubed_precision - precision).abs() < 1e-9);
            prop_assert!((agreement.b_cubed_recall - recall).abs() < 1e-9);
        }
        // The Rand index over pairs, adjusted by its expectation.
        let mut table = [0.0f64; 4];
        for (n, &a) in documents.iter().enumerate() {
            for &b in &documents[n + 1..] {
                let (group, cluster) = (groups[a] == groups[b], same_cluster(a, b));
                table[usize::from(group) * 2 + usize::from(cluster)] += 1.0;
            }
        }
        let [neither, cluster, group, both] = table;
        let all = neither + cluster + group + both;
        let chance = (both + group) * (both + cluster) / all;
        let most = (2.0 * both + group + cluster) / 2.0;
        let ari = if all == 0.0 || most == chance { 1.0 } else { (both - chance) / (most - chance) };
        prop_assert!((agreement.ari - ari).abs() < 1e-9, "{} {}", agreement.ari, ari);
    }

    #[test]
    fn a_cluster_is_never_on_both_sides(case in case(), seed in any::<u64>()) {
        for truth in [case.closed(), case.open()] {
            let Some((one, other)) = Sample::halves(&truth, seed, 0) else {
                prop_assert!(truth.clusters_first() < 2);
                continue;
            };
            for unit in 0..truth.units() as u32 {
                prop_assert_eq!(one.unit(unit) + other.unit(unit), 1);
            }
            prop_assert!(one.positives() > 0 && other.positives() > 0);
            prop_assert_eq!(one.positives() + other.positives(), truth.positives());
            prop_assert_eq!(&Sample::only(&truth, |unit| other.unit(unit) == 0), &one);
            // A positive pair lies within one unit, and so on one side.
            for (a, b) in truth.positive_pairs() {
                prop_assert_eq!(truth.unit(a), truth.unit(b));
            }
        }
    }

    #[test]
    fn an_assessment_says_what_its_parts_say(case in case()) {
        let truth = case.closed();
        let sure: Vec<Match> = case.stated.iter().filter(|m| m.score >= 0.5).copied().collect();
        let subject = Subject {
            direct: Scored::new(&truth, sure.clone(), 0.5),
            closure: Closure::new(&truth, sure),
            scored: Scored::new(&truth, case.stated.clone(), 0.1),
        };
        let whole = Sample::whole(&truth);
        let plan = Plan { draws: 20, ..Plan::default() };
        let assessed = assess(&truth, &[subject.clone(), subject.clone()], &plan);
        let said = &assessed[0];
        prop_assert_eq!(said.direct, subject.scored.at(&whole, 0.5));
        prop_assert_eq!(said.direct_quality.map(|interval| interval.value),
            [said.direct.precision(), said.direct.recall(), said.direct.f1()]);
        prop_assert_eq!(said.closure, subject.closure.counts(&whole));
        prop_assert_eq!(said.best.0.value, said.best.1.map_or(0.0, |best| best.value));
        let trials = held_out(&truth, &subject.scored, Goal::F1, plan.runs, plan.seed);
        let mean = trials.iter().map(|trial| trial.test.f1()).sum::<f64>() / trials.len() as f64;
        prop_assert_eq!(said.held_out.is_some(), !trials.is_empty());
        if let Some(held_out) = said.held_out {
            prop_assert!((held_out.value - mean).abs() < 1e-12);
        }
        // A method does not differ from itself on any draw.
        let (own, best) = difference(&assessed[0], &assessed[1]);
        let nothing = Interval { value: 0.0, low: 0.0, high: 0.0 };
        prop_assert_eq!((own, best), (nothing, nothing));
    }
}

/// Sixty clusters of three; the first two of each are found, and every tenth finds an unrelated
/// one.
fn made() -> (Truth, Vec<Match>) {
    let labels: Vec<Label> =
        (0..200).map(|at| if at < 180 { Label::Cluster(at / 3) } else { Label::Alone }).collect();
    let truth = Truth::clusters(&labels, []);
    let right = (0..60).map(|cluster| (3 * cluster, 3 * cluster + 1));
    let wrong = (0..6).map(|stranger| (30 * stranger, 180 + stranger));
    let stated = right.chain(wrong);
    let stated = stated.map(|(a, b)| Match { a, b, score: 0.9 - a as f64 / 1000.0, exact: false });
    (truth, stated.collect())
}

#[test]
fn intervals_hold_the_value_and_have_the_right_width() {
    let (truth, stated) = made();
    let scored = Scored::new(&truth, stated.clone(), 0.1);
    let subject = Subject { direct: scored.clone(), closure: Closure::new(&truth, stated), scored };
    let said = assess(&truth, &[subject], &Plan::default()).remove(0);
    let [precision, recall, _] = said.direct_quality;
    assert_eq!((precision.value, recall.value), (60.0 / 66.0, 60.0 / 180.0));
    // Every cluster has one of three pairs, so there is no uncertainty.
    assert!(recall.high - recall.low < 1e-12);
    // Six of 66 are wrong: an error of about sqrt(.09 * .91 / 66) to either side, twice.
    assert!(precision.low < precision.value && precision.value < precision.high);
    let width = precision.high - precision.low;
    assert!((0.08..0.25).contains(&width), "{width}");
    assert!(said.best.0.low <= said.best.0.value && said.best.0.value <= said.best.0.high);
}

#[test]
fn draws_do_not_depend_on_threads() {
    let (truth, stated) = made();
    let scored = Scored::new(&truth, stated, 0.1);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| draws(&truth, 50, 9, |sample| scored.all(sample)))
    };
    let one = run(1);
    assert_eq!(one, run(4));
    let whole = Sample::whole(&truth);
    let same = one.iter().filter(|counts| **counts == scored.all(&whole)).count();
    assert!(same < 5, "draws are all alike");
    let drawn: u64 = (0..truth.units() as u32).map(|u| Sample::draw(&truth, 9, 0).unit(u)).sum();
    assert_eq!(drawn, truth.units() as u64);
}

#[test]
fn labels_that_make_no_sense_are_harmless() {
    let truth = Truth::clusters(&[], [(0, 1)]);
    assert_eq!((truth.positives(), truth.negatives(), truth.ignored()), (0, 0, 0));
    let truth = Truth::pairs(3, [(0, 0, true), (1, 7, true), (2, 1, false), (1, 2, true)]);
    assert_eq!((truth.label(1, 2), truth.positives(), truth.counted()), (Some(true), 1, 2));
    let strange = [Match { a: 5, b: 9, score: f64::NAN, exact: false }];
    let scored = Scored::new(&truth, strange, 0.1);
    assert_eq!(scored.best(&Sample::whole(&truth), Goal::F1), None);
    assert_eq!(Closure::new(&truth, strange).counts(&Sample::draw(&truth, 1, 1)).stated, 0);
    assert!(held_out(&truth, &scored, Goal::F1, 5, 1).is_empty());
}
