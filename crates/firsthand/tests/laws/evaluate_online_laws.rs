//! The scoring of streams against its definitions, by brute force over small collections and orders.

use firsthand::evaluate::online::{
    ScoredVerdict, Stories, Tally, VerdictOutcome, by_time, figures, originals_first, outcomes,
    over_labels,
};
use firsthand::evaluate::{Label, Truth};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const DOCUMENTS: usize = 10;

/// A small stream: labels, times, an order, and the verdict on each document.
#[derive(Clone, Debug)]
struct StreamCase {
    labels: Vec<Label>,
    ignored: BTreeSet<(usize, usize)>,
    times: Vec<Option<i64>>,
    order: Vec<usize>,
    said: Vec<ScoredVerdict>,
}

fn pair() -> impl Strategy<Value = (usize, usize)> {
    (0..DOCUMENTS, 1..DOCUMENTS).prop_map(|(a, step)| {
        let b = (a + step) % DOCUMENTS;
        (a.min(b), a.max(b))
    })
}

fn case() -> impl Strategy<Value = StreamCase> {
    let label = prop_oneof![
        5 => (0..3u32).prop_map(Label::Cluster),
        2 => Just(Label::Alone),
        1 => Just(Label::Unknown),
    ];
    let said = prop_oneof![
        1 => Just(None),
        2 => (0..DOCUMENTS, any::<bool>()).prop_map(Some),
    ];
    (
        prop::collection::vec(label, DOCUMENTS),
        prop::collection::btree_set(pair(), 0..6),
        prop::collection::vec(prop::option::of(0..5i64), DOCUMENTS),
        Just((0..DOCUMENTS).collect::<Vec<_>>()).prop_shuffle(),
        prop::collection::vec(said, DOCUMENTS),
    )
        .prop_map(|(labels, ignored, times, order, said)| {
            // A link points to an earlier document, or there is none.
            let place = |at: usize| order.iter().position(|&other| other == at).unwrap();
            let said = said.into_iter().enumerate().map(|(at, said)| match (said, place(at)) {
                (None, _) | (_, 0) => ScoredVerdict::Original,
                (Some((of, update)), place) => {
                    ScoredVerdict::Copy { of: order[of % place], score: 0.5, update }
                }
            });
            let said = said.collect();
            StreamCase { labels, ignored, times, order, said }
        })
}

impl StreamCase {
    fn truth(&self) -> Truth {
        Truth::clusters(&self.labels, self.ignored.iter().copied())
    }

    fn stories(&self) -> Stories {
        Stories::new(&self.truth(), &self.times)
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        matches!((self.labels[a], self.labels[b]), (Label::Cluster(x), Label::Cluster(y)) if x == y)
    }

    /// Section 3.2 of the paper, taken literally: true and false positives, true and false
    /// negatives, and duplicates with a wrong link.
    fn by_hand(&self) -> [u64; 5] {
        let [mut tp, mut fp, mut tn, mut fn_, mut wrong] = [0; 5];
        for place in 1..DOCUMENTS {
            let at = self.order[place];
            if self.labels[at] == Label::Unknown {
                continue;
            }
            let is_duplicate = self.order[..place].iter().any(|&earlier| self.is_same(at, earlier));
            match self.said[at] {
                ScoredVerdict::Original if is_duplicate => fn_ += 1,
                ScoredVerdict::Original => tn += 1,
                ScoredVerdict::Copy { of, .. } if self.is_same(at, of) => tp += 1,
                ScoredVerdict::Copy { of, .. } => {
                    let pair = (at.min(of), at.max(of));
                    if self.labels[of] != Label::Unknown && !self.ignored.contains(&pair) {
                        fp += 1;
                        wrong += u64::from(is_duplicate);
                    }
                }
            }
        }
        [tp, fp, tn, fn_, wrong]
    }
}

fn tally(outcomes: &[Option<VerdictOutcome>]) -> Tally {
    Tally::new(outcomes.iter().flatten().map(|&outcome| (outcome, 1)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scores_are_those_of_the_paper(case in case()) {
        let outcomes = outcomes(&case.truth(), &case.stories(), &case.order, &case.said);
        let tally = tally(&outcomes);
        let [tp, fp, tn, fn_, wrong] = case.by_hand();
        prop_assert_eq!(tally.found, tp);
        prop_assert_eq!(tally.suppressed + tally.wrong_links, fp);
        prop_assert_eq!(tally.kept, tn);
        prop_assert_eq!(tally.missed, fn_);
        prop_assert_eq!(tally.wrong_links, wrong);
        let labelled = case.order.iter().skip(1);
        let labelled = labelled.filter(|&&at| case.labels[at] != Label::Unknown).count() as u64;
        prop_assert_eq!(tp + fp + tn + fn_ + tally.unclear, labelled, "each counts once");
        let said = figures(&tally);
        let share = |part: u64, all: u64| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        prop_assert_eq!(said.precision, share(tp, tp + fp));
        prop_assert_eq!(said.recall, share(tp, tp + fn_));
        prop_assert_eq!(said.strict_recall, share(tp, tp + fn_ + wrong));
        prop_assert!(said.strict_f1 <= said.f1);
    }

    #[test]
    fn the_true_verdicts_make_no_mistake(case in case()) {
        let mut first: HashMap<u32, usize> = HashMap::new();
        let mut said = vec![ScoredVerdict::Original; DOCUMENTS];
        for &at in &case.order {
            let Label::Cluster(cluster) = case.labels[at] else { continue };
            let of = *first.entry(cluster).or_insert(at);
            if of != at {
                said[at] = ScoredVerdict::Copy { of, score: 1.0, update: false };
            }
        }
        let tally = tally(&outcomes(&case.truth(), &case.stories(), &case.order, &said));
        let tally = Tally { found: 0, kept: 0, ..tally };
        prop_assert_eq!(tally, Tally::default());
    }

    #[test]
    fn originals_come_first_and_every_document_once(case in case(), seed: u64, number in 0..50u64) {
        let stories = case.stories();
        let order = originals_first(&stories, seed, number);
        prop_assert_eq!(&order, &originals_first(&stories, seed, number));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..DOCUMENTS).collect::<Vec<_>>());
        let place = |at: usize| order.iter().position(|&other| other == at).unwrap();
        for (a, b) in case.truth().positive_pairs() {
            let original = stories.originals()[stories.cluster(a).unwrap() as usize];
            prop_assert!(place(original) <= place(a).min(place(b)));
            // No document of the cluster is earlier than its original, by time and then by
            // position.
            let rank = |at: usize| (case.times[at].unwrap_or(i64::MAX), at);
            prop_assert!(rank(original) <= rank(a).min(rank(b)));
        }
    }

    #[test]
    fn time_order_has_every_document_with_a_time(case in case()) {
        let order = by_time(&case.times);
        let timed: Vec<(i64, usize)> = order.iter().map(|&at| (case.times[at].unwrap(), at)).collect();
        prop_assert!(timed.is_sorted());
        prop_assert_eq!(timed.len(), case.times.iter().flatten().count());
    }

    #[test]
    fn the_interval_over_labels_has_the_value_of_all_orders_together(case in case()) {
        let (truth, stories) = (case.truth(), case.stories());
        let reversed: Vec<usize> = case.order.iter().rev().copied().collect();
        let runs: Vec<Vec<Option<VerdictOutcome>>> = [&case.order, &reversed]
            .map(|order| {
                let mut by_position = vec![None; DOCUMENTS];
                for (&at, outcome) in order.iter().zip(outcomes(&truth, &stories, order, &case.said)) {
                    by_position[at] = outcome;
                }
                by_position
            })
            .to_vec();
        let all = Tally::new(runs.iter().flatten().flatten().map(|&outcome| (outcome, 1)));
        let interval = over_labels(&truth, &runs, (20, 7), |figures| figures.f1);
        prop_assert_eq!(interval.value, figures(&all).f1);
        prop_assert!(interval.low <= interval.high);
    }
}

/// All orders with the original first are equally frequent.
#[test]
fn orders_are_equally_likely() {
    let labels = [Label::Cluster(0), Label::Alone, Label::Cluster(0), Label::Cluster(0)];
    let stories = Stories::new(&Truth::clusters(&labels, []), &[None; 4]);
    let mut counts: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    for number in 0..8_000 {
        *counts.entry(originals_first(&stories, 3, number)).or_default() += 1;
    }
    // Two orders of the copies, and four positions for the other document.
    assert_eq!(counts.len(), 8);
    assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
}

/// Where only pairs are graded, a cluster is what positive pairs connect, and a link counts against
/// a method only if the pair is graded.
#[test]
fn graded_pairs() {
    let truth = Truth::pairs(6, [(0, 1, true), (1, 2, true), (0, 3, false), (4, 5, false)]);
    let stories = Stories::new(&truth, &[None; 6]);
    assert_eq!(stories.cluster(0), stories.cluster(2));
    assert_ne!(stories.cluster(0), stories.cluster(3));
    let copy = |of: usize| ScoredVerdict::Copy { of, score: 0.5, update: of == 0 };
    let said = [ScoredVerdict::Original, copy(0), copy(0), copy(0), copy(1), copy(4)];
    let order = [0, 1, 2, 3, 4, 5];
    let found = outcomes(&truth, &stories, &order, &said);
    let expected = [
        None,
        Some(VerdictOutcome::FoundAsUpdate),
        Some(VerdictOutcome::FoundAsUpdate),
        Some(VerdictOutcome::Suppressed),
        Some(VerdictOutcome::Unclear),
        Some(VerdictOutcome::Suppressed),
    ];
    assert_eq!(found, expected);
    assert_eq!(tally(&found).updates, 2);
}
