//! The workload on a general engine, in two layouts: tables for each hour, which are dropped when the
//! hour is forgotten but are all searched, or tables for all hours, which are searched once but have
//! to be cleared key by key.
//!
//! Either way the value of a key is a packed list of document numbers; keys are sorted before they are
//! looked up and written, each is read once in a round, and a round is one transaction.

use crate::{
    engine::{Engine, Item},
    tables::{Change, Contents, Table, Tables},
};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Documents listed under a key. Ours reads at most 64, too.
const LONGEST_LIST: usize = 64;

pub struct Layout<T> {
    tables: T,
    is_by_hour: bool,
    /// Hours with the numbers of their first and their last document.
    hours: BTreeMap<i64, (u64, u64)>,
}

/// An hour, if tables are by the hour, and document numbers.
type Lists = HashMap<u64, Vec<(Option<i64>, Vec<u64>)>>;

const HOURS: Table = Table { contents: Contents::Hours, hour: None };

impl<T: Tables> Layout<T> {
    pub fn open(mut tables: T, is_by_hour: bool) -> Result<Self> {
        let existing = tables.list()?;
        let mut hours = BTreeMap::new();
        if is_by_hour {
            hours.extend(existing.iter().filter_map(|table| Some((table.hour?, (0, 0)))));
        } else if existing.is_empty() {
            let contents = [Contents::Keys, Contents::Documents, Contents::Hours];
            tables.create(&contents.map(|contents| Table { contents, hour: None }))?;
        } else {
            let numbers: Vec<u64> = (0..64).collect();
            tables.get(&[HOURS], &numbers, &mut |_, hour, range| {
                let mut range = unpack(range);
                let range = range.next().zip(range.next()).unwrap_or_default();
                hours.insert(hour as i64, range);
            })?;
        }
        Ok(Self { tables, is_by_hour, hours })
    }

    fn table(&self, contents: Contents, hour: i64) -> Table {
        Table { contents, hour: self.is_by_hour.then_some(hour) }
    }

    /// The lists under keys, in all hours.
    fn find(&mut self, keys: &BTreeSet<u64>) -> Result<Lists> {
        let tables: Vec<Table> = match self.is_by_hour {
            true => self.hours.keys().map(|&hour| self.table(Contents::Keys, hour)).collect(),
            false => vec![self.table(Contents::Keys, 0)],
        };
        let keys: Vec<u64> = keys.iter().copied().collect();
        let mut lists = Lists::new();
        self.tables.get(&tables, &keys, &mut |table, key, list| {
            let list = unpack(list).collect();
            lists.entry(keys[key]).or_default().push((tables[table].hour, list));
        })?;
        Ok(lists)
    }

    fn create_hour(&mut self, hour: i64, first: u64) -> Result<()> {
        if self.hours.insert(hour, (first, first)).is_none() && self.is_by_hour {
            let contents = [Contents::Keys, Contents::Documents];
            let tables = contents.map(|contents| self.table(contents, hour));
            self.tables.create(&tables)?;
        }
        Ok(())
    }

    /// Removes the documents of an hour from tables that hold all hours.
    fn clear(&mut self, hour: i64, (first, last): (u64, u64)) -> Result<()> {
        let documents = self.table(Contents::Documents, hour);
        let numbers: Vec<u64> = (first..=last).collect();
        let mut keys = BTreeSet::new();
        self.tables.get(&[documents], &numbers, &mut |_, _, document| {
            let (count, rest) = document.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
            keys.extend(unpack(rest).take(u64::from_le_bytes(*count) as usize));
        })?;
        let lists = self.find(&keys)?;
        let table = self.table(Contents::Keys, hour);
        let mut changes = Vec::new();
        for key in keys {
            let mut list: Vec<u64> =
                lists.get(&key).into_iter().flatten().flat_map(|(_, list)| list).copied().collect();
            list.retain(|number| !(first..=last).contains(number));
            let value = (!list.is_empty()).then(|| pack(&list));
            changes.push(Change { table, key, value });
        }
        let gone = |number| Change { table: documents, key: number, value: None };
        changes.extend(numbers.into_iter().map(gone));
        changes.push(Change { table: HOURS, key: hour as u64, value: None });
        self.tables.write(changes)
    }
}

impl<T: Tables> Engine for Layout<T> {
    fn round(&mut self, items: Vec<Item>) -> Result<u64> {
        let found = self.find(&items.iter().flat_map(|item| &item.keys).copied().collect())?;
        let mut hits = 0;
        let mut lists: BTreeMap<(Table, u64), Vec<u64>> = BTreeMap::new();
        let mut numbers: Vec<u64> = Vec::new();
        for item in &items {
            if !self.hours.contains_key(&item.bucket) {
                self.create_hour(item.bucket, item.seq)?;
            }
            if let Some((_, last)) = self.hours.get_mut(&item.bucket) {
                *last = item.seq;
            }
            numbers.clear();
            let table = self.table(Contents::Keys, item.bucket);
            for key in &item.keys {
                let under = found.get(key).map_or(&[][..], Vec::as_slice);
                numbers.extend(under.iter().flat_map(|(_, list)| list));
                let list = lists.entry((table, *key)).or_insert_with(|| {
                    let old = under.iter().find(|(hour, _)| *hour == table.hour);
                    old.map(|(_, list)| list.clone()).unwrap_or_default()
                });
                if list.len() < LONGEST_LIST {
                    list.push(item.seq);
                }
            }
            numbers.sort_unstable();
            numbers.dedup();
            hits += numbers.len() as u64;
        }
        let mut changes: Vec<Change> = lists
            .into_iter()
            .map(|((table, key), list)| Change { table, key, value: Some(pack(&list)) })
            .collect();
        let ends: BTreeSet<i64> = items.iter().map(|item| item.bucket).collect();
        for item in items {
            let table = self.table(Contents::Documents, item.bucket);
            // Keys that are to be found again when the hour is cleared are kept with the document.
            let value = match self.is_by_hour {
                true => item.payload,
                false => {
                    let mut value = pack(&[item.keys.len() as u64]);
                    value.extend(pack(&item.keys));
                    value.extend(item.payload);
                    value
                }
            };
            changes.push(Change { table, key: item.seq, value: Some(value) });
        }
        if !self.is_by_hour {
            changes.extend(ends.into_iter().map(|hour| {
                let (first, last) = self.hours[&hour];
                Change { table: HOURS, key: hour as u64, value: Some(pack(&[first, last])) }
            }));
        }
        self.tables.write(changes)?;
        Ok(hits)
    }

    fn look_up(&mut self, keys: &[u64]) -> Result<(usize, usize)> {
        let found = self.find(&keys.iter().copied().collect())?;
        let mut all: Vec<(u64, Option<i64>)> = Vec::new();
        for (hour, list) in found.values().flatten() {
            all.extend(list.iter().map(|&number| (number, *hour)));
        }
        all.sort_unstable();
        all.dedup();
        let mut bytes = 0;
        if let Some(&(number, hour)) = all.first() {
            let table = Table { contents: Contents::Documents, hour };
            self.tables.get(&[table], &[number], &mut |_, _, value| bytes = value.len())?;
        }
        Ok((all.len(), bytes))
    }

    fn forget(&mut self, bucket: i64) -> Result<()> {
        match self.hours.remove(&bucket) {
            None => Ok(()),
            Some(range) if !self.is_by_hour => self.clear(bucket, range),
            Some(_) => {
                let contents = [Contents::Keys, Contents::Documents];
                let tables = contents.map(|contents| self.table(contents, bucket));
                self.tables.drop_tables(&tables)
            }
        }
    }
}

fn pack(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn unpack(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk))
}
