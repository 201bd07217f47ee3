//! The verdict on one document, from its near documents.

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

/// So many originals are looked at for one with the same figures.
const FIGURES: usize = 8;
/// Links that are followed to an original at most.
const LINKS: usize = 10_000;

/// A stored document that is near.
#[derive(Clone, Debug)]
pub(super) struct Near {
    pub(super) seq: Seq,
    pub(super) record: Arc<DocumentRecord>,
    pub(super) score: f64,
    pub(super) exact: bool,
}

impl Near {
    fn link(&self) -> Link {
        Link { seq: self.seq, id: self.record.id.clone() }
    }
}

/// A document that is to be judged, as it is compared.
pub(super) struct Case<'a> {
    pub(super) id: &'a str,
    pub(super) time: i64,
    pub(super) features: &'a Features,
    pub(super) figures: Option<Figures>,
    /// Whether the threshold itself is not enough.
    pub(super) above: bool,
}

impl Case<'_> {
    /// Whether a stored document is near, and how near.
    pub(super) fn near(&self, rule: Rule, seq: Seq, record: &Arc<DocumentRecord>) -> Option<Near> {
        self.near_by(seq, record, || similarity(rule, self.features, &record.features, self.above))
    }

    /// The same where the similarity may be known.
    pub(super) fn near_by(
        &self,
        seq: Seq,
        record: &Arc<DocumentRecord>,
        similarity: impl FnOnce() -> Option<f64>,
    ) -> Option<Near> {
        let exact = self.features.is_exact_copy_of(&record.features);
        let score = if exact { 1.0 } else { similarity()? };
        Some(Near { seq, record: record.clone(), score, exact })
    }

    /// The figures that changed since a stored document.
    fn changed(&self, near: &Near) -> Vec<Change> {
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
    /// Whether an earlier document takes the place of the original.
    pub(super) by_time: bool,
    pub(super) settings: &'a Settings,
}

impl Judge<'_> {
    /// What a document is, given all stored documents that are near it.
    pub(super) fn judge<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        mut near: Vec<Near>,
    ) -> Result<StoredVerdict, StoreError> {
        near.sort_by(best_first);
        let Some(best) = near.first() else {
            let too_short = case.features.len() < self.settings.min_features;
            let verdict = if too_short { Verdict::TooShort } else { Verdict::Original };
            return Ok(StoredVerdict { verdict, ..StoredVerdict::original(case.id) });
        };
        match self.grouping {
            Grouping::Star => self.star(round, case, &near),
            Grouping::Chain => self.chain(round, case, best),
            Grouping::Component => self.component(round, case, &near),
        }
    }

    /// The most similar original, or a member that is near one.
    fn star<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        near: &[Near],
    ) -> Result<StoredVerdict, StoreError> {
        let roots = self.roots(round, case, near)?;
        let mut direct: Vec<Near> =
            roots.iter().filter_map(|(seq, root)| case.near(self.rule, *seq, root)).collect();
        direct.sort_by(best_first);
        if let Some(best) = direct.first() {
            // The figures may have changed since the nearest, and be those of another.
            let mut first_changes = None;
            for original in direct.iter().take(FIGURES) {
                let changed = case.changed(original);
                if changed.is_empty() {
                    return Ok(self.copy(round, case, original, None, Vec::new()));
                }
                first_changes.get_or_insert(changed);
            }
            return Ok(self.copy(round, case, best, None, first_changes.unwrap_or_default()));
        }
        match near.iter().find(|member| member.record.said.depth < 2) {
            Some(member) => {
                let (seq, record) = self.root(round, case, member)?;
                let root = Near { seq, record, score: member.score, exact: member.exact };
                Ok(self.copy(round, case, &root, Some(member), case.changed(member)))
            }
            None => Ok(StoredVerdict::original(case.id)),
        }
    }

    /// The original of the nearest document, whatever is between.
    fn chain<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        best: &Near,
    ) -> Result<StoredVerdict, StoreError> {
        let (seq, record) = self.root(round, case, best)?;
        match case.near(self.rule, seq, &record) {
            Some(root) => {
                let changed = case.changed(&root);
                Ok(self.copy(round, case, &root, None, changed))
            }
            None => {
                let root = Near { seq, record, score: best.score, exact: best.exact };
                Ok(self.copy(round, case, &root, Some(best), case.changed(best)))
            }
        }
    }

    /// The same, and the originals of all near documents become one.
    fn component<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        near: &[Near],
    ) -> Result<StoredVerdict, StoreError> {
        let roots = self.roots(round, case, near)?;
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
        self.chain(round, case, &near[0])
    }

    /// The originals of near documents.
    fn roots<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        near: &[Near],
    ) -> Result<BTreeMap<Seq, Arc<DocumentRecord>>, StoreError> {
        round.fetch(near.iter().filter_map(|near| onward(near.seq, &near.record)))?;
        let mut roots = BTreeMap::new();
        for member in near {
            let (seq, root) = self.root(round, case, member)?;
            roots.insert(seq, root);
        }
        Ok(roots)
    }

    /// The original of a near document. Where that is forgotten or too long ago, the document itself
    /// stands for it.
    fn root<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        near: &Near,
    ) -> Result<(Seq, Arc<DocumentRecord>), StoreError> {
        let (from, to) = self.window.around(case.time);
        let mut at = (near.seq, near.record.clone());
        for _ in 0..LINKS {
            let Some(next) = onward(at.0, &at.1) else { break };
            match round.record(next)? {
                Some(record) if (from..=to).contains(&record.time) => at = (next, record),
                _ => break,
            }
        }
        // A document that is no longer there in its own right stands for nothing.
        if at.1.dead || at.1.id == case.id {
            at = (near.seq, near.record.clone());
        }
        Ok(at)
    }

    /// That a document is a copy or an update of an original; or, being earlier, the original.
    fn copy<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        case: &Case<'_>,
        original: &Near,
        via: Option<&Near>,
        changed: Vec<Change>,
    ) -> StoredVerdict {
        let cluster = original.record.said.cluster.clone();
        let earlier = self.by_time && case.time < original.record.time;
        if earlier && via.is_none() && changed.is_empty() {
            let forward = Some(round.next());
            round.replace(original.seq, DocumentRecord { forward, ..(*original.record).clone() });
            let replaces = Some(original.record.id.clone());
            return StoredVerdict { cluster, replaces, ..StoredVerdict::original(case.id) };
        }
        let is_update = !changed.is_empty();
        StoredVerdict {
            verdict: if is_update { Verdict::Update } else { Verdict::Duplicate },
            original: Some(original.link()),
            via: via.map(Near::link),
            cluster,
            score: Some(original.score),
            exact: original.exact,
            changed,
            replaces: None,
            // An update is an original itself, for copies of it.
            depth: if is_update { 0 } else { 1 + u8::from(via.is_some()) },
        }
    }
}

/// The document that a document points to as its original, unless it is one itself.
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
fn best_first(a: &Near, b: &Near) -> std::cmp::Ordering {
    b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.seq.cmp(&b.seq))
}
