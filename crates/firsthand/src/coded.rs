//! Texts in little memory, for finding pairs: each as the numbers of its words, which take a quarter of
//! the memory of its shingles, beside counters of all shingles.
//!
//! Most shingles occur once, and a text that has too many of those cannot have a partner. Only for the
//! others are the shingles made again, so that the matcher sees the few texts that matter, in full.

pub(crate) mod counters;
mod dictionary;
mod distinct;

use crate::{
    document::Document,
    matcher::Sets,
    measure::Rule,
    scheme::{Scheme, shingle_count, shingles},
    set::Sorter,
    settings::{Matcher, Settings},
    sign::read_words,
    tokens::Tokens,
};
pub(crate) use counters::SharedCounters;
use counters::{Singles, Tally};
use dictionary::Dictionary;
use distinct::Distinct;
use rayon::prelude::*;

/// Whether texts can be kept in this form: shingles of words, all alike, whatever the collection is.
pub(crate) fn applies(settings: &Settings) -> bool {
    matches!(settings.scheme, Scheme::Words { .. })
        && matches!(settings.collection_matcher(), Matcher::Exact)
        && settings.needs_collection().is_none()
        && settings.model.is_none()
        && settings.confirm.is_none()
        && !settings.template
}

/// A text as the numbers of its words.
#[derive(Clone, Debug)]
pub(crate) struct CodedText {
    /// The hash of the normalised text; meaningless if that is empty.
    pub(crate) fingerprint: u128,
    /// The length of the normalised text.
    pub(crate) length: u32,
    /// The number of its features.
    pub(crate) features: u32,
    /// The dictionary that has the words.
    dictionary: u32,
    code: Box<[u16]>,
}

/// The texts of a collection, in the order of its documents, and what is known of their features.
#[derive(Clone, Debug)]
pub(crate) struct CodedTexts {
    pub(crate) texts: Vec<CodedText>,
    dictionaries: Vec<Dictionary>,
    singles: Singles,
}

/// Makes codes of one text after another, on one thread.
pub(crate) struct TextCoder<'a> {
    settings: &'a Settings,
    /// Words per shingle.
    n: usize,
    /// The number of the thread.
    number: u32,
    tokens: Tokens,
    dictionary: Dictionary,
    code: Vec<u16>,
    distinct: Distinct,
    tally: Tally<'a>,
}

impl CodedTexts {
    /// Begins with counters for about so many features.
    pub(crate) fn counters(settings: &Settings, features: usize) -> SharedCounters {
        SharedCounters::new(sampled_bits(settings.rule()), features)
    }

    pub(crate) fn new(
        texts: Vec<CodedText>,
        coders: Vec<FinishedCoder>,
        counters: SharedCounters,
    ) -> Self {
        let mut coders = coders;
        coders.sort_unstable_by_key(|coder| coder.0);
        let dictionaries = coders.into_iter().map(|coder| coder.1).collect();
        Self { texts, dictionaries, singles: counters.finish() }
    }

    /// Adds the texts of other documents.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.dictionaries.len() as u32;
        self.dictionaries.extend(other.dictionaries);
        self.singles.merge(other.singles);
        let texts = other.texts.into_iter();
        self.texts
            .extend(texts.map(|text| CodedText { dictionary: text.dictionary + before, ..text }));
    }

    /// The sets of some texts in full; those of texts that cannot have a partner are empty.
    pub(crate) fn sets(&self, wanted: Vec<CodedText>, settings: &Settings) -> Sets {
        let Scheme::Words { n } = settings.scheme else { return Sets::default() };
        let rule = settings.rule();
        let sets = wanted.into_par_iter().map_init(SetMaker::default, |maker, text| {
            if (text.features as usize) < settings.min_features {
                return Vec::new();
            }
            let dictionary = &self.dictionaries[text.dictionary as usize];
            maker.hashes.clear();
            dictionary.decode(&text.code, &mut maker.hashes);
            if self.is_alone(&maker.hashes, n, text.features, rule) {
                return Vec::new();
            }
            maker.features.clear();
            maker.features.extend(shingles(&maker.hashes, n));
            maker.sorter.make_set(&mut maker.features, settings.multiset);
            maker.features.as_slice().to_vec()
        });
        let mut all = Sets::default();
        sets.collect::<Vec<_>>().into_iter().for_each(|set| all.push_sorted(set));
        all
    }

    /// Whether too many shingles of words occur nowhere else for a text with `size` features to have a
    /// partner.
    fn is_alone(&self, words: &[u64], n: usize, size: u32, rule: Rule) -> bool {
        let size = u64::from(size);
        let least = rule.least_overlap(size, rule.smallest_partner(size));
        // Repeated ones are met more often than they count.
        let repeated = (shingle_count(words.len(), n) as u64).saturating_sub(size);
        let spare = (size.saturating_sub(least) + repeated) as usize;
        let singles = shingles(words, n).filter(|feature| self.singles.contains(*feature));
        singles.take(spare + 1).count() > spare
    }
}

/// What makes sets on one thread.
#[derive(Default)]
struct SetMaker {
    hashes: Vec<u64>,
    features: Vec<u64>,
    sorter: Sorter,
}

/// A coder that has seen all its texts: its number and its words.
pub(crate) struct FinishedCoder(u32, Dictionary);

impl<'a> TextCoder<'a> {
    /// The coder of the thread with this number.
    pub(crate) fn new(settings: &'a Settings, number: usize, counters: &'a SharedCounters) -> Self {
        let n = if let Scheme::Words { n } = settings.scheme { n } else { 1 };
        Self {
            settings,
            n,
            number: number as u32,
            tokens: Tokens::default(),
            dictionary: Dictionary::default(),
            code: Vec::new(),
            distinct: Distinct::default(),
            tally: Tally::new(counters),
        }
    }

    /// The code of a document's text. Of one that `is_copy` says is known already, nothing is kept.
    pub(crate) fn code(
        &mut self,
        document: &Document,
        is_copy: &dyn Fn(u128) -> bool,
    ) -> CodedText {
        read_words(document, self.settings, &mut self.tokens);
        let mut text = CodedText {
            fingerprint: self.tokens.fingerprint().unwrap_or_default(),
            length: self.tokens.text().len() as u32,
            features: 0,
            dictionary: self.number,
            code: Box::default(),
        };
        if self.tokens.is_empty() || is_copy(text.fingerprint) {
            return text;
        }
        let (hashes, n, tally) = (self.tokens.hashes(), self.n, &mut self.tally);
        let all = shingle_count(hashes.len(), n);
        let distinct =
            self.distinct.count(all, || shingles(hashes, n), |feature| tally.add(feature));
        text.features = if self.settings.multiset { all } else { distinct } as u32;
        self.dictionary.encode(hashes, &mut self.code);
        text.code = self.code.as_slice().into();
        text
    }

    /// Ends coding.
    pub(crate) fn finish(mut self) -> FinishedCoder {
        self.tally.finish();
        FinishedCoder(self.number, self.dictionary)
    }
}

/// Of which features singles are counted: those that begin with so many zeros. Others are not needed
/// where few singles are enough to rule a text out.
pub(crate) fn sampled_bits(rule: Rule) -> u32 {
    const SIZE: u64 = 1 << 20;
    let spare = SIZE - rule.least_overlap(SIZE, rule.smallest_partner(SIZE)).min(SIZE);
    // Two and a half times as many as may be single: some share a counter, some are not single.
    (SIZE * 2 / (spare * 5).max(1)).max(1).ilog2().min(4)
}
