//! How much each source loses: one that loses over half of its documents deserves a look.

use firsthand::Document;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Sources with fewer documents lose half of them too easily.
const LEAST: u64 = 20;

/// The source, or else the host, of every document, noted batch by batch.
#[derive(Debug, Default)]
pub struct Sources {
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
pub struct Loss {
    /// The source.
    pub source: String,
    /// The number of its documents.
    pub documents: u64,
    /// The number of them that are dropped.
    pub dropped: u64,
}

impl Sources {
    /// Starts to take note of a batch.
    pub fn batch(&self, batch: usize) -> SourceBatch<'_> {
        SourceBatch { sources: self, batch, names: HashMap::new(), documents: Vec::new() }
    }

    /// The sources that lose over half, the greatest loss first; `dropped` says which documents
    /// are dropped, in input order.
    pub fn losses(self, dropped: impl Iterator<Item = bool>) -> Vec<Loss> {
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

/// The sources of one batch, handed over when it is dropped: one lock for all its documents.
#[derive(Debug)]
pub struct SourceBatch<'a> {
    sources: &'a Sources,
    batch: usize,
    /// Sources by number, within the batch.
    names: HashMap<String, u32>,
    documents: Vec<u32>,
}

impl SourceBatch<'_> {
    /// Takes note of a document.
    pub fn add(&mut self, document: &Document) {
        let name = document.source.as_deref().or(document.host.as_deref());
        let number = name.map_or(NOWHERE, |name| match self.names.get(name) {
            Some(&number) => number,
            None => {
                let number = self.names.len() as u32;
                self.names.insert(name.to_owned(), number);
                number
            }
        });
        self.documents.push(number);
    }
}

impl Drop for SourceBatch<'_> {
    fn drop(&mut self) {
        let mut noted = self.sources.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let Noted { numbers, batches } = &mut *noted;
        let mut all = vec![NOWHERE; self.names.len()];
        for (name, number) in self.names.drain() {
            let next = numbers.len() as u32;
            all[number as usize] = *numbers.entry(name).or_insert(next);
        }
        for number in &mut self.documents {
            *number = all.get(*number as usize).copied().unwrap_or(NOWHERE);
        }
        batches.push((self.batch, std::mem::take(&mut self.documents)));
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
        let add = |batch, documents: &[Document]| {
            let mut batch = sources.batch(batch);
            documents.iter().for_each(|document| batch.add(document));
        };
        add(1, &vec![from("mirror"); 30]);
        add(0, &[vec![from("agency"); 30], vec![from("small"); 3]].concat());
        add(2, &[Document::new("id", "text")]);
        let dropped = [vec![false; 30], vec![true; 3], vec![true; 16], vec![false; 14], vec![true]];
        let losses = sources.losses(dropped.concat().into_iter());
        let mirror = Loss { source: "mirror".to_owned(), documents: 30, dropped: 16 };
        assert_eq!(losses, [mirror]);
    }
}
