//! Deleting documents so that nothing in the store names them any more.
//!
//! A record names other documents: its original, the member that it is near, its cluster. So all
//! records are read, and those that name a deleted document are written again. The earliest copy of a
//! deleted original takes its place, in the records of the others as well.

use super::{
    record::{DocumentRecord, Link, StoredVerdict},
    retire::is_copy_of,
    round::Round,
    round_judge::RoundJudge,
    store::{Seq, Store, StoreError},
};
use crate::{compare::similarity, keys};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// A document with its number.
type Kept = (Seq, Arc<DocumentRecord>);

/// The records that name a document or lead to it, its own included.
type Mentions = BTreeSet<Seq>;

/// The result of deleting a document.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
///
/// let detector = StreamDetector::new(Settings::profile("feed")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
/// online.add(&[sign("first"), sign("again")])?;
/// let deleted = online.upkeep().delete("first")?.ok_or("it is not there")?;
/// assert_eq!((deleted.promoted.as_deref(), deleted.named_by), (Some("again"), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// The id of the new original of its cluster, if it was the original.
    pub promoted: Option<String>,
    /// The number of other documents that named it.
    pub named_by: u64,
}

impl RoundJudge<'_> {
    /// Deletes documents; `None` for those that nothing in the store names.
    pub(super) fn erase<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        ids: &[&str],
    ) -> Result<Vec<Option<Deleted>>, StoreError> {
        let mut mentions = mentions(round, ids)?;
        let mut results = Vec::with_capacity(ids.len());
        for id in ids {
            let seqs = mentions.remove(id).unwrap_or_default();
            let mut all: Vec<Kept> = Vec::with_capacity(seqs.len());
            for &seq in &seqs {
                let alive = round.record(seq)?.filter(|record| !record.dead);
                all.extend(alive.map(|record| (seq, record)));
            }
            let (heir, is_new) = self.erase_one(round, id, &all)?;
            // Whoever takes its place is named by the same documents.
            if let Some(others) = heir.as_deref().and_then(|heir| mentions.get_mut(heir)) {
                others.extend(&seqs);
            }
            let others = all.iter().filter(|(_, record)| record.id != *id).count() as u64;
            let deleted = Deleted { promoted: heir.filter(|_| is_new), named_by: others };
            results.push((!all.is_empty()).then_some(deleted));
        }
        Ok(results)
    }

    /// Deletes a document, given everything that names it; returns the id of who takes its place, and
    /// whether that is new.
    fn erase_one<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        id: &str,
        all: &[Kept],
    ) -> Result<(Option<String>, bool), StoreError> {
        let own = all.iter().find(|(_, record)| record.id == id);
        let others = || all.iter().filter(|(_, record)| record.id != id);
        let heir = match own.and_then(|(seq, own)| own.forward.filter(|to| to != seq)) {
            // It had been replaced before.
            Some(to) => round.record(to)?.filter(|record| !record.dead).map(|record| (to, record)),
            None => None,
        };
        let is_new = heir.is_none();
        let standing = &self.decisions.standing;
        // Who was chosen as the original in its place; not those who were taken out of its cluster.
        let cluster = own.map_or(id, |(seq, own)| standing.cluster(*seq, own)).to_owned();
        let is_elsewhere =
            |seq: &Seq| standing.places.get(seq).is_some_and(|place| *place.cluster != *cluster);
        let lead = own.and_then(|(seq, _)| standing.places.get(seq)).map(|place| place.lead);
        let chosen = match lead.filter(|lead| own.is_some_and(|(seq, _)| lead != seq)) {
            Some(lead) => round.record(lead)?.filter(|record| !record.dead).map(|it| (lead, it)),
            None => None,
        };
        let heir = heir.or(chosen);
        let heir =
            heir.or_else(|| heir_of(id, own, others().filter(|(seq, _)| !is_elsewhere(seq))));
        for (seq, record) in others() {
            let is_heir = heir.as_ref().is_some_and(|(heir, _)| heir == seq);
            let said = match &heir {
                Some((_, heir)) if is_heir => inherit(id, heir),
                _ if is_elsewhere(seq) => self.settled(round, id, *seq, record)?,
                heir => self.relink(id, record, heir.as_ref()),
            };
            let forward = match (own, &heir) {
                (Some((own, _)), Some((heir, _))) if record.forward == Some(*own) => {
                    Some(*heir).filter(|_| !is_heir && !is_elsewhere(seq))
                }
                _ if is_heir && record.forward.is_some() => None,
                _ => record.forward,
            };
            let relinked = DocumentRecord { said, forward, ..(**record).clone() };
            if let Some((heir, _)) = heir.as_ref().filter(|_| !is_heir && !is_elsewhere(seq)) {
                round.add_keys(*seq, record.time, vec![keys::of_members(*heir)]);
            }
            round.replace(*seq, relinked);
        }
        if let Some((seq, record)) = own {
            round.replace(*seq, record.bury(heir.as_ref().map(|(seq, _)| *seq)));
        }
        if let Some((seq, record)) = &heir {
            self.give_keys(round, *seq, record)?;
        }
        Ok((heir.map(|(_, record)| record.id.clone()), is_new))
    }

    /// What a record says of a document that stands in another cluster than the one that is deleted: the
    /// decisions that put it there may be gone with that one.
    fn settled<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        id: &str,
        seq: Seq,
        record: &DocumentRecord,
    ) -> Result<StoredVerdict, StoreError> {
        let place = self.decisions.standing.places.get(&seq);
        let lead = place.map(|place| place.lead).filter(|lead| *lead != seq);
        let lead = match lead {
            Some(lead) => {
                round.record(lead)?.filter(|it| !it.dead && it.id != id).map(|it| (lead, it))
            }
            None => None,
        };
        let Some((lead, other)) = lead else { return Ok(StoredVerdict::original(&record.id)) };
        let original = StoredVerdict { cluster: id.to_owned(), ..record.said.clone() };
        let link = Some(Link { seq: lead, id: id.to_owned() });
        let former =
            DocumentRecord { said: StoredVerdict { original: link, ..original }, ..record.clone() };
        round.add_keys(seq, record.time, vec![keys::of_members(lead)]);
        Ok(self.relink(id, &former, Some(&(lead, other))))
    }

    /// What a record says once a document is deleted: its place is taken by the heir, if there is one.
    fn relink(&self, id: &str, record: &DocumentRecord, heir: Option<&Kept>) -> StoredVerdict {
        let mut said = record.said.clone();
        said.via = said.via.filter(|via| via.id != id);
        said.replaces = said.replaces.filter(|replaced| replaced != id);
        let Some((seq, heir)) = heir else { return said };
        if said.cluster == id {
            said.cluster.clone_from(&heir.id);
        }
        if said.original.as_ref().is_some_and(|original| original.id == id) {
            let (own, other) = (&record.features, &heir.features);
            said.exact = own.is_exact_copy_of(other);
            said.score = match said.exact {
                true => Some(1.0),
                false => similarity(self.settings.rule(), own, other, self.is_above()),
            };
            said.original = Some(Link { seq: *seq, id: heir.id.clone() });
        }
        said
    }
}

/// What the document says that takes the place of a deleted one.
fn inherit(id: &str, heir: &DocumentRecord) -> StoredVerdict {
    let original = StoredVerdict::original(&heir.id);
    match heir.said.cluster == id {
        true => original,
        false => StoredVerdict { cluster: heir.said.cluster.clone(), ..original },
    }
}

/// Who takes the place of a document: the earliest of its copies or, if others name it without being
/// copies, such as updates, the earliest of those.
fn heir_of<'a>(
    id: &str,
    own: Option<&Kept>,
    others: impl Iterator<Item = &'a Kept>,
) -> Option<Kept> {
    let is_original = |link: &Link| link.id == id;
    let follows = |record: &DocumentRecord| {
        record.said.cluster == id
            || record.said.original.as_ref().is_some_and(is_original)
            || own.is_some_and(|(own, _)| record.forward == Some(*own))
    };
    let rank = |(seq, record): &&Kept| {
        let is_copy = own.is_some_and(|(own, _)| is_copy_of(record, *own));
        (!is_copy, record.time, *seq)
    };
    others.filter(|(_, record)| follows(record)).min_by_key(rank).cloned()
}

/// Everything that names one of the documents, by its id.
fn mentions<'a, S: Store>(
    round: &mut Round<'_, S>,
    ids: &[&'a str],
) -> Result<HashMap<&'a str, Mentions>, StoreError> {
    let mut mentions: HashMap<&str, Mentions> =
        ids.iter().map(|id| (*id, Mentions::default())).collect();
    // Documents that were replaced lead to another by its number, which may come before it.
    let (mut owners, mut forwards) = (HashMap::new(), Vec::new());
    round.each(|seq, record| {
        if record.dead {
            return;
        }
        for name in record.names() {
            if let Some(named) = mentions.get_mut(name) {
                named.insert(seq);
            }
        }
        if let Some((id, _)) = mentions.get_key_value(record.id.as_str()) {
            owners.insert(seq, *id);
        }
        forwards.extend(record.forward.map(|to| (seq, to)));
    })?;
    for (seq, to) in forwards {
        if let Some(named) = owners.get(&to).and_then(|id| mentions.get_mut(id)) {
            named.insert(seq);
        }
    }
    Ok(mentions)
}
