//! Where one document after another is judged: what is asked of the store, and what is kept.

use super::{
    answer::{Answer, Verdict},
    arrival::Arrival,
    judge::{Case, Judge, Near},
    keys::{self, Keying, NearKeys},
    record::{Record, Said},
    round::Round,
    settings::{Index, Numbers},
    sieve::{Question, Sieve},
    store::{Found, Hit, Probe, Seq, Store, StoreError},
    tallies::Tallies,
    window::Clock,
};
use crate::{
    config::Config,
    guard::Figures,
    template::{Hashes, Page, Templates},
};
use std::sync::Arc;

/// Documents under one key that are looked at. Keys that more have in common are boilerplate.
const UNDER_A_KEY: usize = 64;
/// Candidates that are compared, those with the most common keys first.
const CANDIDATES: usize = 256;
/// Exact copies that are looked at.
const TWINS: usize = 16;
/// Pages of a site by which its furniture is known.
const PAGES: usize = 24;
/// A document with so many near ones of its cluster and its hour is found through them.
const REPRESENTED: usize = 8;
/// What is asked of the store about a document before it is judged, for a whole round at once.
pub(super) struct Asked {
    own: (Probe, Found),
    twins: (Probe, Found),
    site: (Probe, Found),
    near: (Probe, Found),
    /// What the document is compared by, as far as the store knows.
    set: Vec<u64>,
    /// What the sieve lets through, of the documents before this one.
    sifted: Vec<Seq>,
    since: Seq,
}

/// Where one document after another is judged.
pub(super) struct Desk<'a> {
    pub(super) config: &'a Config,
    pub(super) keying: &'a Keying,
    pub(super) sieve: Option<&'a Sieve>,
    pub(super) clock: &'a Clock,
}

impl Desk<'_> {
    /// Asks the store about documents, all at once.
    pub(super) fn ask<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrivals: &[Arrival],
    ) -> Result<Vec<Asked>, StoreError> {
        let single = |key: Option<u64>, (from, to): (i64, i64), most| Probe {
            keys: key.into_iter().collect(),
            least: 1,
            from,
            to,
            most,
        };
        let ever = (i64::MIN, i64::MAX);
        let probes: Vec<Probe> = arrivals
            .iter()
            .flat_map(|arrival| {
                let window = self.config.online.window.around(arrival.time);
                let text = arrival.signature.fingerprint.map(keys::of_text);
                let site = arrival.site.as_deref().map(keys::of_site);
                [
                    single(Some(keys::of_id(&arrival.id)), ever, 0),
                    single(text, window, TWINS),
                    single(site, ever, PAGES),
                ]
            })
            .collect();
        let mut found = round.find(&probes)?.into_iter();
        // Of three questions about a document, the third is for pages of its site.
        let hits = |found: &Found| found.hits.iter().map(|hit| hit.seq).collect::<Vec<_>>();
        let of_pages = found.as_slice().iter().skip(2).step_by(3).flat_map(hits);
        round.fetch_pages(of_pages)?;
        let of_records = found.as_slice().chunks(3).flat_map(|three| three[..2].iter());
        round.fetch(of_records.flat_map(hits))?;
        let mut probes = probes.into_iter();
        let mut asked = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let mut next = || {
                let probe = probes.next().unwrap_or_default();
                (probe, found.next().unwrap_or_default())
            };
            let (own, twins, site) = (next(), next(), next());
            let set = self.set(round, arrival, &site)?;
            let near = (self.probe(arrival, &set), Found::default());
            let (sifted, since) = (Vec::new(), round.next());
            asked.push(Asked { own, twins, site, near, set, sifted, since });
        }
        let probes: Vec<Probe> = asked.iter().map(|asked| asked.near.0.clone()).collect();
        for (asked, found) in asked.iter_mut().zip(round.find(&probes)?) {
            asked.near.1 = found;
        }
        self.sift(&mut asked);
        let near = |asked: &Asked| {
            candidates(&asked.near.1.hits).chain(asked.sifted.iter().copied()).collect::<Vec<_>>()
        };
        let near: Vec<Seq> = asked.iter().flat_map(near).collect();
        round.fetch(near.into_iter())?;
        Ok(asked)
    }

    /// Asks the sieve about all documents at once.
    fn sift(&self, asked: &mut [Asked]) {
        let Some(sieve) = self.sieve else { return };
        let mut compared: Vec<&mut Asked> =
            asked.iter_mut().filter(|asked| self.is_compared(&asked.set)).collect();
        let question = |asked: &&mut Asked| {
            let set: Vec<u64> = asked.set.clone();
            (set, asked.near.0.from, asked.near.0.to)
        };
        let questions: Vec<_> = compared.iter().map(question).collect();
        let questions: Vec<Question<'_>> = questions
            .iter()
            .map(|(set, from, to)| Question { set, from: *from, to: *to })
            .collect();
        for (asked, sifted) in compared.iter_mut().zip(sieve.candidates(&questions)) {
            asked.sifted = sifted;
        }
    }

    /// Whether a document has enough features to be compared.
    fn is_compared(&self, set: &[u64]) -> bool {
        set.len() >= self.config.min_features.max(1)
    }

    /// What a document is compared by: its features without the furniture of its site, as far as that
    /// is known from the pages that were seen.
    fn set<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        (probe, found): &(Probe, Found),
    ) -> Result<Vec<u64>, StoreError> {
        let furniture = match arrival.site {
            None => Hashes::default(),
            Some(_) => {
                let mut pages = Vec::new();
                for seq in round.under(probe, found) {
                    pages.extend(round.page(seq)?.filter(|page| {
                        page.site == arrival.site && page.id != arrival.id && !page.dead
                    }));
                }
                let mut pages: Vec<Page<'_>> = pages
                    .iter()
                    .map(|page| Page { title: &page.title, blocks: &page.blocks })
                    .collect();
                let signature = &arrival.signature;
                pages.push(Page { title: &signature.title, blocks: &signature.blocks });
                Templates::of_site(&pages)
            }
        };
        Ok(arrival.set(self.config, |block| furniture.contains(&block)))
    }

    /// The question for documents near this one.
    fn probe(&self, arrival: &Arrival, set: &[u64]) -> Probe {
        let NearKeys { keys, least } = match self.is_compared(set) {
            false => NearKeys { keys: Vec::new(), least: 1 },
            true => self.keying.keys(set, &arrival.sketch),
        };
        let (from, to) = self.config.online.window.around(arrival.time);
        Probe { keys, least, from, to, most: UNDER_A_KEY }
    }

    /// Judges a document and keeps it; none if the round has to end before.
    pub(super) fn take<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        asked: &Asked,
        tallies: &mut Tallies,
    ) -> Result<Option<Answer>, StoreError> {
        let mut generation = 0;
        let mut former = None;
        for seq in round.under(&asked.own.0, &asked.own.1) {
            let Some(record) = round.record(seq)?.filter(|record| record.id == arrival.id) else {
                continue;
            };
            generation = generation.max(record.generation + 1);
            if !record.dead {
                if record.content == arrival.content {
                    return Ok(Some(record.said.answer(&arrival.id, true)));
                }
                former = Some((seq, record));
            }
        }

        // Pages that came in this round may have shown what is furniture.
        let (set, probe, found) = match round.has_added(&asked.site.0) || round.has_replaced {
            false => (asked.set.clone(), asked.near.0.clone(), asked.near.1.clone()),
            true => {
                let set = self.set(round, arrival, &asked.site)?;
                let probe = self.probe(arrival, &set);
                let found = match probe == asked.near.0 {
                    true => asked.near.1.clone(),
                    false => round.find(std::slice::from_ref(&probe))?.remove(0),
                };
                (set, probe, found)
            }
        };
        if found.capped > 0 && round.has_added(&probe) {
            // Which documents are looked at must not depend on where rounds end.
            return Ok(None);
        }
        tallies.capped += u64::from(found.capped);

        let figures = match self.config.numbers {
            Numbers::Guard => Figures::from_bytes(&arrival.figures),
            _ => None,
        };
        let case = Case {
            id: &arrival.id,
            time: arrival.time,
            fingerprint: arrival.signature.fingerprint,
            set: &set,
            figures,
            above: matches!(self.config.online.index, Index::Collisions(_)),
        };
        let near = self.near(round, arrival, &case, asked, (&probe, &found))?;
        let represented = self.represented(arrival, &near);
        if let Some((seq, record)) = former {
            self.retire(round, seq, &record)?;
        }
        let online = &self.config.online;
        let judge = Judge {
            rule: self.config.rule(),
            window: online.window,
            policy: online.policy,
            naming: online.naming,
            config: self.config,
        };
        let said = judge.judge(round, &case, near)?;
        let answer = said.answer(&arrival.id, false);

        let bucket = online.window.bucket(arrival.time, self.clock, &round.head);
        if online.window.is_past(bucket, self.clock) {
            tallies.late += 1;
            return Ok(Some(answer));
        }
        let mut keys = vec![keys::of_id(&arrival.id)];
        keys.extend(arrival.signature.fingerprint.map(keys::of_text));
        keys.extend(arrival.site.as_deref().map(keys::of_site));
        if let Said { verdict: Verdict::Duplicate, original: Some(original), .. } = &said {
            keys.push(keys::of_members(original.seq));
        }
        if !represented {
            keys.extend(&probe.keys);
        }
        let record = Record {
            id: arrival.id.clone(),
            generation,
            time: arrival.time,
            content: arrival.content,
            fingerprint: arrival.signature.fingerprint,
            site: arrival.site.clone(),
            title: arrival.signature.title.clone(),
            blocks: arrival.signature.blocks.clone(),
            features: set,
            figures: arrival.figures.clone(),
            said,
            forward: None,
            dead: false,
        };
        round.insert(record, bucket, keys);
        Ok(Some(answer))
    }

    /// All stored documents that are near, or the one that the settings look at.
    fn near<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        case: &Case<'_>,
        asked: &Asked,
        (probe, found): (&Probe, &Found),
    ) -> Result<Vec<Near>, StoreError> {
        let mut seqs = Vec::new();
        for seq in round.under(&asked.twins.0, &asked.twins.1) {
            if round.record(seq)?.is_some_and(|twin| twin.fingerprint == case.fingerprint) {
                seqs.push(seq);
            }
        }
        // A text that was there as it is needs no further look where one look is all.
        let sharing = round.sharing(probe, found);
        match self.config.online.index {
            Index::Collisions(_) if seqs.is_empty() => {
                let most = sharing.iter().map(|hit| hit.common).max();
                seqs.extend(sharing.iter().find(|hit| Some(hit.common) == most).map(|h| h.seq));
            }
            Index::Collisions(_) => {}
            Index::Exact | Index::Bands(_) => seqs.extend(candidates(&sharing)),
        }
        if let Some(sieve) = self.sieve.filter(|_| self.is_compared(case.set)) {
            let question = Question { set: case.set, from: probe.from, to: probe.to };
            // What was asked for a whole round is as good, apart from what the round has added.
            match case.set == asked.set {
                true => {
                    seqs.extend(&asked.sifted);
                    seqs.extend(sieve.candidates_since(&question, asked.since));
                }
                false => seqs.extend(sieve.candidates_since(&question, 0)),
            }
        }
        seqs.sort_unstable();
        seqs.dedup();
        round.fetch(seqs.iter().copied())?;
        let rule = self.config.rule();
        let mut near = Vec::new();
        for seq in seqs {
            let record = round.record(seq)?;
            let record = record.filter(|record| !record.dead && record.id != arrival.id);
            near.extend(record.and_then(|record| case.near(rule, seq, &record)));
        }
        Ok(near)
    }

    /// Whether a document is found through others, and needs no keys of its own. They must be
    /// forgotten together with it.
    fn represented(&self, arrival: &Arrival, near: &[Near]) -> bool {
        let beside =
            |near: &&Near| self.config.online.window.same_part(near.record.time, arrival.time);
        matches!(self.keying, Keying::Bands { .. })
            && near.iter().filter(beside).count() >= REPRESENTED
    }

    /// Takes a document out: the earliest of its copies becomes the original of their cluster.
    pub(super) fn retire<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        seq: Seq,
        record: &Record,
    ) -> Result<Option<Arc<Record>>, StoreError> {
        let probe = Probe {
            keys: vec![keys::of_members(seq)],
            least: 1,
            from: i64::MIN,
            to: i64::MAX,
            most: UNDER_A_KEY,
        };
        let found = round.find(std::slice::from_ref(&probe))?.remove(0);
        let mut first: Option<(Seq, Arc<Record>)> = None;
        for member in round.under(&probe, &found) {
            let member = round.record(member)?.map(|record| (member, record));
            let alive = member.filter(|(_, record)| !record.dead && record.forward.is_none());
            if let Some(member) = alive {
                let before = |first: &(Seq, Arc<Record>)| {
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
            // It points to itself: whatever was said of it, it is an original now.
            round.replace(*seq, Record { forward: Some(*seq), ..(**record).clone() });
            if matches!(self.keying, Keying::Bands { .. }) && !record.features.is_empty() {
                let keys = self.keying.keys(&record.features, &[]).keys;
                round.add_keys(*seq, record.time, keys);
            }
        }
        let forward = forward.or(promoted.as_ref().map(|(seq, _)| *seq));
        round.replace(seq, record.clone().bury(forward));
        Ok(promoted.map(|(_, record)| record))
    }
}

/// The hits that are compared.
fn candidates(hits: &[Hit]) -> impl Iterator<Item = Seq> {
    let mut hits = hits.to_vec();
    if hits.len() > CANDIDATES {
        hits.sort_by_key(|hit| (std::cmp::Reverse(hit.common), hit.seq));
        hits.truncate(CANDIDATES);
    }
    hits.into_iter().map(|hit| hit.seq)
}
