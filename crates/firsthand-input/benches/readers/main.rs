//! The speed of each reader: one generated collection in every format, read on one thread.
//!
//! `cargo bench -p firsthand-input --bench readers [DOCUMENTS]` prints a table. The last column is
//! the time to sign the documents divided by the time to read them: above 1, reading is not the
//! bottleneck of `dedup`, where both share the threads.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod formats;
mod prose;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use firsthand::{Detector, Document, Settings, collections::Signed};
use firsthand_input::{ReadOptions, open};

fn main() {
    let wanted = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let documents = prose::documents(wanted.unwrap_or(10_000));
    let text: usize = documents.iter().map(|document| document.text.len()).sum();
    let folder = tempfile::tempdir().unwrap();
    let signing = best(|| sign(&documents));
    println!("{} documents, {:.1} MB of text, one thread\n", documents.len(), mega(text as u64));
    println!(
        "| format | MB on disk | s | MB of text a second | documents a second | signing / reading |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, write) in formats::ALL {
        let path = folder.path().join(name);
        write(&path, &documents);
        let mut count = 0;
        let took = best(|| count = read(&path));
        assert_eq!(count, documents.len(), "{name}");
        let seconds = took.as_secs_f64();
        println!(
            "| {name} | {:.1} | {seconds:.3} | {:.0} | {:.0} | {:.1} |",
            mega(size(&path)),
            mega(text as u64) / seconds,
            documents.len() as f64 / seconds,
            signing.as_secs_f64() / seconds,
        );
        if path.is_dir() {
            std::fs::remove_dir_all(&path).unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
    }
}

/// The best of a few runs: the others were disturbed.
fn best(mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..3).map(once).min().unwrap()
}

fn read(path: &Path) -> usize {
    let options = ReadOptions::default();
    let batches = open(&[PathBuf::from(path)], &options).unwrap();
    let items = batches.flat_map(|batch| batch.into_documents(&options));
    items.map(|item| assert!(!item.unwrap().document.text.is_empty())).count()
}

fn sign(documents: &[Document]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let detector = Detector::new(Settings::default()).unwrap();
    let batches = documents.chunks(300).map(<[Document]>::to_vec);
    let signed = pool.install(|| Signed::new(&detector, batches, |batch| batch));
    assert_eq!(signed.len(), documents.len());
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn size(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum(),
        Err(_) => path.metadata().unwrap().len(),
    }
}
