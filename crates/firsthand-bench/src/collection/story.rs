//! A story: a title and sentences, as word numbers.

use super::language::{GeneratedLanguage, is_antecedent};
use super::shape::ShapeParameters;
use crate::rng::Rng;

/// Shorter texts are lists rather than prose.
const SHORTEST: f64 = 25.0;
/// The least number of antecedents of spot signatures per story: five, plus some because the last
/// words may have none after them and a copy may lose some.
const LEAST_SPOTS: usize = 7;
/// Sentences per paragraph.
const PARAGRAPH: usize = 4;

/// The content of a page, without the frame of its site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Story {
    pub(crate) title: Vec<u32>,
    pub(crate) sentences: Vec<Vec<u32>>,
}

impl Story {
    /// A story of log-normal length.
    pub(crate) fn new(
        language: &GeneratedLanguage,
        mix: &ShapeParameters,
        seed: u64,
        rng: &mut Rng,
    ) -> Self {
        let (median, spread) = mix.words;
        let wanted = (median.ln() + spread * rng.normal()).exp().clamp(SHORTEST, mix.longest);
        let title = (0..rng.between(3, 8)).map(|_| language.content(rng)).collect();
        let mut story = Self { title, sentences: Vec::new() };
        while story.words() < wanted as usize || story.spots() < LEAST_SPOTS {
            story.sentences.push(language.sentence(seed, rng));
        }
        story
    }

    /// The number of words in the sentences.
    pub(crate) fn words(&self) -> usize {
        self.sentences.iter().map(Vec::len).sum()
    }

    fn spots(&self) -> usize {
        spots(&self.sentences)
    }

    /// Whether enough remains without the last sentence.
    pub(crate) fn can_lose_last(&self) -> bool {
        self.sentences.split_last().is_some_and(|(_, rest)| spots(rest) >= LEAST_SPOTS)
    }

    /// The sentences, paragraph by paragraph.
    pub(crate) fn paragraphs(&self) -> impl Iterator<Item = &[Vec<u32>]> {
        self.sentences.chunks(PARAGRAPH)
    }
}

fn spots(sentences: &[Vec<u32>]) -> usize {
    sentences.iter().flatten().filter(|&&word| is_antecedent(word)).count()
}
