//! Clusters and listed pairs, component by component, sorted as they are written.

use super::fates::{Fate, FateFile};
use super::links::Components;
use super::record_sorter::{RecordSorter, SortedRecords};
use super::row::{NONE, array};
use super::scratch::{Scratch, ScratchReader, read_or_end};
use super::steps::Step;
use super::table::DocumentTable;
use crate::pair_list::PairList;
use firsthand::Settings;
use firsthand::collections::{Cluster, Match, Member, Pairs};
use firsthand::pieces::{Component, ComponentText, group_component};
use std::io;
use std::sync::Arc;

const CLUSTERS: &str = "clusters";
const LISTED: &str = "listed";
const STAR: &str = "star";

/// The cluster with the most documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestCluster {
    /// The position of its original.
    pub original: usize,
    /// The number of its documents.
    pub size: usize,
    /// The member that is least like the original.
    pub least_like: Option<usize>,
}

impl LargestCluster {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        let others = &cluster.members;
        let other = others.iter().rfind(|member| member.document != cluster.original);
        Self {
            original: cluster.original,
            size: cluster.members.len(),
            least_like: other.map(|member| member.document),
        }
    }
}

/// What was found, outside of memory.
#[derive(Debug)]
pub(crate) struct Grouped {
    pub(crate) fates: FateFile,
    pub(crate) clusters: u64,
    pub(crate) largest: Option<LargestCluster>,
    /// Members that have the text of their original, but the first of each cluster.
    pub(crate) exact_members: u64,
    /// Pairs of the same cluster.
    pub(crate) within: u64,
    pub(crate) pairs: u64,
    pub(crate) capped: u64,
    pub(crate) class_pairs: u64,
    pub(crate) star: u64,
    scratch: Arc<Scratch>,
}

/// Groups the documents of all components. Lists pairs as asked, if there are not too many.
pub(crate) fn group(
    scratch: &Arc<Scratch>,
    (settings, table): (&Settings, &DocumentTable),
    mut components: Components,
    (list, most): (PairList, u64),
    memory: usize,
    step: &Step<'_>,
) -> io::Result<Grouped> {
    let share = memory / 4;
    let mut clusters = RecordSorter::new(scratch, "by-original", share);
    let mut listed = Some(RecordSorter::new(scratch, "by-pair", share));
    let mut star = RecordSorter::new(scratch, "by-star", share);
    let split = table.split();
    let mut sums = Sums::default();
    while let Some(linked) = components.next()? {
        step.share(linked.documents[0].0 as f64 / table.len() as f64 / 2.0)?;
        let positions: Vec<usize> = linked.documents.iter().map(|(at, _)| *at as usize).collect();
        let documents = linked.documents.iter().map(|&(at, text)| {
            let summary = table.summary(at as usize)?;
            Ok(ComponentText { id: summary.id, time: summary.time, length: summary.length, text })
        });
        let component = Component {
            documents: documents.collect::<io::Result<_>>()?,
            identical: linked.identical,
            pairs: linked.pairs,
            split: split.map(|split| positions.partition_point(|at| *at < split)),
        };
        let (pairs, found) = group_component(settings, component);
        sums.add(&pairs);
        for cluster in &found {
            clusters.push(&encode(cluster, &positions))?;
            for near in star_of(cluster, &pairs) {
                star.push(&pair_record(near, &positions))?;
                sums.star += 1;
            }
        }
        if (sums.of(list) > most || list == PairList::Star) && listed.is_some() {
            listed = None;
        }
        if let Some(listed) = &mut listed {
            let of_list: Box<dyn Iterator<Item = Match>> = match list {
                PairList::Capped => Box::new(pairs.iter_capped()),
                PairList::All => Box::new(pairs.iter()),
                PairList::Star | PairList::None => Box::new(std::iter::empty()),
            };
            for near in of_list {
                listed.push(&pair_record(near, &positions))?;
            }
        }
    }
    drop(components);
    for (name, sorter) in [(LISTED, listed), (STAR, Some(star))] {
        let mut out = scratch.create(name)?;
        if let Some(sorter) = sorter {
            sorter.finish()?.write(&mut out)?;
        }
        out.finish()?;
    }
    let numbered =
        number(scratch, clusters.finish()?, split.is_some(), share, (table.len(), step))?;
    Ok(Grouped {
        pairs: sums.pairs,
        capped: sums.capped,
        class_pairs: sums.class_pairs,
        star: sums.star,
        ..numbered
    })
}

#[derive(Default)]
struct Sums {
    pairs: u64,
    capped: u64,
    class_pairs: u64,
    star: u64,
}

impl Sums {
    fn add(&mut self, pairs: &Pairs) {
        self.pairs += pairs.count();
        self.capped += pairs.capped_count();
        self.class_pairs += pairs.class_pairs();
    }

    fn of(&self, list: PairList) -> u64 {
        match list {
            PairList::Capped => self.capped,
            PairList::All => self.pairs,
            PairList::Star | PairList::None => 0,
        }
    }
}

/// Each near-duplicate with the member of its cluster that it is near to.
pub(crate) fn star_of<'a>(
    cluster: &'a Cluster,
    pairs: &'a Pairs,
) -> impl Iterator<Item = Match> + 'a {
    let members = cluster.members.iter().filter(|member| member.document != cluster.original);
    members.filter_map(move |member| {
        pairs.get(member.via.unwrap_or(cluster.original), member.document)
    })
}

const PAIR: usize = 17;

fn pair_record(pair: Match, positions: &[usize]) -> [u8; PAIR] {
    let mut record = [0; PAIR];
    record[..4].copy_from_slice(&(positions[pair.a] as u32).to_be_bytes());
    record[4..8].copy_from_slice(&(positions[pair.b] as u32).to_be_bytes());
    record[8..16].copy_from_slice(&pair.score.to_be_bytes());
    record[16] = u8::from(pair.exact);
    record
}

const MEMBER: usize = 17;

fn encode(cluster: &Cluster, positions: &[usize]) -> Vec<u8> {
    let position = |at: usize| positions[at] as u32;
    let mut record = position(cluster.original).to_be_bytes().to_vec();
    for member in &cluster.members {
        record.extend_from_slice(&position(member.document).to_be_bytes());
        record.extend_from_slice(&member.score.to_be_bytes());
        record.push(u8::from(member.exact));
        record.extend_from_slice(&member.via.map_or(NONE, position).to_be_bytes());
    }
    record
}

fn decode(record: &[u8]) -> Cluster {
    let number = |bytes: &[u8]| u32::from_be_bytes(array(bytes));
    let members = record[4..].chunks_exact(MEMBER).map(|bytes| Member {
        document: number(&bytes[..4]) as usize,
        score: f64::from_be_bytes(array(&bytes[4..12])),
        exact: bytes[12] != 0,
        via: Some(number(&bytes[13..17])).filter(|via| *via != NONE).map(|via| via as usize),
        decided: false,
    });
    Cluster { original: number(&record[..4]) as usize, members: members.collect() }
}

/// Numbers the clusters in the order of their originals, and notes what becomes of each document.
fn number(
    scratch: &Arc<Scratch>,
    mut sorted: SortedRecords,
    is_against: bool,
    memory: usize,
    (documents, step): (usize, &Step<'_>),
) -> io::Result<Grouped> {
    let mut out = scratch.create(CLUSTERS)?;
    let mut fates = RecordSorter::new(scratch, "by-document", memory);
    let (mut record, mut clusters, mut exact_members, mut within) = (Vec::new(), 0, 0, 0);
    let mut largest: Option<LargestCluster> = None;
    while sorted.next(&mut record)? {
        out.write_all(&(record.len() as u32).to_le_bytes())?;
        out.write_all(&record)?;
        let cluster = decode(&record);
        step.share(0.5 + cluster.original as f64 / documents as f64 / 2.0)?;
        let size = cluster.members.len();
        if largest.as_ref().is_none_or(|largest| size > largest.size) {
            largest = Some(LargestCluster::new(&cluster));
        }
        exact_members += cluster.members[1..].iter().filter(|member| member.exact).count() as u64;
        let size = size as u64;
        within += if is_against { size - 1 } else { size * (size - 1) / 2 };
        for member in &cluster.members {
            let fate = Fate {
                document: member.document as u32,
                cluster: clusters as u32,
                original: cluster.original as u32,
                member: *member,
            };
            fates.push(&fate.to_bytes())?;
        }
        clusters += 1;
    }
    drop(sorted);
    out.finish()?;
    let fates = FateFile::new(scratch, fates.finish()?)?;
    Ok(Grouped {
        fates,
        clusters,
        largest,
        exact_members,
        within,
        pairs: 0,
        capped: 0,
        class_pairs: 0,
        star: 0,
        scratch: Arc::clone(scratch),
    })
}

impl Grouped {
    /// The clusters in order.
    pub(crate) fn clusters(&self) -> io::Result<impl Iterator<Item = io::Result<Cluster>> + use<>> {
        let mut from = self.scratch.read(CLUSTERS, 1 << 16)?;
        Ok(std::iter::from_fn(move || next_cluster(&mut from).transpose()))
    }

    /// Pairs in order: those that were asked for, or each near-duplicate with its original.
    pub(crate) fn pairs(
        &self,
        is_star: bool,
    ) -> io::Result<impl Iterator<Item = io::Result<Match>> + use<>> {
        let mut from = self.scratch.read(if is_star { STAR } else { LISTED }, 1 << 16)?;
        Ok(std::iter::from_fn(move || next_pair(&mut from).transpose()))
    }
}

fn next_cluster(from: &mut ScratchReader) -> io::Result<Option<Cluster>> {
    let mut len = [0; 4];
    if !read_or_end(from, &mut len)? {
        return Ok(None);
    }
    let mut record = vec![0; u32::from_le_bytes(len) as usize];
    io::Read::read_exact(from, &mut record)?;
    Ok(Some(decode(&record)))
}

fn next_pair(from: &mut ScratchReader) -> io::Result<Option<Match>> {
    let mut record = [0; PAIR];
    let number = |bytes: &[u8]| u32::from_be_bytes(array(bytes)) as usize;
    Ok(read_or_end(from, &mut record)?.then(|| Match {
        a: number(&record[..4]),
        b: number(&record[4..8]),
        score: f64::from_be_bytes(array(&record[8..16])),
        exact: record[16] != 0,
    }))
}
