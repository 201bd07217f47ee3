//! redb: two tables for each hour, deleted when it is forgotten.

use crate::{
    engine::{Engine, Item},
    lists,
};
use anyhow::Result;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableHandle};
use std::{collections::BTreeSet, fs, path::Path};

struct Redb {
    database: Database,
    hours: BTreeSet<i64>,
}

pub fn open(folder: &Path) -> Result<Box<dyn Engine>> {
    fs::create_dir_all(folder)?;
    let database =
        redb::Builder::new().set_cache_size(256 << 20).create(folder.join("store.redb"))?;
    let mut hours = BTreeSet::new();
    for table in database.begin_read()?.list_tables()? {
        if let Some(number) = table.name().strip_prefix("keys-") {
            hours.insert(number.parse()?);
        }
    }
    Ok(Box::new(Redb { database, hours }))
}

fn keys(name: &str) -> TableDefinition<'_, u64, &'static [u8]> {
    TableDefinition::new(name)
}

impl Redb {
    /// The documents under any of the keys of each item.
    fn under(&self, all: &[&[u64]]) -> Result<Vec<Vec<(i64, u64)>>> {
        let reading = self.database.begin_read()?;
        let mut found = vec![Vec::new(); all.len()];
        for &number in &self.hours {
            let name = format!("keys-{number}");
            let table = reading.open_table(keys(&name))?;
            for (found, of_item) in found.iter_mut().zip(all) {
                for &key in *of_item {
                    if let Some(list) = table.get(key)? {
                        found.extend(lists::numbers(list.value()).map(|seq| (number, seq)));
                    }
                }
            }
        }
        for found in &mut found {
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }
}

impl Engine for Redb {
    fn round(&mut self, items: Vec<Item>) -> Result<u64> {
        let all: Vec<&[u64]> = items.iter().map(|item| item.keys.as_slice()).collect();
        let hits = self.under(&all)?.iter().map(|found| found.len() as u64).sum();
        let writing = self.database.begin_write()?;
        let numbers: BTreeSet<i64> = items.iter().map(|item| item.bucket).collect();
        for number in numbers {
            self.hours.insert(number);
            let (name, documents) = (format!("keys-{number}"), format!("documents-{number}"));
            let mut table = writing.open_table(keys(&name))?;
            let of_hour = || items.iter().filter(move |item| item.bucket == number);
            let changed = lists::changed(of_hour(), |_, key| {
                let old = table.get(key)?;
                anyhow::Ok(old.map(|list| list.value().to_vec()).unwrap_or_default())
            })?;
            for ((_, key), list) in changed {
                table.insert(key, list.as_slice())?;
            }
            let mut table = writing.open_table(keys(&documents))?;
            for item in of_hour() {
                table.insert(item.seq, item.payload.as_slice())?;
            }
        }
        writing.commit()?;
        Ok(hits)
    }

    fn look_up(&mut self, wanted: &[u64]) -> Result<(usize, usize)> {
        let found = self.under(&[wanted])?.remove(0);
        let Some(&(number, seq)) = found.first() else { return Ok((0, 0)) };
        let reading = self.database.begin_read()?;
        let name = format!("documents-{number}");
        let payload = reading.open_table(keys(&name))?.get(seq)?;
        Ok((found.len(), payload.map_or(0, |payload| payload.value().len())))
    }

    fn forget(&mut self, bucket: i64) -> Result<()> {
        if self.hours.remove(&bucket) {
            let writing = self.database.begin_write()?;
            writing.delete_table(keys(&format!("keys-{bucket}")))?;
            writing.delete_table(keys(&format!("documents-{bucket}")))?;
            writing.commit()?;
        }
        Ok(())
    }
}
