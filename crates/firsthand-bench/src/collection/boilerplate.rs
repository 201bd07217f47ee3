//! A stream of texts with a common part, like a feed whose source puts the same words around every
//! message. One in twenty is a copy, with small changes in its own part.

use std::io::{self, Write};

use rayon::prelude::*;

use super::language::GeneratedLanguage;
use crate::rng::Rng;

/// Words per document.
const WORDS: usize = 480;
/// The share of documents that are copies of an earlier one.
const COPIES: f64 = 0.05;
/// The share of a copy's own words that are replaced, at least one.
const EDITED: f64 = 0.01;
/// The random streams: common part, kinds of documents, own words, changes.
const FRAME: u64 = 20;
const KINDS: u64 = 21;
const OWN: u64 = 22;
const EDITS: u64 = 23;
/// Documents generated at once.
const CHUNK: usize = 8192;

/// The parameters of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Boilerplate {
    pub(crate) documents: usize,
    pub(crate) seed: u64,
    /// The share of the words that all texts have in common, from 0 to 1.
    pub(crate) share: f64,
    /// The site that all pages belong to, unless it is empty.
    pub(crate) site: String,
}

impl Boilerplate {
    /// Writes JSON lines with `id`, `text` and `cluster`, which is the id of the first copy.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let language = GeneratedLanguage::new(self.seed);
        let common = (WORDS as f64 * self.share).round() as usize;
        let frame = self.words(&language, Rng::new(self.seed, &[FRAME]), common);
        for first in (0..self.documents).step_by(CHUNK) {
            let numbers: Vec<usize> = (first..self.documents.min(first + CHUNK)).collect();
            let line = |&number: &usize| self.line(&language, &frame, number);
            let lines: Vec<String> = numbers.par_iter().map(line).collect();
            lines.iter().try_for_each(|line| out.write_all(line.as_bytes()))?;
        }
        Ok(())
    }

    fn line(&self, language: &GeneratedLanguage, frame: &[u32], number: usize) -> String {
        let first = self.first(number);
        let own = Rng::new(self.seed, &[OWN, first as u64]);
        let mut own = self.words(language, own, WORDS - frame.len());
        if first != number && !own.is_empty() {
            let mut rng = Rng::new(self.seed, &[EDITS, number as u64]);
            for _ in 0..((own.len() as f64 * EDITED) as usize).max(1) {
                let place = rng.below(own.len());
                own[place] = language.content(&mut rng);
            }
        }
        let (before, after) = frame.split_at(frame.len() / 2);
        let mut text = String::new();
        for (at, part) in [before, &own, after].into_iter().enumerate() {
            // A line break, as JSON writes it.
            text.push_str(if at > 0 { "\\n" } else { "" });
            language.spell_all(part, &mut text);
        }
        let url = match self.site.as_str() {
            "" => String::new(),
            site => format!(r#","url":"https://{site}/{number}""#),
        };
        // The words are ASCII letters, so nothing needs to be escaped.
        format!(
            r#"{{"id":"d{number}","text":"{text}"{url},"cluster":"d{first}"}}{end}"#,
            end = "\n"
        )
    }

    /// The document that this one is a copy of, or itself.
    fn first(&self, number: usize) -> usize {
        let mut at = number;
        loop {
            let mut rng = Rng::new(self.seed, &[KINDS, at as u64]);
            if at == 0 || !rng.chance(COPIES) {
                return at;
            }
            at = rng.below(at);
        }
    }

    fn words(&self, language: &GeneratedLanguage, mut rng: Rng, count: usize) -> Vec<u32> {
        let mut words = Vec::new();
        while words.len() < count {
            words.extend(language.sentence(self.seed, &mut rng));
        }
        words.truncate(count);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn written(share: f64, site: &str) -> Vec<Value> {
        let mut out = Vec::new();
        let made = Boilerplate { documents: 400, seed: 7, share, site: site.to_owned() };
        made.write(&mut out).expect("memory does not fail");
        let lines = String::from_utf8(out).expect("ASCII");
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    fn words(document: &Value) -> Vec<String> {
        let text = document["text"].as_str().expect("a text").to_lowercase();
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn unrelated_texts_share_the_stated_part() {
        for (share, common) in [(0.0, 0), (0.5, 240), (0.95, 456), (1.0, 480)] {
            let documents = written(share, "");
            let (a, b) = (words(&documents[1]), words(&documents[2]));
            assert_eq!((a.len(), b.len()), (WORDS, WORDS));
            let half = common / 2;
            assert_eq!(a[..half], b[..half]);
            assert_eq!(a[WORDS - (common - half)..], b[WORDS - (common - half)..]);
            let same = a.iter().zip(&b).filter(|(a, b)| a == b).count();
            assert!((common..=common + (WORDS - common) / 5).contains(&same), "{share}: {same}");
        }
    }

    #[test]
    fn one_in_twenty_is_a_copy_with_few_words_changed() {
        let documents = written(0.75, "");
        let mut copies = 0;
        for (number, document) in documents.iter().enumerate() {
            let first: usize =
                document["cluster"].as_str().expect("one")[1..].parse().expect("one");
            assert_eq!(documents[first]["cluster"], documents[first]["id"]);
            if first != number {
                copies += 1;
                let (a, b) = (words(document), words(&documents[first]));
                let changed = a.iter().zip(&b).filter(|(a, b)| a != b).count();
                assert!((0..=4).contains(&changed), "{changed}");
            }
        }
        assert!((10..35).contains(&copies), "{copies}");
    }

    #[test]
    fn pages_have_an_address_of_their_site() {
        let documents = written(0.5, "one.example");
        assert_eq!(documents[3]["url"], "https://one.example/3");
        assert_eq!(written(0.5, "")[3]["url"], Value::Null);
    }
}
