//! Features by definition, gram by gram and word by word.

use super::*;
use crate::{
    document::Document,
    model::{
        FEATURES, Table,
        features::{KeepValues, Values, parts, share},
    },
    scheme::lexicon,
    tokens::{Folding, Tokens},
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Words in the tables, stop words, numbers and others.
const VOCABULARY: [&str; 12] =
    ["the", "ferry", "Is", "a", "of", "Harbour", "1,000", "was", "año", "B2b", "at", "storm"];

fn tables() -> (Table, Table) {
    let table = |documents, words: &[(&str, u32)]| Table {
        documents,
        words: words.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect(),
    };
    let documents = [("the", 90), ("a", 80), ("is", 40), ("ferry", 12), ("año", 2), ("at", 55)];
    (table(100, &documents), table(30, &[("ferry", 8), ("harbour", 30), ("at", 1)]))
}

/// The frequency of a word as documented for `idf` and `title-count`.
fn level(table: &Table, word: &str) -> f64 {
    let count = table.words.get(word).unwrap_or(0);
    f64::from(count).ln_1p() / f64::from(table.documents).ln_1p()
}

/// The features of each gram, by its text.
fn by_definition(document: &Document, k: usize) -> BTreeMap<String, Values> {
    let tokens = Tokens::new(&document.text);
    let title = Tokens::new(document.title.as_deref().unwrap_or_default());
    let url = document.url.clone().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = tokens.words().collect();
    let (documents, titles) = tables();
    let roles: Vec<_> = tokens.hashes().iter().map(|&hash| lexicon::roles(hash)).collect();
    let language = lexicon::detect(&roles);
    let is = |bits: u32| language.is_some_and(|bit| bits >> bit & 1 == 1);
    let block =
        |place: usize| tokens.block_ends().iter().filter(|&&end| end as usize <= place).count();
    let line = |place: usize| {
        let number = tokens.block_lines()[block(place)].0 as usize;
        (
            document.text.split('\n').nth(number).unwrap(),
            document.quoted_lines.get(number) == Some(&true),
        )
    };
    let length = words.len();
    let k = k.min(length);
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    if length > 0 {
        (0..=length - k)
            .for_each(|at| places.entry(words[at..at + k].join(" ")).or_default().push(at));
    }
    let features = |places: Vec<usize>| {
        let (first, count) = (places[0], places.len());
        let gram = &words[first..first + k];
        let mean = |values: &dyn Fn(&str) -> i64| {
            gram.iter().map(|word| values(word)).sum::<i64>() / k as i64
        };
        let idf_of = |word: &str| i64::from(parts(1.0 - level(&documents, word)));
        let idf = mean(&idf_of);
        let mut idfs: Vec<i64> = gram.iter().map(|word| idf_of(word)).collect();
        idfs.sort_unstable();
        let having = |has: &dyn Fn(usize) -> bool| {
            share((first..first + k).filter(|&place| has(place)).count(), k)
        };
        let log = |count: usize| i64::from(parts((count as f64).ln_1p()));
        let around = first.saturating_sub(20)..(first + k + 20).min(length);
        let stops = around.clone().filter(|&place| is(roles[place].stop_word)).count();
        let after = |&place: &usize| {
            (place.saturating_sub(2)..place).any(|before| is(roles[before].antecedent))
        };
        let mut blocks: Vec<usize> = places.iter().map(|&place| block(place)).collect();
        blocks.dedup();
        let mut values = [0; FEATURES];
        let mut set = |feature: GramFeature, value: i64| values[feature as usize] = value as i32;
        set(GramFeature::Bias, 1024);
        set(GramFeature::Count, log(count));
        set(GramFeature::Share, share(count * 100, length).min(20 * 1024));
        set(GramFeature::CountIdf, count.min(16) as i64 * idf);
        set(GramFeature::Idf, idf);
        set(GramFeature::IdfMedian, if k == 1 { 0 } else { idfs[k / 2] });
        set(GramFeature::IdfSquare, idf * idf / 1024);
        set(GramFeature::Common, flag(idf < 205));
        set(GramFeature::Rare, flag(idf > 870));
        set(GramFeature::TitleCount, mean(&|word| i64::from(parts(level(&titles, word)))));
        set(GramFeature::Untitled, flag(gram.iter().all(|word| titles.words.get(word).is_none())));
        set(GramFeature::Position, share(first, length));
        set(GramFeature::Opening, flag(first * 10 < length));
        set(GramFeature::FirstPart, flag(first * 10 < length * 4));
        set(GramFeature::End, flag(places.iter().any(|place| place * 5 >= length * 4)));
        set(GramFeature::Length, log(length));
        set(GramFeature::Letters, log(gram.iter().map(|word| word.chars().count()).sum()));
        set(GramFeature::InTitle, having(&|at| title.words().any(|word| word == words[at])));
        set(GramFeature::InUrl, having(&|at| url.split(['/', '-']).any(|word| word == words[at])));
        let capital = |at: usize| tokens.forms().nth(at).is_some_and(|form| form.capital);
        set(GramFeature::Capitals, having(&capital));
        set(GramFeature::Digits, flag(gram.concat().contains(|c: char| c.is_ascii_digit())));
        set(GramFeature::AfterStop, flag(places.iter().any(after)));
        set(GramFeature::StopDensity, share(stops, around.len()));
        set(GramFeature::LinkDensity, 0);
        set(GramFeature::Blocks, log(blocks.len()));
        set(GramFeature::Quoted, flag(places.iter().all(|&place| line(place).0.starts_with('>'))));
        set(GramFeature::Aside, flag(places.iter().all(|&place| line(place).1)));
        values
    };
    places.into_iter().map(|(gram, places)| (gram, features(places))).collect()
}

fn documents() -> impl Strategy<Value = Document> {
    let line = (any::<bool>(), prop::collection::vec(0..VOCABULARY.len(), 0..30));
    let lines = prop::collection::vec(line, 0..9);
    (lines, any::<u8>(), any::<bool>()).prop_map(|(lines, aside, named)| {
        let write = |(quoted, words): &(bool, Vec<usize>)| {
            let words: Vec<&str> = words.iter().map(|&word| VOCABULARY[word]).collect();
            format!("{}{}", if *quoted { "> " } else { "" }, words.join(" "))
        };
        let text = lines.iter().map(write).collect::<Vec<_>>().join("\n");
        Document {
            title: named.then(|| "Storm at the Harbour".to_owned()),
            url: named.then(|| "ferry/was-LATE".to_owned()),
            quoted_lines: (0..8).map(|bit| aside >> bit & 1 == 1).collect(),
            ..Document::new("a", text)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn features_match_their_definitions(document in documents(), k in 1usize..6) {
        let tokens = Tokens::new(&document.text);
        let (folding, plain) = Folding::of(&document.text, false);
        let reading = TokenizedDocument { document: &document, plain: &plain, folding, tokens: &tokens };
        let (titles, documents) = (tables().1, tables().0);
        let lookup = Lookup::new(&documents, &titles).unwrap();
        let (mut grams, mut values) = (Grams::default(), Vec::new());
        grams.read(&reading, k, &lookup, KeepValues, &mut values);
        let words = k.min(tokens.len());
        let text = |first: usize| {
            (first..first + words).map(|at| tokens.word(at)).collect::<Vec<_>>().join(" ")
        };
        let found: BTreeMap<String, Values> = grams
            .grams
            .iter()
            .map(|&(_, first)| (text(first as usize), values[first as usize]))
            .collect();
        prop_assert_eq!(found.len(), grams.grams.len());
        prop_assert_eq!(found, by_definition(&document, k));
        prop_assert!(grams.grams.is_sorted());
        for &(place, first) in &grams.again {
            prop_assert_eq!(text(place as usize), text(first as usize));
        }
        let places = (tokens.len() + 1).saturating_sub(words.max(1));
        prop_assert_eq!(grams.grams.len() + grams.again.len(), places);
    }
}

#[test]
fn rarer_words_have_lower_ranks() {
    assert_eq!((rank(1024), rank(512), rank(0)), (0, 128, 255));
}
