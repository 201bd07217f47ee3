//! What a list of clusters shows and is sorted by, in memory: a row a cluster, however many members.

use super::order::Orders;
use super::record::{ClusterRecord, MemberRecord};
use std::collections::{BTreeMap, HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64;

/// The most characters of a title or source that are kept.
const NAME: usize = 200;
/// The most bytes of a cluster that are searched.
const SEARCHED: usize = 2_000;
/// The bins of the histogram.
const BINS: usize = 50;

/// All clusters as they were found.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) rows: Vec<ClusterRow>,
    /// The row of each document, by the hash of its id.
    of_document: HashMap<u64, u32>,
    pub(super) orders: Orders,
    documents: usize,
    sources: BTreeMap<String, usize>,
    scores: Vec<u64>,
    exact: u64,
}

/// A cluster in a list.
#[derive(Clone, Debug)]
pub struct ClusterRow {
    /// Its number, from 1.
    pub number: u32,
    /// The number of its members.
    pub size: u32,
    /// The title of its original, or else the id.
    pub title: String,
    /// The source of its original.
    pub source: Option<String>,
    /// The number of different sources.
    pub sources: u32,
    /// The earliest and the latest time, in milliseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// The lowest similarity of a member.
    pub lowest: f64,
    /// Whether all members have the text of the original.
    pub exact: bool,
    /// What is searched, in lower case.
    pub(super) searched: String,
    /// The sources, sorted.
    pub(super) source_names: Vec<String>,
    /// Where its line is.
    pub(super) place: (u64, usize),
}

/// A bar of the histogram of scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lowest score.
    pub from: f64,
    /// The score that it ends before.
    pub to: f64,
    /// The number of members.
    pub count: u64,
}

impl Index {
    pub(super) fn add(&mut self, record: &ClusterRecord, place: (u64, usize)) {
        let at = self.rows.len() as u32;
        let original = record.members.first();
        let names: HashSet<&str> =
            record.members.iter().filter_map(|member| member.source.as_deref()).collect();
        let mut source_names: Vec<String> = names.into_iter().map(cut).collect();
        source_names.sort_unstable();
        for source in &source_names {
            *self.sources.entry(source.clone()).or_default() += 1;
        }
        let times = || record.members.iter().filter_map(MemberRecord::milliseconds);
        let others = || record.members.iter().skip(1);
        for member in others() {
            match member.exact {
                Some(true) => self.exact += 1,
                _ => {
                    let bin = ((member.score * BINS as f64) as usize).min(BINS - 1);
                    self.scores.resize(BINS, 0);
                    self.scores[bin] += 1;
                }
            }
        }
        for member in &record.members {
            self.of_document.insert(xxh3_64(member.id.as_bytes()), at);
        }
        self.documents += record.members.len();
        self.rows.push(ClusterRow {
            number: record.cluster,
            size: record.members.len() as u32,
            title: original.map(|original| cut(original.name())).unwrap_or_default(),
            source: original.and_then(|original| original.source.as_deref().map(cut)),
            sources: source_names.len() as u32,
            span: times().min().zip(times().max()),
            lowest: others().map(|member| member.score).fold(1.0, f64::min),
            exact: others().all(|member| member.exact == Some(true)),
            searched: searched(record),
            source_names,
            place,
        });
    }

    pub(super) fn finish(&mut self) {
        self.orders = Orders::new(&self.rows);
    }

    /// The row of a cluster, by its number.
    pub fn row(&self, number: u32) -> Option<&ClusterRow> {
        // Numbers are in order, though a list may lack some.
        let at = self.rows.partition_point(|row| row.number < number);
        self.rows.get(at).filter(|row| row.number == number)
    }

    /// The position of the row that a document is in.
    pub(super) fn position_of(&self, id: &str) -> Option<u32> {
        self.of_document.get(&xxh3_64(id.as_bytes())).copied()
    }

    /// The number of the cluster that a document is in.
    pub fn cluster_of(&self, id: &str) -> Option<u32> {
        self.position_of(id).map(|at| self.rows[at as usize].number)
    }

    /// The number of clusters.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no cluster.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of documents in clusters.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// All sources, each with the number of clusters that it is in, the most frequent first.
    pub fn sources(&self) -> Vec<(&str, usize)> {
        let mut sources: Vec<(&str, usize)> =
            self.sources.iter().map(|(name, count)| (&**name, *count)).collect();
        sources.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sources
    }

    /// The similarities of members whose text is not that of their original.
    pub fn histogram(&self) -> Vec<Bin> {
        let bin = |(at, count): (usize, &u64)| Bin {
            from: at as f64 / BINS as f64,
            to: (at + 1) as f64 / BINS as f64,
            count: *count,
        };
        self.scores.iter().enumerate().map(bin).collect()
    }

    /// The number of members whose text is that of their original.
    pub fn exact(&self) -> u64 {
        self.exact
    }
}

/// A name of a readable length.
fn cut(text: &str) -> String {
    text.char_indices().nth(NAME).map_or(text, |(end, _)| &text[..end]).to_owned()
}

/// Titles, ids, URLs and sources in lower case, each once.
fn searched(record: &ClusterRecord) -> String {
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for member in &record.members {
        let parts = [Some(&member.id), member.title.as_ref(), member.url.as_ref()];
        for part in parts.into_iter().chain([member.source.as_ref(), member.sender.as_ref()]) {
            let Some(part) = part.filter(|part| seen.insert(part.as_str())) else { continue };
            if text.len() + part.len() > SEARCHED {
                return text;
            }
            text.push_str(&part.to_lowercase());
            text.push('\n');
        }
    }
    text
}
