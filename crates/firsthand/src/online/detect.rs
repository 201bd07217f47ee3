//! The detector of a stream: what arrives is judged against the store and kept there.

use super::{
    answer::{Answer, Verdict},
    arrival::Arrival,
    judge::{Case, Judge, Near},
    keys::{self, Keying, NearKeys},
    order::{ENOUGH, Order},
    record::{Record, Said},
    round::Round,
    settings::{Index, Numbers},
    store::{Found, Probe, Seq, Store, StoreError},
    tallies::Tallies,
    window::Clock,
};
use crate::{
    config::Config,
    detector::Detector,
    guard::Figures,
    measure::Rule,
    template::{Page, Templates},
};
use std::{collections::HashSet, sync::Arc};

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
/// Where the order of the exact index is kept.
const ORDER: &str = "order";

/// Judges documents as they arrive.
#[derive(Debug)]
pub struct Online<S> {
    pub(super) detector: Detector,
    pub(super) store: S,
    pub(super) keying: Keying,
    pub(super) clock: Clock,
}

/// What is asked of the store about a document before it is judged, for a whole round at once.
struct Asked {
    own: (Probe, Found),
    twins: (Probe, Found),
    site: (Probe, Found),
    near: (Probe, Found),
}

impl<S: Store> Online<S> {
    /// Judges by a detector, with a store that was made with the same settings. They must be fit for
    /// a stream: see [`Config::check_online`].
    pub fn new(detector: Detector, store: S) -> Self {
        let keying = Keying::new(detector.config());
        Self { detector, store, keying, clock: Clock::default() }
    }

    /// Judges documents in their order and keeps them. When it returns, they are durable. The answers
    /// do not depend on how documents are gathered into calls.
    pub fn add(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let mut answers = Vec::with_capacity(arrivals.len());
        while answers.len() < arrivals.len() {
            self.round(&arrivals[answers.len()..], &mut answers)?;
        }
        Ok(answers)
    }

    /// Judges documents, each as if it were the next to arrive, and keeps none.
    pub fn check(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, StoreError> {
        let Self { detector, store, keying, .. } = self;
        let mut round = Round::begin(store)?;
        let mut tallies = Tallies::default();
        let result = (|| {
            thaw(&mut round, keying)?;
            let head = round.head.clone();
            let desk = Desk { config: detector.config(), keying, clock: &Clock::default() };
            let asked = desk.ask(&mut round, arrivals)?;
            let mut answers = Vec::with_capacity(arrivals.len());
            for (arrival, asked) in arrivals.iter().zip(&asked) {
                answers.extend(desk.take(&mut round, arrival, asked, &mut tallies)?);
                round.undo(&head);
            }
            Ok(answers)
        })();
        round.abandon();
        result
    }

    /// Judges documents in one round with the store, the first at least.
    fn round(&mut self, arrivals: &[Arrival], answers: &mut Vec<Answer>) -> Result<(), StoreError> {
        let Self { detector, store, keying, clock } = self;
        let config = detector.config();
        let mut round = Round::begin(store)?;
        clock.resume(round.head.clock);
        let before = answers.len();
        let result = (|| {
            thaw(&mut round, keying)?;
            let mut tallies = Tallies::load(&mut round)?;
            let known = tallies.clone();
            // Until there is an order, documents are compared with all: no round may reach beyond the
            // document that makes an order possible.
            let documents: u64 = round.head.buckets.iter().map(|bucket| bucket.documents).sum();
            let most = match keying {
                Keying::Exact { order: None, .. } => ENOUGH.saturating_sub(documents).max(1),
                _ => u64::MAX,
            };
            let arrivals =
                &arrivals[..arrivals.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
            let asked = Desk { config, keying, clock }.ask(&mut round, arrivals)?;
            for (arrival, asked) in arrivals.iter().zip(&asked) {
                let desk = Desk { config, keying, clock };
                let Some(answer) = desk.take(&mut round, arrival, asked, &mut tallies)? else {
                    break;
                };
                if !answer.repeated {
                    clock.see(arrival.time);
                }
                answers.push(answer);
                let (over, given_up) = config.online.window.over_by(&round.head, clock);
                if !over.is_empty() || !given_up.is_empty() {
                    // What is forgotten is so for the next document, whatever round that is in.
                    tallies.give_up(&round.head, &given_up);
                    round.changes.forget = over.into_iter().chain(given_up).collect();
                    break;
                }
            }
            round.changes.clock = clock.now();
            tallies.save(&known, &mut round);
            Ok(())
        })();
        let enough = round.documents() >= ENOUGH;
        let result = match result {
            Ok(()) => round.commit(),
            Err(error) => {
                round.abandon();
                Err(error)
            }
        };
        result.inspect_err(|_| answers.truncate(before))?;
        match keying {
            Keying::Exact { rule, order: order @ None } if enough => {
                freeze(store, *rule).map(|frozen| *order = frozen)
            }
            _ => Ok(()),
        }
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }
}

/// Learns the order of the exact index, if another process has frozen it.
fn thaw<S: Store>(round: &mut Round<'_, S>, keying: &mut Keying) -> Result<(), StoreError> {
    if let Keying::Exact { order: order @ None, .. } = keying
        && let Some(bytes) = round.value(ORDER)?
    {
        let damaged = || StoreError::Damaged("the order of the exact index cannot be read".into());
        *order = Some(Order::from_bytes(&bytes).ok_or_else(damaged)?);
    }
    Ok(())
}

/// Freezes the order of the exact index, now that there are enough documents, and gives these their
/// keys; none if another process was faster.
fn freeze<S: Store>(store: &mut S, rule: Rule) -> Result<Option<Order>, StoreError> {
    let mut round = Round::begin(store)?;
    let result = (|| {
        if round.value(ORDER)?.is_some() {
            return Ok(None);
        }
        let records: Vec<(Seq, Record)> = round.all()?;
        let order = Order::new(records.iter().map(|(_, record)| record.features.as_slice()));
        for (seq, record) in &records {
            if !record.features.is_empty() && !record.dead {
                round.add_keys(*seq, record.time, order.keys(rule, &record.features).keys);
            }
        }
        round.changes.values.push((ORDER.to_owned(), order.to_bytes()));
        Ok(Some(order))
    })();
    match &result {
        Ok(Some(_)) => round.commit()?,
        _ => round.abandon(),
    }
    result
}

/// Where one document after another is judged.
pub(super) struct Desk<'a> {
    pub(super) config: &'a Config,
    pub(super) keying: &'a Keying,
    pub(super) clock: &'a Clock,
}

impl Desk<'_> {
    /// Asks the store about documents, all at once.
    fn ask<S: Store>(
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
        round.fetch(found.as_slice().iter().flat_map(|found| found.hits.iter().map(|h| h.seq)))?;
        let mut probes = probes.into_iter();
        let mut asked = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let mut next = || {
                let probe = probes.next().unwrap_or_default();
                (probe, found.next().unwrap_or_default())
            };
            let (own, twins, site) = (next(), next(), next());
            asked.push(Asked { own, twins, site, near: (Probe::default(), Found::default()) });
            let last = asked.len() - 1;
            let set = self.set(round, arrival, &asked[last])?;
            asked[last].near.0 = self.probe(arrival, &set);
        }
        let probes: Vec<Probe> = asked.iter().map(|asked| asked.near.0.clone()).collect();
        for (asked, found) in asked.iter_mut().zip(round.find(&probes)?) {
            asked.near.1 = found;
        }
        let near = asked.iter().flat_map(|asked| candidates(&asked.near.1.hits));
        let near: Vec<Seq> = near.collect();
        round.fetch(near.into_iter())?;
        Ok(asked)
    }

    /// What a document is compared by: its features without the furniture of its site, as far as that
    /// is known from the pages that were seen.
    fn set<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        asked: &Asked,
    ) -> Result<Vec<u64>, StoreError> {
        let furniture = match arrival.site {
            None => HashSet::new(),
            Some(_) => {
                let mut pages = Vec::new();
                for seq in round.under(&asked.site.0, &asked.site.1) {
                    let record = round.record(seq)?;
                    pages.extend(record.filter(|record| {
                        record.site == arrival.site && record.id != arrival.id && !record.dead
                    }));
                }
                let page = |record: &'_ Arc<Record>| -> (Vec<u64>, Vec<_>) {
                    (record.title.clone(), record.blocks.clone())
                };
                let kept: Vec<_> = pages.iter().map(page).collect();
                let mut pages: Vec<Page<'_>> =
                    kept.iter().map(|(title, blocks)| Page { title, blocks }).collect();
                let signature = &arrival.signature;
                pages.push(Page { title: &signature.title, blocks: &signature.blocks });
                Templates::of_site(&pages)
            }
        };
        Ok(arrival.set(self.config, |block| furniture.contains(&block)))
    }

    /// The question for documents near this one.
    fn probe(&self, arrival: &Arrival, set: &[u64]) -> Probe {
        let NearKeys { keys, least } = match set.len() < self.config.min_features.max(1) {
            true => NearKeys { keys: Vec::new(), least: 1 },
            false => self.keying.keys(set, &arrival.sketch),
        };
        let (from, to) = self.config.online.window.around(arrival.time);
        let most = if self.keying.is_exact() { 0 } else { UNDER_A_KEY };
        Probe { keys, least, from, to, most }
    }

    /// Judges a document and keeps it; none if the round has to end before.
    fn take<S: Store>(
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

        let set = self.set(round, arrival, asked)?;
        let probe = self.probe(arrival, &set);
        let singly;
        let found = match probe == asked.near.0 {
            true => &asked.near.1,
            // Pages that came in this round have shown what is furniture.
            false => {
                singly = round.find(std::slice::from_ref(&probe))?.remove(0);
                &singly
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
        let near = self.near(round, arrival, &case, asked, (&probe, found))?;
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
            Index::Exact => seqs.extend(sharing.iter().map(|hit| hit.seq)),
            Index::Bands(_) => seqs.extend(candidates(&sharing)),
        }
        seqs.sort_unstable();
        seqs.dedup();
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
fn candidates(hits: &[super::store::Hit]) -> impl Iterator<Item = Seq> {
    let mut hits = hits.to_vec();
    if hits.len() > CANDIDATES {
        hits.sort_by_key(|hit| (std::cmp::Reverse(hit.common), hit.seq));
        hits.truncate(CANDIDATES);
    }
    hits.into_iter().map(|hit| hit.seq)
}
