//! Made-up words whose frequencies follow Zipf's law.

use std::collections::HashSet;

use crate::rng::Rng;

const WORDS: usize = 60_000;
const EXPONENT: f64 = 1.05;
/// The random stream of the vocabulary; clusters are numbered from 0 and never reach it.
const STREAM: u64 = u64::MAX;

const ONSETS: &[&str] =
    &["b", "c", "d", "f", "g", "h", "j", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st"];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];
const CODAS: &[&str] = &["", "", "", "n", "r", "l", "s"];

/// The words of a collection, the most frequent first.
pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// For each rank, the probability of a word of this or a smaller rank.
    cumulative: Vec<f64>,
}

impl Vocabulary {
    /// Makes the words of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed, &[STREAM]);
        let mut seen = HashSet::with_capacity(WORDS);
        let mut words = Vec::with_capacity(WORDS);
        while words.len() < WORDS {
            let word = made_up(&mut rng);
            if seen.insert(word.clone()) {
                words.push(word);
            }
        }
        let mut total = 0.0;
        let mut cumulative = Vec::with_capacity(WORDS);
        for rank in 1..=WORDS {
            total += (rank as f64).powf(-EXPONENT);
            cumulative.push(total);
        }
        cumulative.iter_mut().for_each(|share| *share /= total);
        Self { words, cumulative }
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The word of a rank.
    pub(crate) fn word(&self, rank: u32) -> &str {
        &self.words[rank as usize]
    }

    /// Draws the rank of a word.
    pub(crate) fn draw(&self, rng: &mut Rng) -> u32 {
        self.at(rng.unit())
    }

    /// Draws the rank of a word that is not among the `first` most frequent ones.
    pub(crate) fn draw_behind(&self, first: usize, rng: &mut Rng) -> u32 {
        let before = self.cumulative[first - 1];
        self.at(before + rng.unit() * (1.0 - before))
    }

    fn at(&self, share: f64) -> u32 {
        self.cumulative.partition_point(|&c| c <= share).min(WORDS - 1) as u32
    }
}

/// Two to six syllables, about ten letters.
fn made_up(rng: &mut Rng) -> String {
    let mut word = String::new();
    for _ in 0..rng.between(2, 6) {
        word.push_str(rng.pick(ONSETS));
        word.push_str(rng.pick(VOWELS));
        word.push_str(rng.pick(CODAS));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_follow_zipf() {
        let vocabulary = Vocabulary::new(7);
        let mut rng = Rng::new(7, &[1]);
        let mut seen = vec![0u32; WORDS];
        for _ in 0..200_000 {
            seen[vocabulary.draw(&mut rng) as usize] += 1;
        }
        // Rank 10 against rank 1, and a hundred ranks around 1000 against rank 10.
        let expected = 10f64.powf(-EXPONENT);
        let first = f64::from(seen[9]) / f64::from(seen[0]);
        assert!((first / expected - 1.0).abs() < 0.15, "{first} for {expected}");
        let thousandth = f64::from(seen[949..1049].iter().sum::<u32>()) / 100.0;
        let ratio = thousandth / f64::from(seen[9]);
        let expected = 100f64.powf(-EXPONENT);
        assert!((ratio / expected - 1.0).abs() < 0.2, "{ratio} for {expected}");
    }

    #[test]
    fn words_are_distinct_and_as_long_as_stated() {
        let vocabulary = Vocabulary::new(1);
        let distinct: HashSet<&String> = vocabulary.words.iter().collect();
        assert_eq!(distinct.len(), WORDS);
        let letters: usize = vocabulary.words.iter().map(String::len).sum();
        let mean = letters as f64 / WORDS as f64;
        assert!((9.0..11.0).contains(&mean), "{mean} letters a word");
    }
}
