//! What was found in a collection: pairs, clusters, and why each dropped document is dropped.

use firsthand::collections::{Cluster, Collection, Match, Member, Pairs, Summary};
use firsthand::matcher::Cost;
use serde::{Deserialize, Serialize};

/// Which pairs are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairList {
    /// Every verified pair of texts with at most [`LARGE_CLASS`](firsthand::collections::LARGE_CLASS) equal copies. Of a text with more,
    /// each further copy is listed only with the first, so that the list stays linear in them.
    #[default]
    Capped,
    /// Every verified pair: a text that occurs 100,000 times makes five thousand million of them.
    All,
    /// Each near-duplicate with its original, or with the member of the cluster it is near to: as many
    /// as there are near-duplicates.
    Star,
    /// No pair.
    None,
}

/// A matched and grouped collection.
#[derive(Debug)]
pub struct Findings {
    /// The documents.
    pub collection: Collection,
    /// All verified pairs.
    pub pairs: Pairs,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// What the search for pairs cost.
    pub cost: Cost,
    /// The most pairs that are listed; of more, only those with originals are.
    most_listed: u64,
    /// Of each document the cluster and place in it that it is dropped for; none if it is kept.
    dropped: Vec<Option<(u32, u32)>>,
}

/// Why a document is dropped.
#[derive(Clone, Copy, Debug)]
pub struct DropReason<'a> {
    /// The original of its cluster.
    pub original: &'a Summary,
    /// Its place in the cluster.
    pub member: Member,
    /// The member it is near to, if that is not the original.
    pub via: Option<&'a Summary>,
}

impl Findings {
    /// Finds out which documents are dropped.
    pub fn new(
        collection: Collection,
        (pairs, cost): (Pairs, Cost),
        clusters: Vec<Cluster>,
        most_listed: u64,
    ) -> Self {
        let mut dropped = vec![None; collection.documents().len()];
        for (number, cluster) in clusters.iter().enumerate() {
            for (place, member) in cluster.members.iter().enumerate() {
                if member.document != cluster.original {
                    dropped[member.document] = Some((number as u32, place as u32));
                }
            }
        }
        Self { collection, pairs, clusters, cost, most_listed, dropped }
    }

    /// The document at a position.
    pub fn document(&self, at: usize) -> &Summary {
        &self.collection.documents()[at]
    }

    /// Where the inputs start: after the reference, if there is one.
    pub fn first(&self) -> usize {
        self.collection.split().unwrap_or(0)
    }

    /// The documents of the inputs, without those of a reference.
    pub fn new_documents(&self) -> &[Summary] {
        &self.collection.documents()[self.first()..]
    }

    /// The documents of the inputs that are empty or too short for more than exact copies.
    pub fn unmatchable(&self) -> impl Iterator<Item = &Summary> {
        self.new_documents().iter().filter(|document| document.short)
    }

    /// The pairs in ascending order; with a reference the new document comes first.
    pub fn listed(&self, list: PairList) -> impl Iterator<Item = (&Summary, &Summary, Match)> {
        let pairs: Box<dyn Iterator<Item = Match>> = match self.listing(list) {
            PairList::None => Box::new(std::iter::empty()),
            PairList::Capped => Box::new(self.pairs.iter_capped()),
            PairList::All => Box::new(self.pairs.iter()),
            PairList::Star => Box::new(self.star().into_iter()),
        };
        let against = self.collection.split().is_some();
        pairs.map(move |pair| {
            let (a, b) = if against { (pair.b, pair.a) } else { (pair.a, pair.b) };
            (self.document(a), self.document(b), pair)
        })
    }

    /// Which pairs are listed where `list` is asked for: stars if not all pairs are known, or if there
    /// are too many of them.
    pub fn listing(&self, list: PairList) -> PairList {
        match list {
            PairList::None => PairList::None,
            _ if !self.pairs.is_complete() => PairList::Star,
            PairList::Capped if self.pairs.capped_count() > self.most_listed => PairList::Star,
            PairList::All if self.pairs.count() > self.most_listed => PairList::Star,
            list => list,
        }
    }

    /// The number of pairs that are listed.
    pub fn listed_count(&self, list: PairList) -> u64 {
        match self.listing(list) {
            PairList::None => 0,
            PairList::Capped => self.pairs.capped_count(),
            PairList::All => self.pairs.count(),
            PairList::Star => self.star().len() as u64,
        }
    }

    /// The number of verified pairs.
    pub fn found_count(&self) -> u64 {
        match self.pairs.is_complete() {
            true => self.pairs.count(),
            false => self.star().len() as u64,
        }
    }

    /// The number of pairs of the same cluster that are neither listed nor all compared, because there
    /// are too many of them; none if all pairs were found.
    pub fn unlisted_pairs(&self) -> Option<u64> {
        let is_against = self.collection.split().is_some();
        let within = |cluster: &Cluster| match cluster.members.len() as u64 {
            members if is_against => members - 1,
            members => members * (members - 1) / 2,
        };
        let all: u64 = self.clusters.iter().map(within).sum();
        (!self.pairs.is_complete()).then(|| all.saturating_sub(self.star().len() as u64))
    }

    /// Each near-duplicate with the member of its cluster that it is near to.
    fn star(&self) -> Vec<Match> {
        let near = |cluster: &Cluster, member: &Member| {
            let other = member.via.unwrap_or(cluster.original);
            self.pairs.get(other, member.document).filter(|_| member.document != cluster.original)
        };
        let members = self.clusters.iter().flat_map(|cluster| {
            cluster.members.iter().filter_map(move |member| near(cluster, member))
        });
        let mut pairs: Vec<Match> = members.collect();
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs
    }

    /// Why the document at a position is dropped; none if it is kept.
    pub fn fate(&self, at: usize) -> Option<DropReason<'_>> {
        let (cluster, place) = self.dropped[at]?;
        let cluster = &self.clusters[cluster as usize];
        let member = cluster.members[place as usize];
        let via = member.via.map(|via| self.document(via));
        Some(DropReason { original: self.document(cluster.original), member, via })
    }

    /// The cluster, counted from 0, that the document at a position is dropped for.
    pub(crate) fn cluster_of_dropped(&self, at: usize) -> Option<u32> {
        self.dropped[at].map(|(cluster, _)| cluster)
    }

    /// For each document of the inputs whether it is dropped.
    pub fn drops(&self) -> impl Iterator<Item = bool> {
        self.dropped[self.first()..].iter().map(Option::is_some)
    }

    /// For each document of the inputs, the cluster that it is dropped for.
    pub fn drops_by_cluster(&self) -> impl Iterator<Item = Option<usize>> {
        let dropped = self.dropped[self.first()..].iter();
        dropped.map(|dropped| dropped.map(|(cluster, _)| cluster as usize))
    }

    /// The original of the largest cluster, and the member that is least like it.
    pub fn pair_to_look_at(&self) -> Option<(usize, usize)> {
        let largest = self.largest()?;
        let other = largest.members.iter().rfind(|member| member.document != largest.original)?;
        Some((largest.original, other.document))
    }

    /// The cluster with the most documents; the first of them.
    pub fn largest(&self) -> Option<&Cluster> {
        self.clusters.iter().rev().max_by_key(|cluster| cluster.members.len())
    }
}

impl DropReason<'_> {
    /// In plain words.
    pub fn reason(&self, threshold: firsthand::settings::Threshold) -> String {
        let score = crate::numbers::score(self.member.score);
        if self.member.decided {
            return format!("a person said that it belongs to its original (similarity {score})");
        }
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
