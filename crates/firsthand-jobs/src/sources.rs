//! How much each source loses: one that loses over half of its documents deserves a look, and so does
//! a site that loses most of its pages to one cluster.

use firsthand::Document;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Sources with fewer documents lose half of them too easily.
const LEAST: u64 = 20;

/// A site with fewer pages has no most of them.
const LEAST_PAGES: u64 = 5;

/// The source, or else the host, or the site of every document, noted batch by batch.
#[derive(Debug)]
pub struct Sources {
    name: fn(&Document) -> Option<&str>,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    numbers: HashMap<String, u32>,
    /// Per batch, one source for each document.
    batches: Vec<(usize, Vec<u32>)>,
}

/// A document without source and host.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A source that loses over half of its documents.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The source.
    pub source: String,
    /// The number of its documents.
    pub documents: u64,
    /// The number of them that are dropped.
    pub dropped: u64,
}

/// A site that loses most of its pages to one cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteLoss {
    /// The site.
    pub site: String,
    /// The number of its pages.
    pub documents: u64,
    /// The number of them that are dropped for the original of the cluster.
    pub dropped: u64,
    /// The cluster, by number.
    pub cluster: usize,
    /// The last of these pages, by its place among the documents of the inputs.
    pub last: usize,
}

pub(crate) fn source_or_host(document: &Document) -> Option<&str> {
    document.source.as_deref().or(document.host.as_deref())
}

impl Sources {
    /// Sources, or else hosts, as documents name them.
    pub fn named() -> Self {
        Self { name: source_or_host, noted: Mutex::default() }
    }

    /// Sites, whose pages share furniture.
    pub fn sites() -> Self {
        Self { name: Document::site, noted: Mutex::default() }
    }

    /// Starts to take note of a batch.
    pub fn batch(&self, batch: usize) -> SourceBatch<'_> {
        SourceBatch { sources: self, batch, names: HashMap::new(), documents: Vec::new() }
    }

    /// The sources that lose over half, the greatest loss first; `dropped` says which documents
    /// are dropped, in input order.
    pub fn losses(self, dropped: impl Iterator<Item = bool>) -> Vec<Loss> {
        let (numbers, documents) = self.in_order();
        let mut tally = SourceTally { numbers, ..SourceTally::default() };
        documents.zip(dropped).for_each(|(source, dropped)| tally.add(source, dropped));
        tally.losses()
    }

    /// The sites that lose over half of their pages to one cluster, the greatest loss first;
    /// `clusters` has the cluster that each document is dropped for, in input order.
    pub fn site_losses(self, clusters: impl Iterator<Item = Option<usize>>) -> Vec<SiteLoss> {
        let (numbers, documents) = self.in_order();
        let mut tally = SiteTally { numbers, ..SiteTally::default() };
        let documents = documents.zip(clusters).enumerate();
        documents.for_each(|(at, (site, cluster))| tally.add(site, cluster, at));
        tally.losses()
    }

    /// The number of each name, and of each document in the order of the input.
    fn in_order(self) -> (HashMap<String, u32>, impl Iterator<Item = u32>) {
        let noted = self.noted.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Noted { numbers, mut batches } = noted;
        batches.sort_unstable_by_key(|(batch, _)| *batch);
        (numbers, batches.into_iter().flat_map(|(_, sources)| sources))
    }
}

/// How much each source loses, counted document by document.
#[derive(Debug, Default)]
pub(crate) struct SourceTally {
    numbers: HashMap<String, u32>,
    /// All documents and those that are dropped, by the number of the source.
    counts: Vec<(u64, u64)>,
}

impl SourceTally {
    /// The number of a source.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        number(&mut self.numbers, name)
    }

    pub(crate) fn add(&mut self, source: u32, dropped: bool) {
        if source != NOWHERE {
            let len = self.counts.len().max(source as usize + 1);
            self.counts.resize(len, (0, 0));
            let (all, lost) = &mut self.counts[source as usize];
            *all += 1;
            *lost += u64::from(dropped);
        }
    }

    pub(crate) fn losses(self) -> Vec<Loss> {
        let mut losses: Vec<Loss> = self
            .numbers
            .into_iter()
            .map(|(source, number)| {
                let counts = self.counts.get(number as usize);
                let (documents, dropped) = counts.copied().unwrap_or_default();
                Loss { source, documents, dropped }
            })
            .filter(|loss| loss.documents >= LEAST && 2 * loss.dropped > loss.documents)
            .collect();
        losses.sort_by(|a, b| b.dropped.cmp(&a.dropped).then_with(|| a.source.cmp(&b.source)));
        losses
    }
}

/// How much each site loses to each cluster, counted document by document.
#[derive(Debug, Default)]
pub(crate) struct SiteTally {
    numbers: HashMap<String, u32>,
    pages: Vec<u64>,
    /// How many pages of a site each cluster takes, and the last of them.
    taken: HashMap<(u32, usize), (u64, usize)>,
}

impl SiteTally {
    /// The number of a site.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        number(&mut self.numbers, name)
    }

    pub(crate) fn add(&mut self, site: u32, cluster: Option<usize>, at: usize) {
        if site == NOWHERE {
            return;
        }
        let len = self.pages.len().max(site as usize + 1);
        self.pages.resize(len, 0);
        self.pages[site as usize] += 1;
        if let Some(cluster) = cluster {
            let (count, last) = self.taken.entry((site, cluster)).or_default();
            *count += 1;
            *last = at;
        }
    }

    pub(crate) fn losses(self) -> Vec<SiteLoss> {
        let mut names: Vec<String> = vec![String::new(); self.numbers.len()];
        self.numbers.into_iter().for_each(|(name, number)| names[number as usize] = name);
        let mut losses: Vec<SiteLoss> = self
            .taken
            .into_iter()
            .map(|((site, cluster), (dropped, last))| SiteLoss {
                site: names[site as usize].clone(),
                documents: self.pages[site as usize],
                dropped,
                cluster,
                last,
            })
            .filter(|loss| loss.documents >= LEAST_PAGES && 2 * loss.dropped > loss.documents)
            .collect();
        losses.sort_by(|a, b| b.dropped.cmp(&a.dropped).then_with(|| a.site.cmp(&b.site)));
        losses
    }
}

fn number(numbers: &mut HashMap<String, u32>, name: &str) -> u32 {
    if let Some(&number) = numbers.get(name) {
        return number;
    }
    let number = numbers.len() as u32;
    numbers.insert(name.to_owned(), number);
    number
}

/// The sources of one batch, handed over when it is dropped: one lock for all its documents.
#[derive(Debug)]
pub struct SourceBatch<'a> {
    sources: &'a Sources,
    batch: usize,
    /// Sources by number, within the batch.
    names: HashMap<String, u32>,
    documents: Vec<u32>,
}

impl SourceBatch<'_> {
    /// Takes note of a document.
    pub fn add(&mut self, document: &Document) {
        let name = (self.sources.name)(document);
        let number = name.map_or(NOWHERE, |name| match self.names.get(name) {
            Some(&number) => number,
            None => {
                let number = self.names.len() as u32;
                self.names.insert(name.to_owned(), number);
                number
            }
        });
        self.documents.push(number);
    }
}

impl Drop for SourceBatch<'_> {
    fn drop(&mut self) {
        let mut noted = self.sources.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let Noted { numbers, batches } = &mut *noted;
        let mut all = vec![NOWHERE; self.names.len()];
        for (name, number) in self.names.drain() {
            let next = numbers.len() as u32;
            all[number as usize] = *numbers.entry(name).or_insert(next);
        }
        for number in &mut self.documents {
            *number = all.get(*number as usize).copied().unwrap_or(NOWHERE);
        }
        batches.push((self.batch, std::mem::take(&mut self.documents)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_loses_over_half_is_named() {
        let from = |source: &str| Document {
            source: Some(source.to_owned()),
            ..Document::new("id", "text")
        };
        let sources = Sources::named();
        // Out of order, as threads finish.
        let add = |batch, documents: &[Document]| {
            let mut batch = sources.batch(batch);
            documents.iter().for_each(|document| batch.add(document));
        };
        add(1, &vec![from("mirror"); 30]);
        add(0, &[vec![from("agency"); 30], vec![from("small"); 3]].concat());
        add(2, &[Document::new("id", "text")]);
        let dropped = [vec![false; 30], vec![true; 3], vec![true; 16], vec![false; 14], vec![true]];
        let losses = sources.losses(dropped.concat().into_iter());
        let mirror = Loss { source: "mirror".to_owned(), documents: 30, dropped: 16 };
        assert_eq!(losses, [mirror]);
    }

    #[test]
    fn a_site_that_one_cluster_takes_is_named() {
        let on = |host: &str| Document {
            host: Some(host.to_owned()),
            source: Some("crawl".to_owned()),
            ..Document::new("id", "text")
        };
        let sources = Sources::sites();
        let mut batch = sources.batch(0);
        // Two hosts are one site; a site that loses as much to many clusters is a mirror, and one
        // with few pages proves nothing.
        let hosts = ["www.one.example", "one.example", "mirror.example", "few.example"];
        for host in hosts.map(|host| vec![host; 4]).concat() {
            batch.add(&on(host));
        }
        drop(batch);
        let of_one = [None, Some(3), Some(3), Some(3), Some(3), Some(1), Some(3), None];
        let of_mirror = [0, 1, 2, 4].map(Some);
        let clusters = of_one.into_iter().chain(of_mirror).chain([Some(9); 4]);
        let site = "one.example".to_owned();
        let loss = SiteLoss { site, documents: 8, dropped: 5, cluster: 3, last: 6 };
        assert_eq!(sources.site_losses(clusters), [loss]);
    }
}
