//! The store lookups for the documents of a round, made together before any of them is judged.

use super::{
    arrival::Arrival,
    bitmap_index::BitmapQuery,
    record::DocumentRecord,
    round::Round,
    round_judge::RoundJudge,
    store::{Cap, Found, Probe, Seq, Store, StoreError},
};
use crate::{
    compare::similarity,
    features::Features,
    hashed::BuildHashed,
    keys::{self, StreamKeys},
    parallel::parallel_map,
    template::{PageView, SiteTemplate},
};
use std::{collections::HashMap, sync::Arc};

/// The generations of a document that are read: only the latest one can be alive.
const OWN: Cap = Cap { most: 4, first: 0, last: 4 };
/// The exact copies that are read.
const TWINS: Cap = Cap::halves(16);
/// The pages of a site that its furniture is learned from.
const PAGES: Cap = Cap::halves(24);
/// The documents under the key of a band. What more than 32 documents share is boilerplate and no sign of
/// a copy: of a crowded band only the first and the last document are read, and none are added.
const BAND: Cap = Cap { most: 32, first: 1, last: 1 };
/// The same for a document most of whose bands are crowded: there, those that share the most are
/// candidates, wherever they are in the lists.
const WIDE: Cap = Cap::halves(32);
/// The most of those candidates.
const WIDE_CANDIDATES: usize = 8;
/// The documents under the key of several bands together.
const DEEP: Cap = Cap::halves(64);
/// How often bands are joined, two and two, while most of the keys are crowded.
const LEVELS: usize = 2;
/// The documents under a value of a sketch. Only the best of them is read, so more can be counted.
const VALUE: Cap = Cap::halves(64);
/// The copies of an original that are considered to replace it.
const MEMBERS: Cap = Cap::halves(64);
/// The most candidates under keys of several bands.
const DEEP_CANDIDATES: usize = 64;
/// The most candidates that are compared, those that share the most keys first.
const CANDIDATES: usize = 256;

const EVER: (i64, i64) = (i64::MIN, i64::MAX);

/// Records with their sequence numbers.
type Fetched = Vec<(Seq, Arc<DocumentRecord>)>;

/// The probes for one document, with what the store has under their keys.
pub(super) struct Lookup {
    pub(super) own: (Probe, Found),
    pub(super) twins: (Probe, Found),
    pub(super) site: (Probe, Found),
    pub(super) near: (Probe, Found),
    /// Where most of those keys are crowded: the same keys with longer lists, then several bands together.
    pub(super) deep: Vec<(Probe, Found)>,
    /// The features of the document, given the pages in the store at the start of the round.
    pub(super) features: Features,
    /// The similarity to each candidate; `None` if it does not reach the threshold.
    pub(super) scores: HashMap<Seq, Option<f64>, BuildHashed>,
    /// The candidates of the bitmap index among documents before `since`.
    pub(super) bitmap_candidates: Vec<Seq>,
    pub(super) since: Seq,
}

impl Lookup {
    /// Whether a candidate is a near-duplicate, there are exact copies, or it is a new generation, which
    /// crowded keys take all the same.
    fn needs_no_more(&self) -> bool {
        self.scores.values().any(Option::is_some)
            || all(&self.twins.1).next().is_some()
            || all(&self.own.1).next().is_some()
    }
}

/// The probe for documents under one key.
fn single(key: Option<u64>, (from, to): (i64, i64), cap: Cap) -> Probe {
    Probe { keys: key.into_iter().collect(), from, to, cap }
}

/// The probe for the generations of a document.
pub(super) fn of_id(id: &str) -> Probe {
    single(Some(keys::of_id(id)), EVER, OWN)
}

/// The probe for all documents with a URL.
pub(super) fn of_url(url: &str) -> Probe {
    single(Some(keys::of_url(url)), EVER, Cap::NONE)
}

/// The probe for the copies of an original, or some of them if there are many.
pub(super) fn of_members(original: Seq) -> Probe {
    single(Some(keys::of_members(original)), EVER, MEMBERS)
}

/// The probe for all copies of an original.
pub(super) fn of_all_members(original: Seq) -> Probe {
    Probe { cap: Cap::NONE, ..of_members(original) }
}

/// The documents that share enough keys to be compared.
pub(super) fn candidates(keys: &StreamKeys, near: &Found, deep: &[(Probe, Found)]) -> Vec<Seq> {
    if keys.is_exact() {
        return sharing(near, keys.least_shared()).into_iter().map(|(seq, _)| seq).collect();
    }
    let mut candidates = most_sharing(near, keys.least_shared(), CANDIDATES);
    for (level, (_, found)) in deep.iter().enumerate() {
        candidates.extend(match level {
            0 => most_sharing(found, keys.least_shared(), WIDE_CANDIDATES),
            _ => most_sharing(found, 1, DEEP_CANDIDATES),
        });
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// Whether most keys are crowded, so that they say little about who is a copy.
fn is_blind(found: &Found) -> bool {
    2 * found.lists.iter().filter(|list| list.crowded).count() > found.lists.len()
}

/// The documents that share at least `least` keys; if there are many, those that share the most.
fn most_sharing(found: &Found, least: u32, most: usize) -> Vec<Seq> {
    let mut hits = sharing(found, least);
    if hits.len() > most {
        hits.sort_by_key(|&(seq, common)| (std::cmp::Reverse(common), seq));
        hits.truncate(most);
    }
    hits.into_iter().map(|(seq, _)| seq).collect()
}

/// The documents that share at least `least` keys, with the number of shared keys, in ascending order.
pub(super) fn sharing(found: &Found, least: u32) -> Vec<(Seq, u32)> {
    let mut seqs: Vec<Seq> =
        found.lists.iter().flat_map(|list| list.seqs.iter().copied()).collect();
    seqs.sort_unstable();
    let runs = seqs.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
    runs.filter(|(_, common)| *common >= least).collect()
}

impl RoundJudge<'_> {
    /// Looks up documents in the store, all of them together.
    pub(super) fn look_up<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrivals: &[Arrival],
    ) -> Result<Vec<Lookup>, StoreError> {
        let probes: Vec<Probe> = arrivals
            .iter()
            .flat_map(|arrival| {
                let site = arrival.site().map(keys::of_site);
                [
                    of_id(&arrival.id),
                    self.of_twins(arrival.time, arrival.fingerprint()),
                    single(site, EVER, PAGES),
                ]
            })
            .collect();
        let mut found = round.find(&probes)?.into_iter();
        // Of the three probes for a document, the third is for pages of its site.
        let of_pages = found.as_slice().iter().skip(2).step_by(3).flat_map(all);
        round.fetch_pages(of_pages)?;
        let of_records = found.as_slice().chunks(3).flat_map(|three| three[..2].iter());
        round.fetch(of_records.flat_map(all))?;
        let mut probes = probes.into_iter();
        let mut lookups = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let mut next = || {
                let probe = probes.next().unwrap_or_default();
                (probe, found.next().unwrap_or_default())
            };
            let (own, twins, site) = (next(), next(), next());
            let features = self.features(round, arrival, &twins, &site)?;
            let near = (self.of_near(arrival.time, &features), Found::default());
            let (scores, bitmap_candidates, since) = (HashMap::default(), Vec::new(), round.next());
            lookups.push(Lookup {
                own,
                twins,
                site,
                near,
                deep: Vec::new(),
                features,
                scores,
                bitmap_candidates,
                since,
            });
        }
        let probes: Vec<Probe> = lookups.iter().map(|lookup| lookup.near.0.clone()).collect();
        for (lookup, found) in lookups.iter_mut().zip(round.find(&probes)?) {
            lookup.near.1 = found;
        }
        self.query_bitmap_index(&mut lookups);
        let near = |lookup: &Lookup| {
            let mut near = candidates(self.keys, &lookup.near.1, &[]);
            near.extend(&lookup.bitmap_candidates);
            near
        };
        let near: Vec<Vec<Seq>> = lookups.iter().map(near).collect();
        round.fetch(near.iter().flatten().copied())?;
        self.compare(round, &mut lookups, near);
        self.look_deeper(round, arrivals, &mut lookups)?;
        let deep = |lookup: &Lookup| candidates(self.keys, &Found::default(), &lookup.deep);
        let deep: Vec<Seq> = lookups.iter().flat_map(deep).collect();
        round.fetch(deep.into_iter())?;
        Ok(lookups)
    }

    /// Looks up several bands together for the documents most of whose bands are crowded, unless they are
    /// known well enough.
    fn look_deeper<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrivals: &[Arrival],
        lookups: &mut [Lookup],
    ) -> Result<(), StoreError> {
        if !matches!(self.keys, StreamKeys::Bands { .. }) {
            return Ok(());
        }
        for level in 0..=LEVELS {
            let is_wanted = |lookup: &Lookup| match lookup.deep.last() {
                None => level == 0 && is_blind(&lookup.near.1) && !lookup.needs_no_more(),
                Some((_, found)) => lookup.deep.len() == level && is_blind(found),
            };
            let mut blind: Vec<(&mut Lookup, Probe)> = Vec::new();
            for (lookup, arrival) in lookups.iter_mut().zip(arrivals) {
                if is_wanted(lookup) {
                    let probe = self.of_deep(level, arrival.time, &lookup.features);
                    blind.push((lookup, probe));
                }
            }
            let probes: Vec<Probe> = blind.iter().map(|(_, probe)| probe.clone()).collect();
            for ((lookup, probe), found) in blind.into_iter().zip(round.find(&probes)?) {
                lookup.deep.push((probe, found));
            }
        }
        Ok(())
    }

    /// The same for one document, with what the round has added since.
    pub(super) fn deeper<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        (near, time): (&Found, i64),
        features: &Features,
        known: &[(Probe, Found)],
    ) -> Result<Vec<(Probe, Found)>, StoreError> {
        let mut deep: Vec<(Probe, Found)> = Vec::new();
        for level in 0..=LEVELS {
            let is_blind = is_blind(deep.last().map_or(near, |(_, found)| found));
            if !is_blind || !matches!(self.keys, StreamKeys::Bands { .. }) {
                break;
            }
            let probe = self.of_deep(level, time, features);
            let found = match known.get(level) {
                Some((known, found)) if *known == probe => found.clone(),
                _ => round.find(std::slice::from_ref(&probe))?.remove(0),
            };
            let found = round.merged(&probe, found);
            deep.push((probe, found));
        }
        Ok(deep)
    }

    fn of_deep(&self, level: usize, time: i64, features: &Features) -> Probe {
        let (from, to) = self.settings.stream.window.around(time);
        let cap = if level == 0 { WIDE } else { DEEP };
        Probe { keys: self.keys.deep(level, features), from, to, cap }
    }

    /// Compares documents with the candidates that were fetched for them, on several threads.
    fn compare<S: Store>(&self, round: &Round<'_, S>, lookups: &mut [Lookup], near: Vec<Vec<Seq>>) {
        let (rule, above) = (self.settings.rule(), self.is_above());
        let fetched = |seq: Seq| Some((seq, round.fetched(seq)?.clone()));
        let near = near.into_iter().map(|near| near.into_iter().filter_map(fetched).collect());
        let near = lookups.iter().map(|lookup| &lookup.features).zip(near);
        let pairs: Vec<(&Features, Fetched)> = near.collect();
        let scores = parallel_map(&pairs, |(features, near)| {
            let score =
                |record: &DocumentRecord| similarity(rule, features, &record.features, above);
            near.iter().map(|(seq, record)| (*seq, score(record))).collect()
        });
        for (lookup, scores) in lookups.iter_mut().zip(scores) {
            lookup.scores = scores;
        }
    }

    /// Queries the bitmap index for all documents at once.
    fn query_bitmap_index(&self, lookups: &mut [Lookup]) {
        let Some(bitmap_index) = self.bitmap_index else { return };
        let mut compared: Vec<&mut Lookup> =
            lookups.iter_mut().filter(|lookup| self.is_compared(&lookup.features)).collect();
        let query = |lookup: &&mut Lookup| {
            let set: Vec<u64> = lookup.features.set.clone();
            (set, lookup.near.0.from, lookup.near.0.to)
        };
        let queries: Vec<_> = compared.iter().map(query).collect();
        let queries: Vec<BitmapQuery<'_>> = queries
            .iter()
            .map(|(set, from, to)| BitmapQuery { set, from: *from, to: *to })
            .collect();
        for (lookup, bitmap_candidates) in
            compared.iter_mut().zip(bitmap_index.candidates(&queries))
        {
            lookup.bitmap_candidates = bitmap_candidates;
        }
    }

    /// Whether a document has enough features to be compared.
    pub(super) fn is_compared(&self, features: &Features) -> bool {
        features.len() >= self.settings.min_features.max(1)
    }

    /// The features of a document, without the furniture of its site as learned from the pages seen
    /// so far.
    ///
    /// With a model, the weights also depend on the title and the URL. Documents with the same text
    /// therefore all take the features of the first of them, as in a collection.
    pub(super) fn features<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrival: &Arrival,
        twins: &(Probe, Found),
        (probe, found): &(Probe, Found),
    ) -> Result<Features, StoreError> {
        if self.settings.model.is_some() {
            for seq in round.under(&twins.0, &twins.1) {
                let same = |twin: &Arc<DocumentRecord>| {
                    twin.text == arrival.fingerprint() && twin.id != arrival.id && !twin.dead
                };
                if let Some(twin) = round.record(seq)?.filter(same) {
                    let page = arrival.page().map(|page| page.head.clone());
                    return Ok(Features { page, ..twin.features.clone() });
                }
            }
        }
        let site = match arrival.page() {
            None => None,
            Some(own) => {
                let mut pages = Vec::new();
                for seq in round.under(probe, found) {
                    pages.extend(round.page(seq)?.filter(|page| {
                        page.site.as_deref() == Some(own.site())
                            && page.id != arrival.id
                            && !page.dead
                    }));
                }
                let mut pages: Vec<PageView<'_>> = pages
                    .iter()
                    .map(|page| PageView { headline: &page.headline, lines: &page.lines })
                    .collect();
                pages.push(PageView::from(own));
                SiteTemplate::learn(&pages)
            }
        };
        Ok(arrival.features(self.settings, site.as_ref()))
    }

    /// The probe for documents with the same text.
    pub(super) fn of_twins(&self, time: i64, fingerprint: Option<u128>) -> Probe {
        single(fingerprint.map(keys::of_text), self.settings.stream.window.around(time), TWINS)
    }

    /// The probe for candidates.
    pub(super) fn of_near(&self, time: i64, features: &Features) -> Probe {
        let keys = match self.is_compared(features) {
            false => Vec::new(),
            true => self.keys.of(features),
        };
        let (from, to) = self.settings.stream.window.around(time);
        let cap = match self.keys {
            StreamKeys::Collisions { .. } => VALUE,
            StreamKeys::Bands { .. } => BAND,
            StreamKeys::Exact | StreamKeys::Prefix { .. } => Cap::NONE,
        };
        Probe { keys, from, to, cap }
    }
}

fn all(found: &Found) -> impl Iterator<Item = Seq> {
    found.lists.iter().flat_map(|list| list.seqs.iter().copied())
}
