//! A signed collection with what depends on it as a whole: templates, frequencies, equal texts.

use crate::{
    detector::Detector,
    frequency::Frequencies,
    hashed::BuildHashed,
    ids::Ids,
    matcher::{Cost, Pair, Scope, Sets, Sides, TooManyPairs},
    pairs::Pairs,
    search::{Likeness, Search},
    set::Sorter,
    settings::Settings,
    signature::Signature,
    signed::{Signed, SignedDocument},
    template::{Page, Templates},
    threshold::Threshold,
    weights::{Weighting, Weights},
};
use rayon::prelude::*;
use std::{collections::HashMap, sync::Arc};

/// What is known about a document of a collection once it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its id. Where an id occurs again, `#2`, `#3` and so on are appended.
    pub id: String,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// The bytes of its normalised text; none means that it is empty and matches nothing.
    pub length: u32,
    /// How many features it is compared by.
    pub features: u32,
    /// Whether it has too few features, so that only exact copies of it count.
    pub short: bool,
    /// The text it shares with its exact copies.
    pub(crate) text: Option<u32>,
}

/// A collection ready to be matched.
#[derive(Debug)]
pub struct Collection {
    documents: Vec<Summary>,
    search: Search,
    templates: Templates,
    furniture: u64,
    /// The sites of texts that were published on several.
    elsewhere: HashMap<u32, Vec<Option<Arc<str>>>>,
    renamed: usize,
    split: Option<usize>,
}

impl Collection {
    /// Learns what depends on the collection as a whole, and applies it.
    pub fn new(detector: &Detector, documents: Signed) -> Self {
        Self::build(detector, documents.entries, None)
    }

    /// A new collection to be matched against a reference: only pairs of one with the other.
    pub fn against(detector: &Detector, reference: Signed, documents: Signed) -> Self {
        let split = reference.entries.len();
        let mut entries = reference.entries;
        entries.extend(documents.entries);
        Self::build(detector, entries, Some(split))
    }

    fn build(detector: &Detector, entries: Vec<SignedDocument>, split: Option<usize>) -> Self {
        let settings = detector.settings();
        let pages = entries.iter().filter(|entry| !entry.signature.blocks.is_empty());
        let templates = Templates::learn(pages.filter_map(|entry| {
            let Signature { title, blocks, .. } = &entry.signature;
            Some((entry.site.as_deref()?, Page { title, blocks }))
        }));

        // Exact copies share one text, and with it one set of features.
        let mut texts: HashMap<u128, u32, BuildHashed> = HashMap::default();
        let mut signatures: Vec<Signature> = Vec::with_capacity(entries.len());
        let mut documents: Vec<Summary> = Vec::with_capacity(entries.len());
        let mut sites = Vec::with_capacity(entries.len());
        let mut ids = Ids::default();
        let mut renamed = 0;
        for (at, mut entry) in entries.into_iter().enumerate() {
            if Some(at) == split {
                // Ids of the reference do not count for the new documents.
                renamed = std::mem::take(&mut ids).renamed();
            }
            let text = entry.signature.fingerprint.map(|fingerprint| {
                *texts.entry(fingerprint).or_insert_with(|| {
                    signatures.push(std::mem::take(&mut entry.signature));
                    signatures.len() as u32 - 1
                })
            });
            let length = text.map_or(0, |text| signatures[text as usize].length);
            let mut id = entry.id;
            ids.claim(&mut id);
            documents.push(Summary {
                id,
                time: entry.time,
                length,
                features: 0,
                short: false,
                text,
            });
            sites.push(entry.site);
        }
        drop(texts);
        let furniture = remove_furniture(&mut signatures, &documents, &sites, &templates);
        let elsewhere = several_sites(&documents, &sites, signatures.len());
        let weighed = weigh(settings, &mut signatures);
        signatures
            .par_iter_mut()
            .filter(|signature| !signature.is_set)
            .for_each_init(Sorter::default, |sorter, signature| {
                sorter.make_set(&mut signature.features, settings.multiset)
            });
        let enough = |signature: &Signature| signature.features.len() >= settings.min_features;
        let weights = weighed.map(|weighed| {
            let weighed = signatures.par_iter().zip(weighed);
            Weights::new(weighed.map(|(signature, weights)| match enough(signature) {
                true => weights,
                false => Vec::new(),
            }))
        });
        let mut sets = Sets::default();
        let mut sizes = Vec::with_capacity(signatures.len());
        for signature in signatures {
            sizes.push(signature.features.len());
            sets.push_sorted(if enough(&signature) { signature.features } else { Vec::new() });
        }
        let search = Search::new(settings, sets, weights);
        for document in &mut documents {
            match document.text {
                Some(text) => {
                    document.features = sizes[text as usize] as u32;
                    document.short = sizes[text as usize] < settings.min_features;
                }
                None => document.short = true,
            }
        }
        Self {
            documents,
            search,
            templates,
            furniture,
            elsewhere,
            renamed: renamed + ids.renamed(),
            split,
        }
    }

    /// The documents, in the order of the input, those of a reference first.
    pub fn documents(&self) -> &[Summary] {
        &self.documents
    }

    /// The documents alone.
    pub(crate) fn into_documents(self) -> Vec<Summary> {
        self.documents
    }

    /// Where the new documents start, if there is a reference.
    pub fn split(&self) -> Option<usize> {
        self.split
    }

    /// The page furniture that was found.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// The features that a document is compared by, ascending; none if it is short.
    pub fn features_of(&self, document: usize) -> &[u64] {
        self.documents[document].text.map_or(&[], |text| self.set(text))
    }

    /// The features that a document is compared by with their weights; empty if it is short or there
    /// are no weights.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn vector_of(&self, document: usize) -> (&[u64], &[u32]) {
        let vector = |text: u32| Some((self.set(text), self.search.weights(text as usize)?));
        self.documents[document].text.and_then(vector).unwrap_or_default()
    }

    /// What a text is compared by; empty if it is short.
    pub(crate) fn set(&self, text: u32) -> &[u64] {
        self.search.sets().get(text as usize)
    }

    /// The weights of these features, where they have weights.
    pub(crate) fn weights(&self, text: u32) -> Option<&[u32]> {
        self.search.weights(text as usize)
    }

    /// Whether a block of a text is set aside, the text being known from this site.
    pub(crate) fn is_aside(&self, text: u32, site: Option<&str>, block: u64) -> bool {
        let furniture =
            |site: Option<&str>| site.is_some_and(|s| self.templates.contains(s, block));
        match self.elsewhere.get(&text) {
            Some(sites) => sites.iter().all(|site| furniture(site.as_deref())),
            None => furniture(site),
        }
    }

    /// How many passages were set aside as furniture.
    pub fn furniture(&self) -> u64 {
        self.furniture
    }

    /// How many ids occurred more than once and were made unique.
    pub fn renamed(&self) -> usize {
        self.renamed
    }

    /// How many different texts there are, without the empty one.
    pub fn texts(&self) -> usize {
        self.search.sets().len()
    }

    /// How many features all different texts have together.
    pub fn features(&self) -> usize {
        self.search.sets().features()
    }

    /// Finds all near-duplicates.
    pub fn matches(&self, detector: &Detector) -> Result<(Pairs, Cost), TooManyPairs> {
        self.matches_at(detector, detector.settings().threshold)
    }

    /// Finds what would be near-duplicates at another threshold, by the same matcher: bands stay
    /// those of the settings.
    pub fn matches_at(
        &self,
        detector: &Detector,
        threshold: Threshold,
    ) -> Result<(Pairs, Cost), TooManyPairs> {
        let settings = detector.settings();
        let sides = self.split.map(|split| {
            let mut sides = vec![Sides::default(); self.texts()];
            for (at, document) in self.documents.iter().enumerate() {
                if let Some(text) = document.text {
                    let sides = &mut sides[text as usize];
                    *(if at < split { &mut sides.old } else { &mut sides.new }) = true;
                }
            }
            sides
        });
        let scope = sides.as_deref().map_or(Scope::Within, Scope::Across);
        let matches = self.search.pairs(settings, threshold, scope)?;
        let score = |pair: Pair| self.search.score(settings, pair);
        Ok((Pairs::new(&self.documents, &matches, score, self.split), matches.cost))
    }

    /// How alike two documents are by what the settings compare, near-duplicates or not.
    pub fn similarity(&self, detector: &Detector, a: usize, b: usize) -> f64 {
        match (self.documents[a].text, self.documents[b].text) {
            (Some(x), Some(y)) if x == y => 1.0,
            (Some(x), Some(y)) => self.likeness(detector.settings(), x, y).score,
            _ => 0.0,
        }
    }

    /// How alike two texts are.
    pub(crate) fn likeness(&self, settings: &Settings, a: u32, b: u32) -> Likeness {
        self.search.likeness(settings, a, b)
    }
}

/// Cuts by frequency and weighs by it, as the settings have it; returns the weights.
fn weigh(settings: &Settings, signatures: &mut [Signature]) -> Option<Vec<Vec<u32>>> {
    if settings.model.is_some() {
        signatures.par_iter_mut().for_each(Signature::make_vector);
        return Some(signatures.iter_mut().map(|s| std::mem::take(&mut s.weights)).collect());
    }
    if settings.frequency.is_off() && settings.weights == Weighting::Equal {
        return None;
    }
    let frequencies = Frequencies::new(signatures);
    if !settings.frequency.is_off() {
        frequencies.cut(&settings.frequency, signatures);
    }
    match settings.weights {
        Weighting::Equal => None,
        Weighting::TfIdf => Some(frequencies.weigh(signatures)),
    }
}

/// Takes the features out that touch furniture; returns the number of passages set aside.
///
/// A passage is set aside only if it is furniture wherever its text was published.
fn remove_furniture(
    signatures: &mut [Signature],
    documents: &[Summary],
    sites: &[Option<Arc<str>>],
    templates: &Templates,
) -> u64 {
    let mut published: Vec<Vec<Option<&str>>> = vec![Vec::new(); signatures.len()];
    for (document, site) in documents.iter().zip(sites) {
        if let Some(text) = document.text
            && !signatures[text as usize].spans.is_empty()
        {
            published[text as usize].push(site.as_deref());
        }
    }
    let mut furniture = 0;
    for (signature, sites) in signatures.iter_mut().zip(&published) {
        if !sites.is_empty() {
            let everywhere = |block: u64| {
                sites.iter().all(|site| site.is_some_and(|site| templates.contains(site, block)))
            };
            furniture += signature.set_aside(everywhere);
        }
    }
    furniture
}

/// The texts that were published on several sites, with these.
fn several_sites(
    documents: &[Summary],
    sites: &[Option<Arc<str>>],
    texts: usize,
) -> HashMap<u32, Vec<Option<Arc<str>>>> {
    let mut first: Vec<Option<&Option<Arc<str>>>> = vec![None; texts];
    let mut several: HashMap<u32, Vec<Option<Arc<str>>>> = HashMap::new();
    for (document, site) in documents.iter().zip(sites) {
        let Some(text) = document.text else { continue };
        let first = *first[text as usize].get_or_insert(site);
        if first != site {
            let sites = several.entry(text).or_insert_with(|| vec![first.clone()]);
            if !sites.contains(site) {
                sites.push(site.clone());
            }
        }
    }
    several
}
