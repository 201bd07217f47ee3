//! Clusters formed again where people have decided otherwise.
//!
//! Only clusters that a decision is about are touched, so that without decisions nothing is done. Their
//! documents are placed again one after another, those that were joined together as one: each goes to
//! where its original went, unless it would meet a document there that it is parted from; then to the
//! most similar original that it is a near-duplicate of; or else it becomes an original itself.

use crate::{
    clusters::{self, Cluster, Member},
    collection::Collection,
    constraints::Constraints,
    pairs::Pairs,
    preference,
};
use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

/// Clusters that obey decisions.
///
/// ```
/// use firsthand::collections::{Cluster, Constraints, Known, Member, regroup};
///
/// // Three documents with the same text, and the third of them is no copy.
/// let member = |document| Member { document, score: 1.0, exact: true, via: None, decided: false };
/// let found = vec![Cluster { original: 0, members: (0..3).map(member).collect() }];
/// let known = Known {
///     near: &|_, _| Some((1.0, true)),
///     neighbours: &|document| (0..3).filter(|other| *other != document).collect(),
///     similarity: &|_, _| 1.0,
///     prefer: &|a, b| a.cmp(&b),
///     may_lead: &|_| true,
/// };
/// let mut constraints = Constraints::default();
/// constraints.part(2, 0);
/// constraints.part(2, 1);
/// let regrouped = regroup(found, &constraints, known);
/// assert_eq!((regrouped.clusters.len(), regrouped.clusters[0].members.len()), (1, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regrouped {
    /// The clusters, in the order of their originals.
    pub clusters: Vec<Cluster>,
    /// Documents that were to be joined, but that would bring together others that are parted.
    pub refused: Vec<(usize, usize)>,
}

/// What is known of the documents whose clusters are formed again.
///
/// ```
/// use firsthand::collections::{Cluster, Constraints, Known, Member, regroup};
///
/// // Three documents with the same text, and the third of them is no copy.
/// let member = |document| Member { document, score: 1.0, exact: true, via: None, decided: false };
/// let found = vec![Cluster { original: 0, members: (0..3).map(member).collect() }];
/// let known = Known {
///     near: &|_, _| Some((1.0, true)),
///     neighbours: &|document| (0..3).filter(|other| *other != document).collect(),
///     similarity: &|_, _| 1.0,
///     prefer: &|a, b| a.cmp(&b),
///     may_lead: &|_| true,
/// };
/// let mut constraints = Constraints::default();
/// constraints.part(2, 0);
/// constraints.part(2, 1);
/// let regrouped = regroup(found, &constraints, known);
/// assert_eq!((regrouped.clusters.len(), regrouped.clusters[0].members.len()), (1, 2));
/// ```
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The similarity of two documents, and whether their texts are the same, if they are
    /// near-duplicates.
    pub near: &'a dyn Fn(usize, usize) -> Option<(f64, bool)>,
    /// All near-duplicates of a document, as far as they are known.
    pub neighbours: &'a dyn Fn(usize) -> Vec<usize>,
    /// The similarity of two documents, near-duplicates or not.
    pub similarity: &'a dyn Fn(usize, usize) -> f64,
    /// Which of two documents is preferred as an original: the lesser.
    pub prefer: &'a dyn Fn(usize, usize) -> Ordering,
    /// Whether a document can be an original.
    pub may_lead: &'a dyn Fn(usize) -> bool,
}

/// Groups the documents of a collection as [`group`](clusters::group) does, and obeys decisions. See
/// [`Constraints`] for an example.
pub fn group_by_decisions(
    collection: &Collection,
    pairs: &Pairs,
    constraints: &Constraints,
) -> Regrouped {
    let (documents, split) = (collection.documents(), collection.split());
    let original = collection.settings().collection_original();
    let known = Known {
        near: &|a, b| pairs.get(a, b).map(|pair| (pair.score, pair.exact)),
        neighbours: &|document| pairs.neighbours(document),
        similarity: &|a, b| collection.similarity(a, b),
        prefer: &|a, b| preference::compare(documents, original, a, b),
        may_lead: &|document| split.is_none_or(|split| document < split),
    };
    regroup(clusters::group(collection, pairs), constraints, known)
}

/// Forms clusters again where people have decided otherwise.
pub fn regroup(found: Vec<Cluster>, constraints: &Constraints, known: Known<'_>) -> Regrouped {
    if constraints.is_empty() {
        return Regrouped { clusters: found, refused: Vec::new() };
    }
    let decided: HashSet<usize> = constraints.documents().collect();
    let is_affected =
        |cluster: &Cluster| cluster.members.iter().any(|member| decided.contains(&member.document));
    let (affected, mut clusters): (Vec<Cluster>, Vec<Cluster>) =
        found.into_iter().partition(is_affected);
    let (joined, refused) = JoinedGroups::new(constraints);
    let mut work = Regrouping {
        constraints,
        known,
        chosen: constraints.kept().iter().enumerate().map(|(at, kept)| (*kept, at)).collect(),
        before: HashMap::new(),
        place_of: HashMap::new(),
        places: Vec::new(),
    };
    for cluster in &affected {
        for member in &cluster.members {
            work.before.insert(member.document, (cluster.original, *member));
        }
    }
    work.place_all(&affected, &joined, &decided);
    work.take_singles(&mut clusters);
    let formed = work.places.iter().filter(|place| place.len() > 1);
    clusters.extend(formed.filter_map(|place| work.cluster(place)));
    clusters.sort_unstable_by_key(|cluster| cluster.original);
    Regrouped { clusters, refused }
}

/// Documents that people have joined.
struct JoinedGroups {
    group_of: HashMap<usize, usize>,
    groups: Vec<Vec<usize>>,
}

impl JoinedGroups {
    /// Joins what can be, in the order of the decisions, and tells what cannot.
    fn new(constraints: &Constraints) -> (Self, Vec<(usize, usize)>) {
        let mut joined = Self { group_of: HashMap::new(), groups: Vec::new() };
        let mut refused = Vec::new();
        for &(a, b) in constraints.joined() {
            let (x, y) = (joined.of(a), joined.of(b));
            if x == y {
                continue;
            }
            let [one, other] = [&joined.groups[x], &joined.groups[y]];
            let meets = |document: &usize| {
                let parted = constraints.parted_from(*document);
                parted.iter().any(|parted| other.contains(parted))
            };
            if one.iter().any(meets) {
                refused.push((a, b));
                continue;
            }
            for document in std::mem::take(&mut joined.groups[y]) {
                joined.group_of.insert(document, x);
                joined.groups[x].push(document);
            }
        }
        (joined, refused)
    }

    fn of(&mut self, document: usize) -> usize {
        *self.group_of.entry(document).or_insert_with(|| {
            self.groups.push(vec![document]);
            self.groups.len() - 1
        })
    }

    /// The document with all that it is joined to.
    fn with(&self, document: usize) -> Vec<usize> {
        match self.group_of.get(&document) {
            Some(&group) => self.groups[group].clone(),
            None => vec![document],
        }
    }
}

struct Regrouping<'a> {
    constraints: &'a Constraints,
    known: Known<'a>,
    /// The chosen originals, by the order of the choices.
    chosen: HashMap<usize, usize>,
    /// The original and the place in its cluster that a document had.
    before: HashMap<usize, (usize, Member)>,
    /// Where each document is now.
    place_of: HashMap<usize, usize>,
    places: Vec<Vec<usize>>,
}

impl Regrouping<'_> {
    /// Places all documents: originals, then members near them, then those near members.
    fn place_all(&mut self, affected: &[Cluster], joined: &JoinedGroups, decided: &HashSet<usize>) {
        let originals = affected.iter().map(|cluster| cluster.original);
        let others = affected.iter().flat_map(|cluster| &cluster.members[1..]);
        let mut waiting: Vec<usize> =
            originals.chain(others.map(|member| member.document)).collect();
        let mut alone: Vec<usize> =
            decided.iter().copied().filter(|at| !self.before.contains_key(at)).collect();
        alone.sort_unstable();
        waiting.extend(alone);
        // A member that is near another member waits until that has its place.
        loop {
            let before = waiting.len();
            let mut later = Vec::new();
            for document in waiting {
                if self.place_of.contains_key(&document) {
                    continue;
                }
                let item = joined.with(document);
                if item.iter().any(|&document| self.waits(document, &item)) {
                    later.push(document);
                } else {
                    self.place(&item);
                }
            }
            if later.is_empty() {
                return;
            }
            if later.len() == before {
                // They wait for each other.
                let item = joined.with(later[0]);
                self.place(&item);
            }
            waiting = later;
        }
    }

    fn waits(&self, document: usize, item: &[usize]) -> bool {
        let via = self.before.get(&document).and_then(|(_, member)| member.via);
        via.is_some_and(|via| {
            !item.contains(&via)
                && self.before.contains_key(&via)
                && !self.place_of.contains_key(&via)
        })
    }

    /// Places documents that belong together.
    fn place(&mut self, item: &[usize]) {
        let at = self.home(item).or_else(|| self.nearest(item)).unwrap_or_else(|| {
            self.places.push(Vec::new());
            self.places.len() - 1
        });
        for &document in item {
            self.place_of.insert(document, at);
            self.places[at].push(document);
        }
    }

    /// Where the original of one of them went, or the member it is near.
    fn home(&self, item: &[usize]) -> Option<usize> {
        let befores = item.iter().filter_map(|document| self.before.get(document));
        let near = befores.map(|(original, member)| member.via.unwrap_or(*original));
        let mut places = near.filter_map(|near| self.place_of.get(&near).copied());
        places.find(|place| self.is_open(*place, item))
    }

    /// Where the most similar original is that one of them is a near-duplicate of.
    fn nearest(&self, item: &[usize]) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        let mut heads: HashMap<usize, Option<usize>> = HashMap::new();
        for &document in item.iter().filter(|document| self.before.contains_key(document)) {
            for other in (self.known.neighbours)(document) {
                let Some(&place) = self.place_of.get(&other) else { continue };
                let head = *heads.entry(place).or_insert_with(|| self.head(&self.places[place]));
                let is_original = head == Some(other);
                let Some((score, _)) = (self.known.near)(document, other) else { continue };
                if is_original
                    && best.is_none_or(|(most, _)| score > most)
                    && self.is_open(place, item)
                {
                    best = Some((score, place));
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// Whether none of the documents is parted from one that is there.
    fn is_open(&self, place: usize, item: &[usize]) -> bool {
        let meets = |document: &usize| {
            let parted = self.constraints.parted_from(*document).iter();
            parted.filter_map(|parted| self.place_of.get(parted)).any(|at| *at == place)
        };
        !item.iter().any(meets)
    }

    /// A document that left its cluster may be the original of others that are in none, or belong to
    /// the cluster of another original.
    fn take_singles(&mut self, untouched: &mut [Cluster]) {
        let is_freed = |place: &Vec<usize>| match place.as_slice() {
            [document] => {
                self.before.get(document).is_some_and(|(original, _)| original != document)
            }
            _ => false,
        };
        let freed: Vec<usize> =
            (0..self.places.len()).filter(|at| is_freed(&self.places[*at])).collect();
        if freed.is_empty() {
            return;
        }
        let cluster_of: HashMap<usize, usize> = untouched
            .iter()
            .enumerate()
            .flat_map(|(at, cluster)| cluster.members.iter().map(move |one| (one.document, at)))
            .collect();
        let mut taken: HashMap<usize, usize> = HashMap::new();
        for place in freed {
            let document = self.places[place][0];
            let parted = self.constraints.parted_from(document);
            let is_open = |at: usize| !parted.iter().any(|other| taken.get(other) == Some(&at));
            let neighbours = (self.known.neighbours)(document);
            let scored = neighbours.iter().filter_map(|&other| {
                let at = *cluster_of.get(&other)?;
                let (score, exact) = (self.known.near)(document, other)?;
                (untouched[at].original == other && is_open(at)).then_some((score, exact, at))
            });
            // A chosen original stays one.
            let scored = scored.filter(|_| !self.chosen.contains_key(&document));
            let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.2.cmp(&a.2)));
            if let Some((score, exact, at)) = best {
                let member = Member { document, score, exact, via: None, decided: false };
                untouched[at].members.push(member);
                sort_members(&mut untouched[at]);
                taken.insert(document, at);
                self.places[place].clear();
                continue;
            }
            for other in neighbours {
                let is_free = !cluster_of.contains_key(&other)
                    && !self.place_of.contains_key(&other)
                    && self.is_open(place, &[other]);
                if is_free && (self.known.near)(document, other).is_some() {
                    self.place_of.insert(other, place);
                    self.places[place].push(other);
                }
            }
        }
    }

    /// The original among documents: the one that was chosen last, or else one that was an original, or
    /// else the preferred one.
    fn head(&self, place: &[usize]) -> Option<usize> {
        let was_original = |document: &usize| {
            self.before.get(document).is_some_and(|(original, _)| original == document)
        };
        let may_lead = |document: &usize| (self.known.may_lead)(*document);
        let may_lead = || place.iter().copied().filter(may_lead);
        let best = |among: &mut dyn Iterator<Item = usize>| {
            among.min_by(|a, b| (self.known.prefer)(*a, *b))
        };
        let chosen = may_lead().filter_map(|at| Some((self.chosen.get(&at)?, at))).max();
        chosen
            .map(|(_, at)| at)
            .or_else(|| best(&mut may_lead().filter(was_original)))
            .or_else(|| best(&mut may_lead()))
    }

    fn cluster(&self, place: &[usize]) -> Option<Cluster> {
        let original = self.head(place)?;
        let members = place.iter().map(|&document| self.member(document, original, place));
        let mut cluster = Cluster { original, members: members.collect() };
        sort_members(&mut cluster);
        Some(cluster)
    }

    fn member(&self, document: usize, original: usize, place: &[usize]) -> Member {
        let member = |score, exact, via, decided| Member { document, score, exact, via, decided };
        if document == original {
            return member(1.0, true, None, false);
        }
        if let Some((score, exact)) = (self.known.near)(document, original) {
            return member(score, exact, None, false);
        }
        let before = self.before.get(&document);
        let near = before.map(|(original, before)| (before.via.unwrap_or(*original), before));
        if let Some((via, before)) = near
            && via != document
            && place.contains(&via)
        {
            return member(before.score, before.exact, Some(via), false);
        }
        // The original of another cluster is here because a person said so, not for its own members.
        let led_others = near.is_some_and(|(via, _)| via == document)
            && self.before.get(&original).is_none_or(|(led, _)| *led != document);
        let mut others = place.iter().filter(|other| **other != document && !led_others);
        let via = others.find_map(|&other| {
            let (score, exact) = (self.known.near)(document, other)?;
            Some(member(score, exact, Some(other), false))
        });
        via.unwrap_or_else(|| {
            member((self.known.similarity)(document, original), false, None, true)
        })
    }
}

/// The original first, then those near it, then those near others, each by descending similarity.
fn sort_members(cluster: &mut Cluster) {
    let original = cluster.original;
    cluster.members.sort_unstable_by(|a, b| {
        let place = |member: &Member| (member.document != original, member.via.is_some());
        place(a)
            .cmp(&place(b))
            .then_with(|| b.score.total_cmp(&a.score))
            .then_with(|| a.document.cmp(&b.document))
    });
}
