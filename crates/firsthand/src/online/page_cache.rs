//! A cache of stored pages, from which the furniture of sites is learned.
//!
//! Every page that arrives is compared with the pages of its site, so these are read far more often than
//! they change. The cache lasts from round to round. It notices a deletion by another process only
//! later, which changes no verdict on any other document.

use super::{
    record::DocumentRecord,
    store::{Seq, Store, StoreError},
};
use crate::lines::{Headline, PageLine};
use std::{collections::HashMap, sync::Arc};

/// The number of pages beyond which the cache is emptied.
const MOST: usize = 32_768;

/// The part of a stored document that furniture is learned from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StoredPage {
    pub(super) id: String,
    pub(super) site: Option<String>,
    pub(super) headline: Headline,
    pub(super) lines: Vec<PageLine>,
    pub(super) dead: bool,
}

/// The pages read so far.
#[derive(Debug, Default)]
pub(super) struct PageCache(HashMap<Seq, Arc<StoredPage>>);

impl PageCache {
    /// Reads the pages that are not cached yet.
    pub(super) fn fetch<S: Store>(
        &mut self,
        store: &mut S,
        seqs: impl Iterator<Item = Seq>,
    ) -> Result<(), StoreError> {
        if self.0.len() > MOST {
            self.0.clear();
        }
        let mut wanted: Vec<Seq> = seqs.filter(|seq| !self.0.contains_key(seq)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(());
        }
        for (seq, payload) in wanted.iter().zip(store.load(&wanted)?) {
            if let Some(payload) = payload {
                let page =
                    DocumentRecord::page(&payload).ok_or_else(|| super::round::unreadable(*seq))?;
                self.0.insert(*seq, Arc::new(page));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, seq: Seq) -> Option<Arc<StoredPage>> {
        self.0.get(&seq).cloned()
    }

    /// Forgets a page that has changed.
    pub(super) fn forget(&mut self, seq: Seq) {
        self.0.remove(&seq);
    }
}
