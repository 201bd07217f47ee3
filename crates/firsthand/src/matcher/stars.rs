//! Clusters without a list of all pairs, for collections in which nearly everything is similar.
//!
//! Records are taken in the order of preference. For stars, each joins the most similar original before
//! it, or becomes an original: only originals are looked up, so that a campaign of many thousand
//! near-identical texts costs one comparison each, where a join finds every pair of them. For
//! components, each is compared with the records before it until one of every component is near.

use super::{
    Cost, Matches, Pair, Sets, Sides, Vectors, Wanted,
    bands::Keys,
    collapse::{self, Collapsed},
    counts::FeatureRanks,
    hamming,
    prefixes::Prefixes,
    probe::overlap_at_least,
};
use crate::{
    hashed::BuildHashed,
    settings::Grouping,
    sketch::{Banding, Bits},
};
use std::collections::HashMap;

/// What is preferred as an original, and how clusters are formed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preference<'a> {
    /// The rank of each set; the least is preferred.
    pub(crate) ranks: &'a [u32],
    pub(crate) grouping: Grouping,
}

/// A second check of pairs that are near, if there is one. It may tell identical sets apart, so that with
/// it each is taken by itself.
pub(crate) type SecondCheck<'a> = Option<&'a dyn Fn(u32, u32) -> bool>;

/// The overlap of two sets that are near, and their similarity.
pub(crate) type Near = Option<(u32, f64)>;

/// Each set with the original that it joins, as the exact matcher or bands would find them.
pub(crate) fn of_sets(
    sets: &Sets,
    banding: Option<Banding>,
    wanted: Wanted<'_>,
    preference: Preference<'_>,
    check: SecondCheck<'_>,
) -> Matches {
    let collapsed = records(collapse::collapse(sets, wanted.scope), wanted, check);
    let compare = |a: u32, b: u32| {
        let (a, b) = (sets.get(a as usize), sets.get(b as usize));
        let (x, y) = (a.len() as u64, b.len() as u64);
        let least = (wanted.rule.least_overlap(x, y) as usize).max(1);
        let overlap = overlap_at_least(a, b, least)?;
        Some((overlap as u32, wanted.rule.measure.score(overlap as u64, x, y)))
    };
    match banding {
        Some(banding) => {
            let keys = Keys::new(sets, &collapsed.representatives, banding);
            let keys = |at: u32| {
                let of_bands = keys.of(at).iter().zip(0u64..);
                Some(of_bands.map(|(&key, band)| (band << 32) | u64::from(key)).collect())
            };
            search(collapsed, wanted, preference, check, keys, compare)
        }
        None => {
            let ranks = FeatureRanks::new(sets, &collapsed.representatives, 0);
            let prefixes = Prefixes::new(sets, &collapsed, &ranks, wanted.rule);
            drop(ranks);
            let mut records = vec![None; collapsed.representatives.len()];
            for (record, set) in prefixes.sets.iter().enumerate() {
                if let Ok(at) = collapsed.representatives.binary_search(set) {
                    records[at] = Some(record);
                }
            }
            // A set that has no record shares too little with any other.
            let keys = |at: u32| {
                let record = records[at as usize];
                Some(record.map_or_else(Vec::new, |record| prefixes.rarest(record).to_vec()))
            };
            search(collapsed, wanted, preference, check, keys, compare)
        }
    }
}

/// The same for vectors, each of which is compared with all originals.
pub(crate) fn of_vectors(
    vectors: Vectors<'_>,
    wanted: Wanted<'_>,
    preference: Preference<'_>,
    check: SecondCheck<'_>,
    compare: impl Fn(u32, u32) -> Near,
) -> Matches {
    let collapsed = records(vectors.collapse(wanted.scope), wanted, check);
    search(collapsed, wanted, preference, check, |_| None, compare)
}

/// The same for bits.
pub(crate) fn of_bits(
    (bits, count): (&Bits, usize),
    wanted: Wanted<'_>,
    preference: Preference<'_>,
    check: SecondCheck<'_>,
    compare: impl Fn(u32, u32) -> Near,
) -> Matches {
    let collapsed = records(hamming::collapse(bits, count, wanted.scope), wanted, check);
    search(collapsed, wanted, preference, check, |_| None, compare)
}

/// What is taken as one: identical sets, unless a second check looks at each.
fn records(collapsed: Collapsed, wanted: Wanted<'_>, check: SecondCheck<'_>) -> Collapsed {
    match check {
        Some(_) => collapsed.apart(wanted.scope),
        None => collapsed,
    }
}

/// What a record may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// An original, whatever is before it: it is part of a reference.
    Original,
    /// An original, or a member of one before it.
    Either,
    /// A member of an original, or of none: it is matched against a reference.
    Member,
}

/// Takes the sets one after another; without keys, each is compared with all originals.
fn search(
    collapsed: Collapsed,
    wanted: Wanted<'_>,
    preference: Preference<'_>,
    check: SecondCheck<'_>,
    keys: impl Fn(u32) -> Option<Vec<u64>>,
    compare: impl Fn(u32, u32) -> Near,
) -> Matches {
    let compare = |a: u32, b: u32| {
        let is_accepted = check.is_none_or(|check| check(a.min(b), a.max(b)));
        if is_accepted { compare(a, b) } else { None }
    };
    let order = order(&collapsed, preference.ranks, wanted);
    let across = order.iter().any(|(role, ..)| *role != Role::Either);
    let is_component = preference.grouping == Grouping::Component && !across;
    let sets = &collapsed.representatives;
    let mut known = Known::default();
    let (mut pairs, mut cost) = (Vec::new(), Cost::default());
    let pair = |at: u32, other: u32, overlap: u32| {
        let (a, b) = (sets[at as usize], sets[other as usize]);
        Pair { a: a.min(b), b: a.max(b), overlap }
    };
    for (turn, &(role, _, at)) in order.iter().enumerate() {
        if turn % 256 == 0 && !(wanted.limits.go_on)(turn as f64 / order.len() as f64) {
            break;
        }
        cost.probed += 1;
        let own = keys(at);
        let near = |other: u32, cost: &mut Cost| {
            cost.verified += 1;
            compare(sets[at as usize], sets[other as usize])
        };
        let before = pairs.len();
        if is_component {
            let found = |other: u32, overlap: u32| pairs.push(pair(at, other, overlap));
            known.connect(turn, own.as_deref(), &mut cost, near, found);
        } else if role != Role::Original {
            let best = known.most_similar(turn, own.as_deref(), &mut cost, near);
            pairs.extend(best.map(|(other, overlap)| pair(at, other, overlap)));
        }
        if is_component || pairs.len() == before && role != Role::Member {
            known.add(at, own.as_deref());
        }
    }
    if is_component {
        // So that members are listed with the original wherever they are near to it.
        for (at, first) in known.with_originals() {
            let near = compare(sets[at as usize], sets[first as usize]);
            pairs.extend(near.map(|(overlap, _)| pair(at, first, overlap)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Matches { identical: collapsed.identical, pairs, cost }
}

/// Positions among the representatives in the order of preference, a reference first.
fn order(collapsed: &Collapsed, ranks: &[u32], wanted: Wanted<'_>) -> Vec<(Role, u32, u32)> {
    let sets = &collapsed.representatives;
    let mut best: Vec<u32> = sets.iter().map(|&set| ranks[set as usize]).collect();
    for group in &collapsed.identical {
        if let Ok(at) = sets.binary_search(&group[0]) {
            best[at] = group.iter().map(|&set| ranks[set as usize]).min().unwrap_or(best[at]);
        }
    }
    let role = |sides: Sides| match (wanted.scope, sides.old) {
        (super::Scope::Within, _) => Role::Either,
        (super::Scope::Across(_), true) => Role::Original,
        (super::Scope::Across(_), false) => Role::Member,
    };
    let ranked = collapsed.sides.iter().zip(best).zip(0u32..);
    let mut order: Vec<_> = ranked.map(|((sides, rank), at)| (role(*sides), rank, at)).collect();
    order.sort_unstable();
    order
}

/// The records that later ones may join, in the order in which they were added.
#[derive(Default)]
struct Known {
    records: Vec<u32>,
    /// The places of records by key.
    index: HashMap<u64, Vec<u32>, BuildHashed>,
    /// Per place, the turn in which it was last looked at.
    seen: Vec<u32>,
    /// Per place, the first place of its component, or one that leads to it.
    component: Vec<u32>,
}

impl Known {
    fn add(&mut self, record: u32, keys: Option<&[u64]>) {
        let place = self.records.len() as u32;
        for &key in keys.unwrap_or_default() {
            self.index.entry(key).or_default().push(place);
        }
        self.records.push(record);
        self.seen.push(0);
        if self.component.len() < self.records.len() {
            self.component.push(place);
        }
    }

    /// The places that share a key, each once.
    fn candidates(&mut self, turn: usize, keys: Option<&[u64]>, cost: &mut Cost) -> Vec<u32> {
        let Some(keys) = keys else { return (0..self.records.len() as u32).collect() };
        let mut found = Vec::new();
        for places in keys.iter().filter_map(|key| self.index.get(key)) {
            cost.postings += places.len() as u64;
            for &place in places {
                let seen = &mut self.seen[place as usize];
                if std::mem::replace(seen, turn as u32 + 1) != turn as u32 + 1 {
                    found.push(place);
                }
            }
        }
        cost.candidates += found.len() as u64;
        found
    }

    /// The most similar record, the first of several, with the overlap.
    fn most_similar(
        &mut self,
        turn: usize,
        keys: Option<&[u64]>,
        cost: &mut Cost,
        near: impl Fn(u32, &mut Cost) -> Near,
    ) -> Option<(u32, u32)> {
        let mut best: Option<(f64, u32, u32)> = None;
        for place in self.candidates(turn, keys, cost) {
            let Some((overlap, score)) = near(self.records[place as usize], cost) else { continue };
            let is_better = |(known, first, _): (f64, u32, u32)| {
                score > known || score == known && place < first
            };
            if best.is_none_or(is_better) {
                best = Some((score, place, overlap));
            }
        }
        best.map(|(_, place, overlap)| (self.records[place as usize], overlap))
    }

    /// Joins the components that the record to be added next is near to, by one pair each.
    fn connect(
        &mut self,
        turn: usize,
        keys: Option<&[u64]>,
        cost: &mut Cost,
        near: impl Fn(u32, &mut Cost) -> Near,
        mut pair: impl FnMut(u32, u32),
    ) {
        let own = self.records.len() as u32;
        self.component.push(own);
        for place in self.candidates(turn, keys, cost) {
            let (root, own) = (self.root(place), self.root(own));
            if root == own {
                continue;
            }
            if let Some((overlap, _)) = near(self.records[place as usize], cost) {
                pair(self.records[place as usize], overlap);
                self.component[root.max(own) as usize] = root.min(own);
            }
        }
    }

    /// Each record with the first of its component.
    fn with_originals(&mut self) -> Vec<(u32, u32)> {
        let places = 0..self.records.len() as u32;
        let roots: Vec<u32> = places.map(|place| self.root(place)).collect();
        let originals = roots.iter().map(|&root| self.records[root as usize]);
        self.records.iter().copied().zip(originals).filter(|(own, first)| own != first).collect()
    }

    fn root(&mut self, place: u32) -> u32 {
        let mut place = place;
        while self.component[place as usize] != place {
            let next = self.component[place as usize];
            self.component[place as usize] = self.component[next as usize];
            place = next;
        }
        place
    }
}
