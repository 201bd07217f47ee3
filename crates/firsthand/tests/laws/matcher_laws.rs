//! The exact matcher against brute force: every pair at or above the threshold, and no other.

use firsthand::matcher::{Scope, Sets, Sides, join};
use firsthand::settings::{Measure, Rule, Threshold};
use proptest::prelude::*;
use std::collections::BTreeSet;

type PairSet = BTreeSet<(u32, u32, u32)>;

/// Spreads small numbers over 64 bits, as hashing does; also exercises equal leading bits.
fn feature(number: u16, spread: bool) -> u64 {
    if spread { u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { u64::from(number) }
}

/// The number of features in both, which are ascending.
fn shared(a: &[u64], b: &[u64]) -> u64 {
    a.iter().filter(|feature| b.binary_search(feature).is_ok()).count() as u64
}

/// By the definition of the measure, in integers, without any of the bounds.
fn similar(rule: Rule, o: u64, x: u64, y: u64) -> bool {
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    o > 0
        && match rule.measure {
            Measure::Jaccard | Measure::ExtendedJaccard => d * o >= n * (x + y - o),
            Measure::MaxOverlap => d * o >= n * x.max(y),
            Measure::Cosine => d * d * o * o >= n * n * x * y,
            Measure::Dice => 2 * d * o >= n * (x + y),
            Measure::Containment => d * o >= n * x.min(y),
        }
}

fn brute_force(sets: &Sets, rule: Rule, split: Option<usize>) -> PairSet {
    let mut found = PairSet::new();
    for b in 0..sets.len() {
        for a in 0..b {
            if let Some(split) = split
                && (a < split) == (b < split)
            {
                continue;
            }
            let (x, y) = (sets.get(a), sets.get(b));
            let overlap = shared(x, y);
            if similar(rule, overlap, x.len() as u64, y.len() as u64) {
                found.insert((a as u32, b as u32, overlap as u32));
            }
        }
    }
    found
}

/// The pairs of a join, with the groups of identical sets expanded.
fn expanded(sets: &Sets, rule: Rule, split: Option<usize>, threads: usize) -> PairSet {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let sides: Vec<Sides> = (0..sets.len())
        .map(|at| Sides { old: split.is_some_and(|s| at < s), new: split.is_some_and(|s| at >= s) })
        .collect();
    let scope = split.map_or(Scope::Within, |_| Scope::Across(&sides));
    let matches = pool.install(|| join(sets, rule, scope).unwrap());
    let group = |set: u32| {
        let group = matches.identical.iter().find(|group| group[0] == set);
        group.cloned().unwrap_or_else(|| vec![set])
    };
    let asked = |a: u32, b: u32| match split {
        None => true,
        Some(split) => ((a as usize) < split) != ((b as usize) < split),
    };
    let mut found = PairSet::new();
    let mut add = |a: u32, b: u32, overlap: u32| {
        if asked(a, b) {
            assert!(found.insert((a.min(b), a.max(b), overlap)), "{a} and {b} stated twice");
        }
    };
    for pair in &matches.pairs {
        for &a in &group(pair.a) {
            for &b in &group(pair.b) {
                add(a, b, pair.overlap);
            }
        }
    }
    for group in &matches.identical {
        for (at, &b) in group.iter().enumerate() {
            for &a in &group[..at] {
                add(a, b, sets.get(a as usize).len() as u32);
            }
        }
    }
    found
}

fn measures() -> impl Strategy<Value = Measure> {
    prop::sample::select(Measure::ALL.to_vec())
}

/// Round thresholds on small sets: many pairs lie exactly on the threshold.
fn thresholds() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        (2u64..=20).prop_map(|n| Threshold::new(n, 20).unwrap()),
        (1u64..=8, 1u64..=8).prop_filter_map("a share", |(n, d)| {
            (10 * n >= d).then(|| Threshold::new(n, d).ok()).flatten()
        }),
        (10u64..=100).prop_map(|n| Threshold::new(n, 100).unwrap()),
    ]
}

/// Sets over a small universe, many of them edited copies of others.
fn collections() -> impl Strategy<Value = Sets> {
    let numbers = prop::collection::vec(0u16..60, 0..25);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0u16..60), 0..4);
    let copies = prop::collection::vec((any::<prop::sample::Index>(), edits), 0..30);
    (prop::collection::vec(numbers, 1..30), copies, any::<bool>()).prop_map(
        |(mut sets, copies, spread)| {
            for (of, edits) in copies {
                let mut copy = sets[of.index(sets.len())].clone();
                for (at, value) in edits {
                    if !copy.is_empty() {
                        let at = at.index(copy.len());
                        copy[at] = value;
                    }
                }
                sets.push(copy);
            }
            sets.iter()
                .map(|set| set.iter().map(|&n| feature(n, spread)).collect::<Vec<_>>())
                .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_join_is_exact(sets in collections(), measure in measures(), threshold in thresholds()) {
        let rule = Rule { measure, threshold };
        let expected = brute_force(&sets, rule, None);
        prop_assert_eq!(expanded(&sets, rule, None, 1), expected.clone());
        prop_assert_eq!(expanded(&sets, rule, None, 4), expected);
    }

    #[test]
    fn the_join_across_is_exact(
        sets in collections(),
        measure in measures(),
        threshold in thresholds(),
        at in any::<prop::sample::Index>(),
    ) {
        let rule = Rule { measure, threshold };
        let split = Some(at.index(sets.len() + 1));
        prop_assert_eq!(expanded(&sets, rule, split, 2), brute_force(&sets, rule, split));
    }
}

/// A larger collection of frequent features, where every filter has work to do.
#[test]
fn exact_on_frequent_features() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut lists: Vec<Vec<u64>> = Vec::new();
    for _ in 0..700 {
        let mut list: Vec<u64> = if !lists.is_empty() && random(3) == 0 {
            let of = random(lists.len() as u64) as usize;
            lists[of].clone()
        } else {
            (0..20 + random(120)).map(|_| feature((random(40) * random(40)) as u16, true)).collect()
        };
        for _ in 0..random(12) {
            list.push(feature(random(1600) as u16, true));
        }
        lists.push(list);
    }
    let sets: Sets = lists.into_iter().collect();
    for measure in Measure::ALL {
        for threshold in ["0.1", "0.3", "0.44", "0.5", "0.7", "0.8", "0.9", "1"] {
            let rule = Rule { measure, threshold: threshold.parse().unwrap() };
            let found = expanded(&sets, rule, None, 3);
            assert_eq!(found, brute_force(&sets, rule, None), "{rule:?}");
        }
    }
}

/// SpotSigs 4.3.2: three multi-sets, written as sets of numbered copies.
#[test]
fn the_three_documents_of_the_paper() {
    let document = |counts: &[(u64, u64)]| -> Vec<u64> {
        counts.iter().flat_map(|&(s, count)| (0..count).map(move |k| s << 32 | k)).collect()
    };
    let sets: Sets = [
        document(&[(1, 5), (2, 4), (3, 4)]),
        document(&[(1, 8), (2, 4)]),
        document(&[(1, 4), (2, 5), (3, 5)]),
    ]
    .into_iter()
    .collect();
    let rule = Rule { measure: Measure::Jaccard, threshold: "0.8".parse().unwrap() };
    assert_eq!(expanded(&sets, rule, None, 1), PairSet::from([(0, 2, 12)]));
    assert_eq!(rule.measure.score(12, 13, 14), 0.8);
}

/// A hundred thousand sets share half of their features, and no pair reaches the threshold:
/// the shared half must cost nothing.
#[test]
fn hot_features_are_not_looked_up() {
    let hot = (0..10u16).map(|n| feature(n, true));
    let sets: Sets = (0..100_000u64)
        .map(|set| {
            let own = (0..10).map(|n| (set * 10 + n + 100).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            hot.clone().chain(own).collect::<Vec<_>>()
        })
        .collect();
    let rule = Rule { measure: Measure::Jaccard, threshold: "0.8".parse().unwrap() };
    let matches = join(&sets, rule, Scope::Within).unwrap();
    assert!(matches.pairs.is_empty() && matches.identical.is_empty());
    assert!(matches.cost.postings < 200_000, "{:?}", matches.cost);
}
