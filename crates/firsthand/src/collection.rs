//! A collection ready to be matched, with templates and frequencies learned from all of its documents.

mod from_codes;

use crate::{
    frequency::Frequencies,
    hashed::BuildHashed,
    ids::Ids,
    lines::LineFate,
    matcher::{Cost, Pair, Scope, SearchLimits, Sets, Sides, TooManyPairs, stars::Preference},
    pairs::Pairs,
    preference,
    same_site::PageHead,
    search::{Likeness, Search},
    set::Sorter,
    settings::{Settings, SettingsError},
    sign::{PageLines, SignedPage},
    signed::{Signed, SignedDocument},
    summary::Summary,
    template::Templates,
    threshold::Threshold,
    weights::{Weighting, Weights},
};
use rayon::prelude::*;
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

/// A collection ready to be matched.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
///
/// let detector = Detector::new(Settings::default())?;
/// let batches = [vec![Document::new("a", "The same text"), Document::new("b", "the SAME text")]];
/// let collection = Collection::new(Signed::new(&detector, batches.into_iter(), |batch| batch));
/// let (pairs, _) = collection.matches()?;
/// assert!(pairs.get(0, 1).is_some_and(|pair| pair.exact));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collection {
    settings: Arc<Settings>,
    documents: Vec<Summary>,
    search: Search,
    templates: Templates,
    furniture: u64,
    rescued: u64,
    elsewhere: Elsewhere,
    renamed: usize,
    split: Option<usize>,
}

impl Collection {
    /// Learns templates and frequencies from all documents, and applies them.
    pub fn new(documents: Signed) -> Self {
        Self::of_signed(documents, usize::MAX).0
    }

    /// The same, if the texts that may have a partner have at most this number of features: others take little
    /// memory. It is only known of documents that were signed [for pairs](Signed::for_pairs).
    ///
    /// ```
    /// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
    ///
    /// let detector = Detector::new(Settings::profile("corpus")?)?;
    /// let text = "The ferry to the island did not sail on Monday because of the storm.";
    /// let texts = [text.to_owned(), format!("{text} Again."), "A bridge is built to the island".to_owned()];
    /// let sign = || {
    ///     let batches = [texts.clone().map(|text| Document::new(text.clone(), text))].into_iter();
    ///     Signed::for_pairs(&detector, 10, batches, |batch| batch)
    /// };
    /// assert!(Collection::within(sign(), 100).is_some());
    /// assert!(Collection::within(sign(), 10).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(documents: Signed, most_features: usize) -> Option<Self> {
        let (collection, is_whole) = Self::of_signed(documents, most_features);
        is_whole.then_some(collection)
    }

    fn of_signed(documents: Signed, most_features: usize) -> (Self, bool) {
        let (settings, entries) = (documents.settings, documents.entries);
        match documents.coded {
            Some(coded) => Self::from_codes(settings, entries, coded, None, most_features),
            None => (Self::build(settings, entries, None), true),
        }
    }

    /// New documents to be matched against a reference: only pairs of a new document with one of the
    /// reference are found.
    ///
    /// # Errors
    ///
    /// If the two were signed by different settings, or only one of them [for
    /// pairs](Signed::for_pairs).
    pub fn against(reference: Signed, documents: Signed) -> Result<Self, SettingsError> {
        if reference.settings != documents.settings {
            return Err(SettingsError::OtherSettings);
        }
        let (settings, split) = (documents.settings, Some(reference.entries.len()));
        let mut entries = reference.entries;
        entries.extend(documents.entries);
        match (reference.coded, documents.coded) {
            (None, None) => Ok(Self::build(settings, entries, split)),
            (Some(mut coded), Some(more)) => {
                coded.append(more);
                Ok(Self::from_codes(settings, entries, coded, split, usize::MAX).0)
            }
            _ => Err(SettingsError::OtherSettings),
        }
    }

    fn build(settings: Arc<Settings>, entries: Vec<SignedDocument>, split: Option<usize>) -> Self {
        let templates =
            Templates::learn(entries.iter().filter_map(|entry| entry.signed.as_deref()));

        let elsewhere = Elsewhere::new(&entries);

        // Exact copies share one text, and so one set of features.
        let mut texts: HashMap<u128, u32, BuildHashed> = HashMap::default();
        let mut signed: Vec<SignedPage> = Vec::new();
        let mut documents: Vec<Summary> = Vec::with_capacity(entries.len());
        let mut ids = Ids::default();
        let (mut renamed, mut furniture, mut rescued) = (0, 0, 0);
        for (at, entry) in entries.into_iter().enumerate() {
            if Some(at) == split {
                // New documents may have the same ids as documents of the reference.
                renamed = std::mem::take(&mut ids).renamed();
            }
            let mut own = entry.signed.unwrap_or_default();
            let mut nothing_but_form = false;
            if let Some(page) = own.page() {
                let fates = elsewhere.fates(&templates, own.fingerprint, page);
                let count = |which| fates.iter().filter(|fate| **fate == which).count() as u64;
                furniture += count(LineFate::Furniture);
                rescued += u64::from(count(LineFate::Rescued) > 0);
                let has_enough = |own: &SignedPage| {
                    own.text.has_at_least(settings.min_features, settings.multiset)
                };
                nothing_but_form = has_enough(&own);
                templates.settle_by(&mut own, &fates);
                nothing_but_form &= !has_enough(&own);
            }
            let text = own.fingerprint.map(|fingerprint| match texts.entry(fingerprint) {
                Entry::Occupied(known) => {
                    let first = &mut signed[*known.get() as usize].head;
                    *first = first.take().and_then(|head| head.shared_with(own.head.as_ref()));
                    *known.get()
                }
                Entry::Vacant(place) => {
                    signed.push(*own);
                    *place.insert(signed.len() as u32 - 1)
                }
            });
            let length = text.map_or(0, |text| signed[text as usize].length);
            let mut id = entry.id;
            ids.claim(&mut id);
            documents.push(Summary {
                id,
                time: entry.time,
                length,
                features: 0,
                short: false,
                nothing_but_form,
                text,
            });
        }
        drop(texts);
        let weighed = weigh(&settings, &mut signed);
        signed
            .par_iter_mut()
            .filter(|signed| !signed.text.is_set)
            .for_each_init(Sorter::default, |sorter, signed| {
                sorter.make_set(&mut signed.text.features, settings.multiset)
            });
        signed.par_iter_mut().for_each(SignedPage::sample_telling);
        let enough = |signed: &SignedPage| signed.text.features.len() >= settings.min_features;
        let weights = weighed.map(|weighed| {
            let weighed = signed.par_iter().zip(weighed);
            Weights::new(weighed.map(|(signed, weights)| match enough(signed) {
                true => weights,
                false => Vec::new(),
            }))
        });
        let mut sets = Sets::default();
        let mut sizes = Vec::with_capacity(signed.len());
        let mut heads = Vec::with_capacity(signed.len());
        for mut signed in signed {
            heads.push(signed.head.take());
            sizes.push(signed.text.features.len());
            sets.push_sorted(if enough(&signed) { signed.text.features } else { Vec::new() });
        }
        let search = Search::new(&settings, sets, weights, heads);
        for document in &mut documents {
            match document.text {
                Some(text) => {
                    document.features = sizes[text as usize] as u32;
                    document.short = sizes[text as usize] < settings.min_features;
                }
                None => document.short = true,
            }
            // A copy on another site, where less is form, may lend it its features.
            document.nothing_but_form &= document.short;
        }
        Self {
            settings,
            documents,
            search,
            templates,
            furniture,
            rescued,
            elsewhere,
            renamed: renamed + ids.renamed(),
            split,
        }
    }

    /// The settings that the documents were signed by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of pairs of documents with the same text, which is known before any search: of all
    /// pairs there are at least as many.
    ///
    /// ```
    /// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
    ///
    /// let batch: Vec<Document> = (0..100).map(|id| Document::new(format!("{id}"), "One text")).collect();
    /// let detector = Detector::new(Settings::default())?;
    /// let collection = Collection::new(Signed::new(&detector, [batch].into_iter(), |batch| batch));
    /// assert_eq!(collection.equal_pairs(), 100 * 99 / 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn equal_pairs(&self) -> u64 {
        let split = self.split.unwrap_or(0);
        let mut copies = vec![[0u32; 2]; self.texts()];
        for (at, document) in self.documents.iter().enumerate() {
            if let Some(text) = document.text {
                copies[text as usize][usize::from(at >= split)] += 1;
            }
        }
        let pairs = |copies: [u32; 2]| match (self.split, copies.map(u64::from)) {
            (Some(_), [old, new]) => old * new,
            (None, [_, new]) => new * new.saturating_sub(1) / 2,
        };
        copies.into_iter().map(pairs).sum()
    }

    /// The documents, in the order of the input, those of a reference first.
    pub fn documents(&self) -> &[Summary] {
        &self.documents
    }

    pub(crate) fn into_documents(self) -> Vec<Summary> {
        self.documents
    }

    /// Where the new documents start, if there is a reference.
    pub fn split(&self) -> Option<usize> {
        self.split
    }

    /// The templates that were learned.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// The features that a document is compared by, ascending; empty if it is short.
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

    /// The features of a text; empty if it is short.
    pub(crate) fn set(&self, text: u32) -> &[u64] {
        self.search.sets().get(text as usize)
    }

    /// The weights of the features of a text, if there are weights.
    pub(crate) fn weights(&self, text: u32) -> Option<&[u32]> {
        self.search.weights(text as usize)
    }

    /// What becomes of each visible line of a page of the collection.
    pub fn fates(&self, page: &SignedPage) -> Vec<LineFate> {
        let fates = |lines| self.elsewhere.fates(&self.templates, page.fingerprint, lines);
        page.page().map(fates).unwrap_or_default()
    }

    /// The number of pages whose text was completed by lines that no other page of their site has.
    pub fn rescued(&self) -> u64 {
        self.rescued
    }

    /// The number of blocks that were set aside as page furniture.
    pub fn furniture(&self) -> u64 {
        self.furniture
    }

    /// The number of ids that were changed because they occurred before.
    pub fn renamed(&self) -> usize {
        self.renamed
    }

    /// The number of different texts that are not empty.
    pub fn texts(&self) -> usize {
        self.search.sets().len()
    }

    /// The total number of features of all different texts.
    pub fn features(&self) -> usize {
        self.search.sets().features()
    }

    /// Finds all near-duplicates.
    ///
    /// # Errors
    ///
    /// If there are more pairs than can be kept in memory.
    pub fn matches(&self) -> Result<(Pairs, Cost), TooManyPairs> {
        self.matches_at(self.settings.threshold)
    }

    /// Finds the near-duplicates at another threshold, by the same matcher: bands stay those of the
    /// settings.
    ///
    /// # Errors
    ///
    /// If there are more pairs than can be kept in memory.
    pub fn matches_at(&self, threshold: Threshold) -> Result<(Pairs, Cost), TooManyPairs> {
        self.within_limits(threshold, SearchLimits::default())
    }

    /// Finds all near-duplicates or, if there are more pairs than allowed, only those of each member of
    /// a cluster with its original: clusters are the same, and no list of all pairs is needed.
    /// [`Pairs::is_complete`] tells which. With components there are also pairs that connect them.
    pub fn near_duplicates(&self, limits: SearchLimits<'_>) -> (Pairs, Cost) {
        if let Ok(found) = self.within_limits(self.settings.threshold, limits) {
            return found;
        }
        let (settings, split) = (&*self.settings, self.split.unwrap_or(usize::MAX));
        let texts = (0u32..)
            .zip(&self.documents)
            .filter_map(|(at, document)| document.text.map(|text| (at, text as usize)));
        let some = texts.clone().map(|(at, _)| at);
        let of_documents = preference::ranks(&self.documents, some, settings.collection_original());
        let mut ranks = vec![u32::MAX; self.texts()];
        // Of a reference only the old documents can be originals.
        for (at, text) in texts.filter(|(at, _)| (*at as usize) < split) {
            ranks[text] = ranks[text].min(of_documents[at as usize]);
        }
        let preference = Preference { ranks: &ranks, grouping: settings.collection_grouping() };
        let sides = self.sides();
        let scope = sides.as_deref().map_or(Scope::Within, Scope::Across);
        let matches = self.search.stars(settings, preference, scope, limits);
        let score = |pair: Pair| self.search.score(settings, pair);
        let pairs = Pairs::new(&self.documents, &matches, score, self.split);
        (pairs.of_originals(), matches.cost)
    }

    fn within_limits(
        &self,
        threshold: Threshold,
        limits: SearchLimits<'_>,
    ) -> Result<(Pairs, Cost), TooManyPairs> {
        let settings = &*self.settings;
        let sides = self.sides();
        let scope = sides.as_deref().map_or(Scope::Within, Scope::Across);
        let matches = self.search.pairs(settings, threshold, scope, limits)?;
        let score = |pair: Pair| self.search.score(settings, pair);
        Ok((Pairs::new(&self.documents, &matches, score, self.split), matches.cost))
    }

    /// The sides on which each text occurs, if there is a reference.
    fn sides(&self) -> Option<Vec<Sides>> {
        self.split.map(|split| {
            let mut sides = vec![Sides::default(); self.texts()];
            for (at, document) in self.documents.iter().enumerate() {
                if let Some(text) = document.text {
                    let sides = &mut sides[text as usize];
                    *(if at < split { &mut sides.old } else { &mut sides.new }) = true;
                }
            }
            sides
        })
    }

    /// The similarity of two documents by position, near-duplicates or not.
    pub fn similarity(&self, a: usize, b: usize) -> f64 {
        match (self.documents[a].text, self.documents[b].text) {
            (Some(x), Some(y)) if x == y => 1.0,
            (Some(x), Some(y)) => self.likeness(x, y).score,
            _ => 0.0,
        }
    }

    /// Site and headline of a text, if they may speak against a pair.
    pub(crate) fn head(&self, text: u32) -> Option<&PageHead> {
        self.search.head(text)
    }

    /// The similarity of two texts, and how the matcher treats them.
    pub(crate) fn likeness(&self, a: u32, b: u32) -> Likeness {
        self.search.likeness(&self.settings, a, b)
    }
}

/// Drops and weighs features by document frequency, as the settings say; returns the weights.
fn weigh(settings: &Settings, signed: &mut [SignedPage]) -> Option<Vec<Vec<u32>>> {
    if settings.model.is_some() {
        signed.par_iter_mut().for_each(|signed| signed.text.make_vector());
        return Some(signed.iter_mut().map(|s| std::mem::take(&mut s.text.weights)).collect());
    }
    settings.needs_collection()?;
    let frequencies = Frequencies::new(signed);
    if !settings.frequency.is_off() {
        frequencies.cut(&settings.frequency, signed);
    }
    match settings.weights {
        Weighting::Equal => None,
        Weighting::TfIdf => Some(frequencies.weigh(signed)),
    }
}

/// The sites of each text that was published on several. There a line is set aside only if it is
/// furniture on all of them: frames differ from site to site, so what is equal is no frame.
#[derive(Debug, Default)]
struct Elsewhere(HashMap<u128, Vec<Option<Arc<str>>>, BuildHashed>);

impl Elsewhere {
    fn new(entries: &[SignedDocument]) -> Self {
        let site_of = |signed: &SignedPage| signed.page().map(|page| Arc::clone(&page.site));
        let mut first: HashMap<u128, &SignedPage, BuildHashed> = HashMap::default();
        let mut several: HashMap<u128, Vec<Option<Arc<str>>>, BuildHashed> = HashMap::default();
        for signed in entries.iter().filter_map(|entry| entry.signed.as_deref()) {
            let Some(fingerprint) = signed.fingerprint else { continue };
            let first = *first.entry(fingerprint).or_insert(signed);
            let (old, new) = (site_of(first), site_of(signed));
            if old != new {
                let sites = several.entry(fingerprint).or_insert_with(|| vec![old]);
                if !sites.contains(&new) {
                    sites.push(new);
                }
            }
        }
        Self(several)
    }

    /// What becomes of the lines of a page; `fingerprint` is that of its text.
    fn fates(
        &self,
        templates: &Templates,
        fingerprint: Option<u128>,
        page: &PageLines,
    ) -> Vec<LineFate> {
        let sites = fingerprint.and_then(|fingerprint| self.0.get(&fingerprint));
        templates.fates_where(page, |line| match sites {
            Some(sites) => sites
                .iter()
                .all(|site| site.as_deref().is_some_and(|site| templates.contains(site, line))),
            None => templates.contains(page.site(), line),
        })
    }
}
