//! What is asked of the store about documents before they are judged, for a whole round at once.

use super::{
    arrival::Arrival,
    bitmap_index::Question,
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
    template::{Hashes, Page, Templates},
};
use std::{collections::HashMap, sync::Arc};

/// Generations of a document that are looked at: only the latest may count.
const OWN: Cap = Cap { most: 4, first: 0, last: 4 };
/// Exact copies that are looked at.
const TWINS: Cap = Cap::halves(16);
/// Pages of a site by which its furniture is known.
const PAGES: Cap = Cap::halves(24);
/// Documents under the key of a band. What more have in common is boilerplate, and says little: of these
/// a few are looked at, and no more are put there.
const BAND: Cap = Cap { most: 32, first: 1, last: 1 };
/// Documents under a value of a sketch. Only the best of them is read, so that more can be counted.
const VALUE: Cap = Cap::halves(64);
/// Copies of an original that may take its place.
const MEMBERS: Cap = Cap::halves(64);
/// Candidates that are compared, those with the most common keys first.
const CANDIDATES: usize = 256;

/// All times.
const EVER: (i64, i64) = (i64::MIN, i64::MAX);

/// Records with their numbers.
type Fetched = Vec<(Seq, Arc<DocumentRecord>)>;

/// What is asked of the store about a document, and what it says.
pub(super) struct Asked {
    pub(super) own: (Probe, Found),
    pub(super) twins: (Probe, Found),
    pub(super) site: (Probe, Found),
    pub(super) near: (Probe, Found),
    /// What the document is compared by, as far as the store knows.
    pub(super) features: Features,
    /// How near those of the store are that are to be compared by it.
    pub(super) scores: HashMap<Seq, Option<f64>, BuildHashed>,
    /// What the bitmap index lets through, of the documents before this one.
    pub(super) bitmap_candidates: Vec<Seq>,
    pub(super) since: Seq,
}

/// The question for documents under one key.
fn single(key: Option<u64>, (from, to): (i64, i64), cap: Cap) -> Probe {
    Probe { keys: key.into_iter().collect(), from, to, cap }
}

/// The question for the generations of a document.
pub(super) fn of_id(id: &str) -> Probe {
    single(Some(keys::of_id(id)), EVER, OWN)
}

/// The question for the copies of an original.
pub(super) fn of_members(original: Seq) -> Probe {
    single(Some(keys::of_members(original)), EVER, MEMBERS)
}

/// The documents that have enough keys in common to be compared.
pub(super) fn candidates(found: &Found, keys: &StreamKeys) -> Vec<Seq> {
    let mut hits = sharing(found, keys.least_shared());
    if hits.len() > CANDIDATES && !keys.is_exact() {
        hits.sort_by_key(|&(seq, common)| (std::cmp::Reverse(common), seq));
        hits.truncate(CANDIDATES);
    }
    hits.into_iter().map(|(seq, _)| seq).collect()
}

/// The documents that have so many keys in common, and how many, ascending by number.
pub(super) fn sharing(found: &Found, least: u32) -> Vec<(Seq, u32)> {
    let mut seqs: Vec<Seq> =
        found.lists.iter().flat_map(|list| list.seqs.iter().copied()).collect();
    seqs.sort_unstable();
    let runs = seqs.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
    runs.filter(|(_, common)| *common >= least).collect()
}

impl RoundJudge<'_> {
    /// Asks the store about documents, all at once.
    pub(super) fn ask<S: Store>(
        &self,
        round: &mut Round<'_, S>,
        arrivals: &[Arrival],
    ) -> Result<Vec<Asked>, StoreError> {
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
        // Of three questions about a document, the third is for pages of its site.
        let of_pages = found.as_slice().iter().skip(2).step_by(3).flat_map(all);
        round.fetch_pages(of_pages)?;
        let of_records = found.as_slice().chunks(3).flat_map(|three| three[..2].iter());
        round.fetch(of_records.flat_map(all))?;
        let mut probes = probes.into_iter();
        let mut asked = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let mut next = || {
                let probe = probes.next().unwrap_or_default();
                (probe, found.next().unwrap_or_default())
            };
            let (own, twins, site) = (next(), next(), next());
            let features = self.features(round, arrival, &twins, &site)?;
            let near = (self.of_near(arrival.time, &features), Found::default());
            let (scores, bitmap_candidates, since) = (HashMap::default(), Vec::new(), round.next());
            asked.push(Asked {
                own,
                twins,
                site,
                near,
                features,
                scores,
                bitmap_candidates,
                since,
            });
        }
        let probes: Vec<Probe> = asked.iter().map(|asked| asked.near.0.clone()).collect();
        for (asked, found) in asked.iter_mut().zip(round.find(&probes)?) {
            asked.near.1 = found;
        }
        self.sift(&mut asked);
        let near = |asked: &Asked| {
            let mut near = candidates(&asked.near.1, self.keys);
            near.extend(&asked.bitmap_candidates);
            near
        };
        let near: Vec<Vec<Seq>> = asked.iter().map(near).collect();
        round.fetch(near.iter().flatten().copied())?;
        self.compare(round, &mut asked, near);
        Ok(asked)
    }

    /// Compares documents with those that have been fetched for them, all at once.
    fn compare<S: Store>(&self, round: &Round<'_, S>, asked: &mut [Asked], near: Vec<Vec<Seq>>) {
        let (rule, above) = (self.settings.rule(), self.is_above());
        let fetched = |seq: Seq| Some((seq, round.fetched(seq)?.clone()));
        let near = near.into_iter().map(|near| near.into_iter().filter_map(fetched).collect());
        let near = asked.iter().map(|asked| &asked.features).zip(near);
        let pairs: Vec<(&Features, Fetched)> = near.collect();
        let scores = parallel_map(&pairs, |(features, near)| {
            let score =
                |record: &DocumentRecord| similarity(rule, features, &record.features, above);
            near.iter().map(|(seq, record)| (*seq, score(record))).collect()
        });
        for (asked, scores) in asked.iter_mut().zip(scores) {
            asked.scores = scores;
        }
    }

    /// Asks the bitmap index about all documents at once.
    fn sift(&self, asked: &mut [Asked]) {
        let Some(bitmap_index) = self.bitmap_index else { return };
        let mut compared: Vec<&mut Asked> =
            asked.iter_mut().filter(|asked| self.is_compared(&asked.features)).collect();
        let question = |asked: &&mut Asked| {
            let set: Vec<u64> = asked.features.set.clone();
            (set, asked.near.0.from, asked.near.0.to)
        };
        let questions: Vec<_> = compared.iter().map(question).collect();
        let questions: Vec<Question<'_>> = questions
            .iter()
            .map(|(set, from, to)| Question { set, from: *from, to: *to })
            .collect();
        for (asked, bitmap_candidates) in
            compared.iter_mut().zip(bitmap_index.candidates(&questions))
        {
            asked.bitmap_candidates = bitmap_candidates;
        }
    }

    /// Whether a document has enough features to be compared.
    pub(super) fn is_compared(&self, features: &Features) -> bool {
        features.len() >= self.settings.min_features.max(1)
    }

    /// What a document is compared by: its features without the furniture of its site, as far as that
    /// is known from the pages that were seen.
    ///
    /// A model weighs words by title and address, too. Of the same text twice the first stands for
    /// both, as in a whole collection.
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
                    twin.features.fingerprint == arrival.fingerprint()
                        && twin.id != arrival.id
                        && !twin.dead
                };
                if let Some(twin) = round.record(seq)?.filter(same) {
                    return Ok(twin.features.clone());
                }
            }
        }
        let furniture = match arrival.signed.page().filter(|_| arrival.site().is_some()) {
            None => Hashes::default(),
            Some(own) => {
                let mut pages = Vec::new();
                for seq in round.under(probe, found) {
                    pages.extend(round.page(seq)?.filter(|page| {
                        page.site.as_deref() == Some(own.site())
                            && page.id != arrival.id
                            && !page.dead
                    }));
                }
                let mut pages: Vec<Page<'_>> = pages
                    .iter()
                    .map(|page| Page { title: &page.title, blocks: &page.blocks })
                    .collect();
                pages.push(Page::from(own));
                Templates::of_site(&pages)
            }
        };
        Ok(arrival.features(self.settings, |block| furniture.contains(&block)))
    }

    /// The question for documents with the same text.
    pub(super) fn of_twins(&self, time: i64, fingerprint: Option<u128>) -> Probe {
        single(fingerprint.map(keys::of_text), self.settings.stream.window.around(time), TWINS)
    }

    /// The question for documents near one.
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
