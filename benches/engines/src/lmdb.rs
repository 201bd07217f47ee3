//! LMDB, through heed.
//!
//! - Integer keys (`MDB_INTEGERKEY`): compared as numbers, without a byte-wise comparison.
//! - Documents are appended (`MDB_APPEND`): their numbers ascend, so that pages are filled. Keys are
//!   random, so it does not apply to them.
//! - Commits sync data and meta page. `MDB_NOMETASYNC` and `MDB_NOSYNC` would not be durable.
//! - The data file is not mapped for writing (`MDB_WRITEMAP`): documented as slightly faster while the
//!   data fits into memory, and as unsafe under stray writes; `lmdb-writemap` measures it.
//! - Read-ahead stays on: turning it off helps only when the data is larger than memory.

use crate::tables::{Change, Contents, OnFound, Table, Tables};
use anyhow::{Context, Result};
use heed::{
    Database, Env, EnvFlags, EnvOpenOptions, IntegerComparator, PutFlags, RwTxn,
    byteorder::NativeEndian,
    types::{Bytes, DecodeIgnore, Str, U64},
};
use std::{collections::HashMap, fs, path::Path};

/// Address space to reserve: the file cannot outgrow it.
const MAP_BYTES: usize = 64 << 30;
/// Two tables for each hour, and some more.
const MAX_TABLES: u32 = 256;

type Handle = Database<U64<NativeEndian>, Bytes, IntegerComparator>;

pub struct Lmdb {
    env: Env,
    handles: HashMap<Table, Handle>,
}

pub fn open(folder: &Path, is_mapped_for_writing: bool) -> Result<Lmdb> {
    fs::create_dir_all(folder)?;
    let mut options = EnvOpenOptions::new();
    options.map_size(MAP_BYTES).max_dbs(MAX_TABLES);
    let flags = match is_mapped_for_writing {
        true => EnvFlags::WRITE_MAP,
        false => EnvFlags::empty(),
    };
    // Nobody else has this folder open, and the flag keeps commits durable.
    let env = unsafe { options.flags(flags).open(folder)? };
    let mut lmdb = Lmdb { env, handles: HashMap::new() };
    let mut names = Vec::new();
    let reading = lmdb.env.read_txn()?;
    if let Some(main) = lmdb.env.open_database::<Str, DecodeIgnore>(&reading, None)? {
        for entry in main.iter(&reading)? {
            names.push(Table::from_name(entry?.0)?);
        }
    }
    drop(reading);
    lmdb.create(&names)?;
    Ok(lmdb)
}

impl Lmdb {
    fn change(&self, writing: &mut RwTxn, change: &Change) -> Result<()> {
        let Change { table, key, value } = change;
        let handle = self.handles.get(table).context("no such table")?;
        match value {
            Some(value) if table.contents == Contents::Documents => {
                handle.put_with_flags(writing, PutFlags::APPEND, key, value)?;
            }
            Some(value) => handle.put(writing, key, value)?,
            None => {
                handle.delete(writing, key)?;
            }
        }
        Ok(())
    }
}

impl Tables for Lmdb {
    fn list(&mut self) -> Result<Vec<Table>> {
        Ok(self.handles.keys().copied().collect())
    }

    fn create(&mut self, tables: &[Table]) -> Result<()> {
        let mut writing = self.env.write_txn()?;
        for table in tables {
            let name = table.name();
            let mut options = self.env.database_options().types::<U64<NativeEndian>, Bytes>();
            let options = options.name(&name).key_comparator::<IntegerComparator>();
            self.handles.insert(*table, options.create(&mut writing)?);
        }
        Ok(writing.commit()?)
    }

    fn get(&mut self, tables: &[Table], keys: &[u64], on_found: OnFound) -> Result<()> {
        let reading = self.env.read_txn()?;
        for (at, table) in tables.iter().enumerate() {
            let handle = self.handles.get(table).context("no such table")?;
            for (number, key) in keys.iter().enumerate() {
                if let Some(value) = handle.get(&reading, key)? {
                    on_found(at, number, value);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, changes: Vec<Change>) -> Result<()> {
        let mut writing = self.env.write_txn()?;
        for change in &changes {
            self.change(&mut writing, change)?;
        }
        Ok(writing.commit()?)
    }

    fn drop_tables(&mut self, tables: &[Table]) -> Result<()> {
        let mut writing = self.env.write_txn()?;
        for table in tables {
            if let Some(handle) = self.handles.remove(table) {
                handle.clear(&mut writing)?;
            }
        }
        Ok(writing.commit()?)
    }
}
