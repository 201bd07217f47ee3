//! The work of the online index on several engines: keys by the hour, durable rounds, look-ups, expiry.
//!
//! `engines NAME FOLDER [--documents 1000000] [--buckets 24] [--round 256]` runs one engine;
//! `scripts/bench-engines` runs them all.

mod engine;
mod fjall;
mod lists;
mod lmdb;
mod ours;
mod redb;
mod work;

use anyhow::{Context, Result, bail};
use std::path::PathBuf;

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
    match name.as_str() {
        "fjall" => work::run(&work, &name, &folder, fjall::by_hour),
        "fjall-one" => work::run(&work, &name, &folder, fjall::in_one),
        "lmdb" => work::run(&work, &name, &folder, lmdb::open),
        "redb" => work::run(&work, &name, &folder, redb::open),
        "firsthand" => work::run(&work, &name, &folder, ours::open),
        _ => bail!("unknown engine {name}"),
    }
}
