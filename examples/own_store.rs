//! A stream with a store of one's own behind the trait: here one that counts what is asked of it.
//!
//! `cargo run -p firsthand --example own_store`

use firsthand::online::{
    Changes, Found, Head, Memory, Online, Probe, Seq, Store, StoreError, Stored, StreamDetector,
};
use firsthand::{Document, Settings};
use std::io::{self, Write};

#[derive(Default)]
struct Counting {
    kept: Memory,
    commits: usize,
}

impl Store for Counting {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.kept.begin()
    }
    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.kept.find(probes)
    }
    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.kept.load(documents)
    }
    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.kept.value(name)
    }
    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.commits += 1;
        self.kept.commit(changes)
    }
    fn abandon(&mut self) {
        self.kept.abandon();
    }
    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.kept.scan(from, most)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let detector = StreamDetector::new(Settings::profile("feed")?)?;
    let mut online = Online::new(detector.clone(), Counting::default());
    let story = "The ferry to the island will not sail today, because of the storm that has come over \
                 the coast in the night, said the captain of the ferry at the harbour.";
    for (id, text) in [("first", story.to_owned()), ("copy", story.replace("captain", "master"))] {
        for answer in online.add(&[detector.sign(&Document::new(id, text), 0)])? {
            let of = answer.original.map_or(String::new(), |of| format!(" of {of}"));
            writeln!(io::stdout(), "{id}: {:?}{of}", answer.verdict)?;
        }
    }
    writeln!(io::stdout(), "commits: {}", online.upkeep().store_mut().commits)?;
    Ok(())
}
