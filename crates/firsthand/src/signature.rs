//! What is left of a document once it is signed: its features, and its blocks for the templates.

use crate::{
    document::Document,
    model::Grams,
    online::Numbers,
    reading::Reading,
    set::Sorter,
    settings::Settings,
    tokens::{Folding, Tokens},
    weights::Weighting,
};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// The signature of a document. The text is not kept.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The hash of the normalised text; none if there is no text.
    pub(crate) fingerprint: Option<u128>,
    /// Bytes of normalised text.
    pub(crate) length: u32,
    /// The features: in the order of the text, repetitions included, or as a set.
    pub(crate) features: Vec<u64>,
    /// The weight of each feature, where a model weighs them.
    pub(crate) weights: Vec<u32>,
    /// Whether the features are a set already, because nothing will be taken out.
    pub(crate) is_set: bool,
    /// The blocks that each feature touches, from first to last; empty if there is but one block.
    pub(crate) spans: Vec<(u32, u32)>,
    /// The blocks; empty unless they may turn out to be furniture of the site.
    pub(crate) blocks: Vec<BlockHash>,
    /// The hashes of the words of the title, if there are blocks.
    pub(crate) title: Vec<u64>,
}

/// A passage, as far as templates need to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHash {
    /// The hash of its words.
    pub(crate) hash: u64,
    pub(crate) words: u32,
}

impl Signature {
    /// Turns weighed features into a vector: ascending, each with its weight.
    pub(crate) fn make_vector(&mut self) {
        if self.is_set {
            return;
        }
        let pairs = self.features.iter().copied().zip(self.weights.iter().copied());
        let mut pairs: Vec<(u64, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        (self.features, self.weights) = pairs.into_iter().unzip();
        self.is_set = true;
    }

    /// Takes the features out that weigh nothing.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn drop_weightless(&mut self) {
        // Mostly there are none.
        if self.weights.contains(&0) {
            let stays = |at: usize| self.weights[at] > 0;
            retain_places(&mut self.features, stays);
            retain_places(&mut self.spans, stays);
            self.weights.retain(|weight| *weight > 0);
        }
    }

    /// Takes the features out that touch furniture; returns the number of passages that are.
    pub(crate) fn set_aside(&mut self, furniture: impl Fn(u64) -> bool) -> u64 {
        // The number of furniture blocks before each block.
        let mut before = Vec::with_capacity(self.blocks.len() + 1);
        let mut count = 0u64;
        before.push(count);
        for block in &self.blocks {
            count += u64::from(furniture(block.hash));
            before.push(count);
        }
        if count > 0 {
            let stays = |at: usize| {
                let span: Option<&(u32, u32)> = self.spans.get(at);
                span.is_none_or(|&(first, last)| {
                    before[first as usize] == before[last as usize + 1]
                })
            };
            retain_places(&mut self.features, stays);
            retain_places(&mut self.weights, stays);
        }
        self.spans = Vec::new();
        self.blocks = Vec::new();
        count
    }
}

/// Keeps what is at places that stay.
fn retain_places<T>(list: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        stays(at - 1)
    });
}

/// Signs one document after another with the same memory.
#[derive(Debug, Default)]
pub(crate) struct Signer {
    tokens: Tokens,
    features: Vec<u64>,
    sorter: Sorter,
    grams: Grams,
}

impl Signer {
    /// Signs a document by its configuration.
    pub(crate) fn sign(&mut self, document: &Document, settings: &Settings) -> Signature {
        let (folding, text) = Folding::of(&document.text, settings.fold);
        let text = numbers_as_set(&text, settings);
        self.tokens.read(&text);
        let (tokens, features) = (&self.tokens, &mut self.features);
        let mut signature = Signature {
            fingerprint: tokens.fingerprint(),
            length: tokens.text().len() as u32,
            ..Signature::default()
        };
        features.clear();
        let is_page = settings.template && document.site().is_some();
        if is_page {
            let title = document.title.as_deref().unwrap_or_default();
            signature.title = Tokens::new(&folding.apply(title)).hashes().to_vec();
            signature.blocks = blocks(tokens);
        }
        if let Ok(Some(model)) = settings.model() {
            let reading = Reading { document, plain: &text, folding, tokens };
            self.grams.sign(model, reading, is_page, &mut signature);
            return signature;
        }
        if is_page {
            let ends = tokens.block_ends();
            let mut block = 0;
            settings.scheme.features(tokens, |feature| {
                // Features come in the order of their first words.
                while ends[block] <= feature.first {
                    block += 1;
                }
                let more = ends[block..].iter().take_while(|&&end| end <= feature.last).count();
                features.push(feature.hash);
                signature.spans.push((block as u32, (block + more) as u32));
            });
        } else {
            settings.scheme.features(tokens, |feature| features.push(feature.hash));
            if settings.frequency.is_off() && settings.weights == Weighting::Equal {
                self.sorter.make_set(features, settings.multiset);
                signature.is_set = true;
            }
        }
        signature.features = features.as_slice().to_vec();
        signature
    }
}

/// The text as the settings see its numbers: where they mean nothing, all are one.
pub(crate) fn numbers_as_set<'a>(text: &'a str, settings: &Settings) -> Cow<'a, str> {
    if settings.numbers != Numbers::Ignore || !text.contains(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        plain.push(if c.is_ascii_digit() { '0' } else { c });
        // What separates digits belongs to the number.
        while c.is_ascii_digit()
            && rest.next_if(|c| c.is_ascii_digit() || matches!(c, ',' | '.')).is_some()
        {}
    }
    Cow::Owned(plain)
}

/// The blocks of a text that have words.
pub(crate) fn blocks(tokens: &Tokens) -> Vec<BlockHash> {
    let hashes = tokens.hashes();
    let mut start = 0;
    tokens
        .block_ends()
        .iter()
        .map(|&end| {
            let words = &hashes[start..end as usize];
            start = end as usize;
            let bytes: Vec<u8> = words.iter().flat_map(|hash| hash.to_le_bytes()).collect();
            BlockHash { hash: xxh3_64(&bytes), words: words.len() as u32 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    #[test]
    fn features_know_their_blocks() {
        let document = Document::new("a", "one two\nthree\nfour five");
        let document = Document { host: Some("site".to_owned()), ..document };
        let settings = Settings { scheme: Scheme::Words { n: 3 }, ..Settings::default() };
        let signature = Signer::default().sign(&document, &settings);
        assert_eq!(signature.spans, [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(signature.blocks.len(), 3);
        assert_eq!(signature.features.len(), 3);
    }

    #[test]
    fn a_disguised_document_signs_like_a_plain_one_if_folded() {
        let page = |title: &str, text: &str| Document {
            title: Some(title.to_owned()),
            host: Some("site".to_owned()),
            ..Document::new("a", text)
        };
        let plain = page("copy now", "quick judges\ncopy now");
        // The first word of the title has no Latin letter: the text tells what it is.
        let disguised = page("сору nоw", "qu\u{200b}ick judges\nсору nоw");
        let mut signer = Signer::default();
        for fold in [true, false] {
            let settings = Settings { fold, ..Settings::default() };
            let (a, b) = (signer.sign(&plain, &settings), signer.sign(&disguised, &settings));
            assert_eq!(a.fingerprint == b.fingerprint, fold);
            assert_eq!(a.features == b.features, fold);
            assert_eq!(a.blocks == b.blocks, fold);
            assert_eq!(a.title == b.title, fold);
            let only_title = Document { text: plain.text.clone(), ..disguised.clone() };
            assert_eq!(a.title == signer.sign(&only_title, &settings).title, fold);
        }
    }
}
