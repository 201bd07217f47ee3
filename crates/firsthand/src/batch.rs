//! A whole collection at once: sign, set furniture aside, match, group.

use crate::{
    clusters::{self, Cluster},
    collection::Collection,
    detector::Detector,
    document::Document,
    matcher::{Cost, SearchLimits},
    pairs::Pairs,
    signed::Signed,
    summary::Summary,
};

/// The documents that a thread signs at a time.
const BATCH: usize = 64;

/// The near-duplicates of a collection.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
///
/// let texts = [("a", "The ferry sailed"), ("b", "A new bridge"), ("c", "THE FERRY sailed")];
/// let documents = texts.map(|(id, text)| Document::new(id, text));
/// let report = find_duplicates(&Detector::new(Settings::default())?, documents);
/// assert_eq!((report.documents.len(), report.pairs.count(), report.clusters.len()), (3, 1, 1));
/// // To keep only originals, drop the other members of each cluster.
/// let copies = report.clusters.iter().flat_map(|cluster| &cluster.members[1..]);
/// assert_eq!(copies.map(|member| member.document).collect::<Vec<_>>(), [2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Report {
    /// The documents, in the order of the input.
    pub documents: Vec<Summary>,
    /// The verified pairs.
    pub pairs: Pairs,
    /// The clusters, in the order of their originals.
    pub clusters: Vec<Cluster>,
    /// The work that the search took.
    pub cost: Cost,
}

/// Finds all near-duplicates among documents and groups them. See the [crate] for an example.
pub fn find_duplicates(
    detector: &Detector,
    documents: impl IntoIterator<Item = Document, IntoIter: Send>,
) -> Report {
    let mut documents = documents.into_iter();
    let batches = std::iter::from_fn(move || {
        let batch: Vec<Document> = documents.by_ref().take(BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    });
    let signed = Signed::new(detector, batches, |batch| batch);
    let collection = Collection::new(signed);
    let (pairs, cost) = collection.near_duplicates(SearchLimits::default());
    let clusters = clusters::group(&collection, &pairs);
    Report { documents: collection.into_documents(), pairs, clusters, cost }
}
