//! Our own store.

use crate::engine::{Engine, Item};
use anyhow::Result;
use firsthand::online::{Cap, Changes, Entry, Found, Probe, Store};
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings, open as open_store};
use std::{collections::BTreeSet, path::Path};

struct Ours(Box<dyn ManagedStore>);

pub fn open(folder: &Path) -> Result<Box<dyn Engine>> {
    let settings = StoredSettings::kept("{}");
    let address = folder.to_string_lossy();
    Ok(Box::new(Ours(open_store(&address, Some(&settings), OnOtherSettings::Refuse)?)))
}

fn probe(keys: &[u64]) -> Probe {
    Probe { keys: keys.to_vec(), from: i64::MIN, to: i64::MAX, cap: Cap::halves(64) }
}

/// The documents that were found under any key.
fn hits(found: &Found) -> BTreeSet<u64> {
    found.lists.iter().flat_map(|list| list.seqs.iter().copied()).collect()
}

impl Engine for Ours {
    fn round(&mut self, items: Vec<Item>) -> Result<u64> {
        self.0.begin()?;
        let probes: Vec<Probe> = items.iter().map(|item| probe(&item.keys)).collect();
        let found = self.0.find(&probes)?;
        let hits = found.iter().map(|found| hits(found).len() as u64).sum();
        let entry =
            |Item { seq, bucket, time, keys, payload }| Entry { seq, bucket, time, keys, payload };
        let insert = items.into_iter().map(entry).collect();
        self.0.commit(Changes { insert, ..Changes::default() })?;
        Ok(hits)
    }

    fn look_up(&mut self, keys: &[u64]) -> Result<(usize, usize)> {
        self.0.begin()?;
        let found = self.0.find(&[probe(keys)])?;
        let hits = hits(&found[0]);
        let first: Vec<u64> = hits.iter().take(1).copied().collect();
        let loaded = self.0.load(&first)?;
        Ok((hits.len(), loaded.iter().flatten().map(Vec::len).sum()))
    }

    fn forget(&mut self, bucket: i64) -> Result<()> {
        self.0.begin()?;
        self.0.commit(Changes { forget: vec![bucket], ..Changes::default() })?;
        Ok(())
    }
}
