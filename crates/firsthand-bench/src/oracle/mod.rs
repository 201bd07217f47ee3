//! All pairs at or above a Jaccard threshold, by counting every shared shingle.
//!
//! Deliberately slow and simple: words between white space, lower-cased; sets of word n-grams kept
//! whole (no hashing); every shingle of two or more documents counted for every pair of them (no
//! prefix or length filter); the threshold compared in integers.

mod documents;
mod shared;
mod threshold;

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

pub(crate) use documents::NumberedDocuments;
use shared::SharedShingles;
pub(crate) use threshold::OracleThreshold;

/// A line of the output.
#[derive(Serialize)]
struct PairLine<'a> {
    a: &'a str,
    b: &'a str,
    score: f64,
}

/// Two documents, by number, `a` before `b`, and the counts that decide.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CountedPair {
    a: u32,
    b: u32,
    /// Shingles in both.
    both: u32,
    /// Shingles in either.
    either: u32,
}

/// Writes the exact pairs as JSON lines with `a`, `b` and `score`.
pub(crate) fn write_pairs(
    documents: &NumberedDocuments,
    n: usize,
    threshold: OracleThreshold,
    out: &mut impl Write,
) -> Result<()> {
    let shared = SharedShingles::find(documents, n)?;
    for_each_pair(&shared, threshold, |pair| {
        let (a, b) = (documents.id(pair.a), documents.id(pair.b));
        let score = f64::from(pair.both) / f64::from(pair.either);
        serde_json::to_writer(&mut *out, &PairLine { a, b, score })?;
        Ok(out.write_all(b"\n")?)
    })
}

/// Calls back with every pair at or above the threshold, ordered by the later document.
fn for_each_pair(
    shared: &SharedShingles,
    threshold: OracleThreshold,
    mut take: impl FnMut(CountedPair) -> Result<()>,
) -> Result<()> {
    let mut counts = vec![0u32; shared.documents()];
    let mut touched = Vec::new();
    for b in 0..shared.documents() as u32 {
        for holders in shared.of_document(b) {
            for &a in holders.iter().take_while(|&&a| a < b) {
                if counts[a as usize] == 0 {
                    touched.push(a);
                }
                counts[a as usize] += 1;
            }
        }
        touched.sort_unstable();
        for a in touched.drain(..) {
            let both = std::mem::take(&mut counts[a as usize]);
            let either = shared.set_size(a) + shared.set_size(b) - both;
            if threshold.reached(both, either) {
                take(CountedPair { a, b, both, either })?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rng::Rng;

    fn pairs(texts: &[String], n: usize, threshold: OracleThreshold) -> Vec<CountedPair> {
        let mut documents = NumberedDocuments::default();
        for (number, text) in texts.iter().enumerate() {
            documents.add(number.to_string(), text).expect("few words");
        }
        let shared = SharedShingles::find(&documents, n).expect("few words");
        let mut found = Vec::new();
        for_each_pair(&shared, threshold, |pair| {
            found.push(pair);
            Ok(())
        })
        .expect("nothing fails");
        found
    }

    fn shingles(text: &str, n: usize) -> HashSet<Vec<String>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        match words.len() {
            0 => HashSet::new(),
            length if length < n => HashSet::from([words]),
            _ => words.windows(n).map(<[String]>::to_vec).collect(),
        }
    }

    fn by_comparing_all(
        texts: &[String],
        n: usize,
        threshold: OracleThreshold,
    ) -> Vec<CountedPair> {
        let sets: Vec<_> = texts.iter().map(|text| shingles(text, n)).collect();
        let mut found = Vec::new();
        for b in 0..sets.len() {
            for a in 0..b {
                let both = sets[a].intersection(&sets[b]).count() as u32;
                let either = sets[a].union(&sets[b]).count() as u32;
                if both > 0 && threshold.reached(both, either) {
                    found.push(CountedPair { a: a as u32, b: b as u32, both, either });
                }
            }
        }
        found
    }

    #[test]
    fn counting_agrees_with_comparing_every_pair() {
        let mut rng = Rng::new(11, &[]);
        for (n, threshold) in [(1, "0.3"), (2, "0.5"), (3, "0.8"), (5, "0.8"), (2, "1")] {
            let threshold: OracleThreshold = threshold.parse().expect("a threshold");
            let mut texts: Vec<String> = Vec::new();
            for number in 0..120 {
                let mut words: Vec<String> = match number % 3 {
                    0 => (0..rng.below(25)).map(|_| format!("W{}", rng.below(9))).collect(),
                    _ => texts[number - 1].split(' ').map(str::to_owned).collect(),
                };
                if !words.is_empty() && rng.chance(0.7) {
                    let at = rng.below(words.len());
                    words[at] = format!("w{}", rng.below(9));
                }
                texts.push(words.join(" "));
            }
            let expected = by_comparing_all(&texts, n, threshold);
            assert!(!expected.is_empty());
            assert_eq!(pairs(&texts, n, threshold), expected, "n {n}");
        }
    }

    #[test]
    fn a_pair_on_the_threshold_counts() {
        // Four shared words of five in either: exactly 0.8.
        let texts = ["a b c d e".to_owned(), "a b c d".to_owned()];
        let threshold = "0.8".parse().expect("a threshold");
        assert_eq!(pairs(&texts, 1, threshold), [CountedPair { a: 0, b: 1, both: 4, either: 5 }]);
        assert_eq!(pairs(&texts, 1, "0.81".parse().expect("a threshold")), []);
    }

    #[test]
    fn empty_texts_match_nothing_and_short_ones_only_themselves() {
        let texts = ["", "", "one two", "One  Two", "one two three"].map(str::to_owned);
        let found = pairs(&texts, 5, "0.8".parse().expect("a threshold"));
        assert_eq!(found, [CountedPair { a: 2, b: 3, both: 1, either: 1 }]);
    }

    #[test]
    fn lines_name_the_ids() {
        let jsonl = "{\"id\":\"x\\\"1\",\"text\":\"a b c\"}\n\n{\"id\":\"y\",\"text\":\"A b c\"}\n";
        let documents = NumberedDocuments::read(jsonl.as_bytes()).expect("readable");
        let mut out = Vec::new();
        write_pairs(&documents, 2, "0.8".parse().expect("a threshold"), &mut out).expect("written");
        let line = String::from_utf8(out).expect("text");
        assert_eq!(line, "{\"a\":\"x\\\"1\",\"b\":\"y\",\"score\":1.0}\n");
    }
}
