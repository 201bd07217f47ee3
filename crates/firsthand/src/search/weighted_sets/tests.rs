//! The pairs that sketches propose, against all pairs.

use super::*;
use crate::{
    matcher::{Scope, SearchLimits, Sides},
    measure::Measure,
    settings::Bands,
    sketch::seeds,
    threshold::Threshold,
};
use std::collections::BTreeSet;

fn wanted(rule: Rule, scope: Scope<'_>) -> Wanted<'_> {
    Wanted { rule, scope, limits: SearchLimits::default() }
}

/// Pairs of vectors of all degrees of similarity, with features and weights like those of a model.
fn pairs(count: usize, features: usize) -> (Sets, Weights) {
    let mut random = seeds(7);
    let mut below = |limit: u64| random.next().unwrap_or(0) % limit;
    let (mut sets, mut weights) = (Sets::default(), Weights::default());
    let mut fresh = 0u64;
    for _ in 0..count {
        let kept = 50 + below(51);
        let mut sides: [Vec<(u64, u32)>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..features {
            let (weight, change) = (20 + below(200) as u32, below(20) as u32);
            let mut feature = || {
                fresh += 1;
                fresh.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            };
            let one = feature();
            // The same gram weighs a little more or less in another document.
            let other = if below(100) < kept { one } else { feature() };
            sides[0].push((one, weight));
            sides[1].push((other, weight + change));
        }
        for mut side in sides {
            side.sort_unstable();
            sets.push(side.iter().map(|entry| entry.0).collect());
            weights.push(side.iter().map(|entry| entry.1).collect());
        }
    }
    (sets, weights)
}

fn found(
    matcher: &Matcher,
    rule: Rule,
    sets: &Sets,
    weights: &Weights,
    scope: Scope<'_>,
) -> BTreeSet<(u32, u32)> {
    let weighted = WeightedSets::new(matcher, sets, weights.clone());
    let found = weighted.pairs(matcher, sets, rule, wanted(rule, scope)).unwrap();
    let found: BTreeSet<_> = found.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    // What is explained is what is found.
    for a in (0..sets.len() as u32).step_by(2) {
        let (_, holds, met) = weighted.likeness(matcher, sets, rule, (a, a + 1));
        assert_eq!(holds && met, found.contains(&(a, a + 1)), "{matcher:?} {a}");
    }
    found
}

fn bands(recall: f64) -> Matcher {
    Matcher::Bands(Bands { recall, ..Bands::default() })
}

#[test]
fn what_is_proposed_and_verified_is_nearly_all_that_is_there_and_nothing_else() {
    let (sets, weights) = pairs(800, 40);
    for (matcher, measure) in [
        (Matcher::Bits { bits: 384 }, Measure::Cosine),
        (Matcher::Bits { bits: 384 }, Measure::ExtendedJaccard),
        (Matcher::Bits { bits: 1024 }, Measure::Cosine),
        (Matcher::Sketch { hashes: 80, group: 1 }, Measure::Jaccard),
        (Matcher::Sketch { hashes: 80, group: 2 }, Measure::Jaccard),
        (bands(0.99), Measure::Jaccard),
    ] {
        for percent in [50, 60, 75] {
            let rule = Rule { measure, threshold: Threshold::percent(percent) };
            let exact = found(&Matcher::Exact, rule, &sets, &weights, Scope::Within);
            let some = found(&matcher, rule, &sets, &weights, Scope::Within);
            assert!(exact.len() > 60, "{matcher:?} {rule:?}: {}", exact.len());
            assert!(some.is_subset(&exact));
            let recall = some.len() as f64 / exact.len() as f64;
            assert!(recall >= 0.98, "{matcher:?} {rule:?}: {recall}");
        }
    }
}

#[test]
fn stated_bands_propose_for_any_measure() {
    let (sets, weights) = pairs(200, 40);
    let sure = Matcher::Bands(Bands { bands: Some(400), rows: Some(1), ..Bands::default() });
    for measure in [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard] {
        let rule = Rule { measure, threshold: Threshold::percent(50) };
        let exact = found(&Matcher::Exact, rule, &sets, &weights, Scope::Within);
        assert!(!exact.is_empty());
        assert_eq!(found(&sure, rule, &sets, &weights, Scope::Within), exact);
    }
}

#[test]
fn equal_vectors_are_one_and_only_sides_that_meet_are_asked_for() {
    let (mut sets, mut weights) = (Sets::default(), Weights::default());
    for own in 0..6u64 {
        // 0, 2 and 4 are equal, 1, 3 and 5 nearly so.
        let own = if own % 2 == 0 { 0 } else { own };
        sets.push((100..140).chain([own + 1000]).collect());
        weights.push(vec![64; 41]);
    }
    let side = |old: bool| Sides { old, new: !old };
    let sides: Vec<Sides> = [true, true, true, false, false, true].map(side).to_vec();
    for (matcher, measure) in [
        (Matcher::Exact, Measure::Cosine),
        (Matcher::Bits { bits: 384 }, Measure::Cosine),
        (Matcher::Sketch { hashes: 80, group: 1 }, Measure::Jaccard),
        (bands(0.999), Measure::Jaccard),
    ] {
        let rule = Rule { measure, threshold: Threshold::percent(70) };
        let weighted = WeightedSets::new(&matcher, &sets, weights.clone());
        let within = weighted.pairs(&matcher, &sets, rule, wanted(rule, Scope::Within)).unwrap();
        assert_eq!(within.identical, [vec![0, 2, 4]], "{matcher:?}");
        let pairs: Vec<_> = within.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(pairs, [(0, 1), (0, 3), (0, 5), (1, 3), (1, 5), (3, 5)], "{matcher:?}");
        let across =
            weighted.pairs(&matcher, &sets, rule, wanted(rule, Scope::Across(&sides))).unwrap();
        let pairs: Vec<_> = across.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        // 0 stands for 4 as well, which is new.
        assert_eq!(pairs, [(0, 1), (0, 3), (0, 5), (1, 3), (3, 5)], "{matcher:?}");
    }
}

#[test]
fn what_weighs_nothing_matches_nothing() {
    let (mut sets, mut weights) = (Sets::default(), Weights::default());
    for weight in [0, 0, 64] {
        sets.push((0..20).collect());
        weights.push(vec![weight; 20]);
    }
    sets.push(Vec::new());
    weights.push(Vec::new());
    for (matcher, measure) in [
        (Matcher::Exact, Measure::ExtendedJaccard),
        (Matcher::Bits { bits: 64 }, Measure::ExtendedJaccard),
        (Matcher::Sketch { hashes: 80, group: 1 }, Measure::Jaccard),
        (bands(0.99), Measure::Jaccard),
    ] {
        let rule = Rule { measure, threshold: Threshold::percent(10) };
        let weighted = WeightedSets::new(&matcher, &sets, weights.clone());
        let matches = weighted.pairs(&matcher, &sets, rule, wanted(rule, Scope::Within)).unwrap();
        assert!(matches.pairs.is_empty() && matches.identical.is_empty(), "{matcher:?}");
        let (score, holds, _) = weighted.likeness(&matcher, &sets, rule, (0, 2));
        assert_eq!((score, holds), (0.0, false));
        weighted.likeness(&matcher, &sets, rule, (2, 3));
    }
}
