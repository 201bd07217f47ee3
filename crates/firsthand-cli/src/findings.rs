//! What a run found, in the words of the results: pairs, clusters, and the fate of each document.

use firsthand::collections::{Cluster, Collection, Match, Member, Pairs, Summary};
use firsthand::matcher::Cost;

/// A matched and grouped collection.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) collection: Collection,
    pub(crate) pairs: Pairs,
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) cost: Cost,
    /// Of each document the cluster and place in it that it is dropped for; none if it is kept.
    dropped: Vec<Option<(u32, u32)>>,
}

/// Why a document is dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropReason<'a> {
    pub(crate) original: &'a Summary,
    pub(crate) member: Member,
    /// The member it is near to, if that is not the original.
    pub(crate) via: Option<&'a Summary>,
}

impl Findings {
    pub(crate) fn new(
        collection: Collection,
        pairs: Pairs,
        clusters: Vec<Cluster>,
        cost: Cost,
    ) -> Self {
        let mut dropped = vec![None; collection.documents().len()];
        for (number, cluster) in clusters.iter().enumerate() {
            for (place, member) in cluster.members.iter().enumerate() {
                if member.document != cluster.original {
                    dropped[member.document] = Some((number as u32, place as u32));
                }
            }
        }
        Self { collection, pairs, clusters, cost, dropped }
    }

    /// The document at a position.
    pub(crate) fn document(&self, at: usize) -> &Summary {
        &self.collection.documents()[at]
    }

    /// Where the inputs start: after the reference, if there is one.
    pub(crate) fn first(&self) -> usize {
        self.collection.split().unwrap_or(0)
    }

    /// The documents of the inputs, without those of a reference.
    pub(crate) fn new_documents(&self) -> &[Summary] {
        &self.collection.documents()[self.first()..]
    }

    /// The pairs; with a reference the new document comes first.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Summary, &Summary, Match)> {
        let against = self.collection.split().is_some();
        self.pairs.iter().map(move |pair| {
            let (a, b) = if against { (pair.b, pair.a) } else { (pair.a, pair.b) };
            (self.document(a), self.document(b), pair)
        })
    }

    /// Why the document at a position is dropped; none if it is kept.
    pub(crate) fn fate(&self, at: usize) -> Option<DropReason<'_>> {
        let (cluster, place) = self.dropped[at]?;
        let cluster = &self.clusters[cluster as usize];
        let member = cluster.members[place as usize];
        let via = member.via.map(|via| self.document(via));
        Some(DropReason { original: self.document(cluster.original), member, via })
    }

    /// For each document of the inputs whether it is dropped.
    pub(crate) fn drops(&self) -> impl Iterator<Item = bool> {
        self.dropped[self.first()..].iter().map(Option::is_some)
    }

    /// The cluster with the most documents; the first of them.
    pub(crate) fn largest(&self) -> Option<&Cluster> {
        self.clusters.iter().rev().max_by_key(|cluster| cluster.members.len())
    }
}

impl DropReason<'_> {
    /// In plain words.
    pub(crate) fn reason(&self, threshold: firsthand::settings::Threshold) -> String {
        let score = crate::numbers::score(self.member.score);
        match (self.via, self.member.exact) {
            (None, true) => "same text as its original".to_owned(),
            (None, false) => {
                format!("similarity {score} to its original, at or above the threshold {threshold}")
            }
            (Some(via), true) => {
                format!("same text as {:?}, which is in the cluster of its original", via.id)
            }
            (Some(via), false) => format!(
                "similarity {score} to {:?}, at or above the threshold {threshold}, which is in the cluster of its original",
                via.id
            ),
        }
    }
}
