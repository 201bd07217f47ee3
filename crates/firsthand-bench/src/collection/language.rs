//! Running text: stop words at natural rates, words by Zipf's law, and recurring clauses.
//!
//! With words drawn one by one, nearly every phrase would be unique. In real text phrases recur as
//! words do: a few everywhere, very many hardly ever. So most clauses are drawn by rank from a
//! large stock; the words of a rank are regenerated whenever it is drawn.

use super::english::{ANTECEDENTS, ARTICLES, STOP_WORDS};
use super::words::Vocabulary;
use crate::rng::Rng;

/// The random stream of stock clauses.
const CLAUSES: u64 = 2;
/// The number of clauses in stock.
const STOCK: f64 = 2.6e5;
/// Their frequencies fall with this power of the rank.
const STOCK_EXPONENT: f64 = 0.6;
/// The share of clauses that are new.
const FRESH: f64 = 0.14;
/// The share of draws that are stop words, before those after an article are drawn again.
const STOP_SHARE: f64 = 0.46;
/// Words from this number up are numerals.
const NUMERALS: u32 = 1 << 24;

/// The words of a collection and how they are drawn. A word is a number.
pub(crate) struct GeneratedLanguage {
    vocabulary: Vocabulary,
    /// For each stop word, the probability of it or one before it.
    stops: Vec<f64>,
}

impl GeneratedLanguage {
    /// The language of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut total = 0.0;
        let mut stops: Vec<f64> = Vec::with_capacity(STOP_WORDS.len());
        for (_, rate) in STOP_WORDS {
            total += rate;
            stops.push(total);
        }
        stops.iter_mut().for_each(|share| *share /= total);
        Self { vocabulary: Vocabulary::new(seed), stops }
    }

    /// A word that is not a stop word.
    pub(crate) fn content(&self, rng: &mut Rng) -> u32 {
        // The stop words are the head of Zipf's law; the others follow.
        STOP_WORDS.len() as u32 + self.vocabulary.draw_behind(STOP_WORDS.len(), rng)
    }

    /// A value for a template: a numeral, or any word, rare ones as often as others.
    pub(crate) fn value(&self, rng: &mut Rng) -> u32 {
        if rng.chance(0.4) {
            NUMERALS + rng.below(10_000) as u32
        } else {
            STOP_WORDS.len() as u32 + rng.below(self.vocabulary.len()) as u32
        }
    }

    /// A word as it follows another in running text.
    pub(crate) fn next(&self, before: Option<u32>, rng: &mut Rng) -> u32 {
        let article = before.is_some_and(|before| before < ARTICLES);
        if !article && rng.chance(STOP_SHARE) {
            let share = rng.unit();
            let drawn = self.stops.partition_point(|&s| s <= share).min(self.stops.len() - 1);
            if before != Some(drawn as u32) {
                return drawn as u32;
            }
        }
        self.content(rng)
    }

    /// A sentence of several clauses.
    pub(crate) fn sentence(&self, seed: u64, rng: &mut Rng) -> Vec<u32> {
        let mut words = Vec::with_capacity(24);
        for _ in 0..rng.between(1, 2) {
            if rng.chance(FRESH) {
                self.clause(rng, &mut words);
            } else {
                let rank = stock_rank(rng);
                self.clause(&mut Rng::new(seed, &[CLAUSES, rank]), &mut words);
            }
        }
        words
    }

    fn clause(&self, rng: &mut Rng, words: &mut Vec<u32>) {
        let mut before = None;
        for _ in 0..rng.between(8, 20) {
            let word = self.next(before, rng);
            words.push(word);
            before = Some(word);
        }
    }

    /// Appends the spelling of a word.
    pub(crate) fn spell(&self, word: u32, out: &mut String) {
        let stops = STOP_WORDS.len() as u32;
        if let Some((stop, _)) = STOP_WORDS.get(word as usize) {
            out.push_str(stop);
        } else if word < NUMERALS {
            out.push_str(self.vocabulary.word(word - stops));
        } else {
            out.push_str(&(word - NUMERALS).to_string());
        }
    }

    /// Appends words separated by spaces, with an initial capital.
    pub(crate) fn spell_all(&self, words: &[u32], out: &mut String) {
        for (at, &word) in words.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            let start = out.len();
            self.spell(word, out);
            if at == 0
                && let Some(first) = out.get_mut(start..start + 1)
            {
                first.make_ascii_uppercase();
            }
        }
    }
}

/// Whether a word is a stop word.
pub(crate) fn is_stop(word: u32) -> bool {
    (word as usize) < STOP_WORDS.len()
}

/// Whether spot signatures start at the word.
pub(crate) fn is_antecedent(word: u32) -> bool {
    word < ANTECEDENTS
}

/// The rank of a stock clause, by inverting the integral of Zipf's law.
fn stock_rank(rng: &mut Rng) -> u64 {
    let power = 1.0 - STOCK_EXPONENT;
    (1.0 + rng.unit() * (STOCK.powf(power) - 1.0)).powf(1.0 / power) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn running_text_has_stop_words_at_natural_rates() {
        let language = GeneratedLanguage::new(7);
        let mut rng = Rng::new(7, &[9]);
        let words: Vec<u32> = (0..2000).flat_map(|_| language.sentence(7, &mut rng)).collect();
        let share = |test: &dyn Fn(u32) -> bool| {
            words.iter().filter(|&&word| test(word)).count() as f64 / words.len() as f64
        };
        let stops = share(&is_stop);
        let antecedents = share(&is_antecedent);
        let the = share(&|word| word == 0);
        assert!((0.38..0.47).contains(&stops), "{stops} stop words");
        assert!((0.12..0.16).contains(&antecedents), "{antecedents} antecedents");
        assert!((0.05..0.07).contains(&the), "{the} of the");
    }

    #[test]
    fn phrases_recur_a_few_often_and_many_once() {
        let language = GeneratedLanguage::new(7);
        let mut rng = Rng::new(7, &[9]);
        let mut seen: HashMap<Vec<u32>, usize> = HashMap::new();
        for _ in 0..20_000 {
            for phrase in language.sentence(7, &mut rng).chunks(5) {
                *seen.entry(phrase.to_vec()).or_default() += 1;
            }
        }
        let often = seen.values().filter(|&&times| times > 20).count();
        let once = seen.values().filter(|&&times| times == 1).count();
        assert!((5..2000).contains(&often), "{often} phrases recur often");
        assert!(once * 10 > seen.len() * 5, "{once} of {} occur once", seen.len());
    }

    #[test]
    fn words_are_spelt_with_a_capital_in_front() {
        let language = GeneratedLanguage::new(7);
        let mut text = String::new();
        language.spell_all(&[0, NUMERALS + 42, 3], &mut text);
        assert_eq!(text, "The 42 is");
    }
}
