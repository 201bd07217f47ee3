//! Why labels cannot be used.

use crate::numbers::counted;
use std::{io, path::PathBuf};

/// Why labels cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The inputs hold no document.
    #[error("there is no document in {}: name a collection with labels", .inputs.join(", "))]
    NoDocuments {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// No document has a label of any kind.
    #[error(
        "the documents have no labels: give records a field `cluster`, put documents into one folder \
         per cluster, or name a file of graded pairs (`cluster-field`, `pairs`)"
    )]
    NoLabels,
    /// Several files of graded pairs lie beside the inputs.
    #[error(
        "{} and {} both hold graded pairs: name the one to use with `pairs`",
        .one.display(), .other.display()
    )]
    TwoGradedFiles {
        /// The first.
        one: PathBuf,
        /// The second.
        other: PathBuf,
    },
    /// The file of pairs has no grade yet.
    #[error(
        "no pair is graded yet: write y or n into the column label ({} to go)",
        counted(*.pairs as u64, "pair")
    )]
    NotGraded {
        /// Pairs without a grade.
        pairs: usize,
    },
    /// No graded pair names two documents of the collection.
    #[error(
        "none of the {} graded in {file} names two documents of the collection; unknown ids are \
         {unknown}; ids of the collection look like {example:?}",
        counted(*.pairs as u64, "pair")
    )]
    UnknownIds {
        /// Graded pairs.
        pairs: usize,
        /// The file that grades them.
        file: String,
        /// The first few ids that no document has.
        unknown: String,
        /// An id of the collection.
        example: String,
    },
    /// Every cluster has one document.
    #[error(
        "no two documents have {same} ({} of one document each, {} in all): label near-duplicates as \
         such, with at least two documents in a cluster",
        counted(*.clusters as u64, "cluster"),
        counted(*.documents as u64, "document")
    )]
    NoPositivePairs {
        /// What two near-duplicates would share: `the same cluster` or `the same folder`.
        same: &'static str,
        /// Clusters.
        clusters: usize,
        /// Labelled documents.
        documents: usize,
    },
    /// All documents are in one cluster.
    #[error(
        "all {} have {same}: false pairs cannot be measured without documents that differ; add other \
         clusters, or documents outside any cluster",
        counted(*.documents as u64, "document")
    )]
    NoNegativePairs {
        /// What all of them share: `the same cluster` or `the same folder`.
        same: &'static str,
        /// Labelled documents.
        documents: usize,
    },
    /// All graded pairs have the same grade.
    #[error(
        "no pair of {file} is graded as {missing}: precision and recall need pairs of both kinds ({} \
         graded)",
        counted(*.graded, "pair")
    )]
    OneGradeOnly {
        /// The file that grades them.
        file: String,
        /// The grade that is missing.
        missing: &'static str,
        /// Graded pairs.
        graded: u64,
    },
    /// The file of graded pairs cannot be read.
    #[error("cannot read the graded pairs of {file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// The file of graded pairs is not text.
    #[error("{file} is not UTF-8 text: save it as text with tabs between the columns")]
    NotText {
        /// The file.
        file: String,
    },
    /// The file of graded pairs has lines that cannot be used.
    #[error("{file} cannot be used as graded pairs: {lines}")]
    BadLines {
        /// The file.
        file: String,
        /// The first few of them with what is wrong.
        lines: String,
    },
    /// Settings of several methods read different documents.
    #[error(
        "the methods do not read the same documents, so the labels fit only some of them: measure \
         methods whose settings read different documents one at a time"
    )]
    DifferentDocuments,
}
