//! Word frequencies among labelled documents.
//!
//! Copies of a text count once: what a cluster of twenty shares is not common, and among unseen
//! documents it would be as rare as it really is.

use super::Trainer;
use crate::{
    document::Document,
    evaluate::Sample,
    model::Table,
    tokens::{Folding, Tokens},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of clusters, or documents without copies, in which each word occurs.
pub(super) fn documents(trainer: &Trainer<'_>, sample: &Sample) -> Table {
    count(trainer, sample, |document, folding| folding.apply(&document.text).into_owned())
}

/// The number of titles in which each word occurs.
pub(super) fn titles(trainer: &Trainer<'_>, sample: &Sample) -> Table {
    count(trainer, sample, |document, folding| {
        folding.apply(document.title.as_deref().unwrap_or_default()).into_owned()
    })
}

/// The number of lines in which each word occurs: titles or queries, one per line.
pub fn queries(text: &str) -> Table {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut lines = 0;
    for line in text.lines() {
        let tokens = Tokens::new(line);
        lines += u32::from(!tokens.is_empty());
        for word in tokens.words().collect::<BTreeSet<_>>() {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    Table::new(lines, counts)
}

fn count(
    trainer: &Trainer<'_>,
    sample: &Sample,
    part: impl Fn(&Document, Folding) -> String + Sync,
) -> Table {
    let fold = trainer.plan.settings.fold;
    let mut units: HashMap<u32, Vec<usize>> = HashMap::new();
    for at in (0..trainer.documents.len()).filter(|&at| trainer.takes_part(at, sample)) {
        if let Some(unit) = trainer.truth.unit(at) {
            units.entry(unit).or_default().push(at);
        }
    }
    let words = |members: &Vec<usize>| -> BTreeSet<String> {
        let texts = members.iter().map(|&at| {
            let document = &trainer.documents[at];
            Tokens::new(&part(document, Folding::of(&document.text, fold).0))
        });
        let texts: Vec<Tokens> = texts.collect();
        texts.iter().flat_map(Tokens::words).map(str::to_owned).collect()
    };
    let members: Vec<Vec<usize>> = units.into_values().collect();
    let words: Vec<BTreeSet<String>> = members.par_iter().map(words).collect();
    let counted = words.iter().filter(|words| !words.is_empty()).count();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for word in words.into_iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    Table::new(counted as u32, counts)
}
