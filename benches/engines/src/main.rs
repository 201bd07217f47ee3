//! The workload of the online index on several storage engines: durable rounds, look-ups, hours that
//! are forgotten.
//!
//! `engines NAME FOLDER [--documents 200000] [--buckets 24] [--round 256]` runs one engine;
//! `scripts/bench-engines` runs all of them, in turns.

mod engine;
mod fjall;
mod layout;
mod lmdb;
mod ours;
mod redb;
mod sqlite;
mod tables;
mod work;

use anyhow::{Context, Result, bail};
use engine::Engine;
use layout::Layout;
use std::path::{Path, PathBuf};
use tables::Tables;
use work::run;

/// The ends of the range that fjall documents for memtables.
const MEMTABLE_BYTES: u64 = 8 << 20;
const LARGE_MEMTABLE_BYTES: u64 = 64 << 20;

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let name =
        words.next().context("engines NAME FOLDER [--documents N] [--buckets N] [--round N]")?;
    let folder = PathBuf::from(words.next().context("a folder is missing")?);
    let mut work = work::Work::default();
    while let Some(flag) = words.next() {
        let value = words.next().with_context(|| format!("{flag} needs a value"))?;
        let value: u64 = value.parse().with_context(|| format!("{flag} {value}"))?;
        match flag.as_str() {
            "--documents" => work.documents = value,
            "--buckets" => work.buckets = value,
            "--round" => work.round = value,
            _ => bail!("unknown flag {flag}"),
        }
    }
    let run = |open: &dyn Fn(&Path) -> Result<Box<dyn Engine>>| run(&work, &name, &folder, open);
    match name.as_str() {
        "firsthand" => run(&ours::open),
        "lmdb" => run(&|at| by_hour(lmdb::open(at, false)?)),
        "lmdb-one" => run(&|at| in_one(lmdb::open(at, false)?)),
        "lmdb-writemap" => run(&|at| by_hour(lmdb::open(at, true)?)),
        "redb" => run(&|at| by_hour(redb::open(at)?)),
        "redb-one" => run(&|at| in_one(redb::open(at)?)),
        "fjall" => run(&|at| by_hour(fjall::open(at, MEMTABLE_BYTES)?)),
        "fjall-large" => run(&|at| by_hour(fjall::open(at, LARGE_MEMTABLE_BYTES)?)),
        "fjall-one" => run(&|at| in_one(fjall::open(at, LARGE_MEMTABLE_BYTES)?)),
        "sqlite" => run(&|at| by_hour(sqlite::open(at)?)),
        "sqlite-one" => run(&|at| in_one(sqlite::open(at)?)),
        _ => bail!("unknown engine {name}"),
    }
}

/// A general engine with tables for each hour.
fn by_hour(tables: impl Tables + 'static) -> Result<Box<dyn Engine>> {
    Ok(Box::new(Layout::open(tables, true)?))
}

/// A general engine with tables for all hours.
fn in_one(tables: impl Tables + 'static) -> Result<Box<dyn Engine>> {
    Ok(Box::new(Layout::open(tables, false)?))
}
