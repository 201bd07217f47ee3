//! Checks for any input that is read as documents.

use std::collections::HashSet;
use std::io::Write;

use firsthand::Document;
use firsthand_input::{Batch, Item, Raw, ReadError, ReadOptions, open_bytes, read_bytes};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Reads the bytes as a file of this name, twice, in batches of different sizes.
pub(crate) fn check(name: &str, bytes: &[u8], options: &ReadOptions) {
    let batches = open_bytes(name, bytes, options);
    let copies = batches.again();
    let mut found = Vec::new();
    let mut inputs = 0;
    for batch in batches {
        let (before, raw) = (found.len(), behind_items(&batch));
        found.extend(batch.into_documents(options));
        let stood_for = found[before..].iter().map(inputs_of).sum::<usize>();
        assert_eq!(stood_for, raw, "items and the inputs behind them");
        inputs += raw;
    }
    let copied: usize = copies.map(|batch| behind_items(&batch)).sum();
    assert_eq!(copied, inputs, "the same once more, to be copied");
    for item in &found {
        match item {
            Ok(item) => sound(&item.document, options),
            Err(error) => told(error, name),
        }
    }
    let small = ReadOptions { batch_bytes: 1 + bytes.len() % 97, ..options.clone() };
    let again: Vec<Result<Document, ReadError>> = read_bytes(name, bytes, &small).collect();
    same(&found, &again);
}

/// The number of inputs of an item: one error may cover many rows of a table.
fn inputs_of(item: &Result<Item, ReadError>) -> usize {
    item.as_ref().map_or_else(|error| error.inputs, |_| 1)
}

/// The number of inputs of a batch's items.
fn behind_items(batch: &Batch) -> usize {
    batch.raw().filter(|raw| !matches!(raw, Raw::Beside { .. })).count()
}

/// The same documents and errors, except for ids that were made unique.
fn same(found: &[Result<Item, ReadError>], again: &[Result<Document, ReadError>]) {
    let together = |error: &ReadError| error.inputs > 1;
    if found.iter().any(|item| item.as_ref().is_err_and(together)) {
        // How many rows of a table are lost together depends on how it is cut.
        return;
    }
    assert_eq!(found.len(), again.len(), "read in pieces of another size");
    let mut ids = HashSet::new();
    for (one, other) in found.iter().zip(again) {
        match (one, other) {
            (Ok(one), Ok(other)) => {
                let id = one.document.id.clone();
                assert!(other.id.starts_with(&id), "{} is called {id:?} now", other.id);
                assert_eq!(one.document, Document { id, ..other.clone() });
                assert!(ids.insert(&other.id), "the id {:?} occurs twice", other.id);
            }
            (Err(one), Err(other)) => assert_eq!(one, other),
            _ => panic!("{one:?} is now {other:?}"),
        }
    }
}

/// A document is called something and keeps to the limits.
fn sound(document: &Document, options: &ReadOptions) {
    assert!(!document.id.trim().is_empty(), "a document without an id");
    assert!(
        document.text.len() as u64 <= options.reading.limits.document,
        "a text beyond the limit"
    );
    let Document { title, url, host, source, .. } = document;
    for value in [title, url, host, source].into_iter().flatten() {
        assert!(!value.trim().is_empty(), "blank instead of absent: {document:?}");
    }
}

/// A message names the file, and the fault is never ours.
fn told(error: &ReadError, name: &str) {
    let message = error.to_string();
    assert!(message.starts_with(name), "the file is not named: {message}");
    assert!(!message.contains("internal error"), "{message}");
}

/// Records each in a gzip member, as crawlers write them; what is gzip already stays.
pub(crate) fn gzip_by_record(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes.to_vec();
    }
    let begins = |at: &usize| {
        let rest = &bytes[*at..];
        rest.starts_with(b"WARC/") || bytes[at - 1] == b'\n' && rest.starts_with(b"http:/")
    };
    let starts = (1..bytes.len()).filter(begins);
    let mut ends: Vec<usize> = starts.collect();
    ends.push(bytes.len());
    let mut from = 0;
    let mut members = Vec::new();
    for to in ends {
        let mut encoder = GzEncoder::new(&mut members, Compression::fast());
        let written = encoder.write_all(&bytes[from..to]);
        assert!(written.is_ok() && encoder.finish().is_ok(), "a vector takes everything");
        from = to;
    }
    members
}
