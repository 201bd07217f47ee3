//! Labelled collections of any size from a seed, in several shapes.
//!
//! A document depends only on the seed, its group and its position in the group. So documents are
//! generated on all threads, in any order and at any size, without keeping texts; only the plan is
//! kept, a few bytes per document. The modules, in order:
//!
//! - `shape`: the parameters of each shape; `plan`: groups in shuffled order.
//! - `english`, `words`, `language`: stop words at natural rates, made-up words by Zipf's law,
//!   and clauses that recur by Zipf's law, as phrases do.
//! - `story`: title and sentences; `edits`: the changes of a copy, with their share.
//! - `planted`: a document of a group: original, copy, link of a chain, page of a template.
//! - `site`, `page`: frames of sites around the stories, times, and the line written.
//! - `plain`: bare words, the shape on which other tools are compared.
//! - `boilerplate`: a stream of texts with a common part.

mod boilerplate;
mod edits;
mod english;
mod language;
mod page;
mod plain;
mod plan;
mod planted;
mod shape;
mod site;
mod story;
#[cfg(test)]
mod tests;
mod words;

use std::io::{self, Write};

use rayon::prelude::*;

pub(crate) use boilerplate::Boilerplate;
use language::GeneratedLanguage;
use plan::CollectionPlan;
pub(crate) use shape::Shape;
use site::Sites;

/// Documents per task.
const CHUNK: usize = 256;
/// Tasks between two writes: bounds memory, and keeps all threads busy.
const AHEAD: usize = 32;

/// Writes a collection as JSON lines.
pub(crate) fn write(
    shape: Shape,
    documents: usize,
    seed: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(mix) = shape.mix() else {
        return plain::write(shape, documents, seed, out);
    };
    let language = GeneratedLanguage::new(seed);
    let plan = CollectionPlan::new(&mix, documents, seed);
    let sites = Sites::new(documents, seed);
    for slots in plan.slots.chunks(CHUNK * AHEAD) {
        let parts: Vec<io::Result<Vec<u8>>> = slots
            .par_chunks(CHUNK)
            .map(|slots| {
                let mut lines = Vec::new();
                for slot in slots {
                    let document = planted::document(&language, &mix, seed, slot);
                    page::write(&language, &sites, &mix, &document, &mut lines)?;
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
