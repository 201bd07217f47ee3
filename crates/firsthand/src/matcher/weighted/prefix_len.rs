//! The number of features of a vector that guarantee an encounter with every similar vector.

use crate::{
    measure::{Measure, Rule},
    weights::{is_dot, mass},
};

/// How many leading features suffice: any two vectors that satisfy the rule share one of these
/// features of both.
///
/// Features are in an order common to all vectors, ideally rarest first. The rest shares too little
/// with any vector, decided in integers: its length, or for Jaccard its sum, is below the
/// threshold's share of the whole.
pub(crate) fn prefix_len(weights: &[u32], rule: Rule) -> usize {
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    let (n, d) = (u128::from(n), u128::from(d));
    // The share as a fraction; masses of lengths are squares.
    let (n, d) = match rule.measure {
        Measure::Cosine => (n * n, d * d),
        Measure::ExtendedJaccard => (4 * n * n, (d + n) * (d + n)),
        _ => (n, d),
    };
    let whole = u128::from(mass(rule.measure, weights));
    let mut behind = 0u64;
    let short = weights.iter().rev().take_while(|&&weight| {
        let weight = u64::from(weight);
        behind = behind.saturating_add(if is_dot(rule.measure) { weight * weight } else { weight });
        whole == 0 || d * u128::from(behind) < n * whole
    });
    weights.len() - short.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        threshold::Threshold,
        weights::{reaches, shared},
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn rules() -> impl Strategy<Value = Rule> {
        let measures = vec![Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];
        (prop::sample::select(measures), 1u64..=20).prop_map(|(measure, twentieths)| Rule {
            measure,
            threshold: Threshold::new(twentieths, 20).unwrap(),
        })
    }

    /// A vector and an edited copy of it.
    fn pairs() -> impl Strategy<Value = (BTreeMap<u64, u32>, BTreeMap<u64, u32>)> {
        let vector = || prop::collection::btree_map(0u64..30, 0u32..8, 0..20);
        (vector(), vector(), any::<bool>()).prop_map(|(one, edits, copy)| {
            let mut other = if copy { one.clone() } else { BTreeMap::new() };
            other.extend(edits);
            (one, other)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn vectors_that_are_alike_share_a_leading_feature((x, y) in pairs(), rule in rules()) {
            let parts = |vector: &BTreeMap<u64, u32>| -> (Vec<u64>, Vec<u32>) {
                vector.iter().map(|(&feature, &weight)| (feature, weight)).unzip()
            };
            let ((a, x), (b, y)) = (parts(&x), parts(&y));
            let shared = shared(rule.measure, (&a, &x), (&b, &y));
            if reaches(rule, shared, mass(rule.measure, &x), mass(rule.measure, &y)) {
                let (first, second) = (prefix_len(&x, rule), prefix_len(&y, rule));
                prop_assert!(a[..first].iter().any(|feature| b[..second].contains(feature)));
            }
        }
    }

    #[test]
    fn a_high_threshold_needs_few_features_and_an_empty_vector_none() {
        let rule = |measure, percent| Rule { measure, threshold: Threshold::percent(percent) };
        // Of a hundred equal weights, the rest must stay below the share.
        assert_eq!(prefix_len(&[3; 100], rule(Measure::Jaccard, 80)), 21);
        assert_eq!(prefix_len(&[3; 100], rule(Measure::Cosine, 80)), 37);
        assert_eq!(prefix_len(&[3; 100], rule(Measure::ExtendedJaccard, 80)), 21);
        // A rare heavy feature in front leaves little for the rest.
        let mut heavy = vec![1; 100];
        heavy[0] = 100;
        assert_eq!(prefix_len(&heavy, rule(Measure::Cosine, 80)), 1);
        assert_eq!(prefix_len(&[], rule(Measure::Cosine, 80)), 0);
        assert_eq!(prefix_len(&[0, 0], rule(Measure::Jaccard, 80)), 0);
        assert_eq!(prefix_len(&[1], rule(Measure::Jaccard, 100)), 1);
    }
}
