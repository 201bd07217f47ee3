//! The largest clusters of a collection, with texts that are read again for people to look at.

use crate::descriptions::Description;
use crate::report::DedupOutcome;
use crate::texts::{Texts, Wanted};
use firsthand::collections::{Cluster, Collection};
use firsthand::explain::{Explanation, explain};
use firsthand_input::calendar::rfc3339;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io;
use std::path::PathBuf;

/// What makes a page of a collection and its largest clusters.
pub type MakePage<'a> = &'a dyn Fn(&DedupOutcome, &[LargeCluster]) -> String;

/// The most clusters that are listed.
const LISTED: usize = 200;
/// The most clusters whose texts are read.
const READ: usize = 20;
/// The most members of a cluster that are compared with its original.
const COMPARED: usize = 3;
/// The most bytes on disk that are read again: a page must not cost as much as the search.
const BYTES: u64 = 64 << 20;
/// The members of a very large cluster whose sources and times stand for those of all.
const LOOKED_AT: usize = 10_000;
/// Why texts are not shown of a collection that is outside of memory.
const BEYOND_MEMORY: &str =
    "the collection does not fit into memory; `firsthand review` shows what differs";

/// A cluster among the largest.
#[derive(Debug)]
pub struct LargeCluster {
    /// Its number in the results, from 1.
    pub number: usize,
    /// The number of its members.
    pub size: usize,
    /// The id of its original.
    pub original: String,
    /// What the original is called.
    pub description: Description,
    /// The number of its sources.
    pub sources: usize,
    /// The earliest and the latest time of its members, by RFC 3339.
    pub span: Option<(String, String)>,
    /// The lowest similarity of a member.
    pub lowest: f64,
    /// The members that are least like the original, each compared with it; the number of members with
    /// the same text is told by `size`.
    pub compared: Vec<Explanation>,
    /// Why texts are not shown, if they are not.
    pub unread: Option<String>,
}

/// Reads the largest clusters of a collection. What cannot be read of the inputs is said in its place.
///
/// # Errors
///
/// If clusters or documents are on disk and cannot be read back.
pub(crate) fn read(outcome: &DedupOutcome) -> io::Result<Vec<LargeCluster>> {
    let findings = &outcome.findings;
    // The least of those that are listed is on top.
    let mut largest = BinaryHeap::new();
    for (at, cluster) in findings.clusters()?.enumerate() {
        largest.push((Reverse(cluster?.members.len()), at));
        if largest.len() > LISTED {
            largest.pop();
        }
    }
    let ranks = largest.into_sorted_vec().into_iter().zip(0..);
    let ranks: HashMap<usize, usize> = ranks.map(|((_, at), rank)| (at, rank)).collect();
    let mut listed = Vec::new();
    for (at, cluster) in findings.clusters()?.enumerate() {
        let cluster = cluster?;
        let Some(&rank) = ranks.get(&at) else { continue };
        let large = describe(outcome, at, &cluster)?;
        let compared = findings.collection().filter(|_| rank < READ);
        listed.push((rank, large, compared.map(|collection| (collection, cluster))));
    }
    listed.sort_unstable_by_key(|(rank, ..)| *rank);
    let mut texts = Texts::new(outcome.settings.reading.clone(), vec![PathBuf::new()]);
    let mut budget = Budget::default();
    let clusters = listed.into_iter().map(|(rank, mut large, compared)| {
        if let Some((collection, cluster)) = compared {
            match compare((outcome, collection), &cluster, &mut texts, &mut budget) {
                Ok(compared) => large.compared = compared,
                Err(why) => large.unread = Some(why),
            }
        } else if rank < READ {
            large.unread = Some(BEYOND_MEMORY.to_owned());
        }
        large
    });
    Ok(clusters.collect())
}

fn describe(outcome: &DedupOutcome, at: usize, cluster: &Cluster) -> io::Result<LargeCluster> {
    let (findings, descriptions) = (&outcome.findings, &outcome.descriptions);
    let (mut sources, mut span) = (HashSet::new(), None);
    for member in cluster.members.iter().take(LOOKED_AT) {
        sources.extend(descriptions.get(member.document)?.source);
        if let Some(time) = findings.document(member.document)?.time {
            let (from, to) = span.unwrap_or((time, time));
            span = Some((time.min(from), time.max(to)));
        }
    }
    let lowest = cluster.members.iter().map(|member| member.score).min_by(f64::total_cmp);
    Ok(LargeCluster {
        number: at + 1,
        size: cluster.members.len(),
        original: findings.document(cluster.original)?.into_owned().id,
        description: descriptions.get(cluster.original)?,
        sources: sources.len(),
        span: span.map(|(from, to)| (rfc3339(from), rfc3339(to))),
        lowest: lowest.unwrap_or(1.0),
        compared: Vec::new(),
        unread: None,
    })
}

/// The least similar members of a cluster beside its original.
fn compare(
    (outcome, collection): (&DedupOutcome, &Collection),
    cluster: &Cluster,
    texts: &mut Texts,
    budget: &mut Budget,
) -> Result<Vec<Explanation>, String> {
    let differing = cluster.members[1..].iter().rev().filter(|member| !member.exact);
    let mut chosen: Vec<usize> = differing.take(COMPARED).map(|one| one.document).collect();
    if chosen.is_empty() {
        chosen.extend(cluster.members.last().map(|member| member.document));
    }
    let mut read = |at: usize| {
        let description = outcome.descriptions.get(at).unwrap_or_default();
        let id = &*collection.documents()[at].id;
        let wanted = Wanted { id, place: description.place.as_ref() };
        budget.take(texts.cost(wanted))?;
        texts.get(wanted, &|_| false).map(|found| found.document).map_err(|gone| gone.to_string())
    };
    let original = read(cluster.original)?;
    let mut compared = Vec::new();
    for at in chosen {
        let other = read(at)?;
        let explained = explain(collection, &original, &other);
        compared.push(explained.map_err(|error| error.to_string())?);
    }
    Ok(compared)
}

/// The bytes that may still be read.
#[derive(Default)]
struct Budget {
    taken: u64,
}

impl Budget {
    fn take(&mut self, cost: Option<(PathBuf, u64)>) -> Result<(), String> {
        let Some((file, bytes)) = cost else { return Ok(()) };
        if self.taken + bytes > BYTES {
            return Err(format!(
                "its documents are in files too large to be read again for this page: {}",
                file.display()
            ));
        }
        self.taken += bytes;
        Ok(())
    }
}
