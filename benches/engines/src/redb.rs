//! redb.
//!
//! - `Durability::Immediate`, the default: a commit is on the disk when it returns.
//! - One-phase commits, the default: one sync for each. Two phases guard against an attacker who
//!   controls the order of writes, which is not part of this comparison.
//! - A cache that holds the whole store (`CACHE_BYTES`; it is also the default).
//! - One table is opened once in a transaction, and written in the order of its keys.

use crate::tables::{CACHE_BYTES, Change, OnFound, Table, Tables};
use anyhow::Result;
use redb::{Database, Durability, ReadableDatabase, TableDefinition, TableHandle};
use std::{fs, path::Path};

pub struct Redb(Database);

pub fn open(folder: &Path) -> Result<Redb> {
    fs::create_dir_all(folder)?;
    let mut builder = redb::Builder::new();
    Ok(Redb(builder.set_cache_size(CACHE_BYTES).create(folder.join("store.redb"))?))
}

fn definition(name: &str) -> TableDefinition<'_, u64, &'static [u8]> {
    TableDefinition::new(name)
}

impl Tables for Redb {
    fn list(&mut self) -> Result<Vec<Table>> {
        let reading = self.0.begin_read()?;
        let tables = reading.list_tables()?;
        tables.map(|table| Table::from_name(table.name())).collect()
    }

    fn create(&mut self, tables: &[Table]) -> Result<()> {
        let writing = self.0.begin_write()?;
        for table in tables {
            writing.open_table(definition(&table.name()))?;
        }
        Ok(writing.commit()?)
    }

    fn get(&mut self, tables: &[Table], keys: &[u64], on_found: OnFound) -> Result<()> {
        let reading = self.0.begin_read()?;
        for (at, table) in tables.iter().enumerate() {
            let table = reading.open_table(definition(&table.name()))?;
            for (number, key) in keys.iter().enumerate() {
                if let Some(value) = table.get(key)? {
                    on_found(at, number, value.value());
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, changes: Vec<Change>) -> Result<()> {
        let mut writing = self.0.begin_write()?;
        writing.set_durability(Durability::Immediate)?;
        for of_table in changes.chunk_by(|a, b| a.table == b.table) {
            let mut table = writing.open_table(definition(&of_table[0].table.name()))?;
            for change in of_table {
                match &change.value {
                    Some(value) => table.insert(change.key, value.as_slice())?,
                    None => table.remove(change.key)?,
                };
            }
        }
        Ok(writing.commit()?)
    }

    fn drop_tables(&mut self, tables: &[Table]) -> Result<()> {
        let writing = self.0.begin_write()?;
        for table in tables {
            writing.delete_table(definition(&table.name()))?;
        }
        Ok(writing.commit()?)
    }
}
