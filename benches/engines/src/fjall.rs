//! fjall.
//!
//! - A batch is synced by `PersistMode::SyncData` when it is committed, as our logs are. The journal is
//!   flushed by that alone (`manual_journal_persist`).
//! - A block cache that holds the whole store (`CACHE_BYTES`); documented: a fifth to a quarter of the
//!   memory, or more if all of it fits.
//! - Filters on all levels (`expect_point_read_hits` off), ten bits per key, and pinned like the block
//!   indexes: most look-ups miss.
//! - Blocks of 4 KiB, as documented for point reads, without compression: hashes do not compress. The
//!   same holds for blobs and for the journal.
//! - Documents are separated from their numbers (`KvSeparationOptions`), since they are over 1 KiB, so
//!   that compactions do not rewrite them.
//! - Memtables of `MEMTABLE_BYTES`, from the documented range of 8 to 64 MiB.
//! - Leveled compaction, as recommended. FIFO compaction drops by size or age, not by hour.
//! - Hours are forgotten by dropping their keyspaces.

use crate::tables::{CACHE_BYTES, Change, Contents, OnFound, Table, Tables};
use anyhow::{Context, Result};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, KvSeparationOptions, PersistMode,
    config::{
        BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy,
        FilterPolicyEntry, PinningPolicy,
    },
};
use std::{collections::HashMap, path::Path};

const BITS_PER_KEY: f32 = 10.0;
const BLOCK_BYTES: u32 = 4096;

pub struct Fjall {
    database: Database,
    keyspaces: HashMap<Table, Keyspace>,
    memtable_bytes: u64,
}

pub fn open(folder: &Path, memtable_bytes: u64) -> Result<Fjall> {
    let database = Database::builder(folder)
        .cache_size(CACHE_BYTES as u64)
        .journal_compression(CompressionType::None)
        .manual_journal_persist(true)
        .open()?;
    let names = database.list_keyspace_names();
    let tables: Result<Vec<Table>> = names.iter().map(|name| Table::from_name(name)).collect();
    let mut fjall = Fjall { database, keyspaces: HashMap::new(), memtable_bytes };
    fjall.create(&tables?)?;
    Ok(fjall)
}

fn options(contents: Contents, memtable_bytes: u64) -> KeyspaceCreateOptions {
    let filter = FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(BITS_PER_KEY));
    let options = KeyspaceCreateOptions::default()
        .manual_journal_persist(true)
        .max_memtable_size(memtable_bytes)
        .data_block_size_policy(BlockSizePolicy::all(BLOCK_BYTES))
        .data_block_compression_policy(CompressionPolicy::disabled())
        .expect_point_read_hits(false)
        .filter_policy(FilterPolicy::all(filter))
        .filter_block_pinning_policy(PinningPolicy::all(true))
        .index_block_pinning_policy(PinningPolicy::all(true));
    match contents {
        Contents::Documents => {
            let blobs = KvSeparationOptions::default().compression(CompressionType::None);
            options.with_kv_separation(Some(blobs))
        }
        Contents::Keys | Contents::Hours => options,
    }
}

impl Tables for Fjall {
    fn list(&mut self) -> Result<Vec<Table>> {
        Ok(self.keyspaces.keys().copied().collect())
    }

    fn create(&mut self, tables: &[Table]) -> Result<()> {
        for &table in tables {
            let create = || options(table.contents, self.memtable_bytes);
            let keyspace = self.database.keyspace(&table.name(), create)?;
            self.keyspaces.insert(table, keyspace);
        }
        Ok(())
    }

    fn get(&mut self, tables: &[Table], keys: &[u64], on_found: OnFound) -> Result<()> {
        for (at, table) in tables.iter().enumerate() {
            let keyspace = self.keyspaces.get(table).context("no such table")?;
            for (number, key) in keys.iter().enumerate() {
                if let Some(value) = keyspace.get(key.to_be_bytes())? {
                    on_found(at, number, &value);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, changes: Vec<Change>) -> Result<()> {
        let mut batch = self.database.batch().durability(Some(PersistMode::SyncData));
        for Change { table, key, value } in changes {
            let keyspace = self.keyspaces.get(&table).context("no such table")?;
            match value {
                Some(value) => batch.insert(keyspace, key.to_be_bytes(), value),
                None => batch.remove(keyspace, key.to_be_bytes()),
            }
        }
        Ok(batch.commit()?)
    }

    fn drop_tables(&mut self, tables: &[Table]) -> Result<()> {
        for table in tables {
            if let Some(keyspace) = self.keyspaces.remove(table) {
                self.database.delete_keyspace(keyspace)?;
            }
        }
        Ok(())
    }
}
