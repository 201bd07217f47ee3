//! I-Match over spot signatures: one fingerprint of the features in a range of IDF; equal means
//! similar.

use firsthand::matcher::Sets;
use rayon::prelude::*;

/// The range that worked best in the SpotSigs paper.
pub(crate) const IDF: (f64, f64) = (0.4, 0.75);

/// The normalised IDF of a feature in `df` of `n` sets.
pub(crate) fn idf(df: usize, n: usize) -> f64 {
    let (df, n) = (df as f64, n as f64);
    if n > 1.0 { (n / df).ln() / n.ln() } else { 0.0 }
}

/// The fingerprint and the number of each set with at least `least` features in the range.
pub(crate) fn fingerprints(sets: &Sets, least: usize) -> Vec<(u64, u32)> {
    let mut entries: Vec<(u64, u32)> = Vec::with_capacity(sets.features());
    for set in 0..sets.len() {
        entries.extend(sets.get(set).iter().map(|&feature| (feature, set as u32)));
    }
    entries.par_sort_unstable();
    let mut kept = vec![0u32; sets.len()];
    let mut hashers = vec![FeatureHasher::default(); sets.len()];
    for run in entries.chunk_by(|a, b| a.0 == b.0) {
        let idf = idf(run.len(), sets.len());
        if IDF.0 <= idf && idf <= IDF.1 {
            // In the order of the features, which is the same for all sets.
            for &(feature, set) in run {
                kept[set as usize] += 1;
                hashers[set as usize].add(feature);
            }
        }
    }
    let enough = (0u32..).zip(&kept).filter(|(_, kept)| **kept as usize >= least.max(1));
    enough.map(|(set, _)| (hashers[set as usize].0, set)).collect()
}

/// Sets with equal fingerprints, two or more each.
pub(crate) fn groups(mut fingerprints: Vec<(u64, u32)>) -> Vec<Vec<u32>> {
    fingerprints.par_sort_unstable();
    let runs = fingerprints.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1);
    runs.map(|run| run.iter().map(|entry| entry.1).collect()).collect()
}

/// A hash over consecutive features.
#[derive(Clone, Default)]
struct FeatureHasher(u64);

impl FeatureHasher {
    fn add(&mut self, feature: u64) {
        let mixed = (self.0 ^ feature).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.0 ^= self.0 >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_common_or_too_rare_does_not_count() {
        // 256 sets: features 1 to 3 are in 8 of them (IDF 0.625), 9 is in all, others in one.
        let sets: Sets = (0..256u64)
            .map(|set| match set % 32 {
                0 => vec![1, 2, 3, 9, 1000 + set],
                _ => vec![9, 1000 + set],
            })
            .collect();
        let found = groups(fingerprints(&sets, 3));
        assert_eq!(found, [(0..8).map(|n| n * 32).collect::<Vec<u32>>()]);
        assert!(groups(fingerprints(&sets, 4)).is_empty());
    }

    #[test]
    fn one_feature_more_is_another_fingerprint() {
        let sets: Sets = (0..256u64)
            .map(|set| match set % 32 {
                0 => vec![1, 2],
                16 => vec![1, 2, 3],
                _ => vec![1000 + set],
            })
            .collect();
        let sizes: Vec<usize> = groups(fingerprints(&sets, 1)).iter().map(Vec::len).collect();
        assert_eq!(sizes, [8, 8]);
    }
}
