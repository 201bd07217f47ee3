//! Judges the documents of a round one after another, and decides what is kept of them.

use super::{
    answer::{Answer, Verdict},
    arrival::Arrival,
    bitmap_index::{BitmapIndex, BitmapQuery},
    counters::StoreCounters,
    decision_state::DecisionState,
    judge::{Judge, NearDocument, Subject},
    lookup::{self, Lookup},
    record::DocumentRecord,
    round::Round,
    store::{Found, Probe, Store, StoreError},
    window::Clock,
};
use crate::{
    features::Features,
    guard::Figures,
    keys::{self, StreamKeys},
    same_site::form,
    settings::{Matcher, Numbers, Settings},
};

/// A document with this many near-duplicates that expire together with it is found through them and
/// needs no band keys of its own. With this many exact copies, it needs no key for its text either.
const REPRESENTED: usize = 8;

/// Judges the documents of a round.
pub(super) struct RoundJudge<'a> {
    pub(super) settings: &'a Settings,
    pub(super) keys: &'a StreamKeys,
    pub(super) bitmap_index: Option<&'a BitmapIndex>,
    pub(super) clock: &'a Clock,
    pub(super) decisions: &'a DecisionState,
}

impl RoundJudge<'_> {
    /// Judges a document and keeps it.
    pub(super) fn take<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        mut lookup: Lookup,
        counters: &mut StoreCounters,
    ) -> Result<Answer, StoreError> {
        let mut generation = 0;
        let mut former = None;
        for seq in round.under(&lookup.own.0, &lookup.own.1) {
            let Some(record) = round.record(seq)?.filter(|record| record.id == arrival.id) else {
                continue;
            };
            generation = generation.max(record.generation + 1);
            if !record.dead {
                if record.content == arrival.content {
                    return Ok(record.said.answer(&arrival.id, true));
                }
                former = Some((seq, record));
            }
        }

        // Earlier documents of this round may change the features: pages reveal furniture, and with a
        // model an exact copy lends its weights.
        let is_new = round.has_added(&lookup.site.0)
            || self.settings.model.is_some() && round.has_added(&lookup.twins.0)
            || round.has_replaced;
        let (features, probe, found) = match is_new {
            false => (None, lookup.near.0.clone(), std::mem::take(&mut lookup.near.1)),
            true => {
                let features = self.features(round, arrival, &lookup.twins, &lookup.site)?;
                let probe = self.of_near(arrival.time, &features);
                let found = match probe == lookup.near.0 {
                    true => std::mem::take(&mut lookup.near.1),
                    false => round.find(std::slice::from_ref(&probe))?.remove(0),
                };
                (Some(features).filter(|own| *own != lookup.features), probe, found)
            }
        };
        let found = round.merged(&probe, found);
        let crowded: Vec<bool> = found.lists.iter().map(|list| list.crowded).collect();
        counters.capped += crowded.iter().filter(|crowded| **crowded).count() as u64;

        let window = self.settings.stream.window;
        let figures = match self.settings.numbers {
            Numbers::Guard => Figures::from_bytes(&arrival.figures),
            _ => None,
        };
        let mut subject = Subject {
            id: &arrival.id,
            time: arrival.time,
            site: arrival.site(),
            text: arrival.fingerprint(),
            lines: arrival.page().map(|page| page.lines()).unwrap_or_default(),
            features: features.as_ref().unwrap_or(&lookup.features),
            form: Vec::new(),
            figures,
            above: self.is_above(),
            rules: self.decisions.rules.of(&arrival.id, arrival.content),
        };
        let mut deep = Vec::new();
        let mut near = self.near(round, &mut subject, &lookup, (&probe, &found, &deep))?;
        if near.is_empty() && former.is_none() {
            let around = (&found, arrival.time);
            deep = self.deeper(round, around, subject.features, &lookup.deep)?;
            if !deep.is_empty() {
                near = self.near(round, &mut subject, &lookup, (&probe, &found, &deep))?;
            }
        }
        let beside = |near: &&NearDocument| window.same_part(near.record.time, arrival.time);
        let represented = near.iter().filter(beside).count() >= REPRESENTED;
        let has_twins = near.iter().filter(beside).filter(|n| n.exact).count() >= REPRESENTED;
        let left = match &former {
            Some((seq, record)) => self.retire(round, *seq, record)?,
            None => Vec::new(),
        };
        let (settings, standing) = (self.settings, &self.decisions.standing);
        let mut said = Judge { settings, round, subject: &subject, standing }.judge(near)?;
        // Copies of the former text keep the name of their cluster only if the new text is in it.
        if said.original.is_none() || said.cluster != arrival.id {
            self.name_anew(round, &arrival.id, &left)?;
        }
        said.decided.text_changed = subject.rules.text_changed;
        said.outside_window = window.is_outside(arrival.time, self.clock);
        said.doubtful = arrival.doubtful;
        said.nothing_but_form =
            said.verdict == Verdict::TooShort && arrival.has_enough(self.settings);
        let answer = said.answer(&arrival.id, false);

        if window.is_past(arrival.time, self.clock) {
            counters.late += 1;
            return Ok(answer);
        }
        let bucket = window.bucket(arrival.time, self.clock, &round.head);
        let mut keys = vec![keys::of_id(&arrival.id)];
        keys.extend(arrival.fingerprint().filter(|_| !has_twins).map(keys::of_text));
        keys.extend(arrival.site().map(keys::of_site));
        keys.extend(arrival.url.as_deref().map(keys::of_url));
        keys.extend(said.original.iter().map(|original| keys::of_members(original.seq)));
        let by_bands = matches!(self.keys, StreamKeys::Bands { .. });
        if !by_bands || !represented {
            // A crowded band takes no more documents, except a new generation: the former ones are
            // dead, and may be all that the key leads to.
            let takes = |crowded: bool| !by_bands || !crowded || former.is_some();
            let open = probe.keys.iter().zip(&crowded).filter(|(_, crowded)| takes(**crowded));
            keys.extend(open.map(|(key, _)| key));
            for (probe, found) in deep.iter().skip(1) {
                let open =
                    probe.keys.iter().zip(&found.lists).filter(|(_, list)| takes(list.crowded));
                keys.extend(open.map(|(key, _)| key));
            }
        }
        let page = arrival.page();
        let record = DocumentRecord {
            id: arrival.id.clone(),
            generation,
            time: arrival.time,
            content: arrival.content,
            url: arrival.url.clone(),
            title: arrival.title.clone(),
            source: arrival.source.clone(),
            site: arrival.site().map(str::to_owned),
            headline: page.map(|page| page.headline.clone()).unwrap_or_default(),
            lines: page.map(|page| page.lines.clone()).unwrap_or_default(),
            text: arrival.fingerprint(),
            features: Features { sketch: Vec::new(), ..features.unwrap_or(lookup.features) },
            figures: arrival.figures.clone(),
            said,
            forward: None,
            dead: false,
        };
        round.insert(record, bucket, keys);
        Ok(answer)
    }

    /// Whether the similarity must exceed the threshold, not just reach it.
    pub(super) fn is_above(&self) -> bool {
        matches!(self.settings.matcher, Some(Matcher::Collisions(_)))
    }

    /// All near-duplicates in the store; with `collisions`, only that of the best candidate.
    fn near<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        subject: &mut Subject<'_>,
        lookup: &Lookup,
        (probe, found, deep): (&Probe, &Found, &[(Probe, Found)]),
    ) -> Result<Vec<NearDocument>, StoreError> {
        let mut seqs = Vec::new();
        for seq in round.under(&lookup.twins.0, &lookup.twins.1) {
            if round.record(seq)?.is_some_and(|twin| subject.is_exact_copy_of(&twin)) {
                seqs.push(seq);
            }
        }
        let least = self.keys.least_shared();
        match self.keys {
            StreamKeys::Collisions { .. } if seqs.is_empty() => {
                let sharing = lookup::sharing(found, least);
                let most = sharing.iter().map(|(_, common)| *common).max();
                seqs.extend(sharing.iter().find(|hit| Some(hit.1) == most).map(|hit| hit.0));
            }
            // This method compares one candidate only, and an exact copy is the best one.
            StreamKeys::Collisions { .. } => {}
            _ => seqs.extend(lookup::candidates(self.keys, found, deep)),
        }
        let is_as_looked_up = std::ptr::eq(subject.features, &lookup.features);
        if let Some(bitmap_index) = self.bitmap_index.filter(|_| self.is_compared(subject.features))
        {
            let question =
                BitmapQuery { set: &subject.features.set, from: probe.from, to: probe.to };
            // The lookup for the whole round still holds, apart from what the round has added since.
            match is_as_looked_up {
                true => {
                    seqs.extend(&lookup.bitmap_candidates);
                    seqs.extend(bitmap_index.candidates_since(&question, lookup.since));
                }
                false => seqs.extend(bitmap_index.candidates_since(&question, 0)),
            }
        }
        seqs.sort_unstable();
        seqs.dedup();
        round.fetch(seqs.iter().copied())?;
        let mut candidates = Vec::with_capacity(seqs.len());
        for seq in seqs {
            let record = round.record(seq)?;
            let record = record.filter(|record| !record.dead && record.id != subject.id);
            candidates.extend(record.map(|record| (seq, record)));
        }
        round.compared += candidates.len() as u64;
        let others = candidates.iter().map(|(_, record)| record.features.of_page());
        subject.form = form(subject.features.of_page(), others);
        let near = candidates.iter().filter_map(|(seq, record)| {
            let known = lookup.scores.get(seq);
            match known.filter(|_| is_as_looked_up && !subject.shares_form_with(record)) {
                Some(&score) => subject.near_by(*seq, record, || score),
                None => subject.near(self.settings, *seq, record),
            }
        });
        Ok(near.collect())
    }
}
