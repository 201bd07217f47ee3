//! Clusters of near-duplicates, each with its original.
//!
//! A *star* has only documents that were verified against its original: a chain in which each text
//! drifts a little further from the first is split into several stars. A *component* follows the chain
//! to its end.

use crate::{
    collection::Collection,
    pairs::Pairs,
    preference,
    settings::{Grouping, Original, Settings},
    summary::Summary,
};
use rayon::prelude::*;
use std::cmp::Reverse;

/// Clusters handled by one task: fewer are not worth waking a thread.
const CHUNK: usize = 1024;

/// Near-duplicates that belong together.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
///
/// let detector = Detector::new(Settings::default())?;
/// let documents = [Document::new("a", "The same text"), Document::new("b", "the SAME text")];
/// let report = find_duplicates(&detector, documents);
/// let cluster = &report.clusters[0];
/// assert_eq!((cluster.original, cluster.members.len()), (0, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The position of the original in the collection.
    pub original: usize,
    /// All documents of the cluster: the original first, then the others in descending similarity.
    pub members: Vec<Member>,
}

/// A document of a cluster.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
///
/// let text = "The ferry to the island did not sail because of the storm over the coast.";
/// let documents = [
///     Document::new("a", format!("{text} Again.")),
///     Document::new("b", text),
///     Document::new("c", format!("{text} AGAIN.")),
/// ];
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let members = &find_duplicates(&detector, documents).clusters[0].members;
/// // The longest text is the original here, and its exact copy is the nearest member.
/// assert_eq!(members.iter().map(|member| member.document).collect::<Vec<_>>(), [0, 2, 1]);
/// assert!(members[1].exact && !members[2].exact && members[2].score < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Its position in the collection.
    pub document: usize,
    /// Its similarity to the original, or to `via`.
    pub score: f64,
    /// Whether its normalised text equals that of the original, or of `via`.
    pub exact: bool,
    /// The member that it is a near-duplicate of, if it is not one of the original (components only).
    pub via: Option<usize>,
    /// Whether a person put it there, and no pair.
    pub decided: bool,
}

/// Groups the documents of a collection into clusters by their verified pairs, as its settings say.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed, group}};
///
/// let detector = Detector::new(Settings::default())?;
/// let batches = [vec![Document::new("a", "The same text"), Document::new("b", "the SAME text")]];
/// let collection = Collection::new(Signed::new(&detector, batches.into_iter(), |batch| batch));
/// let (pairs, _) = collection.matches()?;
/// assert_eq!(group(&collection, &pairs)[0].original, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn group(collection: &Collection, pairs: &Pairs) -> Vec<Cluster> {
    group_documents(collection.settings(), collection.documents(), pairs, collection.split())
}

/// The same for some documents by themselves.
pub(crate) fn group_documents(
    settings: &Settings,
    documents: &[Summary],
    pairs: &Pairs,
    split: Option<usize>,
) -> Vec<Cluster> {
    let ranks = ranks(documents, pairs, settings.collection_original());
    let owners = match (split, settings.collection_grouping()) {
        (Some(split), _) => against(pairs, &ranks, split),
        (None, Grouping::Component) => components(pairs, &ranks),
        (None, Grouping::Star | Grouping::Chain) => stars(pairs, &ranks),
    };
    collect(&owners, pairs, split)
}

/// The rank of each document that has a match, in the order of preference as an original.
fn ranks(documents: &[Summary], pairs: &Pairs, original: Original) -> Vec<u32> {
    let classes = pairs.classes().iter().enumerate();
    let matched = classes.filter(|(class, _)| pairs.has_any(*class));
    preference::ranks(documents, matched.flat_map(|(_, class)| class.iter().copied()), original)
}

/// The document with the best rank in each class.
fn heads(pairs: &Pairs, ranks: &[u32]) -> Vec<u32> {
    let rank = |&&at: &&u32| ranks[at as usize];
    pairs
        .classes()
        .iter()
        .map(|class| class.iter().min_by_key(rank).copied().unwrap_or(0))
        .collect()
}

/// The classes that have a match, in the order of preference.
fn in_order(pairs: &Pairs, heads: &[u32], ranks: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..heads.len()).filter(|&class| pairs.has_any(class)).collect();
    order.sort_unstable_by_key(|&class| ranks[heads[class] as usize]);
    order
}

/// The original that each class belongs to.
type Owners = Vec<Option<u32>>;

/// In the order of preference, each class joins the most similar original so far, or becomes one.
/// Documents with equal features stay together.
fn stars(pairs: &Pairs, ranks: &[u32]) -> Owners {
    let heads = heads(pairs, ranks);
    let mut owners: Owners = vec![None; heads.len()];
    for class in in_order(pairs, &heads, ranks) {
        let best = pairs
            .near(class)
            .iter()
            .filter(|(near, _)| owners[*near as usize] == Some(heads[*near as usize]))
            .max_by(|a, b| {
                let rank = |class: u32| Reverse(ranks[heads[class as usize] as usize]);
                a.1.total_cmp(&b.1).then_with(|| rank(a.0).cmp(&rank(b.0)))
            });
        owners[class] = Some(heads[best.map_or(class, |(near, _)| *near as usize)]);
    }
    owners
}

/// Connected classes share the best original among them.
fn components(pairs: &Pairs, ranks: &[u32]) -> Owners {
    let heads = heads(pairs, ranks);
    let mut owners: Owners = vec![None; heads.len()];
    for class in in_order(pairs, &heads, ranks) {
        let mut reached = vec![class];
        while let Some(next) = reached.pop() {
            if owners[next].is_none() {
                owners[next] = Some(heads[class]);
                reached.extend(pairs.near(next).iter().map(|(near, _)| *near as usize));
            }
        }
    }
    owners
}

/// New documents join the most similar document of the reference, if there is one.
fn against(pairs: &Pairs, ranks: &[u32], split: usize) -> Owners {
    let head = |class: usize| {
        let old = pairs.classes()[class].iter().filter(|&&at| (at as usize) < split);
        old.min_by_key(|&&at| ranks[at as usize]).copied()
    };
    let heads: Owners = (0..pairs.classes().len()).map(head).collect();
    let joined = (0..heads.len()).map(|class| {
        heads[class].or_else(|| {
            let near = pairs.near(class).iter();
            let old = near.filter_map(|(near, score)| Some((heads[*near as usize]?, *score)));
            old.max_by(|a, b| {
                let rank = |at: u32| Reverse(ranks[at as usize]);
                a.1.total_cmp(&b.1).then_with(|| rank(a.0).cmp(&rank(b.0)))
            })
            .map(|(old, _)| old)
        })
    });
    joined.collect()
}

/// The clusters that have more than one document.
fn collect(owners: &Owners, pairs: &Pairs, split: Option<usize>) -> Vec<Cluster> {
    let mut owned: Vec<(u32, u32, u32)> = Vec::new();
    for (owner, class) in owners.iter().zip(0u32..) {
        let Some(owner) = *owner else { continue };
        // Of a reference, only the original is part of the cluster.
        let in_cluster = |at: u32| at == owner || split.is_none_or(|split| at as usize >= split);
        let members = pairs.classes()[class as usize].iter().filter(|&&at| in_cluster(at));
        owned.extend(members.map(|&at| (owner, at, class)));
    }
    owned.par_sort_unstable();
    let clusters = owned.chunk_by(|a, b| a.0 == b.0).filter(|cluster| cluster.len() > 1);
    let clusters: Vec<_> = clusters.collect();
    let clusters = clusters.into_par_iter().with_min_len(CHUNK).map(|cluster| {
        let original = cluster[0].0 as usize;
        let member = |&(_, at, class): &(u32, u32, u32)| {
            member(at as usize, original, class as usize, owners, pairs)
        };
        let mut members: Vec<Member> = cluster.iter().map(member).collect();
        members.sort_unstable_by(|a, b| {
            let place = |member: &Member| (member.document != original, member.via.is_some());
            place(a)
                .cmp(&place(b))
                .then_with(|| b.score.total_cmp(&a.score))
                .then_with(|| a.document.cmp(&b.document))
        });
        Cluster { original, members }
    });
    clusters.collect()
}

fn member(at: usize, owner: usize, class: usize, owners: &Owners, pairs: &Pairs) -> Member {
    if let Some(found) = pairs.get(at, owner) {
        return Member {
            document: at,
            score: found.score,
            exact: found.exact,
            via: None,
            decided: false,
        };
    }
    let near = pairs.near(class).iter().filter(|(near, _)| owners[*near as usize] == owners[class]);
    let best = near.max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let (score, via) = best.map_or((0.0, None), |(near, score)| {
        (*score, pairs.classes()[*near as usize].first().map(|&at| at as usize))
    });
    Member { document: at, score, exact: false, via, decided: false }
}
