//! Retiring documents: a deleted or changed original is replaced by one of its copies.

use super::{
    lookup,
    record::DocumentRecord,
    round::Round,
    round_judge::RoundJudge,
    store::{Seq, Store, StoreError},
};
use crate::keys::StreamKeys;
use std::sync::Arc;

impl RoundJudge<'_> {
    /// Retires a document: the earliest of its copies becomes the original of their cluster.
    pub(super) fn retire<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        seq: Seq,
        record: &DocumentRecord,
    ) -> Result<Option<Arc<DocumentRecord>>, StoreError> {
        let probe = lookup::of_members(seq);
        let found = round.find(std::slice::from_ref(&probe))?.remove(0);
        let mut first: Option<(Seq, Arc<DocumentRecord>)> = None;
        for member in round.under(&probe, &found) {
            let member = round.record(member)?.map(|record| (member, record));
            let alive = member.filter(|(_, record)| !record.dead && record.forward.is_none());
            if let Some(member) = alive {
                let before = |first: &(Seq, Arc<DocumentRecord>)| {
                    (member.1.time, member.0) < (first.1.time, first.0)
                };
                if first.as_ref().is_none_or(before) {
                    first = Some(member);
                }
            }
        }
        let forward = record.forward.filter(|forward| *forward != seq);
        let promoted = first.filter(|_| forward.is_none());
        if let Some((seq, record)) = &promoted {
            // Forwarding to itself makes it an original, whatever its verdict was.
            round.replace(*seq, DocumentRecord { forward: Some(*seq), ..(**record).clone() });
            self.give_keys(round, *seq, record)?;
        }
        let forward = forward.or(promoted.as_ref().map(|(seq, _)| *seq));
        round.replace(seq, record.clone().bury(forward));
        Ok(promoted.map(|(_, record)| record))
    }

    /// Adds the keys that were left out while the document was found through its copies. Crowded keys
    /// are still left out.
    fn give_keys<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        seq: Seq,
        record: &DocumentRecord,
    ) -> Result<(), StoreError> {
        let mut probes = vec![self.of_twins(record.time, record.features.fingerprint)];
        if matches!(self.keys, StreamKeys::Bands { .. }) {
            probes.push(self.of_near(record.time, &record.features));
        }
        let mut keys = Vec::new();
        for (probe, found) in probes.iter().zip(round.find(&probes)?) {
            let lists = round.merged(probe, found).lists;
            let missing = lists.iter().map(|list| !list.crowded && !list.seqs.contains(&seq));
            keys.extend(probe.keys.iter().zip(missing).filter(|(_, is)| *is).map(|(key, _)| *key));
        }
        if !keys.is_empty() {
            round.add_keys(seq, record.time, keys);
        }
        Ok(())
    }
}
