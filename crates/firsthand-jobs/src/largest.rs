//! The largest clusters of a collection, with texts that are read again for people to look at.

use crate::descriptions::{Description, Descriptions, DocumentPlace};
use crate::findings::Findings;
use crate::report::DocumentCounts;
use crate::texts::{Texts, Wanted};
use firsthand::collections::{Cluster, Collection, Signed};
use firsthand::explain::{Explanation, explain_passages};
use firsthand::pieces;
use firsthand::settings::Threshold;
use firsthand::{Detector, Document};
use firsthand_input::calendar::rfc3339;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What makes a page of a collection: of its counts, the threshold, and its largest clusters.
pub type MakePage<'a> = &'a (dyn Fn(&DocumentCounts, Threshold, &[LargeCluster]) -> String + Sync);

/// The most clusters that are listed.
const LISTED: usize = 200;
/// The most clusters whose texts are read.
const READ: usize = 20;
/// The most members of a cluster that are compared with its original.
const COMPARED: usize = 3;
/// The most bytes on disk that are read again: a page must not cost as much as the search.
const BYTES: u64 = 64 << 20;
/// The bytes of text that are held at once, but for the documents of one cluster.
const AT_ONCE: usize = 16 << 20;
/// The members of a very large cluster whose sources and times stand for those of all.
const LOOKED_AT: usize = 10_000;
/// Why texts are not shown of pages that are outside of memory: what is compared of them depends on their sites.
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

/// A document that was read again, and its position in the collection.
type PlacedText = (usize, Arc<Document>);

/// What large clusters are read from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) findings: &'a Findings,
    pub(crate) descriptions: &'a Descriptions,
    pub(crate) detector: &'a Detector,
}

impl<'a> Sources<'a> {
    /// The collection, if what is compared of its texts depends on it: on their sites, or on how common words are.
    fn collection(self) -> Option<&'a Collection> {
        let settings = self.detector.settings();
        let is_needed = settings.template || pieces::needs_all(settings).is_some();
        self.findings.collection().filter(|_| is_needed)
    }

    /// Whether texts can be compared: by the collection that they are in, or else by themselves.
    fn can_compare(self) -> bool {
        self.findings.collection().is_some() || !self.detector.settings().template
    }
}

/// Reads the largest clusters of a collection. What cannot be read of the inputs is said in its place.
///
/// # Errors
///
/// If clusters or documents are on disk and cannot be read back.
pub(crate) fn read(sources: Sources<'_>) -> io::Result<Vec<LargeCluster>> {
    let findings = sources.findings;
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
        let large = describe(sources, at, &cluster)?;
        let compared = (rank < READ && sources.can_compare()).then_some(cluster);
        listed.push((rank, large, compared));
    }
    listed.sort_unstable_by_key(|(rank, ..)| *rank);
    let mut reader = Reader::new(sources);
    for cluster in listed.iter().filter_map(|(.., compared)| compared.as_ref()) {
        reader.announce(cluster)?;
    }
    let (mut read, mut bytes, mut clusters) = (Vec::new(), 0, Vec::new());
    for (rank, mut large, compared) in listed {
        let mut texts = Vec::new();
        if let Some(cluster) = compared {
            match reader.texts_of(&cluster)? {
                Ok(read) => texts = read,
                Err(why) => large.unread = Some(why),
            }
        } else if rank < READ {
            large.unread = Some(BEYOND_MEMORY.to_owned());
        }
        bytes += texts.iter().map(|(_, text)| text.text.len()).sum::<usize>();
        read.push((large, texts));
        if bytes > AT_ONCE {
            clusters.extend(compare(sources, std::mem::take(&mut read)));
            bytes = 0;
        }
    }
    clusters.extend(compare(sources, read));
    Ok(clusters)
}

/// Clusters with the original and some members of each, compared.
fn compare(sources: Sources<'_>, read: Vec<(LargeCluster, Vec<PlacedText>)>) -> Vec<LargeCluster> {
    // Those with texts are the first: in larger pieces, one thread would get all of them.
    let compared = read.into_par_iter().with_max_len(1).map(|(mut large, texts)| {
        large.compared = match sources.collection() {
            Some(collection) => explained(collection, &texts),
            None => {
                let documents = texts.iter().map(|(_, text)| Document::clone(text));
                let signed = Signed::few(sources.detector, documents);
                let texts: Vec<PlacedText> =
                    (0..).zip(texts.into_iter().map(|(_, text)| text)).collect();
                explained(&Collection::new(signed), &texts)
            }
        };
        large
    });
    compared.collect()
}

/// The first text, compared with each other one.
fn explained(collection: &Collection, texts: &[PlacedText]) -> Vec<Explanation> {
    let Some(((at, original), others)) = texts.split_first() else { return Vec::new() };
    let others = others.iter();
    others.map(|(of, other)| explain_passages(collection, (*at, original), (*of, other))).collect()
}

fn describe(sources: Sources<'_>, at: usize, cluster: &Cluster) -> io::Result<LargeCluster> {
    let Sources { findings, descriptions, .. } = sources;
    let (mut named, mut span) = (HashSet::new(), None);
    for member in cluster.members.iter().take(LOOKED_AT) {
        named.extend(descriptions.get(member.document)?.source);
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
        sources: named.len(),
        span: span.map(|(from, to)| (rfc3339(from), rfc3339(to))),
        lowest: lowest.unwrap_or(1.0),
        compared: Vec::new(),
        unread: None,
    })
}

/// The members that are compared with the original: the least similar ones.
fn chosen(cluster: &Cluster) -> Vec<usize> {
    let differing = cluster.members[1..].iter().rev().filter(|member| !member.exact);
    let mut chosen: Vec<usize> = differing.take(COMPARED).map(|one| one.document).collect();
    if chosen.is_empty() {
        chosen.extend(cluster.members.last().map(|member| member.document));
    }
    chosen
}

/// Reads documents again, each file once if what is wanted of it fits, within a number of bytes.
struct Reader<'a> {
    findings: &'a Findings,
    descriptions: &'a Descriptions,
    texts: Texts,
    /// The places that will be asked for.
    announced: HashSet<DocumentPlace>,
    taken: u64,
}

impl<'a> Reader<'a> {
    fn new(Sources { findings, descriptions, detector }: Sources<'a>) -> Self {
        let texts = Texts::new(detector.settings().reading.clone(), vec![PathBuf::new()]);
        let (texts, announced) = (texts.keeping(AT_ONCE), HashSet::new());
        Self { findings, descriptions, texts, announced, taken: 0 }
    }

    /// Says that documents of a cluster will be asked for, so that they are kept when their file is read.
    fn announce(&mut self, cluster: &Cluster) -> io::Result<()> {
        for at in chosen(cluster).into_iter().chain([cluster.original]) {
            let place = match self.descriptions.get(at).unwrap_or_default().place {
                None => DocumentPlace::of_id(&self.findings.document(at)?.id),
                place => place,
            };
            self.announced.extend(place);
        }
        Ok(())
    }

    /// The original of a cluster, and the members that it is compared with; or why they are not there.
    fn texts_of(&mut self, cluster: &Cluster) -> io::Result<Result<Vec<PlacedText>, String>> {
        let mut texts = Vec::new();
        for at in std::iter::once(cluster.original).chain(chosen(cluster)) {
            let id = self.findings.document(at)?.into_owned().id;
            match self.read(&id, at) {
                // An id that occurs twice has another name in the results.
                Ok(text) if text.id != id => {
                    texts.push((at, Arc::new(Document { id, ..Document::clone(&text) })));
                }
                Ok(text) => texts.push((at, text)),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(texts))
    }

    fn read(&mut self, id: &str, at: usize) -> Result<Arc<Document>, String> {
        let description = self.descriptions.get(at).unwrap_or_default();
        let wanted = Wanted { id, place: description.place.as_ref() };
        self.pay(self.texts.cost(wanted))?;
        let announced = |place: &DocumentPlace| self.announced.contains(place);
        let found = self.texts.get(wanted, &announced);
        found.map(|found| found.document).map_err(|gone| gone.to_string())
    }

    /// Counts the bytes of a file that has to be read.
    fn pay(&mut self, cost: Option<(PathBuf, u64)>) -> Result<(), String> {
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
