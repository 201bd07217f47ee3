//! Compares two texts and prints why they are near-duplicates, or why not.
//!
//! `cargo run -p firsthand --example compare -- "one text" "another text"`

use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
    compare, explain,
};
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut texts = std::env::args().skip(1);
    let a = texts.next().unwrap_or_else(|| {
        "The ferry to the island will not sail today because of the storm.".to_owned()
    });
    let b = texts.next().unwrap_or_else(|| {
        "The ferry to the island will not sail tonight because of the storm.".to_owned()
    });

    let detector = Detector::new(Settings::default())?;
    let comparison = compare(&detector, &a, &b)?;
    let mut out = io::stdout();
    let (x, y) = comparison.sizes;
    writeln!(out, "near-duplicates: {}", if comparison.near { "yes" } else { "no" })?;
    writeln!(out, "similarity: {:.3}", comparison.score)?;
    writeln!(out, "shared features: {} of {x} and {y}", comparison.shared)?;

    // The reason in words needs the texts, in a collection: here, one of the two.
    let documents = vec![Document::new("a", a), Document::new("b", b)];
    let signed = Signed::new(&detector, [documents.clone()].into_iter(), |batch| batch);
    let explanation = explain(&Collection::new(signed), &documents[0], &documents[1])?;
    writeln!(out, "{}", explanation.reason)?;
    for phrase in &explanation.shared {
        writeln!(out, "  both: {}", phrase.text)?;
    }
    Ok(())
}
