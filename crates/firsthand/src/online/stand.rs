//! Finds where documents stand by decisions: the clusters that they are about are formed again, as those
//! of a collection are.

use super::{
    links::LINKS,
    lookup,
    record::DocumentRecord,
    round::Round,
    rules::{Rules, is_about},
    standing::{Place, Standing, hash},
    store::{Probe, Seq, Store, StoreError},
};
use crate::{
    clusters::{Cluster, Member},
    compare::{Comparison, similarity},
    constraints::Constraints,
    decisions::Named,
    regroup::{Known, regroup},
    settings::{Matcher, Original, Settings},
};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// The most documents that one without a place is compared with.
const NEIGHBOURS: usize = 200;

type Kept = (Seq, Arc<DocumentRecord>);

/// The clusters that decisions are about, as the stream found them.
#[derive(Default)]
struct Affected {
    documents: Vec<Kept>,
    /// The name of the cluster that each is in by the links of the records.
    names: Vec<String>,
    position: HashMap<Seq, usize>,
    /// The first document of each cluster, and its members in the order of arrival, by position.
    clusters: Vec<(usize, Vec<usize>)>,
}

/// Finds where documents stand.
pub(super) fn stand<S: Store>(
    round: &mut Round<'_, S>,
    rules: &Rules,
    settings: &Settings,
) -> Result<Standing, StoreError> {
    if rules.is_empty() {
        return Ok(Standing::default());
    }
    let named = latest(round, rules.ids())?;
    let affected = Affected::find(round, named.values().map(|(seq, _)| *seq))?;
    let mut constraints = Constraints::default();
    let find = |one: &Named| -> Option<usize> {
        let (seq, record) = named.get(&*one.id)?;
        is_about(one, record).then(|| affected.position.get(seq).copied()).flatten()
    };
    let both = |(a, b): &(Named, Named)| find(a).zip(find(b));
    let parted: Vec<(usize, usize)> = rules.parted.iter().filter_map(both).collect();
    parted.iter().for_each(|(a, b)| constraints.part(*a, *b));
    rules.joined.iter().filter_map(both).for_each(|(a, b)| constraints.join(a, b));
    let mut kept = HashMap::new();
    for (order, at) in rules.kept.iter().enumerate().filter_map(|(n, one)| Some((n, find(one)?))) {
        constraints.keep(at);
        kept.insert(affected.documents[at].0, order);
    }
    let groups = affected.regroup(&constraints, settings);
    let (places, names) = affected.places(&groups);
    let apart = parted.iter().map(|(a, b)| (hash(&names[*a]), hash(&names[*b])));
    let apart = apart.filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let affected = affected.position.into_keys().collect();
    Ok(Standing { places, apart, kept, affected })
}

/// The documents with these ids as they are now.
pub(super) fn latest<'a, S: Store>(
    round: &mut Round<'_, S>,
    ids: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<&'a str, Kept>, StoreError> {
    let ids: Vec<&str> = ids.collect();
    let probes: Vec<Probe> = ids.iter().map(|id| lookup::of_id(id)).collect();
    let found = round.find(&probes)?;
    let seqs: Vec<Vec<Seq>> =
        probes.iter().zip(&found).map(|(probe, found)| round.under(probe, found)).collect();
    round.fetch(seqs.iter().flatten().copied())?;
    let mut latest = BTreeMap::new();
    for (id, seqs) in ids.into_iter().zip(seqs) {
        for seq in seqs.into_iter().rev() {
            if let Some(record) = round.record(seq)?.filter(|one| !one.dead && one.id == id) {
                latest.insert(id, (seq, record));
                break;
            }
        }
    }
    Ok(latest)
}

/// The first document of the cluster of another, as the stream found it.
fn top<S: Store>(round: &mut Round<'_, S>, from: Seq) -> Result<Option<Kept>, StoreError> {
    let (mut at, mut last) = (from, None);
    for _ in 0..LINKS {
        let Some(record) = round.record(at)? else { break };
        // An update is the original of its own copies, and belongs to the cluster of its original.
        let onward = record.onward(at).or_else(|| {
            let said = record.said.original.as_ref().filter(|_| record.forward.is_none());
            said.map(|original| original.seq)
        });
        if !record.dead {
            last = Some((at, record));
        }
        match onward {
            Some(onward) => at = onward,
            None => break,
        }
    }
    Ok(last)
}

/// The name of the cluster that a document is in by the links of the records.
fn name<S: Store>(
    round: &mut Round<'_, S>,
    seq: Seq,
    record: &Arc<DocumentRecord>,
) -> Result<String, StoreError> {
    let mut at = (seq, record.clone());
    for _ in 0..LINKS {
        let Some(next) = at.1.onward(at.0) else { break };
        match round.record(next)? {
            Some(record) => at = (next, record),
            None => break,
        }
    }
    let named = if at.1.dead { record } else { &at.1 };
    Ok(named.said.cluster.clone())
}

/// All documents that lead to one, in the order of arrival.
fn followers<S: Store>(round: &mut Round<'_, S>, top: &Kept) -> Result<Vec<Kept>, StoreError> {
    let mut members = BTreeMap::from([(top.0, top.1.clone())]);
    let mut next = vec![top.0];
    while !next.is_empty() {
        let probes: Vec<Probe> = next.iter().map(|seq| lookup::of_all_members(*seq)).collect();
        let found = round.find(&probes)?;
        next.clear();
        let lists: Vec<Vec<Seq>> =
            probes.iter().zip(&found).map(|(probe, found)| round.under(probe, found)).collect();
        round.fetch(lists.iter().flatten().copied())?;
        for list in lists {
            for seq in list {
                if members.contains_key(&seq) {
                    continue;
                }
                // One that was found anew, or changed, may lead elsewhere by now.
                let Some(record) = round.record(seq)? else { continue };
                if self::top(round, seq)?.is_some_and(|(found, _)| found == top.0) {
                    members.insert(seq, record);
                    next.push(seq);
                }
            }
        }
    }
    Ok(members.into_iter().filter(|(_, record)| !record.dead).collect())
}

impl Affected {
    fn find<S: Store>(
        round: &mut Round<'_, S>,
        named: impl Iterator<Item = Seq>,
    ) -> Result<Self, StoreError> {
        let mut affected = Self::default();
        let mut named: Vec<Seq> = named.collect();
        named.sort_unstable();
        for seq in named {
            if affected.position.contains_key(&seq) {
                continue;
            }
            let Some(top) = top(round, seq)? else { continue };
            let mut members = Vec::new();
            let mut all = followers(round, &top)?;
            // It leads there by a link that cannot be followed back.
            if !all.iter().any(|(member, _)| *member == seq) {
                all.extend(round.record(seq)?.map(|record| (seq, record)));
            }
            for (seq, record) in all {
                if !affected.position.contains_key(&seq) {
                    affected.position.insert(seq, affected.documents.len());
                    members.push(affected.documents.len());
                    affected.names.push(name(round, seq, &record)?);
                    affected.documents.push((seq, record));
                }
            }
            let first = affected.position.get(&top.0).copied().unwrap_or(members[0]);
            affected.clusters.push((first, members));
        }
        Ok(affected)
    }

    /// The groups that the documents form by decisions, each with its original first.
    fn regroup(&self, constraints: &Constraints, settings: &Settings) -> Vec<Vec<usize>> {
        let record = |at: usize| &*self.documents[at].1;
        let above = matches!(settings.matcher, Some(Matcher::Collisions(_)));
        let rule = settings.rule();
        let near = |a: usize, b: usize| -> Option<(f64, bool)> {
            let (a, b) = (record(a), record(b));
            let is_same_text = a.text.is_some() && a.text == b.text && a.site != b.site;
            match a.features.is_exact_copy_of(&b.features) || is_same_text {
                true => Some((1.0, true)),
                false => similarity(rule, &a.features, &b.features, above).map(|it| (it, false)),
            }
        };
        let prefer = |a: usize, b: usize| -> Ordering {
            let time = |at: usize| match settings.original {
                Some(Original::Earliest) => record(at).time,
                _ => 0,
            };
            (time(a), self.documents[a].0).cmp(&(time(b), self.documents[b].0))
        };
        // In large clusters only their first documents, and those that were decided about.
        let decided: HashSet<usize> = constraints.documents().collect();
        let firsts = self.clusters.iter().map(|(first, _)| *first);
        let mut candidates: Vec<usize> = match self.documents.len() <= NEIGHBOURS {
            true => (0..self.documents.len()).collect(),
            false => firsts.chain(decided.iter().copied()).collect(),
        };
        candidates.sort_unstable();
        candidates.dedup();
        candidates.truncate(NEIGHBOURS);
        let known = Known {
            near: &near,
            neighbours: &|at| {
                let others = candidates.iter().copied();
                others.filter(|other| *other != at && near(at, *other).is_some()).collect()
            },
            similarity: &|a, b| {
                Comparison::new(settings, &record(a).features, &record(b).features).score
            },
            prefer: &prefer,
            may_lead: &|_| true,
        };
        let found = self.clusters.iter().filter(|(_, members)| members.len() > 1);
        let found = found.map(|(first, members)| self.as_found(*first, members)).collect();
        let regrouped = regroup(found, constraints, known).clusters;
        let mut groups: Vec<Vec<usize>> = regrouped
            .iter()
            .map(|cluster| cluster.members.iter().map(|member| member.document).collect())
            .collect();
        let placed: HashSet<usize> = groups.iter().flatten().copied().collect();
        groups
            .extend((0..self.documents.len()).filter(|at| !placed.contains(at)).map(|at| vec![at]));
        groups
    }

    fn as_found(&self, first: usize, members: &[usize]) -> Cluster {
        let member = |&at: &usize| {
            let (seq, record) = &self.documents[at];
            let said = &record.said;
            // It goes where the document goes that it is near, or that it leads to.
            let near = said.via.as_ref().or(said.original.as_ref()).map(|link| link.seq);
            let near = near.filter(|_| record.forward.is_none()).or(record.forward);
            let near = near.filter(|near| near != seq).and_then(|near| self.position.get(&near));
            let via = near.copied().filter(|near| *near != first);
            let (score, exact) = (said.score.unwrap_or(1.0), said.exact);
            Member { document: at, score, exact, via, decided: false }
        };
        let head = Member { via: None, ..member(&first) };
        let others = members.iter().filter(|at| **at != first).map(member);
        Cluster { original: first, members: std::iter::once(head).chain(others).collect() }
    }

    /// The places of documents that stand elsewhere than the stream has put them, and the name of the
    /// cluster of each document.
    fn places(&self, groups: &[Vec<usize>]) -> (HashMap<Seq, Place>, Vec<Arc<str>>) {
        let (mut places, mut taken) = (HashMap::new(), HashSet::new());
        let mut names: Vec<Arc<str>> = vec![Arc::from(""); self.documents.len()];
        let first_of: HashMap<usize, usize> = self
            .clusters
            .iter()
            .flat_map(|(first, members)| members.iter().map(move |at| (*at, *first)))
            .collect();
        let is_first = |at: &&usize| first_of.get(at) == Some(at);
        let mut group_of = vec![0; self.documents.len()];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|at| group_of[*at] = number);
        }
        // Whether its link leads to a document that stands elsewhere, or is gone.
        let is_led_away = |at: usize| {
            let (seq, record) = &self.documents[at];
            record.onward(*seq).is_some_and(|next| {
                self.position.get(&next).is_none_or(|next| group_of[*next] != group_of[at])
            })
        };
        let mut ordered: Vec<&Vec<usize>> = groups.iter().collect();
        // A cluster keeps its name with its first document; of several, the earliest counts.
        let rank = |group: &&Vec<usize>| {
            let first = group.iter().filter(is_first).map(|at| self.documents[*at].0).min();
            first.map_or((1, self.documents[group[0]].0), |seq| (0, seq))
        };
        ordered.sort_by_key(rank);
        for group in ordered {
            let lead = group[0];
            let first = group.iter().filter(is_first).min_by_key(|at| self.documents[**at].0);
            let former = first.map(|at| &*self.names[*at]);
            let (lead_seq, own) = (self.documents[lead].0, &*self.documents[lead].1.id);
            // A document that has changed may lead a cluster beside the one that is named after it.
            let numbered = format!("{own}#{lead_seq}");
            let names_in_order = former.into_iter().chain([own, &numbered]);
            let name = names_in_order.into_iter().find(|name| !taken.contains(*name));
            let name: Arc<str> = Arc::from(name.unwrap_or(&numbered));
            taken.insert(name.to_string());
            for &at in group {
                names[at] = Arc::clone(&name);
                let seq = &self.documents[at].0;
                let is_moved = *self.names[at] != *name;
                // Those that stay follow their first document, wherever that leads.
                let is_link = first_of.get(&lead) != Some(&lead)
                    && (at == lead || first_of.get(&at) == Some(&at));
                if is_moved || is_link || is_led_away(at) {
                    places.insert(*seq, Place { lead: lead_seq, cluster: Arc::clone(&name) });
                }
            }
        }
        (places, names)
    }
}
