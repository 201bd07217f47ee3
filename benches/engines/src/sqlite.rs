//! SQLite, through rusqlite.
//!
//! - `journal_mode = WAL` with `synchronous = FULL`: the log is synced at each commit.
//! - Tables with an integer primary key, which is the key of the B-tree itself; the documentation
//!   advises against `WITHOUT ROWID` there.
//! - `locking_mode = EXCLUSIVE`: one process has it open, so that no shared memory is needed.
//! - A page cache that holds the whole store (`CACHE_BYTES`), and the file mapped for reading.
//! - A checkpoint every `CHECKPOINT_PAGES` pages of the log instead of 1,000: a round changes more than
//!   that, and would be copied into the database each time.
//! - Prepared statements are kept.

use crate::tables::{CACHE_BYTES, Change, OnFound, Table, Tables};
use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, types::ValueRef};
use std::{fs, path::Path};

const CHECKPOINT_PAGES: u32 = 65_536;
/// Three for each table.
const STATEMENTS: usize = 256;

pub struct Sqlite(Connection);

pub fn open(folder: &Path) -> Result<Sqlite> {
    fs::create_dir_all(folder)?;
    let connection = Connection::open(folder.join("store.sqlite"))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch(&format!(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         PRAGMA cache_size = -{}; PRAGMA mmap_size = {CACHE_BYTES};
         PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};",
        CACHE_BYTES / 1024
    ))?;
    Ok(Sqlite(connection))
}

impl Tables for Sqlite {
    fn list(&mut self) -> Result<Vec<Table>> {
        let mut names = self.0.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
        let names = names.query_map((), |row| row.get::<_, String>(0))?;
        names.map(|name| Table::from_name(&name?)).collect()
    }

    fn create(&mut self, tables: &[Table]) -> Result<()> {
        for table in tables {
            self.0.execute_batch(&format!(
                "CREATE TABLE {} (key INTEGER PRIMARY KEY, value BLOB NOT NULL)",
                table.name()
            ))?;
        }
        Ok(())
    }

    fn get(&mut self, tables: &[Table], keys: &[u64], on_found: OnFound) -> Result<()> {
        let reading = self.0.transaction()?;
        for (at, table) in tables.iter().enumerate() {
            let sql = format!("SELECT value FROM {} WHERE key = ?1", table.name());
            let mut select = reading.prepare_cached(&sql)?;
            for (number, &key) in keys.iter().enumerate() {
                let found = select.query_row((key as i64,), |row| {
                    if let ValueRef::Blob(value) = row.get_ref(0)? {
                        on_found(at, number, value);
                    }
                    Ok(())
                });
                found.optional()?;
            }
        }
        Ok(reading.commit()?)
    }

    fn write(&mut self, changes: Vec<Change>) -> Result<()> {
        let writing = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for of_table in changes.chunk_by(|a, b| a.table == b.table) {
            let name = of_table[0].table.name();
            let put = format!("INSERT OR REPLACE INTO {name} (key, value) VALUES (?1, ?2)");
            let mut put = writing.prepare_cached(&put)?;
            let mut delete =
                writing.prepare_cached(&format!("DELETE FROM {name} WHERE key = ?1"))?;
            for change in of_table {
                match &change.value {
                    Some(value) => put.execute((change.key as i64, value))?,
                    None => delete.execute((change.key as i64,))?,
                };
            }
        }
        Ok(writing.commit()?)
    }

    fn drop_tables(&mut self, tables: &[Table]) -> Result<()> {
        self.0.flush_prepared_statement_cache();
        let writing = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for table in tables {
            writing.execute_batch(&format!("DROP TABLE {}", table.name()))?;
        }
        Ok(writing.commit()?)
    }
}
