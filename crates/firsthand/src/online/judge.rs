//! The verdict on one document, given its near-duplicates in the store.

use super::{
    links::LINKS,
    record::{DocumentRecord, Link, StoredVerdict},
    round::Round,
    rules::{RulesOfOne, is_about},
    stand::latest,
    standing::Standing,
    store::{Seq, Store, StoreError},
};
use crate::{
    compare::{Comparison, similarity, similarity_beside},
    features::Features,
    guard::{Change, Figures},
    lines::PageLine,
    online::{Decided, Verdict},
    same_site::{are_siblings, are_versions},
    settings::{Grouping, Original, Settings},
};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

/// The most originals that are searched for one with the same figures.
const FIGURES: usize = 8;

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
    pub(super) site: Option<&'a str>,
    /// The hash of its text as it was read.
    pub(super) text: Option<u128>,
    /// What its page shows, if it is one.
    pub(super) lines: &'a [PageLine],
    pub(super) features: &'a Features,
    /// Those of them that are the form of its site's pages, as far as its candidates tell.
    pub(super) form: Vec<u64>,
    pub(super) figures: Option<Figures>,
    /// Whether the similarity must exceed the threshold, not just reach it.
    pub(super) above: bool,
    /// What people have decided about it.
    pub(super) rules: RulesOfOne<'a>,
}

impl Subject<'_> {
    /// The stored document with its similarity, if it is a near-duplicate.
    pub(super) fn near(
        &self,
        settings: &Settings,
        seq: Seq,
        record: &Arc<DocumentRecord>,
    ) -> Option<NearDocument> {
        let (rule, pair) = (settings.rule(), (self.features, &record.features));
        let least = settings.min_features.max(1);
        self.near_by(seq, record, || match self.shares_form_with(record) {
            true => similarity_beside(&self.form, rule, pair, least, self.above),
            false => similarity(rule, pair.0, pair.1, self.above),
        })
    }

    /// Whether part of what it shares with a stored document is known to be form.
    pub(super) fn shares_form_with(&self, record: &DocumentRecord) -> bool {
        let pages = (self.features.page.as_ref(), record.features.page.as_ref());
        !self.form.is_empty() && are_siblings(pages.0, pages.1) && !are_versions(pages.0, pages.1)
    }

    /// The same, with the similarity computed by the caller.
    pub(super) fn near_by(
        &self,
        seq: Seq,
        record: &Arc<DocumentRecord>,
        similarity: impl FnOnce() -> Option<f64>,
    ) -> Option<NearDocument> {
        let exact = self.is_exact_copy_of(record);
        let score = if exact { 1.0 } else { similarity()? };
        Some(NearDocument { seq, record: record.clone(), score, exact })
    }

    /// Whether the two have the same text: what is left of both without page furniture or, on different
    /// sites, all of it. Frames differ from site to site, so what is equal there is no frame. A page
    /// that shows exactly what another did is a copy of it too, whatever was learned in between.
    pub(super) fn is_exact_copy_of(&self, record: &DocumentRecord) -> bool {
        self.features.is_exact_copy_of(&record.features)
            || self.text.is_some()
                && self.text == record.text
                && (self.site != record.site.as_deref() || self.lines == record.lines)
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

/// Judges one document against its near-duplicates.
pub(super) struct Judge<'a, 'r, S> {
    pub(super) settings: &'a Settings,
    pub(super) round: &'a mut Round<'r, S>,
    pub(super) subject: &'a Subject<'a>,
    /// Where documents stand by decisions.
    pub(super) standing: &'a Standing,
}

impl<S: Store> Judge<'_, '_, S> {
    /// The verdict, given all near-duplicates in the store.
    pub(super) fn judge(
        &mut self,
        mut near: Vec<NearDocument>,
    ) -> Result<StoredVerdict, StoreError> {
        near.sort_by(best_first);
        let found = near.len();
        let closed = self.closed_clusters()?;
        if !closed.is_empty() {
            let mut open = Vec::with_capacity(found);
            for near in near {
                let (seq, root) = self.root(&near)?;
                if !closed.contains(self.standing.cluster(seq, &root)) {
                    open.push(near);
                }
            }
            near = open;
        }
        let is_parted = near.len() < found;
        let mut said = match self.joined(&closed)? {
            Some(original) => {
                let mut said = self.copy(&original, None, Vec::new());
                said.decided.joined = true;
                said
            }
            None => self.by_near(&near, is_parted)?,
        };
        said.decided.parted = is_parted;
        Ok(said)
    }

    fn by_near(
        &mut self,
        near: &[NearDocument],
        is_parted: bool,
    ) -> Result<StoredVerdict, StoreError> {
        let Some(best) = near.first() else {
            let too_short = self.subject.features.len() < self.settings.min_features;
            let verdict =
                if too_short && !is_parted { Verdict::TooShort } else { Verdict::Original };
            return Ok(StoredVerdict { verdict, ..StoredVerdict::original(self.subject.id) });
        };
        match self.settings.grouping.unwrap_or_default() {
            Grouping::Star => self.star(near),
            Grouping::Chain => self.chain(best),
            Grouping::Component => self.component(near),
        }
    }

    /// The names of the clusters that the document is parted from a member of.
    fn closed_clusters(&mut self) -> Result<HashSet<String>, StoreError> {
        let subject = self.subject;
        let parted = subject.rules.parted.iter();
        let found = latest(self.round, parted.map(|named| named.id.as_str()))?;
        let mut closed = HashSet::new();
        for named in &subject.rules.parted {
            let Some((seq, record)) = found.get(&*named.id) else { continue };
            if is_about(named, record) {
                let (seq, root) = self.root_of(*seq, record)?;
                closed.insert(self.standing.cluster(seq, &root).to_owned());
            }
        }
        Ok(closed)
    }

    /// The original of the first document that the document is joined to and may be beside.
    fn joined(&mut self, closed: &HashSet<String>) -> Result<Option<NearDocument>, StoreError> {
        let subject = self.subject;
        let joined = subject.rules.joined.iter();
        let found = latest(self.round, joined.map(|named| named.id.as_str()))?;
        for named in &subject.rules.joined {
            let other = found.get(&*named.id).filter(|(_, record)| is_about(named, record));
            let Some((seq, record)) = other else { continue };
            let (seq, record) = self.root_of(*seq, record)?;
            if !closed.contains(self.standing.cluster(seq, &record)) {
                let exact = subject.is_exact_copy_of(&record);
                let compared = Comparison::new(self.settings, &record.features, subject.features);
                let score = if exact { 1.0 } else { compared.score };
                return Ok(Some(NearDocument { seq, record, score, exact }));
            }
        }
        Ok(None)
    }

    /// Whether a document with an earlier time replaces the original.
    fn is_by_time(&self) -> bool {
        self.settings.original == Some(Original::Earliest)
    }

    /// Joins the most similar original, or else a member at most one link from its original.
    fn star(&mut self, near: &[NearDocument]) -> Result<StoredVerdict, StoreError> {
        let (roots, subject) = (self.roots(near)?, self.subject);
        let settings = self.settings;
        let mut direct: Vec<NearDocument> =
            roots.iter().filter_map(|(seq, root)| subject.near(settings, *seq, root)).collect();
        direct.sort_by(best_first);
        if let Some(best) = direct.first() {
            // The figures may differ from the most similar original and equal those of another.
            let mut first_changes = None;
            for original in direct.iter().take(FIGURES) {
                let changed = subject.changed(original);
                if changed.is_empty() {
                    return Ok(self.copy(original, None, Vec::new()));
                }
                first_changes.get_or_insert(changed);
            }
            return Ok(self.copy(best, None, first_changes.unwrap_or_default()));
        }
        match near.iter().find(|member| member.record.said.depth < 2) {
            Some(member) => self.copy_via(member),
            None => Ok(StoredVerdict::original(subject.id)),
        }
    }

    /// Joins the original of the most similar document, however long the chain.
    fn chain(&mut self, best: &NearDocument) -> Result<StoredVerdict, StoreError> {
        let (seq, record) = self.root(best)?;
        match self.subject.near(self.settings, seq, &record) {
            Some(root) => Ok(self.copy(&root, None, self.subject.changed(&root))),
            None => self.copy_via(best),
        }
    }

    /// The same, and merges the clusters of all near-duplicates.
    fn component(&mut self, near: &[NearDocument]) -> Result<StoredVerdict, StoreError> {
        let roots = self.roots(near)?;
        let rank = |(seq, root): &(&Seq, &Arc<DocumentRecord>)| match self.is_by_time() {
            false => (0, **seq),
            true => (root.time, **seq),
        };
        let first = roots.iter().min_by_key(rank).map(|(seq, _)| *seq);
        let best = self.root(&near[0])?.0;
        // Clusters of documents that are parted stay apart, and the most similar one is joined.
        let name = |(seq, root): (&Seq, &Arc<DocumentRecord>)| {
            self.standing.cluster(*seq, root).to_owned()
        };
        let names: Vec<String> = roots.iter().map(name).collect();
        let is_apart = names.iter().enumerate().any(|(at, one)| {
            names[at + 1..].iter().any(|other| !self.standing.may_merge(one, other))
        });
        let mut with: Vec<String> = Vec::new();
        let first = if is_apart { Some(best) } else { first };
        let mut ordered: Vec<(Seq, Arc<DocumentRecord>)> = roots.into_iter().collect();
        ordered.sort_by_key(|(seq, _)| Some(*seq) != first);
        for (seq, root) in ordered {
            let name = self.standing.cluster(seq, &root).to_owned();
            if with.iter().any(|other| !self.standing.may_merge(other, &name)) {
                continue;
            }
            with.push(name);
            if let Some(first) = first.filter(|first| *first != seq) {
                self.round.forward(seq, &root, first);
            }
        }
        self.chain(&near[0])
    }

    /// The originals of near-duplicates.
    fn roots(
        &mut self,
        near: &[NearDocument],
    ) -> Result<BTreeMap<Seq, Arc<DocumentRecord>>, StoreError> {
        let standing = self.standing;
        self.round.fetch(near.iter().filter_map(|near| standing.onward(near.seq, &near.record)))?;
        near.iter().map(|member| self.root(member)).collect()
    }

    /// The original of a near-duplicate, or the last document on the way there that is neither
    /// forgotten nor outside the window.
    fn root(&mut self, near: &NearDocument) -> Result<(Seq, Arc<DocumentRecord>), StoreError> {
        self.root_of(near.seq, &near.record)
    }

    fn root_of(
        &mut self,
        seq: Seq,
        record: &Arc<DocumentRecord>,
    ) -> Result<(Seq, Arc<DocumentRecord>), StoreError> {
        let (from, to) = self.settings.stream.window.around(self.subject.time);
        let mut at = (seq, record.clone());
        for _ in 0..LINKS {
            let Some(next) = self.standing.onward(at.0, &at.1) else { break };
            match self.round.record(next)? {
                Some(record) if (from..=to).contains(&record.time) => at = (next, record),
                _ => break,
            }
        }
        // A deleted document, or a former generation of this one, cannot be the original.
        if at.1.dead || at.1.id == self.subject.id {
            at = (seq, record.clone());
        }
        Ok(at)
    }

    /// The verdict for a near-duplicate of a member that is none of its original.
    fn copy_via(&mut self, member: &NearDocument) -> Result<StoredVerdict, StoreError> {
        let (seq, record) = self.root(member)?;
        let root = NearDocument { seq, record, score: member.score, exact: member.exact };
        Ok(self.copy(&root, Some(member), self.subject.changed(member)))
    }

    /// The verdict that a document is a copy or an update of an original, or the new original if it
    /// is earlier.
    fn copy(
        &mut self,
        original: &NearDocument,
        via: Option<&NearDocument>,
        changed: Vec<Change>,
    ) -> StoredVerdict {
        let cluster = self.standing.cluster(original.seq, &original.record).to_owned();
        let earlier = self.is_by_time() && self.subject.time < original.record.time;
        // The last choice counts: that of the original, or that of the document at hand.
        let chosen = (self.standing.kept.get(&original.seq).copied(), self.subject.rules.kept);
        let is_chosen = chosen.1 > chosen.0;
        let is_next = earlier && via.is_none() && changed.is_empty() && chosen.0.is_none();
        if is_chosen || is_next {
            self.round.forward(original.seq, &original.record, self.round.next());
            let replaces = Some(original.record.id.clone());
            let decided = Decided { kept: is_chosen, ..Decided::default() };
            let said = StoredVerdict::original(self.subject.id);
            return StoredVerdict { cluster, replaces, decided, ..said };
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
            outside_window: false,
            doubtful: false,
            nothing_but_form: false,
            decided: Decided { kept: chosen.0.is_some(), ..Decided::default() },
        }
    }
}

/// Exact copies, then the most similar, then the earliest arrival.
fn best_first(a: &NearDocument, b: &NearDocument) -> std::cmp::Ordering {
    b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.seq.cmp(&b.seq))
}
