//! A join of two partitions by keys and comparisons alone, as a cluster would do it; it finds what a
//! collection finds.
//!
//! `cargo run -p firsthand --example join`

use firsthand::{
    Detector, Document, Features, Settings,
    collections::{Collection, Signed},
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Near-duplicates share at least this many keys.
const SHARED: u32 = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let documents: Vec<Document> = (0..400u32)
        .map(|at| {
            // Forty stories of a hundred words; each further telling changes one of them.
            let changed = |place: u32| u32::from(place == at / 40 * 10) * (5000 + at);
            let word = |place: u32| format!("word{}", (at % 40) * 100 + place + changed(place));
            let text: Vec<String> = (0..100).map(word).collect();
            Document::new(at.to_string(), text.join(" "))
        })
        .collect();
    let detector = Detector::new(Settings::profile("corpus")?)?;

    // Each partition signs its documents and sends every key with the document's number.
    let signed: Vec<Features> = documents.iter().map(|document| detector.sign(document)).collect();
    let mut meetings: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for partition in [0..200, 200..400] {
        for at in partition {
            for key in detector.keys_sharing(&signed[at], SHARED)?.keys {
                meetings.entry(key).or_default().push(at);
            }
        }
    }
    // Documents that meet under enough keys are candidates, and are compared. All are long enough.
    let mut candidates: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for met in meetings.values() {
        for (place, &b) in met.iter().enumerate() {
            met[..place].iter().for_each(|&a| *candidates.entry((a, b)).or_default() += 1);
        }
    }
    let mut found = BTreeSet::new();
    for ((a, b), _) in candidates.into_iter().filter(|(_, shared)| *shared >= SHARED) {
        if detector.compare(&signed[a], &signed[b])?.near {
            found.insert((a, b));
        }
    }

    let collection = Collection::new(Signed::new(&detector, [documents].into_iter(), |all| all));
    let (pairs, _) = collection.matches()?;
    let expected: BTreeSet<_> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(found, expected, "the join and the collection differ");
    assert!(!found.is_empty());
    writeln!(io::stdout(), "{} pairs, the same as in one collection", found.len())?;
    Ok(())
}
