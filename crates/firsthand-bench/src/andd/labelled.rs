//! Labelled documents: clusters in the documents, and pairs that do not count in a separate file.

use super::{AnddTask, Quotes};
use anyhow::{Context, Result, ensure};
use firsthand::Document;
use firsthand::evaluate::{Label, Truth};
use firsthand::settings::Reading;
use std::collections::HashMap;

pub(super) struct Labelled {
    pub(super) documents: Vec<Document>,
    pub(super) truth: Truth,
}

/// Reads documents with their clusters, and a table of graded pairs.
pub(super) fn read(task: &AnddTask) -> Result<Labelled> {
    let input = &task.input;
    let settings = firsthand_input::ReadOptions {
        reading: Reading {
            extract: task.extract,
            mail: task.mail != Quotes::Kept,
            keep_quotes: task.mail == Quotes::Marked,
            ..Reading::default()
        },
        ..Default::default()
    };
    let batches = firsthand_input::open(std::slice::from_ref(input), &settings)
        .with_context(|| format!("cannot read {}", input.display()))?;
    let mut documents: Vec<Document> = Vec::new();
    for batch in batches {
        for item in batch.documents(&settings) {
            documents.push(item.map(|item| item.document).map_err(|e| anyhow::anyhow!("{e}"))?);
        }
    }
    ensure!(!documents.is_empty(), "{} has no documents", input.display());
    let mut clusters: HashMap<String, u32> = HashMap::new();
    let labels: Vec<Label> = documents
        .iter()
        .map(|document| match &document.cluster {
            _ if document.unlabelled => Label::Unknown,
            Some(cluster) => {
                let next = clusters.len() as u32;
                Label::Cluster(*clusters.entry(cluster.clone()).or_insert(next))
            }
            None => Label::Alone,
        })
        .collect();
    let at: HashMap<&str, usize> =
        documents.iter().enumerate().map(|(at, document)| (document.id.as_str(), at)).collect();
    let mut ignored = Vec::new();
    if let Some(path) = &task.pairs {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines() {
            let mut cells = line.split('\t');
            let cells = (cells.next(), cells.next(), cells.next());
            if let (Some(a), Some(b), Some("gray" | "contain")) = cells
                && let (Some(&a), Some(&b)) = (at.get(a), at.get(b))
            {
                ignored.push((a, b));
            }
        }
    }
    let truth = Truth::clusters(&labels, ignored);
    Ok(Labelled { documents, truth })
}
