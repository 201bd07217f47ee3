//! fjall, in two ways: keys in a keyspace for each hour, which is dropped when the hour is forgotten, or
//! all in one, where a look-up asks once and forgotten numbers stay in the lists.

use crate::{
    engine::{Engine, Item},
    lists,
};
use anyhow::Result;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, KvSeparationOptions, PersistMode};
use std::{collections::BTreeMap, path::Path};

struct Fjall {
    database: Database,
    /// All keys, if they are in one.
    all: Option<Keyspace>,
    hours: BTreeMap<i64, (Keyspace, Keyspace)>,
}

pub fn by_hour(folder: &Path) -> Result<Box<dyn Engine>> {
    open(folder, false)
}

pub fn in_one(folder: &Path) -> Result<Box<dyn Engine>> {
    open(folder, true)
}

fn open(folder: &Path, in_one: bool) -> Result<Box<dyn Engine>> {
    let database = Database::builder(folder).open()?;
    let all = match in_one {
        true => Some(database.keyspace("all", KeyspaceCreateOptions::default)?),
        false => None,
    };
    let mut fjall = Fjall { database, all, hours: BTreeMap::new() };
    let names = fjall.database.list_keyspace_names();
    for name in names {
        if let Some(number) = name.strip_prefix("keys-") {
            let number = number.parse()?;
            fjall.hour(number)?;
        }
    }
    Ok(Box::new(fjall))
}

impl Fjall {
    fn hour(&mut self, number: i64) -> Result<&(Keyspace, Keyspace)> {
        if !self.hours.contains_key(&number) {
            let keys = self
                .database
                .keyspace(&format!("keys-{number}"), KeyspaceCreateOptions::default)?;
            let documents = self.database.keyspace(&format!("documents-{number}"), || {
                KeyspaceCreateOptions::default()
                    .with_kv_separation(Some(KvSeparationOptions::default()))
            })?;
            self.hours.insert(number, (keys, documents));
        }
        Ok(&self.hours[&number])
    }

    fn under(&self, key: u64) -> Result<Vec<(i64, u64)>> {
        let mut found = Vec::new();
        if let Some(all) = &self.all {
            if let Some(list) = all.get(key.to_be_bytes())? {
                found.extend(lists::numbers(&list).map(|seq| (0, seq)));
            }
            return Ok(found);
        }
        for (&number, (keys, _)) in &self.hours {
            if let Some(list) = keys.get(key.to_be_bytes())? {
                found.extend(lists::numbers(&list).map(|seq| (number, seq)));
            }
        }
        Ok(found)
    }
}

impl Engine for Fjall {
    fn round(&mut self, items: Vec<Item>) -> Result<u64> {
        let mut hits = 0;
        for item in &items {
            self.hour(item.bucket)?;
            let mut found = Vec::new();
            for &key in &item.keys {
                found.extend(self.under(key)?);
            }
            found.sort_unstable();
            found.dedup();
            hits += found.len() as u64;
        }
        let changed = lists::changed(&items, |bucket, key| {
            let keys = self.all.as_ref().unwrap_or(&self.hours[&bucket].0);
            let old = keys.get(key.to_be_bytes())?;
            anyhow::Ok(old.map(|list| list.to_vec()).unwrap_or_default())
        })?;
        let mut batch = self.database.batch().durability(Some(PersistMode::SyncData));
        for ((bucket, key), list) in changed {
            let keys = self.all.as_ref().unwrap_or(&self.hours[&bucket].0);
            batch.insert(keys, key.to_be_bytes(), list);
        }
        for item in items {
            batch.insert(&self.hours[&item.bucket].1, item.seq.to_be_bytes(), item.payload);
        }
        batch.commit()?;
        Ok(hits)
    }

    fn look_up(&mut self, keys: &[u64]) -> Result<(usize, usize)> {
        let mut found = Vec::new();
        for &key in keys {
            found.extend(self.under(key)?);
        }
        found.sort_unstable();
        found.dedup();
        let Some((number, seq)) = found.first() else { return Ok((0, 0)) };
        let mut payload = None;
        let hours = self.hours.iter().filter(|(hour, _)| self.all.is_some() || *hour == number);
        for (_, (_, documents)) in hours {
            payload = payload.or(documents.get(seq.to_be_bytes())?);
        }
        Ok((found.len(), payload.map_or(0, |payload| payload.len())))
    }

    fn forget(&mut self, bucket: i64) -> Result<()> {
        if let Some((keys, documents)) = self.hours.remove(&bucket) {
            self.database.delete_keyspace(keys)?;
            self.database.delete_keyspace(documents)?;
        }
        Ok(())
    }
}
