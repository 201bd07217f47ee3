//! The words of an original, and of a copy with words replaced and sometimes a tail.

use super::super::words::Vocabulary;
use crate::rng::Rng;

const SPREAD: f64 = 0.65;
const SHORTEST: f64 = 30.0;
const LONGEST: f64 = 3000.0;

/// The largest share of a copy's words that is replaced.
const HIGHEST_RATE: f64 = 0.12;
/// The share of copies that end in words of their own.
const TAIL_SHARE: f64 = 0.3;
const LONGEST_TAIL: usize = 15;

/// The words of a cluster's original, whose number is drawn around `median`.
pub(crate) fn original(vocabulary: &Vocabulary, seed: u64, median: f64, cluster: u32) -> Vec<u32> {
    let mut rng = Rng::new(seed, &[u64::from(cluster), 0]);
    let length = (median.ln() + SPREAD * rng.normal()).exp().clamp(SHORTEST, LONGEST);
    (0..length as usize).map(|_| vocabulary.draw(&mut rng)).collect()
}

/// The words of a member of a cluster of copies; member 0 is the original.
pub(crate) fn copy(
    vocabulary: &Vocabulary,
    seed: u64,
    median: f64,
    (cluster, member): (u32, u32),
) -> Vec<u32> {
    let mut words = original(vocabulary, seed, median, cluster);
    if member > 0 {
        edit(&mut words, vocabulary, &mut Rng::new(seed, &[u64::from(cluster), member.into()]));
    }
    words
}

/// Replaces words at a rate drawn for this copy and may add a tail.
fn edit(words: &mut Vec<u32>, vocabulary: &Vocabulary, rng: &mut Rng) {
    // Squared, so that light edits are more frequent: one replaced word in forty already brings the
    // Jaccard similarity of five-word shingles down to 0.8.
    let rate = HIGHEST_RATE * rng.unit().powi(2);
    for word in words.iter_mut() {
        if rng.chance(rate) {
            *word = vocabulary.draw(rng);
        }
    }
    if rng.chance(TAIL_SHARE) {
        for _ in 0..rng.between(1, LONGEST_TAIL) {
            words.push(vocabulary.draw(rng));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_lognormal_within_bounds() {
        let vocabulary = Vocabulary::new(7);
        let mut lengths: Vec<usize> =
            (0..2001).map(|cluster| original(&vocabulary, 7, 220.0, cluster).len()).collect();
        lengths.sort_unstable();
        assert!(lengths[0] >= 30 && lengths[2000] <= 3000);
        assert!((200..240).contains(&lengths[1000]), "median {}", lengths[1000]);
        // One standard deviation above the median.
        assert!((375..470).contains(&lengths[1683]), "upper {}", lengths[1683]);
    }

    #[test]
    fn copies_keep_most_words_in_place() {
        let vocabulary = Vocabulary::new(7);
        let (mut verbatim, mut tails) = (0, 0);
        for cluster in 0..300 {
            let base = copy(&vocabulary, 7, 220.0, (cluster, 0));
            assert_eq!(base, original(&vocabulary, 7, 220.0, cluster));
            let other = copy(&vocabulary, 7, 220.0, (cluster, 1));
            let changed = base.iter().zip(&other).filter(|(a, b)| a != b).count();
            assert!(changed as f64 <= 0.3 * base.len() as f64, "{changed} of {}", base.len());
            assert!((base.len()..=base.len() + LONGEST_TAIL).contains(&other.len()));
            verbatim += usize::from(base == other);
            tails += usize::from(other.len() > base.len());
        }
        assert!((10..100).contains(&verbatim), "{verbatim} verbatim copies of 300");
        assert!((60..120).contains(&tails), "{tails} tails of 300");
    }
}
