//! Which pairs are learned from.

use super::{LearnError, Trainer};
use crate::{
    evaluate::{Random, Sample},
    pairs::Match,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most pairs of near-duplicates that are learned from; of large clusters, fewer each.
const MOST: usize = 6_000;
/// Draws at random before it is given up to find yet another pair.
const TRIES: usize = 50;

/// Pairs of documents, by their positions.
pub(super) type DocumentPair = (usize, usize);

/// What is learned from: pairs, those of near-duplicates first, and which of them is to be more alike
/// than which.
#[derive(Debug)]
pub(super) struct DrawnPairs {
    pub(super) pairs: Vec<DocumentPair>,
    pub(super) positives: usize,
    pub(super) hard: usize,
    pub(super) orders: Vec<(u32, u32)>,
}

/// All pairs of near-duplicates whose texts differ, or as many from each cluster as there is room for.
pub(super) fn positives(
    lesson: &Trainer<'_>,
    sample: &Sample,
) -> Result<Vec<DocumentPair>, LearnError> {
    let mut clusters: BTreeMap<u32, Vec<DocumentPair>> = BTreeMap::new();
    for (a, b) in lesson.truth.positive_pairs() {
        let differ = lesson.documents[a].text != lesson.documents[b].text;
        if let Some(unit) = lesson.truth.unit(a).filter(|_| differ)
            && lesson.takes_part(a, sample)
        {
            clusters.entry(unit).or_default().push((a, b));
        }
    }
    if clusters.len() < 2 {
        let documents = lesson.counted(sample);
        return Err(LearnError::TooFew { clusters: clusters.len(), documents });
    }
    let mut random = Random::new(lesson.plan.seed, 1);
    clusters.values_mut().for_each(|pairs| random.shuffle(pairs));
    // In turns, so that no cluster is left out for the sake of a large one.
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

/// How many clusters pairs are from.
pub(super) fn clusters(lesson: &Trainer<'_>, pairs: &[DocumentPair]) -> usize {
    pairs.iter().filter_map(|pair| lesson.truth.unit(pair.0)).collect::<BTreeSet<_>>().len()
}

/// As many other pairs as there are of near-duplicates, half of them hard if there are so many, and
/// those that were hard before; and orders at random.
pub(super) fn draw(
    lesson: &Trainer<'_>,
    sample: &Sample,
    positives: &[DocumentPair],
    near: &[Match],
    round: u64,
    hard_before: &mut BTreeSet<DocumentPair>,
) -> Result<DrawnPairs, LearnError> {
    let mut random = Random::new(lesson.plan.seed, 2 + round);
    let mut taken: BTreeSet<DocumentPair> = BTreeSet::new();
    let is_other = |a: usize, b: usize| {
        lesson.truth.label(a, b) == Some(false)
            && lesson.takes_part(a, sample)
            && lesson.takes_part(b, sample)
    };
    let mut hardest: Vec<&Match> =
        near.iter().filter(|pair| !pair.exact && is_other(pair.a, pair.b)).collect();
    hardest.sort_by(|x, y| y.score.total_cmp(&x.score).then((x.a, x.b).cmp(&(y.a, y.b))));
    let half = positives.len().div_ceil(2);
    hard_before.extend(hardest.iter().take(half).map(|pair| (pair.a, pair.b)));
    taken.extend(hard_before.iter());
    for pair in of_one_site(lesson, &mut random, half.saturating_sub(taken.len())) {
        if is_other(pair.0, pair.1) {
            taken.insert(pair);
        }
    }
    let hard = taken.len();
    let wanted = hard + positives.len() / 2;
    let known: Vec<usize> =
        (0..lesson.documents.len()).filter(|&at| lesson.takes_part(at, sample)).collect();
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
    let orders = (0..lesson.plan.orders).map(|_| order()).collect();
    Ok(DrawnPairs { pairs, positives: positives.len(), hard, orders })
}

/// Pairs of pages of one site.
fn of_one_site(lesson: &Trainer<'_>, random: &mut Random, most: usize) -> Vec<DocumentPair> {
    let mut sites: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, document) in lesson.documents.iter().enumerate() {
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
