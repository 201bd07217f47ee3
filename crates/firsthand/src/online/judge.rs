//! The verdict on one document, given its near-duplicates in the store.

use super::{
    record::{DocumentRecord, Link, StoredVerdict},
    round::Round,
    store::{Seq, Store, StoreError},
};
use crate::{
    compare::similarity,
    features::Features,
    guard::{Change, Figures},
    measure::Rule,
    online::Verdict,
    settings::{Grouping, Settings, Window},
};
use std::{collections::BTreeMap, sync::Arc};

/// The most originals that are searched for one with the same figures.
const FIGURES: usize = 8;
/// The most links that are followed to an original.
const LINKS: usize = 10_000;

/// A near-duplicate in the store.
#[derive(Clone, Debug)]
pub(super) struct NearDocument {
    pub(super) seq: Seq,
    pub(super) record: Arc<DocumentRecord>,
    pub(super) score: f64,
    pub(super) exact: bool,
}

impl NearDocument {
    fn link(&self) -> Link {
        Link { seq: self.seq, id: self.record.id.clone() }
    }
}

/// The document that is being judged.
pub(super) struct Subject<'a> {
    pub(super) id: &'a str,
    pub(super) time: i64,
    pub(super) features: &'a Features,
    pub(super) figures: Option<Figures>,
    /// Whether the similarity must exceed the threshold, not just reach it.
    pub(super) above: bool,
}

impl Subject<'_> {
    /// The stored document with its similarity, if it is a near-duplicate.
    pub(super) fn near(
        &self,
        rule: Rule,
        seq: Seq,
        record: &Arc<DocumentRecord>,
    ) -> Option<NearDocument> {
        self.near_by(seq, record, || similarity(rule, self.features, &record.features, self.above))
    }

    /// The same, with the similarity computed by the caller.
    pub(super) fn near_by(
        &self,
        seq: Seq,
        record: &Arc<DocumentRecord>,
        similarity: impl FnOnce() -> Option<f64>,
    ) -> Option<NearDocument> {
        let exact = self.features.is_exact_copy_of(&record.features);
        let score = if exact { 1.0 } else { similarity()? };
        Some(NearDocument { seq, record: record.clone(), score, exact })
    }

    /// The figures that changed compared with a stored document.
    fn changed(&self, near: &NearDocument) -> Vec<Change> {
        match &self.figures {
            Some(figures) if !near.exact => Figures::from_bytes(&near.record.figures)
                .map(|before| before.changed(figures))
                .unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// The rules by which a document is judged.
pub(super) struct Judge<'a> {
    pub(super) rule: Rule,
    pub(super) window: Window,
    pub(super) grouping: Grouping,
    /// Whether a document with an earlier time replaces the original.
    pub(super) by_time: bool,
    pub(super) settings: &'a Settings,
}

impl Judge<'_> {
    /// The verdict on a document, given all its near-duplicates in the store.
    pub(super) fn judge<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        mut near: Vec<NearDocument>,
    ) -> Result<StoredVerdict, StoreError> {
        near.sort_by(best_first);
        let Some(best) = near.first() else {
            let too_short = subject.features.len() < self.settings.min_features;
            let verdict = if too_short { Verdict::TooShort } else { Verdict::Original };
            return Ok(StoredVerdict { verdict, ..StoredVerdict::original(subject.id) });
        };
        match self.grouping {
            Grouping::Star => self.star(round, subject, &near),
            Grouping::Chain => self.chain(round, subject, best),
            Grouping::Component => self.component(round, subject, &near),
        }
    }

    /// Joins the most similar original, or else a member at most one link from its original.
    fn star<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        near: &[NearDocument],
    ) -> Result<StoredVerdict, StoreError> {
        let roots = self.roots(round, subject, near)?;
        let mut direct: Vec<NearDocument> =
            roots.iter().filter_map(|(seq, root)| subject.near(self.rule, *seq, root)).collect();
        direct.sort_by(best_first);
        if let Some(best) = direct.first() {
            // The figures may differ from the most similar original and equal those of another.
            let mut first_changes = None;
            for original in direct.iter().take(FIGURES) {
                let changed = subject.changed(original);
                if changed.is_empty() {
                    return Ok(self.copy(round, subject, original, None, Vec::new()));
                }
                first_changes.get_or_insert(changed);
            }
            return Ok(self.copy(round, subject, best, None, first_changes.unwrap_or_default()));
        }
        match near.iter().find(|member| member.record.said.depth < 2) {
            Some(member) => {
                let (seq, record) = self.root(round, subject, member)?;
                let root = NearDocument { seq, record, score: member.score, exact: member.exact };
                Ok(self.copy(round, subject, &root, Some(member), subject.changed(member)))
            }
            None => Ok(StoredVerdict::original(subject.id)),
        }
    }

    /// Joins the original of the most similar document, however long the chain.
    fn chain<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        best: &NearDocument,
    ) -> Result<StoredVerdict, StoreError> {
        let (seq, record) = self.root(round, subject, best)?;
        match subject.near(self.rule, seq, &record) {
            Some(root) => {
                let changed = subject.changed(&root);
                Ok(self.copy(round, subject, &root, None, changed))
            }
            None => {
                let root = NearDocument { seq, record, score: best.score, exact: best.exact };
                Ok(self.copy(round, subject, &root, Some(best), subject.changed(best)))
            }
        }
    }

    /// The same, and merges the clusters of all near-duplicates.
    fn component<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        near: &[NearDocument],
    ) -> Result<StoredVerdict, StoreError> {
        let roots = self.roots(round, subject, near)?;
        let rank = |(seq, root): &(Seq, Arc<DocumentRecord>)| match self.by_time {
            false => (0, *seq),
            true => (root.time, *seq),
        };
        let first = roots.iter().map(|(seq, root)| (*seq, root.clone())).min_by_key(rank);
        if let Some((first, _)) = first {
            for (seq, root) in roots {
                if seq != first {
                    round.replace(seq, DocumentRecord { forward: Some(first), ..(*root).clone() });
                }
            }
        }
        self.chain(round, subject, &near[0])
    }

    /// The originals of near-duplicates.
    fn roots<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        near: &[NearDocument],
    ) -> Result<BTreeMap<Seq, Arc<DocumentRecord>>, StoreError> {
        round.fetch(near.iter().filter_map(|near| onward(near.seq, &near.record)))?;
        let mut roots = BTreeMap::new();
        for member in near {
            let (seq, root) = self.root(round, subject, member)?;
            roots.insert(seq, root);
        }
        Ok(roots)
    }

    /// The original of a near-duplicate, or the last document on the way there that is neither
    /// forgotten nor outside the window.
    fn root<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        near: &NearDocument,
    ) -> Result<(Seq, Arc<DocumentRecord>), StoreError> {
        let (from, to) = self.window.around(subject.time);
        let mut at = (near.seq, near.record.clone());
        for _ in 0..LINKS {
            let Some(next) = onward(at.0, &at.1) else { break };
            match round.record(next)? {
                Some(record) if (from..=to).contains(&record.time) => at = (next, record),
                _ => break,
            }
        }
        // A deleted document, or a former generation of this one, cannot be the original.
        if at.1.dead || at.1.id == subject.id {
            at = (near.seq, near.record.clone());
        }
        Ok(at)
    }

    /// The verdict that a document is a copy or an update of an original, or the new original if it
    /// is earlier.
    fn copy<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &Subject<'_>,
        original: &NearDocument,
        via: Option<&NearDocument>,
        changed: Vec<Change>,
    ) -> StoredVerdict {
        let cluster = original.record.said.cluster.clone();
        let earlier = self.by_time && subject.time < original.record.time;
        if earlier && via.is_none() && changed.is_empty() {
            let forward = Some(round.next());
            round.replace(original.seq, DocumentRecord { forward, ..(*original.record).clone() });
            let replaces = Some(original.record.id.clone());
            return StoredVerdict { cluster, replaces, ..StoredVerdict::original(subject.id) };
        }
        let is_update = !changed.is_empty();
        StoredVerdict {
            verdict: if is_update { Verdict::Update } else { Verdict::Duplicate },
            original: Some(original.link()),
            via: via.map(NearDocument::link),
            cluster,
            score: Some(original.score),
            exact: original.exact,
            changed,
            replaces: None,
            // For its own copies, an update is an original.
            depth: if is_update { 0 } else { 1 + u8::from(via.is_some()) },
        }
    }
}

/// The next document on the way to the original; `None` for an original.
fn onward(seq: Seq, record: &DocumentRecord) -> Option<Seq> {
    match (record.forward, &record.said) {
        (Some(forward), _) => (forward != seq).then_some(forward),
        (None, StoredVerdict { verdict: Verdict::Duplicate, original, .. }) => {
            original.as_ref().map(|link| link.seq)
        }
        (None, _) => None,
    }
}

/// Exact copies, then the most similar, then the earliest arrival.
fn best_first(a: &NearDocument, b: &NearDocument) -> std::cmp::Ordering {
    b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.seq.cmp(&b.seq))
}
