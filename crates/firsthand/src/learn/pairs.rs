//! The pairs that are learned from.

use super::{LearnError, Trainer};
use crate::{
    evaluate::{Random, Sample},
    pairs::Match,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most pairs of near-duplicates learned from; large clusters contribute fewer each.
const MOST: usize = 6_000;
/// Random draws before giving up on finding one more pair.
const TRIES: usize = 50;

/// Pairs of documents, by their positions.
pub(super) type DocumentPair = (usize, usize);

/// The pairs learned from, near-duplicates first, and which of them is to be more similar than
/// which.
#[derive(Debug)]
pub(super) struct DrawnPairs {
    pub(super) pairs: Vec<DocumentPair>,
    pub(super) positives: usize,
    pub(super) hard: usize,
    pub(super) orders: Vec<(u32, u32)>,
}

/// All pairs of near-duplicates with different texts, or as many from each cluster as fit.
pub(super) fn positives(
    trainer: &Trainer<'_>,
    sample: &Sample,
) -> Result<Vec<DocumentPair>, LearnError> {
    let mut clusters: BTreeMap<u32, Vec<DocumentPair>> = BTreeMap::new();
    for (a, b) in trainer.truth.positive_pairs() {
        let differ = trainer.documents[a].text != trainer.documents[b].text;
        if let Some(unit) = trainer.truth.unit(a).filter(|_| differ)
            && trainer.takes_part(a, sample)
        {
            clusters.entry(unit).or_default().push((a, b));
        }
    }
    if clusters.len() < 2 {
        let documents = trainer.counted(sample);
        return Err(LearnError::TooFew { clusters: clusters.len(), documents });
    }
    let mut random = Random::new(trainer.plan.seed, 1);
    clusters.values_mut().for_each(|pairs| random.shuffle(pairs));
    // In turns, so that no cluster is left out in favour of a large one.
    let mut pairs = Vec::new();
    for turn in 0.. {
        let before = pairs.len();
        pairs.extend(clusters.values().filter_map(|pairs| pairs.get(turn)));
        if pairs.len() == before || pairs.len() >= MOST {
            break;
        }
    }
    pairs.truncate(MOST);
    Ok(pairs)
}

/// The number of clusters that pairs come from.
pub(super) fn clusters(trainer: &Trainer<'_>, pairs: &[DocumentPair]) -> usize {
    pairs.iter().filter_map(|pair| trainer.truth.unit(pair.0)).collect::<BTreeSet<_>>().len()
}

/// As many other pairs as there are near-duplicates, half of them hard if there are enough, and the
/// pairs that were hard before; and random orders.
pub(super) fn draw(
    trainer: &Trainer<'_>,
    sample: &Sample,
    positives: &[DocumentPair],
    near: &[Match],
    round: u64,
    hard_before: &mut BTreeSet<DocumentPair>,
) -> Result<DrawnPairs, LearnError> {
    let mut random = Random::new(trainer.plan.seed, 2 + round);
    let mut taken: BTreeSet<DocumentPair> = BTreeSet::new();
    let is_other = |a: usize, b: usize| {
        trainer.truth.label(a, b) == Some(false)
            && trainer.takes_part(a, sample)
            && trainer.takes_part(b, sample)
    };
    let mut hardest: Vec<&Match> =
        near.iter().filter(|pair| !pair.exact && is_other(pair.a, pair.b)).collect();
    hardest.sort_by(|x, y| y.score.total_cmp(&x.score).then((x.a, x.b).cmp(&(y.a, y.b))));
    let half = positives.len().div_ceil(2);
    hard_before.extend(hardest.iter().take(half).map(|pair| (pair.a, pair.b)));
    taken.extend(hard_before.iter());
    for pair in of_one_site(trainer, &mut random, half.saturating_sub(taken.len())) {
        if is_other(pair.0, pair.1) {
            taken.insert(pair);
        }
    }
    let hard = taken.len();
    let wanted = hard + positives.len() / 2;
    let known: Vec<usize> =
        (0..trainer.documents.len()).filter(|&at| trainer.takes_part(at, sample)).collect();
    let mut tries = 0;
    while taken.len() < wanted && tries < TRIES * positives.len() {
        tries += 1;
        let (a, b) = (known[random.below(known.len())], known[random.below(known.len())]);
        if a != b && is_other(a, b) {
            taken.insert((a.min(b), a.max(b)));
        }
    }
    if taken.is_empty() {
        return Err(LearnError::NoNegatives);
    }
    let negatives = taken.len();
    let pairs: Vec<DocumentPair> = positives.iter().copied().chain(taken).collect();
    let mut order = || {
        let more = random.below(positives.len()) as u32;
        (more, (positives.len() + random.below(negatives)) as u32)
    };
    let orders = (0..trainer.plan.orders).map(|_| order()).collect();
    Ok(DrawnPairs { pairs, positives: positives.len(), hard, orders })
}

/// Pairs of pages of the same site.
fn of_one_site(trainer: &Trainer<'_>, random: &mut Random, most: usize) -> Vec<DocumentPair> {
    let mut sites: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, document) in trainer.documents.iter().enumerate() {
        if let Some(site) = document.site() {
            sites.entry(site).or_default().push(at);
        }
    }
    let mut sites: Vec<Vec<usize>> = sites.into_values().filter(|pages| pages.len() > 1).collect();
    sites.sort_unstable();
    if sites.is_empty() {
        return Vec::new();
    }
    let pairs = (0..most).map(|_| {
        let pages = &sites[random.below(sites.len())];
        let (a, b) = (pages[random.below(pages.len())], pages[random.below(pages.len())]);
        (a.min(b), a.max(b))
    });
    pairs.filter(|(a, b)| a != b).collect()
}
