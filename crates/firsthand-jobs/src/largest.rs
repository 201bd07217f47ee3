//! The largest clusters of a collection, with texts that are read again for people to look at.

use crate::descriptions::Description;
use crate::report::DedupOutcome;
use crate::texts::{Texts, Wanted};
use firsthand::collections::Cluster;
use firsthand::explain::{Explanation, explain};
use firsthand_input::calendar::rfc3339;
use std::cmp::Reverse;
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

/// Reads the largest clusters of a collection. What cannot be read is said in its place.
pub(crate) fn read(outcome: &DedupOutcome) -> Vec<LargeCluster> {
    let findings = &outcome.findings;
    let mut order: Vec<usize> = (0..findings.clusters.len()).collect();
    order.sort_by_key(|at| Reverse(findings.clusters[*at].members.len()));
    let mut texts = Texts::new(outcome.settings.reading.clone(), vec![PathBuf::new()]);
    let mut budget = Budget::default();
    let listed = order.into_iter().take(LISTED).enumerate();
    let clusters = listed.map(|(rank, at)| {
        let cluster = &findings.clusters[at];
        let mut large = describe(outcome, at, cluster);
        if rank < READ {
            match compare(outcome, cluster, &mut texts, &mut budget) {
                Ok(compared) => large.compared = compared,
                Err(why) => large.unread = Some(why),
            }
        }
        large
    });
    clusters.collect()
}

fn describe(outcome: &DedupOutcome, at: usize, cluster: &Cluster) -> LargeCluster {
    let (findings, descriptions) = (&outcome.findings, &outcome.descriptions);
    // Of a very large cluster the first members stand for all.
    let some = || cluster.members.iter().take(10_000);
    let sources: std::collections::HashSet<Option<String>> =
        some().map(|member| descriptions.get(member.document).unwrap_or_default().source).collect();
    let times = || cluster.members.iter().filter_map(|one| findings.document(one.document).time);
    let lowest = cluster.members.iter().map(|member| member.score).min_by(f64::total_cmp);
    LargeCluster {
        number: at + 1,
        size: cluster.members.len(),
        original: findings.document(cluster.original).id.clone(),
        description: descriptions.get(cluster.original).unwrap_or_default(),
        sources: sources.iter().flatten().count(),
        span: times().min().map(rfc3339).zip(times().max().map(rfc3339)),
        lowest: lowest.unwrap_or(1.0),
        compared: Vec::new(),
        unread: None,
    }
}

/// The least similar members of a cluster beside its original.
fn compare(
    outcome: &DedupOutcome,
    cluster: &Cluster,
    texts: &mut Texts,
    budget: &mut Budget,
) -> Result<Vec<Explanation>, String> {
    let findings = &outcome.findings;
    let differing = cluster.members[1..].iter().rev().filter(|member| !member.exact);
    let mut chosen: Vec<usize> = differing.take(COMPARED).map(|one| one.document).collect();
    if chosen.is_empty() {
        chosen.extend(cluster.members.last().map(|member| member.document));
    }
    let mut read = |at: usize| {
        let description = outcome.descriptions.get(at).unwrap_or_default();
        let id = &*findings.document(at).id;
        let wanted = Wanted { id, place: description.place.as_ref() };
        budget.take(texts.cost(wanted))?;
        texts.get(wanted, &|_| false).map(|found| found.document).map_err(|gone| gone.to_string())
    };
    let original = read(cluster.original)?;
    let mut compared = Vec::new();
    for at in chosen {
        let other = read(at)?;
        let explained = explain(&findings.collection, &original, &other);
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
