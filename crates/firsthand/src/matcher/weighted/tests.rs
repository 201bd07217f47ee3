//! The join against a comparison of all pairs.

use super::*;
use crate::matcher::SearchLimits;
use crate::{
    matcher::{Scope, Sets, Sides},
    measure::Measure,
    threshold::Threshold,
    weights::Weights,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Maps = Vec<BTreeMap<u64, u32>>;

fn split(vectors: &Maps, spread: bool) -> (Sets, Weights) {
    let (mut sets, mut weights) = (Sets::default(), Weights::default());
    for vector in vectors {
        let place = |feature: u64| match spread {
            true => feature.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            false => feature,
        };
        let placed: BTreeMap<u64, u32> =
            vector.iter().map(|(&feature, &weight)| (place(feature), weight)).collect();
        sets.push(placed.keys().copied().collect());
        weights.push(placed.values().copied().collect());
    }
    (sets, weights)
}

/// By the definitions, in rational numbers, without any of the bounds.
fn similar(rule: Rule, x: &BTreeMap<u64, u32>, y: &BTreeMap<u64, u32>) -> bool {
    let at = |vector: &BTreeMap<u64, u32>, feature| u128::from(*vector.get(feature).unwrap_or(&0));
    let all: BTreeSet<&u64> = x.keys().chain(y.keys()).collect();
    let sum = |of: &dyn Fn(u128, u128) -> u128| -> u128 {
        all.iter().map(|feature| of(at(x, feature), at(y, feature))).sum()
    };
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    let (n, d) = (u128::from(n), u128::from(d));
    let dot = sum(&|a, b| a * b);
    let (p, q) = (sum(&|a, _| a * a), sum(&|_, b| b * b));
    dot > 0
        && match rule.measure {
            Measure::Cosine => d * d * dot * dot >= n * n * p * q,
            Measure::ExtendedJaccard => d * dot >= n * (p + q - dot),
            _ => d * sum(&|a, b| a.min(b)) >= n * sum(&|a, b| a.max(b)),
        }
}

/// The pairs of a join, with the groups of equal vectors expanded.
fn expanded(found: &Matches, asked: impl Fn(u32, u32) -> bool) -> BTreeSet<(u32, u32)> {
    let group = |set: u32| {
        let group = found.identical.iter().find(|group| group[0] == set);
        group.cloned().unwrap_or_else(|| vec![set])
    };
    let mut pairs = BTreeSet::new();
    let mut add = |a: u32, b: u32| {
        if asked(a, b) {
            assert!(pairs.insert((a.min(b), a.max(b))), "{a} and {b} stated twice");
        }
    };
    for pair in &found.pairs {
        for &a in &group(pair.a) {
            group(pair.b).iter().for_each(|&b| add(a, b));
        }
    }
    for group in &found.identical {
        for (at, &b) in group.iter().enumerate() {
            group[..at].iter().for_each(|&a| add(a, b));
        }
    }
    pairs
}

/// Small vectors with small weights, so that many pairs lie exactly on the threshold; with zeros,
/// and edited and equal copies.
fn vectors() -> impl Strategy<Value = Maps> {
    let vector = || prop::collection::btree_map(0u64..40, 0u32..6, 0..12);
    let edits = prop::collection::btree_map(0u64..40, 0u32..6, 0..3);
    let copies = prop::collection::vec((any::<prop::sample::Index>(), edits), 0..20);
    (prop::collection::vec(vector(), 1..30), copies).prop_map(|(mut vectors, copies)| {
        for (of, edits) in copies {
            let mut copy = vectors[of.index(vectors.len())].clone();
            copy.extend(edits);
            vectors.push(copy);
        }
        vectors
    })
}

fn rules() -> impl Strategy<Value = Rule> {
    let measures = vec![Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];
    let thresholds = prop_oneof![
        (1u64..=20).prop_map(|n| Threshold::new(n, 20).unwrap()),
        (1u64..=12, 1u64..=13).prop_filter_map("a share", |(n, d)| Threshold::new(n, d).ok()),
    ];
    (prop::sample::select(measures), thresholds)
        .prop_map(|(measure, threshold)| Rule { measure, threshold })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn finds_the_same_pairs_as_brute_force(
        vectors in vectors(),
        rule in rules(),
        spread in any::<bool>(),
        old in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (sets, weights) = split(&vectors, spread);
        let old = old.map(|at| at.index(vectors.len() + 1));
        let asked = |a: u32, b: u32| old.is_none_or(|s| ((a as usize) < s) != ((b as usize) < s));
        let mut expected = BTreeSet::new();
        for b in 0..vectors.len() {
            for a in 0..b {
                if asked(a as u32, b as u32) && similar(rule, &vectors[a], &vectors[b]) {
                    expected.insert((a as u32, b as u32));
                }
            }
        }
        let sides: Vec<Sides> = (0..vectors.len())
            .map(|at| Sides { old: old.is_some_and(|s| at < s), new: old.is_some_and(|s| at >= s) })
            .collect();
        let vectors = Vectors { sets: &sets, weights: &weights };
        let scope = old.map_or(Scope::Within, |_| Scope::Across(&sides));
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| join(vectors, Wanted { rule, scope, limits: SearchLimits::default() })).unwrap();
            prop_assert_eq!(expanded(&found, asked), expected.clone());
        }
    }
}

#[test]
fn too_many_pairs_are_refused() {
    let vectors: Maps =
        (0..10u64).map(|own| (0..9).chain([100 + own]).map(|f| (f, 5)).collect()).collect();
    let (sets, weights) = split(&vectors, true);
    let vectors = Vectors { sets: &sets, weights: &weights };
    let rule = Rule { measure: Measure::ExtendedJaccard, threshold: Threshold::percent(80) };
    let up_to = |pairs| {
        let limits = SearchLimits { pairs, ..SearchLimits::default() };
        join(vectors, Wanted { rule, scope: Scope::Within, limits })
    };
    assert_eq!(up_to(45).unwrap().pairs.len(), 45);
    let error = up_to(44).unwrap_err().to_string();
    assert!(error.starts_with("more than 44 pairs"), "{error}");
}
