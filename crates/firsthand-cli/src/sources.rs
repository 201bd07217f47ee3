//! How much each source loses: one that loses over half of its documents deserves a look.

use firsthand::Document;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Sources with fewer documents lose half of them too easily.
const LEAST: u64 = 20;

/// The source, or else the host, of every document, noted batch by batch.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    numbers: HashMap<String, u32>,
    /// Per batch, one source for each document.
    batches: Vec<(usize, Vec<u32>)>,
}

/// A document without source and host.
const NOWHERE: u32 = u32::MAX;

/// A source that loses over half of its documents.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Loss {
    pub(crate) source: String,
    pub(crate) documents: u64,
    pub(crate) dropped: u64,
}

impl Sources {
    /// Takes note of a batch: one lock for all its documents.
    pub(crate) fn add(&self, batch: usize, documents: &[Document]) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let Noted { numbers, batches } = &mut *noted;
        let number = |document: &Document| {
            let Some(name) = document.source.as_deref().or(document.host.as_deref()) else {
                return NOWHERE;
            };
            if let Some(&number) = numbers.get(name) {
                return number;
            }
            let number = numbers.len() as u32;
            numbers.insert(name.to_owned(), number);
            number
        };
        batches.push((batch, documents.iter().map(number).collect()));
    }

    /// The sources that lose over half, the greatest loss first; `dropped` says which documents
    /// are dropped, in input order.
    pub(crate) fn losses(self, dropped: impl Iterator<Item = bool>) -> Vec<Loss> {
        let noted = self.noted.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Noted { numbers, mut batches } = noted;
        batches.sort_unstable_by_key(|(batch, _)| *batch);
        let mut counts = vec![(0u64, 0u64); numbers.len()];
        let documents = batches.iter().flat_map(|(_, sources)| sources);
        for (&source, dropped) in documents.zip(dropped) {
            if let Some((all, lost)) = counts.get_mut(source as usize) {
                *all += 1;
                *lost += u64::from(dropped);
            }
        }
        let mut losses: Vec<Loss> = numbers
            .into_iter()
            .map(|(source, number)| {
                let (documents, dropped) = counts[number as usize];
                Loss { source, documents, dropped }
            })
            .filter(|loss| loss.documents >= LEAST && 2 * loss.dropped > loss.documents)
            .collect();
        losses.sort_by(|a, b| b.dropped.cmp(&a.dropped).then_with(|| a.source.cmp(&b.source)));
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_loses_over_half_is_named() {
        let from = |source: &str| Document {
            source: Some(source.to_owned()),
            ..Document::new("id", "text")
        };
        let sources = Sources::default();
        // Out of order, as threads finish.
        sources.add(1, &vec![from("mirror"); 30]);
        sources.add(0, &[vec![from("agency"); 30], vec![from("small"); 3]].concat());
        sources.add(2, &[Document::new("id", "text")]);
        let dropped = [vec![false; 30], vec![true; 3], vec![true; 16], vec![false; 14], vec![true]];
        let losses = sources.losses(dropped.concat().into_iter());
        let mirror = Loss { source: "mirror".to_owned(), documents: 30, dropped: 16 };
        assert_eq!(losses, [mirror]);
    }
}
