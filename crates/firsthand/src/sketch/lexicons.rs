//! I-Match: one fingerprint of all features, and others of random parts of the lexicon.
//!
//! A single fingerprint breaks with the first feature that differs. Each further lexicon omits a
//! random share of all features, the same for every document: where a difference falls into the
//! omitted share, that fingerprint still agrees (Kołcz, Chowdhury, Alspector 2004).

use super::seeds::{mix, seeds};

const PURPOSE: u64 = 0x4c45_5849_434f_4e53;

/// The whole lexicon and random parts of it.
#[derive(Clone, Debug)]
pub(crate) struct Lexicons {
    seeds: Vec<u64>,
    /// A feature is in a part if its hash for that part is below this.
    limit: u64,
}

impl Lexicons {
    /// The whole lexicon and `count - 1` random parts that each keep a share of the features.
    pub(crate) fn new(count: usize, keep: f64) -> Self {
        let limit = (keep * u64::MAX as f64) as u64;
        Self { seeds: seeds(PURPOSE).take(count).collect(), limit }
    }

    /// A fingerprint for each lexicon that has any feature of the set.
    pub(crate) fn fingerprints(&self, set: &[u64]) -> Vec<u64> {
        let fingerprint = |(place, &seed): (usize, &u64)| {
            let mut kept = 0u64;
            // A sum does not depend on the order, and sets are distinct.
            let sum = set
                .iter()
                .filter(|&&feature| place == 0 || mix(feature ^ seed) <= self.limit)
                .fold(0u64, |sum, &feature| {
                    kept += 1;
                    sum.wrapping_add(mix(feature))
                });
            (kept > 0).then(|| mix(sum ^ seed ^ kept))
        };
        self.seeds.iter().enumerate().filter_map(fingerprint).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(n: u64) -> Vec<u64> {
        (0..n).map(mix).collect()
    }

    #[test]
    fn equal_sets_agree_on_all_and_empty_ones_have_none() {
        let lexicons = Lexicons::new(11, 0.7);
        assert_eq!(lexicons.fingerprints(&set(40)), lexicons.fingerprints(&set(40)));
        assert_eq!(lexicons.fingerprints(&set(40)).len(), 11);
        assert!(lexicons.fingerprints(&[]).is_empty());
    }

    #[test]
    fn one_feature_more_breaks_the_whole_and_spares_what_leaves_it_out() {
        // 30 % of the lexicons do not have the extra feature: over many features, that shows.
        let lexicons = Lexicons::new(101, 0.7);
        let plain = lexicons.fingerprints(&set(40));
        let spared: usize = (1000..1050)
            .map(|extra| {
                let mut longer = set(40);
                longer.push(mix(extra));
                let other = lexicons.fingerprints(&longer);
                assert_ne!(plain[0], other[0]);
                plain.iter().zip(&other).filter(|(a, b)| a == b).count()
            })
            .sum();
        let share = spared as f64 / (50.0 * 100.0);
        assert!((0.27..0.33).contains(&share), "{share}");
    }
}
