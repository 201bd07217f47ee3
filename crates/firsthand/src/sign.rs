//! Signing: reduces a document to its features.

use crate::{
    document::Document,
    features::Features,
    keys,
    model::Grams,
    scheme::Scheme,
    set::Sorter,
    settings::{Collisions, Matcher, Numbers, Settings},
    text_features::{BlockHash, TextFeatures},
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};
use std::{borrow::Cow, sync::Arc};
use xxhash_rust::xxh3::xxh3_64;

/// The part of a page that templates are learned from: its site, the words of its title, and its blocks.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let detector = Detector::new(Settings::default())?;
/// let host = Some("site.example".to_owned());
/// let signed = detector.sign_page(&Document { host, ..Document::new("a", "Home News\nA story") });
/// let page = signed.page().ok_or("no site")?;
/// assert_eq!((page.site(), page.blocks().len()), ("site.example", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageBlocks {
    pub(crate) site: Arc<str>,
    /// The hashes of the words of its title.
    pub(crate) title: Vec<u64>,
    pub(crate) blocks: Vec<BlockHash>,
}

impl PageBlocks {
    /// The site of the page.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Its blocks, in the order of the text.
    pub fn blocks(&self) -> &[BlockHash] {
        &self.blocks
    }
}

/// A signed document whose page furniture is not set aside yet.
///
/// [`Detector::apply`](crate::Detector::apply) turns it into [`Features`].
///
/// ```
/// use firsthand::{Detector, Document, Settings, Templates};
///
/// let menu = "Home News Sport Weather Shop";
/// let page = |id: &str, story: &str| {
///     let text = format!("{menu}\n{story}");
///     Document { host: Some("site.example".to_owned()), ..Document::new(id, text) }
/// };
/// let detector = Detector::new(Settings::default())?;
/// let ferry = detector.sign_page(&page("a", "The ferry to the island did not sail on Monday."));
/// let bridge = detector.sign_page(&page("b", "A new bridge is to be built over the wide river."));
/// let templates = Templates::learn([&ferry, &bridge].into_iter().filter_map(|it| it.page()));
/// let menu = ferry.page().ok_or("no site")?.blocks()[0];
/// assert!(templates.contains("site.example", menu.hash));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SignedPage {
    pub(crate) fingerprint: Option<u128>,
    pub(crate) length: u32,
    pub(crate) text: TextFeatures,
    pub(crate) sketch: Vec<u64>,
    /// The blocks, if the document is a page of a site whose furniture may be set aside.
    pub(crate) page: Option<Box<PageBlocks>>,
}

impl SignedPage {
    /// What templates are learned from; `None` if the document has no site, or `template` is off.
    pub fn page(&self) -> Option<&PageBlocks> {
        self.page.as_deref()
    }

    /// Removes features that touch page furniture; returns the number of furniture blocks.
    pub(crate) fn set_aside(&mut self, furniture: impl Fn(u64) -> bool) -> u64 {
        match self.page.take() {
            Some(page) => self.text.set_aside(&page.blocks, furniture),
            None => 0,
        }
    }

    /// The features of a document whose furniture has been set aside.
    pub(crate) fn into_features(mut self, settings: &Settings, settings_tag: u64) -> Features {
        if settings.model.is_some() {
            self.text.make_vector();
        } else if settings.needs_collection().is_some() {
            self.text.count();
        } else if !self.text.is_set {
            Sorter::default().make_set(&mut self.text.features, settings.multiset);
        }
        Features {
            fingerprint: self.fingerprint,
            length: self.length,
            set: self.text.features,
            weights: self.text.weights,
            sketch: self.sketch,
            settings_tag,
        }
    }
}

/// Signs documents one after another, reusing its buffers.
#[derive(Debug, Default)]
pub(crate) struct Signer {
    tokens: Tokens,
    features: Vec<u64>,
    sorter: Sorter,
    grams: Grams,
}

impl Signer {
    /// Signs a document by the settings.
    pub(crate) fn sign(&mut self, document: &Document, settings: &Settings) -> SignedPage {
        let (folding, text) = Folding::of(&document.text, settings.fold);
        let text = apply_numbers(&text, settings);
        self.tokens.read(&text);
        let (tokens, features) = (&self.tokens, &mut self.features);
        let mut signed = SignedPage {
            fingerprint: tokens.fingerprint(),
            length: tokens.text().len() as u32,
            ..SignedPage::default()
        };
        features.clear();
        if let Some(site) = document.site().filter(|_| settings.template) {
            let title = document.title.as_deref().unwrap_or_default();
            let title = Tokens::new(&folding.apply(title)).hashes().to_vec();
            let page = PageBlocks { site: Arc::from(site), title, blocks: blocks(tokens) };
            signed.page = Some(Box::new(page));
        }
        let is_page = signed.page.is_some();
        if let Some(Matcher::Collisions(collisions)) = &settings.matcher {
            self.sign_by_collisions(&document.text, settings, collisions, &mut signed);
            return signed;
        }
        if let Ok(Some(model)) = settings.model() {
            let document = TokenizedDocument { document, plain: &text, folding, tokens };
            self.grams.sign(model, document, is_page, &mut signed.text);
            return signed;
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
                signed.text.spans.push((block as u32, (block + more) as u32));
            });
        } else {
            settings.scheme.features(tokens, |feature| features.push(feature.hash));
            if settings.needs_collection().is_none() {
                self.sorter.make_set(features, settings.multiset);
                signed.text.is_set = true;
            }
        }
        signed.text.features = features.as_slice().to_vec();
        signed
    }

    /// Signs for the matcher `collisions`: the sketch covers the whole text, the features its first part.
    fn sign_by_collisions(
        &mut self,
        text: &str,
        settings: &Settings,
        collisions: &Collisions,
        signed: &mut SignedPage,
    ) {
        let tokens = Tokens::new(text);
        let mut shingles = Vec::new();
        let scheme = Scheme::Words { n: collisions.n };
        scheme.features(&tokens, |feature| shingles.push(feature.hash));
        signed.sketch = keys::sketch(collisions, settings.stream.salt, &mut shingles);
        let is_short = tokens.len() < collisions.short;
        let part = if is_short { collisions.first_of_short } else { collisions.first };
        let words = (tokens.len() as f64 * part).ceil() as u32;
        let mut features = Vec::new();
        settings.scheme.features(&tokens, |feature| {
            if feature.last < words {
                features.push(feature.hash);
            }
        });
        self.sorter.make_set(&mut features, settings.multiset);
        signed.text.features = features;
        signed.text.is_set = true;
    }
}

/// A hash of the settings that features depend on.
pub(crate) fn settings_tag(settings: &Settings) -> u64 {
    let Settings { scheme, multiset, fold, numbers, template, .. } = settings;
    let model = settings.model.as_ref().map(|model| model.fingerprint());
    let collisions = match &settings.matcher {
        Some(Matcher::Collisions(collisions)) => Some((collisions, settings.stream.salt)),
        _ => None,
    };
    let ignored = *numbers == Numbers::Ignore;
    let counted = settings.needs_collection();
    let made_by = (scheme, multiset, fold, ignored, template, model, collisions, counted);
    xxh3_64(format!("{made_by:?}").as_bytes())
}

/// The text as `numbers` says: where numbers are ignored, each of them becomes `0`.
pub(crate) fn apply_numbers<'a>(text: &'a str, settings: &Settings) -> Cow<'a, str> {
    if settings.numbers != Numbers::Ignore || !text.contains(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        plain.push(if c.is_ascii_digit() { '0' } else { c });
        // Separators between digits belong to the number.
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
        let signed = Signer::default().sign(&document, &settings);
        assert_eq!(signed.text.spans, [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(signed.page().unwrap().blocks().len(), 3);
        assert_eq!(signed.text.features.len(), 3);
    }

    #[test]
    fn a_disguised_document_signs_like_a_plain_one_if_folded() {
        let page = |title: &str, text: &str| Document {
            title: Some(title.to_owned()),
            host: Some("site".to_owned()),
            ..Document::new("a", text)
        };
        let plain = page("copy now", "quick judges\ncopy now");
        // The first word of the title has no Latin letters: the text reveals that they are disguised.
        let disguised = page("сору nоw", "qu\u{200b}ick judges\nсору nоw");
        let mut signer = Signer::default();
        for fold in [true, false] {
            let settings = Settings { fold, ..Settings::default() };
            let (a, b) = (signer.sign(&plain, &settings), signer.sign(&disguised, &settings));
            assert_eq!(a.fingerprint == b.fingerprint, fold);
            assert_eq!(a.text.features == b.text.features, fold);
            let (a, b) = (a.page().unwrap(), b.page().unwrap());
            assert_eq!(a.blocks == b.blocks, fold);
            assert_eq!(a.title == b.title, fold);
            let only_title = Document { text: plain.text.clone(), ..disguised.clone() };
            let only_title = signer.sign(&only_title, &settings);
            assert_eq!(a.title == only_title.page().unwrap().title, fold);
        }
    }
}
