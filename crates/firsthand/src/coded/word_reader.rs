//! Texts as the hashes of their words, and the shingles of these.

use super::{Distinct, words_per_shingle};
use crate::{
    document::Document, scheme::shingles, settings::Settings, sign::read_words, tokens::Tokens,
};

/// Reads one text after another, reusing its memory.
pub(crate) struct WordReader<'a> {
    settings: &'a Settings,
    /// Words per shingle.
    n: usize,
    tokens: Tokens,
    shingles: Vec<u64>,
    distinct: Distinct,
}

/// What is known of a text beside its words.
pub(crate) struct ReadText {
    /// The hash of the normalised text; none if it is empty.
    pub(crate) fingerprint: Option<u128>,
    /// The length of the normalised text.
    pub(crate) length: u32,
}

impl<'a> WordReader<'a> {
    pub(crate) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            n: words_per_shingle(settings),
            tokens: Tokens::default(),
            shingles: Vec::new(),
            distinct: Distinct::default(),
        }
    }

    /// Reads a text in place of the one before.
    pub(crate) fn read(&mut self, document: &Document) -> ReadText {
        read_words(document, self.settings, &mut self.tokens);
        let (fingerprint, length) = (self.tokens.fingerprint(), self.tokens.text().len() as u32);
        ReadText { fingerprint, length }
    }

    /// The hashes of its words.
    pub(crate) fn words(&self) -> &[u64] {
        self.tokens.hashes()
    }

    /// Its shingles, as many as are in its set, and how many are different: those come first. Repetitions are
    /// there only if they count.
    pub(crate) fn shingles(&mut self) -> (&[u64], usize) {
        self.shingles.clear();
        self.shingles.extend(shingles(self.tokens.hashes(), self.n));
        let distinct = self.distinct.move_first(&mut self.shingles);
        let counted = if self.settings.multiset { self.shingles.len() } else { distinct };
        (&self.shingles[..counted], distinct)
    }
}
