//! LMDB by heed: two databases for each hour, cleared when it is forgotten.

use crate::{
    engine::{Engine, Item},
    lists,
};
use anyhow::Result;
use heed::{Database, Env, EnvOpenOptions, types::Bytes};
use std::{collections::BTreeMap, fs, path::Path};

type Table = Database<Bytes, Bytes>;

struct Lmdb {
    env: Env,
    hours: BTreeMap<i64, (Table, Table)>,
}

pub fn open(folder: &Path) -> Result<Box<dyn Engine>> {
    fs::create_dir_all(folder)?;
    let mut options = EnvOpenOptions::new();
    options.map_size(64 << 30).max_dbs(256);
    // Nobody else has this folder.
    let env = unsafe { options.open(folder)? };
    let mut lmdb = Lmdb { env, hours: BTreeMap::new() };
    for number in 0..64 {
        let reading = lmdb.env.read_txn()?;
        let keys = lmdb.env.open_database(&reading, Some(&format!("keys-{number}")))?;
        let documents = lmdb.env.open_database(&reading, Some(&format!("documents-{number}")))?;
        reading.commit()?;
        if let (Some(keys), Some(documents)) = (keys, documents) {
            lmdb.hours.insert(number, (keys, documents));
        }
    }
    Ok(Box::new(lmdb))
}

impl Engine for Lmdb {
    fn round(&mut self, items: Vec<Item>) -> Result<u64> {
        let mut hits = 0;
        let mut writing = self.env.write_txn()?;
        for item in &items {
            if !self.hours.contains_key(&item.bucket) {
                let name = |kind| format!("{kind}-{}", item.bucket);
                let keys = self.env.create_database(&mut writing, Some(&name("keys")))?;
                let documents = self.env.create_database(&mut writing, Some(&name("documents")))?;
                self.hours.insert(item.bucket, (keys, documents));
            }
            let mut found = Vec::new();
            for key in &item.keys {
                for (&number, (keys, _)) in &self.hours {
                    if let Some(list) = keys.get(&writing, &key.to_be_bytes())? {
                        found.extend(lists::numbers(list).map(|seq| (number, seq)));
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            hits += found.len() as u64;
        }
        let changed = lists::changed(&items, |bucket, key| {
            let old = self.hours[&bucket].0.get(&writing, &key.to_be_bytes())?;
            anyhow::Ok(old.map(<[u8]>::to_vec).unwrap_or_default())
        })?;
        for ((bucket, key), list) in changed {
            self.hours[&bucket].0.put(&mut writing, &key.to_be_bytes(), &list)?;
        }
        for item in items {
            let documents = self.hours[&item.bucket].1;
            documents.put(&mut writing, &item.seq.to_be_bytes(), &item.payload)?;
        }
        writing.commit()?;
        Ok(hits)
    }

    fn look_up(&mut self, wanted: &[u64]) -> Result<(usize, usize)> {
        let reading = self.env.read_txn()?;
        let mut found = Vec::new();
        for key in wanted {
            for (&number, (keys, _)) in &self.hours {
                if let Some(list) = keys.get(&reading, &key.to_be_bytes())? {
                    found.extend(lists::numbers(list).map(|seq| (number, seq)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let Some((number, seq)) = found.first() else { return Ok((0, 0)) };
        let payload = self.hours[number].1.get(&reading, &seq.to_be_bytes())?;
        Ok((found.len(), payload.map_or(0, <[u8]>::len)))
    }

    fn forget(&mut self, bucket: i64) -> Result<()> {
        if let Some((keys, documents)) = self.hours.remove(&bucket) {
            let mut writing = self.env.write_txn()?;
            keys.clear(&mut writing)?;
            documents.clear(&mut writing)?;
            writing.commit()?;
        }
        Ok(())
    }
}
