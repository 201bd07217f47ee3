//! The store of a stream under review: clusters as the stream found them, texts if they are kept, and
//! decisions that the store takes down and the stream obeys.

use super::error::ReviewError;
use super::evidence::{Freshness, ShownText};
use super::index::{ClusterRow, Index};
use super::labelling::LabelPair;
use super::record::{ClusterRecord, MemberRecord};
use super::reviewable::Reviewable;
use crate::decisions::{Decision, text_hash};
use crate::observer::Unobserved;
use crate::sample::{self, SampleOptions};
use crate::stream::StreamSession;
use crate::texts::Gone;
use firsthand::collections::{Collection, Match, Signed};
use firsthand::online::{Exported, FoundCluster, Seq, StoreError};
use firsthand::{Detector, Document, Settings};
use firsthand_input::calendar::rfc3339;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An index that took long is used for a while, though documents arrive.
const PATIENCE: u32 = 10;
/// Clusters whose documents are read at a time.
const STEP: usize = 200;
/// Of the latest documents, pairs to label are looked for among this many, or this many bytes of text.
const SAMPLED_DOCUMENTS: usize = 20_000;
const SAMPLED_BYTES: usize = 64 << 20;

/// Something that is done with a store.
pub type Task = Box<dyn FnOnce(&mut StreamSession<'_>) + Send>;

/// Whoever has the store of a stream open.
pub trait StreamAccess: Send + Sync {
    /// Has something done between two rounds, and waits for it; false if the store is not to be had.
    fn run(&self, task: Task) -> bool;

    /// A number that is another one after every change of the store.
    fn changes(&self) -> u64;

    /// The settings of the store.
    fn settings(&self) -> &Settings;

    /// Is told that something was decided.
    fn decided(&self);

    /// A number that is another one after every decision.
    fn decisions(&self) -> u64;
}

/// The store of a stream under review.
pub(super) struct StoredClusters {
    access: Box<dyn StreamAccess>,
    found: Mutex<Option<Found>>,
}

/// The clusters as of a moment.
struct Found {
    index: Arc<Index>,
    members: HashMap<u32, Vec<Seq>>,
    changes: u64,
    made: Instant,
    took: Duration,
}

impl StoredClusters {
    pub(super) fn new(access: Box<dyn StreamAccess>) -> Self {
        Self { access, found: Mutex::new(None) }
    }

    fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut StreamSession<'_>) -> Result<T, ReviewError> + Send + 'static,
    ) -> Result<T, ReviewError> {
        let (sender, answer) = std::sync::mpsc::channel();
        let task: Task = Box::new(move |session| {
            let _ = sender.send(ask(session));
        });
        if !self.access.run(task) {
            return Err(ReviewError::NoStore);
        }
        answer.recv().unwrap_or(Err(ReviewError::NoStore))
    }

    fn find(&self) -> Result<Found, ReviewError> {
        let (began, changes) = (Instant::now(), self.access.changes());
        let clusters = self.ask(|session| Ok(session.upkeep().found_clusters(2)?))?;
        let mut index = Index::default();
        for part in clusters.chunks(STEP) {
            for record in self.records(part.to_vec())? {
                index.add(&record, (0, 0));
            }
        }
        index.finish();
        let members = clusters.into_iter().map(|found| (number(&found), found.members)).collect();
        Ok(Found {
            index: Arc::new(index),
            members,
            changes,
            made: Instant::now(),
            took: began.elapsed(),
        })
    }

    /// Clusters with their documents.
    fn records(&self, clusters: Vec<FoundCluster>) -> Result<Vec<ClusterRecord>, ReviewError> {
        self.ask(move |session| {
            let seqs: Vec<Seq> = clusters.iter().flat_map(|one| one.members.clone()).collect();
            let documents = session.upkeep().documents(&seqs)?.into_iter();
            let mut documents = documents.map(|found| found.map(|found| member(&found)));
            let record = |cluster: &FoundCluster| {
                let members: Vec<MemberRecord> =
                    documents.by_ref().take(cluster.members.len()).flatten().collect();
                let original = members.first().map(|first| first.id.clone()).unwrap_or_default();
                let size = u32::try_from(members.len()).unwrap_or(u32::MAX);
                ClusterRecord { cluster: number(cluster), original, size, members }
            };
            Ok(clusters.iter().map(record).collect())
        })
    }

    /// The latest documents whose texts are kept, in the order of arrival.
    fn latest_texts(&self) -> Result<(Vec<MemberRecord>, Vec<Document>), ReviewError> {
        let next = self.ask(|session| Ok(session.next_number()?))?;
        let (mut members, mut documents, mut bytes) = (Vec::new(), Vec::new(), 0);
        let mut end = next;
        while end > 1 && documents.len() < SAMPLED_DOCUMENTS && bytes < SAMPLED_BYTES {
            let start = end.saturating_sub(STEP as Seq).max(1);
            // A few at a time, so that documents that arrive meanwhile are not held up.
            let part = self.ask(move |session| Ok(texts_between(session, start..end)?))?;
            for (member, document) in part.into_iter().rev() {
                bytes += document.text.len();
                members.push(member);
                documents.push(document);
            }
            end = start;
        }
        members.reverse();
        documents.reverse();
        Ok((members, documents))
    }

    fn with_found<T>(&self, look: impl FnOnce(&Found) -> T) -> Result<T, ReviewError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = |found: &Found| {
            found.changes == self.access.changes() || found.made.elapsed() < found.took * PATIENCE
        };
        if !found.as_ref().is_some_and(is_current) {
            *found = Some(self.find()?);
        }
        found.as_ref().map(look).ok_or(ReviewError::NoStore)
    }
}

/// Documents of these numbers with their texts, if those are kept and still the same.
fn texts_between(
    session: &mut StreamSession<'_>,
    numbers: Range<Seq>,
) -> Result<Vec<(MemberRecord, Document)>, StoreError> {
    let most = usize::try_from(numbers.end - numbers.start).unwrap_or(usize::MAX);
    let (stored, _) = session.upkeep().export(numbers.start, most)?;
    let mut found = Vec::with_capacity(stored.len());
    for stored in stored.iter().filter(|stored| stored.seq < numbers.end) {
        let member = member(stored);
        let Some(kept) = session.text(&member.id)? else { continue };
        if text_hash(&kept.text) == stored.text {
            let document = kept.into_document(&member.id);
            found.push((member, document));
        }
    }
    Ok(found)
}

/// The number of a cluster.
fn number(cluster: &FoundCluster) -> u32 {
    u32::try_from(cluster.number).unwrap_or(u32::MAX)
}

fn member(found: &Exported) -> MemberRecord {
    let answer = &found.answer;
    let is_copy = answer.score.is_some();
    MemberRecord {
        id: answer.id.clone().unwrap_or_default(),
        score: answer.score.unwrap_or(1.0),
        exact: is_copy.then_some(answer.exact),
        via: answer.via.clone(),
        decided: answer.decided.joined,
        time: Some(rfc3339(found.time)),
        title: found.title.clone(),
        url: found.url.clone(),
        source: found.source.clone(),
        text: Some(found.text.clone()),
        ..MemberRecord::default()
    }
}

impl Reviewable for StoredClusters {
    fn settings(&self) -> &Settings {
        self.access.settings()
    }

    fn is_there(&self) -> bool {
        self.ask(|_| Ok(())).is_ok()
    }

    fn index(&self) -> Arc<Index> {
        let index = self.with_found(|found| Arc::clone(&found.index));
        // A store that fails shows no clusters; everything else says so.
        index.unwrap_or_default()
    }

    fn cluster(&self, row: &ClusterRow) -> Result<ClusterRecord, ReviewError> {
        let members = self.with_found(|found| found.members.get(&row.number).cloned())?;
        let members = members.ok_or(ReviewError::NoCluster(row.number))?;
        let found = FoundCluster { number: Seq::from(row.number), members };
        self.records(vec![found])?.pop().ok_or(ReviewError::NoCluster(row.number))
    }

    fn why_original(&self) -> &'static str {
        match self.settings().original {
            Some(firsthand::settings::Original::Earliest) => {
                "the earliest of them; of equal times, the first to arrive"
            }
            _ => "the first of them to arrive",
        }
    }

    fn text(&self, member: &MemberRecord) -> Result<ShownText, ReviewError> {
        let (id, hash) = (member.id.clone(), member.text.clone());
        let kept = self.ask(move |session| Ok(session.text(&id)?))?;
        let kept = kept.ok_or(Gone::NotKept)?;
        let document = kept.into_document(&member.id);
        let fresh = match hash {
            Some(hash) if hash == text_hash(&document.text) => Freshness::Same,
            Some(_) => Freshness::Changed,
            None => Freshness::Unknown,
        };
        Ok(ShownText { document: Arc::new(document), fresh, page: None })
    }

    fn whole(&self) -> Option<&Collection> {
        None
    }

    fn pairs_to_label(&self, most: usize) -> Option<Vec<LabelPair>> {
        let (members, documents) = self.latest_texts().ok()?;
        let detector = Detector::new(self.settings().clone()).ok()?;
        let signed = Signed::new(&detector, [documents].into_iter(), |batch| batch);
        let collection = Collection::new(signed);
        let options = SampleOptions { floor: None, pairs: most, seed: 1 };
        let picked = sample::pick(&collection, &options, &Unobserved::default()).ok()?;
        let pair = |pair: &Match| {
            let (a, b) = (members.get(pair.a)?.clone(), members.get(pair.b)?.clone());
            Some(LabelPair { a, b, score: pair.score })
        };
        Some(picked.pairs.iter().filter_map(pair).collect())
    }

    fn keeps_texts(&self) -> bool {
        self.ask(|session| Ok(session.has_texts()?)).unwrap_or(false)
    }

    fn keeps_pages(&self) -> bool {
        false
    }

    fn changes(&self) -> u64 {
        self.access.changes()
    }

    fn revision(&self) -> u64 {
        self.access.decisions()
    }

    fn decisions(&self) -> Result<Vec<Option<Decision>>, ReviewError> {
        self.ask(|session| Ok(session.upkeep().decisions()?.to_vec()))
    }

    fn append(&self, decision: &Decision) -> Result<(), ReviewError> {
        let decision = decision.clone();
        let taken = self.ask(move |session| {
            session.take_down(&decision).map_err(|error| ReviewError::Round(Box::new(error)))
        });
        self.access.decided();
        taken?.map(drop).map_err(ReviewError::NotTaken)
    }
}
