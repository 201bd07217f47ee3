//! Questions about a store: what became of a document, and which clusters there are.

use super::{
    answer::Verdict,
    lookup,
    record::DocumentRecord,
    round::Round,
    store::{Probe, Seq, Store, StoreError},
    upkeep::{Exported, Upkeep},
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// Records that are read at a time.
const STEP: usize = 1024;
/// The most links that are followed to an original.
const LINKS: usize = 10_000;

/// A document of a store, and its place in its cluster as it is now.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
/// online.add(&[sign("first"), sign("again")])?;
/// let found = online.upkeep().get("first")?.ok_or("it is not there")?;
/// assert_eq!((found.document.seq, found.replaced_by), (1, None));
/// assert_eq!(found.copies, ["again"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FoundDocument {
    /// The document, with the answer that it got.
    pub document: Exported,
    /// The document that took its place as the original of its cluster, if one did.
    pub replaced_by: Option<String>,
    /// The ids of its copies, in the order of arrival.
    pub copies: Vec<String>,
}

/// A cluster of a store.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let sign = |id: &str, text: &str| detector.sign(&Document::new(id, text), 0);
/// online.add(&[sign("a", "The same text"), sign("b", "The SAME text"), sign("c", "A bridge")])?;
/// // Clusters of at least two documents.
/// let clusters = online.upkeep().clusters(2)?;
/// assert_eq!((clusters.len(), &*clusters[0].original, clusters[0].size), (1, "a", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCluster {
    /// Its name: the id of its first original.
    pub cluster: String,
    /// The id of its original. If that was forgotten, its name is all that is left.
    pub original: String,
    /// The title of the original, if it is known.
    pub title: Option<String>,
    /// The URL of the original, if it is known.
    pub url: Option<String>,
    /// The number of its documents that are in the store.
    pub size: u64,
    /// How many of them are updates.
    pub updates: u64,
    /// The earliest and the latest time of its documents, in milliseconds since 1970-01-01 UTC.
    pub times: (i64, i64),
}

/// What is remembered of a document while clusters are formed: little, since there may be many.
struct Place {
    onward: Option<Seq>,
    time: i64,
    /// The hash of the name of its cluster.
    cluster: u64,
    verdict: Verdict,
    is_dead: bool,
}

/// A cluster that is being formed.
struct Forming {
    /// Its original, or else the first document that leads to no other.
    root: Seq,
    is_original: bool,
    size: u64,
    updates: u64,
    times: (i64, i64),
}

impl<S: Store> Upkeep<S> {
    /// The document with an id; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
    pub fn get(&mut self, id: &str) -> Result<Option<FoundDocument>, StoreError> {
        self.look_up(&lookup::of_id(id), |record| record.id == id)
    }

    /// The latest document with a URL; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
    pub fn get_by_url(&mut self, url: &str) -> Result<Option<FoundDocument>, StoreError> {
        self.look_up(&lookup::of_url(url), |record| record.url.as_deref() == Some(url))
    }

    fn look_up(
        &mut self,
        probe: &Probe,
        is_wanted: impl Fn(&DocumentRecord) -> bool,
    ) -> Result<Option<FoundDocument>, StoreError> {
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let result = (|| {
            let found = round.find(std::slice::from_ref(probe))?.remove(0);
            for seq in round.under(probe, &found).into_iter().rev() {
                let record = round.record(seq)?;
                if let Some(record) = record.filter(|record| !record.dead && is_wanted(record)) {
                    return describe(&mut round, seq, &record).map(Some);
                }
            }
            Ok(None)
        })();
        round.abandon();
        result
    }

    /// The clusters of at least this many documents, in the order of the arrival of their originals.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
    pub fn clusters(&mut self, least: u64) -> Result<Vec<StoredCluster>, StoreError> {
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let clusters = clusters(&mut round, least);
        round.abandon();
        clusters
    }
}

fn clusters<S: Store>(
    round: &mut Round<'_, S>,
    least: u64,
) -> Result<Vec<StoredCluster>, StoreError> {
    let mut places: BTreeMap<Seq, Place> = BTreeMap::new();
    let mut from = 0;
    loop {
        let part = round.scan(from, STEP)?;
        let Some((last, ..)) = part.last() else { break };
        from = last + 1;
        for (seq, _, record) in part {
            let place = Place {
                onward: record.onward(seq),
                time: record.time,
                cluster: xxh3_64(record.said.cluster.as_bytes()),
                // One that took the place of another has the verdict of a copy.
                verdict: match record.forward == Some(seq) {
                    true => Verdict::Original,
                    false => record.said.verdict,
                },
                is_dead: record.dead,
            };
            places.insert(seq, place);
        }
    }
    let mut forming: HashMap<u64, Forming> = HashMap::new();
    for (&seq, place) in places.iter().filter(|(_, place)| !place.is_dead) {
        let root = root(&places, seq);
        let Some(of_root) = places.get(&root) else { continue };
        let is_original = of_root.verdict == Verdict::Original;
        let cluster = forming.entry(of_root.cluster).or_insert_with(|| Forming {
            root,
            is_original,
            size: 0,
            updates: 0,
            times: (place.time, place.time),
        });
        if is_original && !cluster.is_original {
            (cluster.root, cluster.is_original) = (root, true);
        }
        cluster.size += 1;
        cluster.updates += u64::from(place.verdict == Verdict::Update);
        cluster.times = (cluster.times.0.min(place.time), cluster.times.1.max(place.time));
    }
    let mut formed: Vec<Forming> =
        forming.into_values().filter(|cluster| cluster.size >= least).collect();
    formed.sort_unstable_by_key(|cluster| cluster.root);
    let mut clusters = Vec::with_capacity(formed.len());
    for part in formed.chunks(STEP) {
        let roots: Vec<Seq> = part.iter().map(|cluster| cluster.root).collect();
        for (cluster, record) in part.iter().zip(round.read(&roots)?) {
            let Some(record) = record else { continue };
            let (size, updates, times) = (cluster.size, cluster.updates, cluster.times);
            let (cluster, is_original) = (record.said.cluster, cluster.is_original);
            clusters.push(match is_original {
                true => {
                    let (original, title, url) = (record.id, record.title, record.url);
                    StoredCluster { cluster, original, title, url, size, updates, times }
                }
                false => {
                    let (original, title, url) = (cluster.clone(), None, None);
                    StoredCluster { cluster, original, title, url, size, updates, times }
                }
            });
        }
    }
    Ok(clusters)
}

/// The last document on the way to the original that is still there.
fn root(places: &BTreeMap<Seq, Place>, seq: Seq) -> Seq {
    let mut at = seq;
    for _ in 0..LINKS {
        match places.get(&at).and_then(|place| place.onward) {
            Some(next) if places.contains_key(&next) => at = next,
            _ => break,
        }
    }
    // A dead end leads nowhere.
    if places.get(&at).is_some_and(|place| place.is_dead) { seq } else { at }
}

fn describe<S: Store>(
    round: &mut Round<'_, S>,
    seq: Seq,
    record: &Arc<DocumentRecord>,
) -> Result<FoundDocument, StoreError> {
    let mut at = (seq, record.clone());
    for _ in 0..LINKS {
        let Some(next) = at.1.onward(at.0) else { break };
        match round.record(next)? {
            Some(record) => at = (next, record),
            None => break,
        }
    }
    let given = record.said.original.as_ref().map(|link| link.seq);
    let is_replaced = at.0 != seq && Some(at.0) != given && !at.1.dead;
    let replaced_by = is_replaced.then(|| at.1.id.clone());
    let (mut copies, mut next) = (BTreeMap::new(), vec![seq]);
    while let Some(original) = next.pop() {
        let probe = lookup::of_all_members(original);
        let found = round.find(std::slice::from_ref(&probe))?.remove(0);
        for member in round.under(&probe, &found) {
            let Some(record) = round.record(member)? else { continue };
            let leads_here = record.onward(member) == Some(original)
                || record.forward.is_none()
                    && record.said.original.as_ref().is_some_and(|link| link.seq == original);
            if leads_here && member != seq && !copies.contains_key(&member) {
                // Copies of one that was replaced or deleted are copies of who took its place.
                if record.forward == Some(original) {
                    next.push(member);
                }
                copies.insert(member, record);
            }
        }
    }
    let alive = copies.into_values().filter(|record| !record.dead);
    let copies = alive.map(|record| record.id.clone()).collect();
    Ok(FoundDocument { document: Exported::new(seq, record), replaced_by, copies })
}
