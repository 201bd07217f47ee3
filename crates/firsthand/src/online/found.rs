//! The clusters of a store as the stream found them, without decisions: what people review.

use super::{
    links::{Onward, root},
    record::DocumentRecord,
    round::{Round, decode},
    standing::{self, Standing},
    store::{Seq, Store, StoreError},
    upkeep::{Exported, Upkeep},
};
use std::collections::{BTreeMap, HashMap};

/// A cluster as the stream found it.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
/// online.add(&[sign("a"), sign("b")])?;
/// let found = online.upkeep().found_clusters(2)?;
/// assert_eq!((found[0].number, &*found[0].members), (1, &[1, 2][..]));
/// assert_eq!(online.upkeep().documents(&[2])?[0].as_ref().map(|it| it.seq), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCluster {
    /// The sequence number of its earliest document, by which it is known again.
    pub number: Seq,
    /// The sequence numbers of its documents, the original first.
    pub members: Vec<Seq>,
}

impl<S: Store> Upkeep<S> {
    /// The clusters of at least this many documents as the stream found them, by their numbers.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of its records is damaged.
    pub fn found_clusters(&mut self, least: usize) -> Result<Vec<FoundCluster>, StoreError> {
        let mut round = Round::begin(&mut self.store, &mut self.pages)?;
        let found = found(&mut round, least);
        round.abandon();
        found
    }

    /// Documents by their sequence numbers; `None` for those that are gone.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of the records is damaged.
    pub fn documents(&mut self, seqs: &[Seq]) -> Result<Vec<Option<Exported>>, StoreError> {
        let mut documents = Vec::with_capacity(seqs.len());
        for (seq, payload) in seqs.iter().zip(self.store.load(seqs)?) {
            let record = payload.map(|payload| decode(*seq, &payload)).transpose()?;
            let alive = record.filter(|record| !record.dead);
            documents.push(alive.map(|record| Exported::new(*seq, &record)));
        }
        Ok(documents)
    }
}

/// What is remembered of a document: where it leads, and the hash of the name of its cluster.
struct Place {
    onward: Onward,
    cluster: u64,
}

fn found<S: Store>(
    round: &mut Round<'_, S>,
    least: usize,
) -> Result<Vec<FoundCluster>, StoreError> {
    let mut places: BTreeMap<Seq, Place> = BTreeMap::new();
    round.each(|seq, record| {
        places.insert(seq, Place::new(seq, record));
    })?;
    let onward = |seq: Seq| places.get(&seq).map(|place| place.onward);
    let mut clusters: HashMap<u64, FoundCluster> = HashMap::new();
    for (&seq, _) in places.iter().filter(|(_, place)| !place.onward.is_dead) {
        let root = root(onward, seq);
        let Some(of_root) = places.get(&root) else { continue };
        let cluster = clusters.entry(of_root.cluster).or_default();
        cluster.members.push(seq);
        if seq == root && cluster.number == 0 {
            // The first one that leads to no other is the original.
            cluster.number = seq;
        }
    }
    let mut clusters: Vec<FoundCluster> =
        clusters.into_values().filter(|cluster| cluster.members.len() >= least).collect();
    for cluster in &mut clusters {
        let original = cluster.number;
        cluster.number = cluster.members.first().copied().unwrap_or(original);
        cluster.members.sort_by_key(|seq| (*seq != original, *seq));
    }
    clusters.sort_unstable_by_key(|cluster| cluster.number);
    Ok(clusters)
}

impl Place {
    fn new(seq: Seq, record: &DocumentRecord) -> Self {
        let cluster = standing::hash(Standing::default().cluster(seq, record));
        Self { onward: Onward { next: record.onward(seq), is_dead: record.dead }, cluster }
    }
}
