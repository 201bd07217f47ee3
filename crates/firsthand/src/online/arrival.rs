//! A document that has arrived, signed.

use super::{
    compared::Compared,
    keys,
    settings::{ClockSource, Collisions, Index, Numbers},
};
use crate::{
    detector::Detector,
    document::Document,
    guard::Figures,
    scheme::Scheme,
    set::Sorter,
    settings::Settings,
    signature::{Signature, Signer},
    tokens::Tokens,
};
use xxhash_rust::xxh3::xxh3_128;

/// A document that has arrived, signed and ready to be judged. Making it is the costly part, needs no
/// store and may be done on any thread.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub(super) id: String,
    pub(super) time: i64,
    /// The hash of the text as it came.
    pub(super) content: u128,
    pub(super) site: Option<String>,
    pub(super) signature: Signature,
    /// The sketch, where candidates are found by collisions.
    pub(super) sketch: Vec<u64>,
    /// What the guard keeps of it.
    pub(super) figures: Vec<u8>,
}

impl Arrival {
    /// Signs a document that arrives at this time, in milliseconds since 1970-01-01 UTC.
    pub fn new(detector: &Detector, document: &Document, now: i64) -> Self {
        let settings = detector.settings();
        let time = match settings.online.clock {
            ClockSource::Event => document.time.unwrap_or(now),
            ClockSource::Arrival => now,
        };
        let mut arrival = Self {
            id: document.id.clone(),
            time,
            content: xxh3_128(document.text.as_bytes()),
            site: None,
            signature: Signer::default().sign(document, settings),
            sketch: Vec::new(),
            figures: Vec::new(),
        };
        if !arrival.signature.blocks.is_empty() {
            arrival.site = document.site().map(str::to_owned);
        }
        if let Index::Collisions(collisions) = &settings.online.index {
            arrival.sign_by_collisions(&document.text, settings, collisions);
        }
        if settings.numbers == Numbers::Guard {
            arrival.figures = Figures::read(&document.text).to_bytes();
        }
        arrival
    }

    /// The id of the document.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its time, by which windows go.
    pub fn time(&self) -> i64 {
        self.time
    }

    /// Sketch by the shingles of the whole text, features by those of its first part.
    fn sign_by_collisions(&mut self, text: &str, settings: &Settings, collisions: &Collisions) {
        let tokens = Tokens::new(text);
        let mut shingles = Vec::new();
        let scheme = Scheme::Words { n: collisions.n };
        scheme.features(&tokens, |feature| shingles.push(feature.hash));
        self.sketch = keys::sketch(collisions, &mut shingles);
        let is_short = tokens.len() < collisions.short;
        let part = if is_short { collisions.first_of_short } else { collisions.first };
        let words = (tokens.len() as f64 * part).ceil() as u32;
        let mut features = Vec::new();
        settings.scheme.features(&tokens, |feature| {
            if feature.last < words {
                features.push(feature.hash);
            }
        });
        Sorter::default().make_set(&mut features, settings.multiset);
        self.signature.features = features;
        self.signature.is_set = true;
    }

    /// What it is compared by, once furniture is set aside.
    pub(super) fn set(&self, settings: &Settings, furniture: impl Fn(u64) -> bool) -> Compared {
        if self.signature.is_set {
            let Signature { features, weights, .. } = &self.signature;
            return Compared { features: features.clone(), weights: weights.clone() };
        }
        let mut signature = self.signature.clone();
        signature.set_aside(furniture);
        match settings.model {
            Some(_) => signature.make_vector(),
            None => Sorter::default().make_set(&mut signature.features, settings.multiset),
        }
        Compared { features: signature.features, weights: signature.weights }
    }
}
