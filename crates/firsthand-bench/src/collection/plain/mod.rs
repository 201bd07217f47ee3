//! The shape `plain`: bare words without sentences or stop words, originals and edited copies.
//!
//! The comparison with other tools (docs/performance.md) was measured on it, so its bytes must not
//! change. The shape `short` is the same with fewer words.

mod plan;
mod prose;

use std::io::{self, Write};

use super::words::Vocabulary;
use super::{AHEAD, CHUNK, Shape};
use plan::{ClusterKind, PlainPlan, PlannedMember};
use rayon::prelude::*;

/// Writes a collection as JSON lines with `id`, `text` and `cluster`.
pub(crate) fn write(
    shape: Shape,
    documents: usize,
    seed: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let median = if shape == Shape::Short { 77.0 } else { 220.0 };
    let vocabulary = Vocabulary::new(seed);
    let plan = PlainPlan::new(documents, seed);
    let slots: Vec<(usize, &PlannedMember)> = plan.slots.iter().enumerate().collect();
    for slots in slots.chunks(CHUNK * AHEAD) {
        let parts: Vec<io::Result<Vec<u8>>> = slots
            .par_chunks(CHUNK)
            .map(|slots| {
                let mut lines = Vec::new();
                for &(number, slot) in slots {
                    let words = document(&vocabulary, seed, median, slot);
                    let words: Vec<&str> =
                        words.iter().map(|&word| vocabulary.word(word)).collect();
                    let (text, cluster) = (words.join(" "), slot.cluster);
                    // The words are lower-case ASCII letters, so nothing needs escaping.
                    writeln!(
                        lines,
                        r#"{{"id":"d{number:07}","text":"{text}","cluster":"c{cluster:07}"}}"#
                    )?;
                }
                Ok(lines)
            })
            .collect();
        for part in parts {
            out.write_all(&part?)?;
        }
    }
    Ok(())
}

/// The words of one document, as ranks in the vocabulary.
fn document(vocabulary: &Vocabulary, seed: u64, median: f64, slot: &PlannedMember) -> Vec<u32> {
    match slot.kind {
        ClusterKind::Alone => prose::original(vocabulary, seed, median, slot.cluster),
        ClusterKind::Copies => prose::copy(vocabulary, seed, median, (slot.cluster, slot.member)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(documents: usize, seed: u64) -> String {
        let mut out = Vec::new();
        write(Shape::Plain, documents, seed, &mut out).expect("memory does not fail");
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn a_seed_gives_one_collection() {
        assert_eq!(written(50, 3), written(50, 3));
        assert_ne!(written(50, 3), written(50, 4));
    }

    #[test]
    fn every_line_is_a_labelled_document() {
        let all = written(200, 5);
        let mut ids = std::collections::HashSet::new();
        for line in all.lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert!(ids.insert(value["id"].as_str().expect("an id").to_owned()));
            assert!(value["cluster"].as_str().expect("a cluster").starts_with('c'));
            let text = value["text"].as_str().expect("a text");
            assert!(text.split(' ').all(|w| w.bytes().all(|b| b.is_ascii_lowercase())));
            assert!(text.split(' ').count() >= 30);
        }
        assert_eq!(ids.len(), 200);
    }

    #[test]
    fn documents_are_about_three_kilobytes() {
        let bytes = written(2000, 7).len();
        assert!((5_000_000..7_000_000).contains(&bytes), "{bytes} bytes");
        let mut short = Vec::new();
        write(Shape::Short, 2000, 7, &mut short).expect("memory does not fail");
        assert!((1_800_000..2_400_000).contains(&short.len()), "{} bytes", short.len());
    }
}
