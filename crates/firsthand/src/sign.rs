//! Signing: reduces a document to its features.

use crate::{
    address::page_name,
    anchors::Anchors,
    document::Document,
    features::Features,
    keys,
    lines::{self, Headline, LineFate, LinePart, PageLine, fingerprint},
    model::Grams,
    same_site::{PageHead, may_be_form},
    scheme::Scheme,
    set::Sorter,
    settings::{Collisions, Matcher, Numbers, Settings},
    spelling::spellings,
    telling::{self, Teller},
    text_features::TextFeatures,
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};
use std::{borrow::Cow, sync::Arc};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The part of a page that templates are learned from: its site, its headline, and its visible lines.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let detector = Detector::new(Settings::default())?;
/// let host = Some("site.example".to_owned());
/// let signed = detector.sign_page(&Document { host, ..Document::new("a", "Home News\nA story") });
/// let page = signed.page().ok_or("no site")?;
/// assert_eq!((page.site(), page.lines().len()), ("site.example", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLines {
    pub(crate) site: Arc<str>,
    pub(crate) headline: Headline,
    /// What pages of one site are compared by beside their features.
    pub(crate) head: PageHead,
    pub(crate) lines: Vec<PageLine>,
}

impl PageLines {
    /// The site of the page.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Its visible lines that have words, in reading order.
    pub fn lines(&self) -> &[PageLine] {
        &self.lines
    }

    /// The hash of a text, of the site, and of all that the page shows.
    pub(crate) fn fingerprint(&self, text: u128) -> u128 {
        let mut bytes = text.to_le_bytes().to_vec();
        for line in &self.lines {
            bytes.extend(line.hash.to_le_bytes());
            bytes.push(line.part as u8);
        }
        bytes.extend(self.site.as_bytes());
        xxh3_128(&bytes)
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
/// let templates = Templates::learn([&ferry, &bridge]);
/// let menu = ferry.page().ok_or("no site")?.lines()[0];
/// assert!(templates.contains("site.example", menu.hash));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SignedPage {
    pub(crate) fingerprint: Option<u128>,
    pub(crate) length: u32,
    pub(crate) text: TextFeatures,
    /// The features of what else the page shows, in case that its site tells it to be text.
    pub(crate) rest: TextFeatures,
    pub(crate) sketch: Vec<u64>,
    /// Its site and headline, once the lines are settled.
    pub(crate) head: Option<PageHead>,
    /// Whether its features depend on the language of the whole text, so that pages with the same lines
    /// may have different ones.
    pub(crate) by_language: bool,
    /// The lines, if the document is a page of a site whose furniture may be set aside.
    pub(crate) page: Option<Box<PageLines>>,
}

impl SignedPage {
    /// What templates are learned from; `None` if the document has no site, or `template` is off.
    pub fn page(&self) -> Option<&PageLines> {
        self.page.as_deref()
    }

    /// Keeps the features of the lines that are compared; `fates` has one of each visible line, and `anchors` are
    /// those of the page alone. Of a young site little is known yet.
    pub(crate) fn settle(&mut self, fates: &[LineFate], anchors: Anchors, is_young: bool) {
        let Some(page) = self.page.take() else { return };
        let mut head = PageHead { anchors, ..page.head.clone() };
        head.is_told |= !is_young || fates.contains(&LineFate::Rescued);
        let of = |parts: fn(LinePart) -> bool| {
            let lines = page.lines.iter().zip(fates).filter(move |(line, _)| parts(line.part));
            lines.map(|(_, fate)| *fate)
        };
        self.text.retain_lines(of(|part| part == LinePart::Text).map(|fate| fate.is_compared()));
        let mut rest = std::mem::take(&mut self.rest);
        rest.retain_lines(of(|part| part != LinePart::Text).map(|fate| fate.is_compared()));
        self.text.append(rest);
        let as_read = |(line, fate): (&PageLine, &LineFate)| {
            fate.is_compared() == (line.part == LinePart::Text)
        };
        if !page.lines.iter().zip(fates).all(as_read) {
            let lines = fingerprint(&page.lines, fates);
            self.fingerprint = Some(match self.by_language {
                true => page.fingerprint(self.fingerprint.unwrap_or(0) ^ lines),
                false => lines,
            });
        }
        // What does not tell of its headline may be what the site says on every page.
        if !head.is_told && may_be_form(self.text.features.len() as u64) {
            self.fingerprint = self.fingerprint.map(|text| page.fingerprint(text));
        }
        self.head = Some(head);
    }

    /// The features of the lines that are compared, with repetitions.
    pub(crate) fn compared(&self, fates: &[LineFate]) -> impl Iterator<Item = u64> {
        let lines = self.page().map(|page| &*page.lines).unwrap_or_default();
        let of = |parts: fn(LinePart) -> bool| {
            let lines = lines.iter().zip(fates).filter(move |(line, _)| parts(line.part));
            lines.map(|(_, fate)| fate.is_compared())
        };
        let text = self.text.of_lines(of(|part| part == LinePart::Text));
        text.chain(self.rest.of_lines(of(|part| part != LinePart::Text)))
    }

    /// Keeps of the features that tell the headline some of those in the set, once that is made.
    pub(crate) fn sample_telling(&mut self) {
        if let Some(head) = &mut self.head {
            telling::sample(&mut head.telling, &self.text.features);
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
        self.sample_telling();
        Features {
            fingerprint: self.fingerprint,
            length: self.length,
            set: self.text.features,
            weights: self.text.weights,
            sketch: self.sketch,
            page: self.head,
            settings_tag,
        }
    }
}

/// Signs documents one after another, reusing its buffers.
#[derive(Debug, Default)]
pub(crate) struct Signer {
    tokens: Tokens,
    rest: Tokens,
    features: Vec<u64>,
    sorter: Sorter,
    grams: Grams,
    teller: Teller,
}

impl Signer {
    /// Signs a document by the settings.
    pub(crate) fn sign(&mut self, document: &Document, settings: &Settings) -> SignedPage {
        let (folding, text) = Folding::of(&document.text, settings.fold);
        let text = apply_numbers(&text, settings);
        self.tokens.read(&text);
        let mut signed = SignedPage {
            fingerprint: self.tokens.fingerprint(),
            length: self.tokens.text().len() as u32,
            by_language: settings.model.is_some()
                || matches!(settings.scheme, Scheme::Spot(_) | Scheme::Prose { .. }),
            ..SignedPage::default()
        };
        if let Some(site) = document.site().filter(|_| settings.template) {
            let title = document.title.as_deref().unwrap_or_default();
            let title = Tokens::new(&folding.apply(title));
            let rest = folding.apply(&document.rest.text);
            self.rest.read(&apply_numbers(&rest, settings));
            let lines = lines::of_page(&self.tokens, &self.rest, &document.rest.lines);
            let mut headline = Headline::new(&title, &[&self.tokens, &self.rest]);
            headline.name = document.url.as_deref().map_or(0, page_name);
            if document.url.is_none() {
                headline.anchors = document.anchors.clone();
            }
            // A text without anything beside it is no page, and its title need not be a headline.
            let is_told =
                document.rest.text.is_empty() || lines::tells(&self.tokens, &headline.words);
            let mut head = PageHead::new(xxh3_64(site.as_bytes()), &headline.words, is_told);
            head.spellings = spellings(&title);
            head.name = headline.name;
            let site = Arc::from(site);
            signed.page = Some(Box::new(PageLines { site, headline, head, lines }));
        }
        if let Some(Matcher::Collisions(collisions)) = &settings.matcher {
            self.sign_by_collisions(&document.text, settings, collisions, &mut signed);
            return signed;
        }
        let page = signed.page.as_deref_mut();
        signed.text = self.text_features(
            (document, &text, folding),
            settings,
            page.map(|page| &mut page.head),
        );
        if let Some(page) = &mut signed.page
            && lines::may_hold_text(&page.lines)
        {
            std::mem::swap(&mut self.tokens, &mut self.rest);
            let rest = Document {
                text: document.rest.text.clone(),
                title: document.title.clone(),
                url: document.url.clone(),
                ..Document::default()
            };
            let head = Some(&mut page.head);
            signed.rest = self.text_features((&rest, &rest.text, folding), settings, head);
            let beside = page.lines.iter().filter(|line| line.part != LinePart::Text);
            signed.rest.remove_lines(beside.map(|line| line.part == LinePart::Named));
        }
        signed
    }

    /// The features of the words in `self.tokens`; with the lines they touch if it is a page, of which lines may
    /// be left out later, otherwise as a set.
    fn text_features(
        &mut self,
        (document, plain, folding): (&Document, &str, Folding),
        settings: &Settings,
        page: Option<&mut PageHead>,
    ) -> TextFeatures {
        let mut text = TextFeatures::default();
        let (tokens, features) = (&self.tokens, &mut self.features);
        features.clear();
        if let Ok(Some(model)) = settings.model() {
            let document = TokenizedDocument { document, plain, folding, tokens };
            self.grams.sign(model, document, page.is_some(), &mut text);
            return text;
        }
        if let Some(PageHead { headline, telling, .. }) = page {
            self.teller.begin(tokens, headline);
            let ends = tokens.block_ends();
            let mut block = 0;
            settings.scheme.features(tokens, |feature| {
                // Features come in the order of their first words.
                while ends[block] <= feature.first {
                    block += 1;
                }
                let more = ends[block..].iter().take_while(|&&end| end <= feature.last).count();
                features.push(feature.hash);
                text.spans.push((block as u32, (block + more) as u32));
                self.teller.add(feature.hash, (feature.first, feature.last), telling);
            });
        } else {
            settings.scheme.features(tokens, |feature| features.push(feature.hash));
            if settings.needs_collection().is_none() {
                self.sorter.make_set(features, settings.multiset);
                text.is_set = true;
            }
        }
        text.features = features.as_slice().to_vec();
        text
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

/// Reads the words of a document, as the settings say, with hashes that are good for one run.
pub(crate) fn read_words(document: &Document, settings: &Settings, tokens: &mut Tokens) {
    let (_, text) = Folding::of(&document.text, settings.fold);
    tokens.read_for_run(&apply_numbers(&text, settings));
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
        assert_eq!(signed.page().unwrap().lines().len(), 3);
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
            assert_eq!(a.lines == b.lines, fold);
            assert_eq!(a.headline == b.headline, fold);
            let only_title = Document { text: plain.text.clone(), ..disguised.clone() };
            let only_title = signer.sign(&only_title, &settings);
            assert_eq!(a.headline == only_title.page().unwrap().headline, fold);
        }
    }
}
