//! Questions about a store: what became of a document, and which clusters there are.

use super::{
    answer::Verdict,
    decision_log::DecisionHead,
    links::{LINKS, Onward, root},
    lookup,
    record::DocumentRecord,
    round::Round,
    standing::{self, Standing},
    store::{Probe, Seq, Store, StoreError},
    upkeep::{Exported, Upkeep},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// Records that are read at a time.
const STEP: usize = 1024;

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
    /// The name of the cluster that it is in now. Decisions of people may have moved it since it was
    /// answered.
    pub cluster: String,
    /// The id of the original of that cluster; its own if it is the original.
    pub original: String,
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
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCluster {
    /// Its name: the id of its first original.
    pub cluster: String,
    /// The id of its original. If that was forgotten, its name is all that is left.
    pub original: String,
    /// The title of the original, if it is known.
    pub title: Option<String>,
    /// The URL of the original, if it is known.
    pub url: Option<String>,
    /// The source of the original, if it is known: the one that it names, or the host of its URL.
    pub source: Option<String>,
    /// The number of its documents that are in the store.
    pub size: u64,
    /// How many of them are updates.
    pub updates: u64,
    /// The earliest and the latest time of its documents, in milliseconds since 1970-01-01 UTC.
    pub times: (i64, i64),
    /// The lowest similarity of a copy to its original; `None` without copies.
    pub lowest: Option<f64>,
    /// The number of different sources of its documents.
    pub sources: u64,
    source_hashes: Vec<u64>,
}

impl StoredCluster {
    /// Whether a document of it has this source.
    pub fn has_source(&self, source: &str) -> bool {
        self.source_hashes.binary_search(&xxh3_64(source.as_bytes())).is_ok()
    }
}

/// What is remembered of a document while clusters are formed: little, since there may be many.
struct Place {
    onward: Onward,
    time: i64,
    /// Its similarity to its original, if it is a copy.
    score: Option<f64>,
    /// The hash of the name of its source.
    source: Option<u64>,
    /// The hash of the name of its cluster.
    cluster: u64,
    verdict: Verdict,
}

/// A cluster that is being formed.
struct Forming {
    /// Its original, or else the first document that leads to no other.
    root: Seq,
    is_original: bool,
    size: u64,
    updates: u64,
    times: (i64, i64),
    lowest: Option<f64>,
    /// The hashes of the names of its sources.
    sources: BTreeSet<u64>,
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
        let Self { settings, store, pages, decisions, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let result = (|| {
            decisions.follow(&mut round, settings)?;
            let found = round.find(std::slice::from_ref(probe))?.remove(0);
            for seq in round.under(probe, &found).into_iter().rev() {
                let record = round.record(seq)?;
                if let Some(record) = record.filter(|record| !record.dead && is_wanted(record)) {
                    return describe(&mut round, &decisions.standing, seq, &record).map(Some);
                }
            }
            Ok(None)
        })();
        round.abandon();
        result.inspect_err(|_| decisions.doubt())
    }

    /// The clusters of at least this many documents, in the order of the arrival of their originals.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
    pub fn clusters(&mut self, least: u64) -> Result<Vec<StoredCluster>, StoreError> {
        let Self { settings, store, pages, decisions, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let followed = decisions.follow(&mut round, settings);
        let clusters = followed.and_then(|()| clusters(&mut round, &decisions.standing, least));
        round.abandon();
        clusters.inspect_err(|_| decisions.doubt())
    }
}

fn clusters<S: Store>(
    round: &mut Round<'_, S>,
    standing: &Standing,
    least: u64,
) -> Result<Vec<StoredCluster>, StoreError> {
    let mut places: BTreeMap<Seq, Place> = BTreeMap::new();
    round.each(|seq, record| {
        // One that took the place of another has the verdict of a copy.
        let leads = standing.places.get(&seq).map(|place| place.lead == seq);
        let verdict = match leads.unwrap_or(record.forward == Some(seq)) {
            true => Verdict::Original,
            false if leads.is_some() => Verdict::Duplicate,
            false => record.said.verdict,
        };
        let place = Place {
            onward: Onward { next: standing.onward(seq, record), is_dead: record.dead },
            time: record.time,
            cluster: standing::hash(standing.cluster(seq, record)),
            score: record.said.score.filter(|_| verdict != Verdict::Original),
            source: record.source_name().map(|source| xxh3_64(source.as_bytes())),
            verdict,
        };
        places.insert(seq, place);
    })?;
    let onward = |seq: Seq| places.get(&seq).map(|place| place.onward);
    let mut forming: HashMap<u64, Forming> = HashMap::new();
    for (&seq, place) in places.iter().filter(|(_, place)| !place.onward.is_dead) {
        let root = root(onward, seq);
        let Some(of_root) = places.get(&root) else { continue };
        let is_original = of_root.verdict == Verdict::Original;
        let cluster = forming.entry(of_root.cluster).or_insert_with(|| Forming {
            root,
            is_original,
            size: 0,
            updates: 0,
            times: (place.time, place.time),
            lowest: None,
            sources: BTreeSet::new(),
        });
        if is_original && !cluster.is_original {
            (cluster.root, cluster.is_original) = (root, true);
        }
        cluster.size += 1;
        cluster.updates += u64::from(place.verdict == Verdict::Update);
        cluster.times = (cluster.times.0.min(place.time), cluster.times.1.max(place.time));
        let lowest = [cluster.lowest, place.score].into_iter().flatten().reduce(f64::min);
        cluster.lowest = lowest;
        cluster.sources.extend(place.source);
    }
    let mut formed: Vec<Forming> =
        forming.into_values().filter(|cluster| cluster.size >= least).collect();
    formed.sort_unstable_by_key(|cluster| cluster.root);
    let mut clusters = Vec::with_capacity(formed.len());
    for part in formed.chunks(STEP) {
        let roots: Vec<Seq> = part.iter().map(|cluster| cluster.root).collect();
        for (cluster, record) in part.iter().zip(round.read(&roots)?) {
            let Some(record) = record else { continue };
            let name = standing.cluster(cluster.root, &record).to_owned();
            let original = Some(&record).filter(|_| cluster.is_original);
            clusters.push(StoredCluster {
                original: original.map_or_else(|| name.clone(), |it| it.id.clone()),
                title: original.and_then(|it| it.title.clone()),
                url: original.and_then(|it| it.url.clone()),
                source: original.and_then(|it| it.source_name().map(str::to_owned)),
                cluster: name,
                size: cluster.size,
                updates: cluster.updates,
                times: cluster.times,
                lowest: cluster.lowest,
                sources: cluster.sources.len() as u64,
                source_hashes: cluster.sources.iter().copied().collect(),
            });
        }
    }
    Ok(clusters)
}

/// Follows links from a document to the last one that is there.
fn follow<S: Store>(
    round: &mut Round<'_, S>,
    standing: &Standing,
    (seq, record): (Seq, &Arc<DocumentRecord>),
    mut pass: impl FnMut(Seq),
) -> Result<(Seq, Arc<DocumentRecord>), StoreError> {
    let mut at = (seq, record.clone());
    for _ in 0..LINKS {
        pass(at.0);
        let Some(next) = standing.onward(at.0, &at.1) else { break };
        match round.record(next)? {
            Some(record) => at = (next, record),
            None => break,
        }
    }
    Ok(at)
}

fn describe<S: Store>(
    round: &mut Round<'_, S>,
    standing: &Standing,
    seq: Seq,
    record: &Arc<DocumentRecord>,
) -> Result<FoundDocument, StoreError> {
    let at = follow(round, standing, (seq, record), |_| {})?;
    let given = record.said.original.as_ref().map(|link| link.seq);
    let is_replaced = at.0 != seq && Some(at.0) != given && !at.1.dead;
    let replaced_by = is_replaced.then(|| at.1.id.clone());
    // An update is the original of its own copies, and is itself said to be one of its original.
    let updated = record.said.original.as_ref().filter(|_| at.0 == seq && record.forward.is_none());
    let updated = updated.filter(|_| !standing.places.contains_key(&seq));
    let original = match (updated, at.1.dead) {
        (Some(link), _) => link.id.clone(),
        (None, true) => record.id.clone(),
        (None, false) => at.1.id.clone(),
    };
    let cluster = match at.1.dead {
        true => record.said.cluster.clone(),
        false => standing.cluster(at.0, &at.1).to_owned(),
    };
    let copies = copies(round, standing, seq)?;
    let document = Exported::new(seq, record);
    Ok(FoundDocument { document, replaced_by, cluster, original, copies })
}

/// The ids of the documents that lead to one, in the order of arrival.
fn copies<S: Store>(
    round: &mut Round<'_, S>,
    standing: &Standing,
    seq: Seq,
) -> Result<Vec<String>, StoreError> {
    let is_decided = DecisionHead::load(round)?.lines > 0;
    let (mut copies, mut next) = (BTreeMap::new(), vec![seq]);
    let moved = standing.places.iter().filter(|(_, place)| place.lead == seq);
    let mut moved: Vec<Seq> = moved.map(|(seq, _)| *seq).collect();
    loop {
        let Some(original) = next.pop() else {
            // Documents that decisions have put here, with those that follow them.
            moved.retain(|moved| *moved != seq && !copies.contains_key(moved));
            let Some(&one) = moved.first() else { break };
            if let Some(record) = round.record(one)? {
                copies.insert(one, record);
                next.push(one);
            } else {
                moved.remove(0);
            }
            continue;
        };
        let probe = lookup::of_all_members(original);
        let found = round.find(std::slice::from_ref(&probe))?.remove(0);
        for member in round.under(&probe, &found) {
            let Some(record) = round.record(member)? else { continue };
            if member == seq || copies.contains_key(&member) {
                continue;
            }
            let is_moved = standing.places.contains_key(&member);
            let is_update = !is_moved
                && record.forward.is_none()
                && record.said.original.as_ref().is_some_and(|link| link.seq == original);
            let mut leads_here = is_update;
            if !is_update {
                follow(round, standing, (member, &record), |passed| leads_here |= passed == seq)?;
            }
            if leads_here {
                // Copies of one that was replaced or deleted are copies of who took its place. Where
                // decisions were undone, any copy may have been an original in between.
                let is_onward = standing.onward(member, &record) == Some(original);
                if is_onward && (is_decided || is_original(&record)) {
                    next.push(member);
                }
                copies.insert(member, record);
            }
        }
    }
    let alive = copies.into_values().filter(|record| !record.dead);
    Ok(alive.map(|record| record.id.clone()).collect())
}

/// Whether a document was the original of others once.
fn is_original(record: &DocumentRecord) -> bool {
    record.dead || record.forward.is_some() || record.said.verdict == Verdict::Original
}
