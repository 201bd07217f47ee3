//! What was found in a collection: pairs, clusters, and why each dropped document is dropped.
//!
//! A collection that fits is in memory, a larger one on disk. Whoever asks does not see which: documents
//! come one at a time, clusters and pairs in order.

pub use crate::beyond::grouping::LargestCluster;
use crate::beyond::grouping::star_of;
use crate::beyond::on_disk::OnDisk;
pub use crate::pair_list::PairList;
use firsthand::collections::{Cluster, Collection, Match, Member, Pairs, Summary};
use firsthand::matcher::Cost;
use std::borrow::Cow;
use std::io;

/// A matched and grouped collection.
#[derive(Debug)]
pub struct Findings {
    found: Found,
    /// What the search for pairs cost.
    pub cost: Cost,
    /// The most pairs that are listed; of more, only those with originals are.
    most_listed: u64,
}

#[derive(Debug)]
enum Found {
    Memory(Box<InMemory>),
    Disk(Box<OnDisk>),
}

/// A collection in memory.
#[derive(Debug)]
struct InMemory {
    collection: Collection,
    pairs: Pairs,
    clusters: Vec<Cluster>,
    /// Of each document the cluster and place in it that it is dropped for; none if it is kept.
    dropped: Vec<Option<(u32, u32)>>,
    /// Of each original, its cluster.
    originals: Vec<(u32, u32)>,
}

/// Why a document is dropped.
#[derive(Clone, Debug)]
pub struct DropReason<'a> {
    /// The original of its cluster.
    pub original: Cow<'a, Summary>,
    /// Its place in the cluster.
    pub member: Member,
    /// The member it is near to, if that is not the original.
    pub via: Option<Cow<'a, Summary>>,
}

/// Where a document is in its cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The cluster, counted from 0.
    pub(crate) cluster: u32,
    pub(crate) original: usize,
    pub(crate) member: Member,
}

/// Documents one after another.
pub type Documents<'a> = Box<dyn Iterator<Item = io::Result<Cow<'a, Summary>>> + 'a>;

/// Pairs one after another, with their documents.
pub type ListedPairs<'a> =
    Box<dyn Iterator<Item = io::Result<(Cow<'a, Summary>, Cow<'a, Summary>, Match)>> + 'a>;

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
        let originals = clusters.iter().zip(0u32..);
        let originals = originals.map(|(cluster, at)| (cluster.original as u32, at)).collect();
        let found = InMemory { collection, pairs, clusters, dropped, originals };
        Self { found: Found::Memory(Box::new(found)), cost, most_listed }
    }

    /// What was found outside of memory.
    pub(crate) fn on_disk(found: OnDisk, cost: Cost, most_listed: u64) -> Self {
        Self { found: Found::Disk(Box::new(found)), cost, most_listed }
    }

    /// Whether it is outside of memory.
    pub fn is_on_disk(&self) -> bool {
        matches!(self.found, Found::Disk(_))
    }

    /// The collection, if it is in memory.
    pub(crate) fn collection(&self) -> Option<&Collection> {
        match &self.found {
            Found::Memory(found) => Some(&found.collection),
            Found::Disk(_) => None,
        }
    }

    /// The number of documents, with those of a reference.
    pub fn len(&self) -> usize {
        match &self.found {
            Found::Memory(found) => found.collection.documents().len(),
            Found::Disk(found) => found.table.len(),
        }
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document at a position.
    ///
    /// # Errors
    ///
    /// If it is on disk and cannot be read.
    pub fn document(&self, at: usize) -> io::Result<Cow<'_, Summary>> {
        match &self.found {
            Found::Memory(found) => Ok(Cow::Borrowed(&found.collection.documents()[at])),
            Found::Disk(found) => found.table.summary(at).map(Cow::Owned),
        }
    }

    fn split(&self) -> Option<usize> {
        match &self.found {
            Found::Memory(found) => found.collection.split(),
            Found::Disk(found) => found.table.split(),
        }
    }

    /// Where the inputs start: after the reference, if there is one.
    pub fn first(&self) -> usize {
        self.split().unwrap_or(0)
    }

    /// The documents of the inputs, without those of a reference.
    pub fn new_documents(&self) -> Documents<'_> {
        match &self.found {
            Found::Memory(found) => {
                let documents = &found.collection.documents()[self.first()..];
                Box::new(documents.iter().map(|document| Ok(Cow::Borrowed(document))))
            }
            Found::Disk(found) => {
                Box::new(found.table.summaries(self.first()).map(|read| read.map(Cow::Owned)))
            }
        }
    }

    /// The documents of the inputs that are empty or too short for more than exact copies.
    pub fn unmatchable(&self) -> Documents<'_> {
        let is_short = |read: &io::Result<Cow<'_, Summary>>| {
            read.as_ref().map_or(true, |document| document.short)
        };
        Box::new(self.new_documents().filter(is_short))
    }

    /// The clusters, in the order of their originals.
    ///
    /// # Errors
    ///
    /// If they are on disk and cannot be read.
    pub fn clusters(
        &self,
    ) -> io::Result<Box<dyn Iterator<Item = io::Result<Cow<'_, Cluster>>> + '_>> {
        Ok(match &self.found {
            Found::Memory(found) => Box::new(found.clusters.iter().map(Cow::Borrowed).map(Ok)),
            Found::Disk(found) => {
                Box::new(found.grouped.clusters()?.map(|read| read.map(Cow::Owned)))
            }
        })
    }

    /// The number of clusters.
    pub fn cluster_count(&self) -> usize {
        match &self.found {
            Found::Memory(found) => found.clusters.len(),
            Found::Disk(found) => found.grouped.clusters as usize,
        }
    }

    /// The pairs in ascending order; with a reference the new document comes first.
    ///
    /// # Errors
    ///
    /// If they are on disk and cannot be read.
    pub fn listed(&self, list: PairList) -> io::Result<ListedPairs<'_>> {
        let listing = self.listing(list);
        let pairs: Box<dyn Iterator<Item = io::Result<Match>>> = match (&self.found, listing) {
            (_, PairList::None) => Box::new(std::iter::empty()),
            (Found::Memory(found), PairList::Capped) => Box::new(found.pairs.iter_capped().map(Ok)),
            (Found::Memory(found), PairList::All) => Box::new(found.pairs.iter().map(Ok)),
            (Found::Memory(found), PairList::Star) => Box::new(found.star().into_iter().map(Ok)),
            (Found::Disk(found), list) => Box::new(found.grouped.pairs(list == PairList::Star)?),
        };
        let against = self.split().is_some();
        Ok(Box::new(pairs.map(move |pair| {
            let pair = pair?;
            let (a, b) = if against { (pair.b, pair.a) } else { (pair.a, pair.b) };
            Ok((self.document(a)?, self.document(b)?, pair))
        })))
    }

    /// Whether all pairs are known, and not only those of members with their originals.
    fn is_complete(&self) -> bool {
        match &self.found {
            Found::Memory(found) => found.pairs.is_complete(),
            Found::Disk(found) => found.is_complete,
        }
    }

    /// Which pairs are listed where `list` is asked for: stars if not all pairs are known, or if there
    /// are too many of them.
    pub fn listing(&self, list: PairList) -> PairList {
        match list {
            PairList::None => PairList::None,
            _ if !self.is_complete() => PairList::Star,
            PairList::Capped | PairList::All if self.count(list) > self.most_listed => {
                PairList::Star
            }
            list => list,
        }
    }

    /// The number of pairs of a list.
    fn count(&self, list: PairList) -> u64 {
        match (&self.found, list) {
            (Found::Disk(found), list) => found.count(list),
            (_, PairList::None) => 0,
            (Found::Memory(found), PairList::Capped) => found.pairs.capped_count(),
            (Found::Memory(found), PairList::All) => found.pairs.count(),
            (Found::Memory(found), PairList::Star) => found.star().len() as u64,
        }
    }

    /// The number of pairs that are listed.
    pub fn listed_count(&self, list: PairList) -> u64 {
        self.count(self.listing(list))
    }

    /// The number of verified pairs.
    pub fn found_count(&self) -> u64 {
        self.count(if self.is_complete() { PairList::All } else { PairList::Star })
    }

    /// The number of pairs of the same cluster that are neither listed nor all compared, because there
    /// are too many of them; none if all pairs were found.
    pub fn unlisted_pairs(&self) -> Option<u64> {
        if self.is_complete() {
            return None;
        }
        let all: u64 = match &self.found {
            Found::Disk(found) => found.grouped.within,
            Found::Memory(found) => {
                let within = |cluster: &Cluster| match cluster.members.len() as u64 {
                    members if self.split().is_some() => members - 1,
                    members => members * (members - 1) / 2,
                };
                found.clusters.iter().map(within).sum()
            }
        };
        Some(all.saturating_sub(self.count(PairList::Star)))
    }

    /// Where the document at a position is in its cluster, if it is in one.
    pub(crate) fn standing(&self, at: usize) -> io::Result<Option<Standing>> {
        match &self.found {
            Found::Disk(found) => {
                let fate = found.grouped.fates.get(at)?;
                Ok(fate.map(|fate| Standing {
                    cluster: fate.cluster,
                    original: fate.original as usize,
                    member: fate.member,
                }))
            }
            Found::Memory(found) => Ok(found.standing(at)),
        }
    }

    /// Why the document at a position is dropped; none if it is kept.
    ///
    /// # Errors
    ///
    /// If it is on disk and cannot be read.
    pub fn fate(&self, at: usize) -> io::Result<Option<DropReason<'_>>> {
        let Some(standing) = self.standing(at)?.filter(|standing| standing.original != at) else {
            return Ok(None);
        };
        let member = standing.member;
        let via = member.via.map(|via| self.document(via)).transpose()?;
        Ok(Some(DropReason { original: self.document(standing.original)?, member, via }))
    }

    /// Whether the document at a position is dropped.
    pub(crate) fn is_dropped(&self, at: usize) -> io::Result<bool> {
        if let Found::Memory(found) = &self.found {
            return Ok(found.dropped[at].is_some());
        }
        Ok(self.standing(at)?.is_some_and(|standing| standing.original != at))
    }

    /// For each document of the inputs, the cluster that it is dropped for.
    pub fn drops_by_cluster(&self) -> Box<dyn Iterator<Item = io::Result<Option<usize>>> + '_> {
        let documents = self.first()..self.len();
        match &self.found {
            Found::Memory(found) => {
                let dropped = found.dropped[documents].iter();
                Box::new(dropped.map(|place| Ok(place.map(|(cluster, _)| cluster as usize))))
            }
            Found::Disk(_) => Box::new(documents.map(|at| {
                let standing = self.standing(at)?.filter(|standing| standing.original != at);
                Ok(standing.map(|standing| standing.cluster as usize))
            })),
        }
    }

    /// The original of the largest cluster, and the member that is least like it.
    pub fn pair_to_look_at(&self) -> Option<(usize, usize)> {
        let largest = self.largest()?;
        Some((largest.original, largest.least_like?))
    }

    /// The cluster with the most documents; the first of them.
    pub fn largest(&self) -> Option<LargestCluster> {
        match &self.found {
            Found::Disk(found) => found.grouped.largest,
            Found::Memory(found) => {
                let clusters = found.clusters.iter().rev();
                clusters.max_by_key(|cluster| cluster.members.len()).map(LargestCluster::new)
            }
        }
    }

    /// Documents whose text occurs before: in the inputs, or else in the reference; `empty` is the
    /// number of documents without a text.
    pub(crate) fn exact_copies(&self, empty: usize) -> usize {
        match (&self.found, self.split()) {
            (Found::Memory(found), None) => self.len() - empty - found.collection.texts(),
            (Found::Disk(found), None) => self.len() - empty - found.texts as usize,
            (Found::Disk(found), Some(_)) => found.grouped.exact_members as usize,
            (Found::Memory(found), Some(_)) => {
                let members = found.clusters.iter().flat_map(|cluster| &cluster.members[1..]);
                members.filter(|member| member.exact).count()
            }
        }
    }

    /// The number of ids that were changed because they occurred before.
    pub(crate) fn renamed(&self) -> usize {
        match &self.found {
            Found::Memory(found) => found.collection.renamed(),
            Found::Disk(found) => found.table.renamed.len(),
        }
    }

    /// Sites with furniture and its lines, how often they were set aside, and pages that were completed.
    pub(crate) fn templates(&self) -> ((usize, usize), u64, u64) {
        match &self.found {
            Found::Memory(found) => {
                let collection = &found.collection;
                (collection.templates().size(), collection.furniture(), collection.rescued())
            }
            Found::Disk(found) => {
                let sites = &found.sites;
                ((sites.sites, sites.passages), sites.furniture, sites.rescued)
            }
        }
    }
}

impl InMemory {
    /// Each near-duplicate with the member of its cluster that it is near to.
    fn star(&self) -> Vec<Match> {
        let near = |cluster| star_of(cluster, &self.pairs);
        let mut pairs: Vec<Match> = self.clusters.iter().flat_map(near).collect();
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs
    }

    fn standing(&self, at: usize) -> Option<Standing> {
        let (cluster, place) = match self.dropped[at] {
            Some(place) => place,
            None => {
                let own = self.originals.binary_search_by_key(&(at as u32), |own| own.0).ok()?;
                (self.originals[own].1, 0)
            }
        };
        let found = &self.clusters[cluster as usize];
        let member = found.members[place as usize];
        Some(Standing { cluster, original: found.original, member })
    }
}

impl DropReason<'_> {
    /// In plain words.
    pub fn reason(&self, threshold: firsthand::settings::Threshold) -> String {
        let score = crate::numbers::score(self.member.score);
        if self.member.decided {
            return format!("a person said that it belongs to its original (similarity {score})");
        }
        match (&self.via, self.member.exact) {
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
