//! Retiring documents: a deleted or changed original is replaced by one of its copies.

use super::{
    answer::Verdict,
    lookup,
    record::{DocumentRecord, StoredVerdict},
    round::Round,
    round_judge::RoundJudge,
    store::{Found, List, Probe, Seq, Store, StoreError},
};
use crate::keys::{self, StreamKeys};
use std::sync::Arc;

impl RoundJudge<'_> {
    /// Retires a document: the earliest of its copies becomes the original of their cluster. Returns that
    /// copy and then the others, or nothing if there are none.
    pub(super) fn retire<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        seq: Seq,
        record: &DocumentRecord,
    ) -> Result<Vec<Seq>, StoreError> {
        let probe = lookup::of_members(seq);
        let found = round.find(std::slice::from_ref(&probe))?.remove(0);
        let mut members: Vec<(Seq, Arc<DocumentRecord>)> = Vec::new();
        for member in round.under(&probe, &found) {
            let record = round.record(member)?.filter(|record| is_copy_of(record, seq));
            members.extend(record.map(|record| (member, record)));
        }
        let forward = record.forward.filter(|forward| *forward != seq);
        let first = members.iter().min_by_key(|(seq, record)| (record.time, *seq)).cloned();
        let promoted = first.filter(|_| forward.is_none());
        if let Some((next, record)) = &promoted {
            // Forwarding to itself makes it an original, whatever its verdict was.
            round.replace(*next, DocumentRecord { forward: Some(*next), ..(**record).clone() });
            self.give_keys(round, *next, record)?;
            // The others are found as its copies, in case that it is retired in its turn.
            for (member, record) in members.iter().filter(|(member, _)| member != next) {
                round.add_keys(*member, record.time, vec![keys::of_members(*next)]);
            }
        }
        let forward = forward.or(promoted.as_ref().map(|(seq, _)| *seq));
        round.replace(seq, record.bury(forward));
        let others = members.into_iter().map(|(member, _)| member);
        Ok(forward.into_iter().chain(others.filter(|member| Some(*member) != forward)).collect())
    }

    /// Names the cluster of a text that is no longer that of `id` after the original that it has now, so
    /// that it does not share a name with the copies of another text of `id`.
    pub(super) fn name_anew<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        id: &str,
        members: &[Seq],
    ) -> Result<(), StoreError> {
        let Some(original) = members.first() else { return Ok(()) };
        let Some(name) = round.record(*original)?.map(|record| record.id.clone()) else {
            return Ok(());
        };
        for &seq in members {
            let named = round.record(seq)?.filter(|it| !it.dead && it.said.cluster == id);
            if let Some(record) = named {
                let said = StoredVerdict { cluster: name.clone(), ..record.said.clone() };
                round.replace(seq, DocumentRecord { said, ..(*record).clone() });
            }
        }
        Ok(())
    }

    /// Adds the keys that were left out while the document was found through its copies. Crowded keys
    /// are still left out.
    pub(super) fn give_keys<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        seq: Seq,
        record: &DocumentRecord,
    ) -> Result<(), StoreError> {
        let mut probes = vec![self.of_twins(record.time, record.text)];
        if matches!(self.keys, StreamKeys::Bands { .. }) {
            probes.push(self.of_near(record.time, &record.features));
        }
        let mut all: Vec<(Probe, Found)> = Vec::new();
        for (found, probe) in round.find(&probes)?.into_iter().zip(probes) {
            let merged = round.merged(&probe, found);
            all.push((probe, merged));
        }
        if let [_, (_, near)] = all.as_slice() {
            let deep = self.deeper(round, (near, record.time), &record.features, &[])?;
            all.extend(deep.into_iter().skip(1));
        }
        let mut keys = Vec::new();
        for (probe, found) in &all {
            let is_missing = |list: &List| !list.crowded && !list.seqs.contains(&seq);
            let lists = probe.keys.iter().zip(&found.lists);
            keys.extend(lists.filter(|(_, list)| is_missing(list)).map(|(key, _)| *key));
        }
        if !keys.is_empty() {
            round.add_keys(seq, record.time, keys);
        }
        Ok(())
    }
}

/// Whether a document is alive and a copy of an original, or was replaced by it.
pub(super) fn is_copy_of(record: &DocumentRecord, original: Seq) -> bool {
    let is_copy = record.forward.is_none() && record.said.verdict == Verdict::Duplicate;
    !record.dead && (is_copy || record.forward == Some(original))
}
