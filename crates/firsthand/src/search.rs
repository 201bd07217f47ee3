//! What documents are compared by, and the search for pairs that are alike by it.

use crate::{
    config::Config,
    matcher::{self, MOST_PAIRS, Matcher, Matches, Pair, Scope, Sets, TooManyPairs},
    measure::{Measure, Rule},
    sketch::{Bits, Lexicons, MinHashes},
    threshold::Threshold,
    weights::{self, Weights},
};
use rayon::prelude::*;
use std::collections::HashMap;

/// What the texts of a collection are compared by, beside their sets.
#[derive(Debug)]
pub(crate) enum Compared {
    /// The sets themselves.
    Sets,
    /// The sets, with a weight for each feature.
    Weighted(Weights),
    /// Few features that stand for each set.
    Sketches(Sets),
    /// Bits that stand for each set.
    Bits(Bits),
}

/// How alike two texts are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    pub(crate) score: f64,
    /// Whether it reaches the threshold.
    pub(crate) holds: bool,
    /// Whether the search looks at the pair at all.
    pub(crate) met: bool,
    /// Whether the second look agrees.
    pub(crate) confirmed: bool,
}

impl Likeness {
    /// Whether the search states the pair.
    pub(crate) fn is_match(self) -> bool {
        self.holds && self.met && self.confirmed
    }
}

/// Everything that a search needs.
#[derive(Debug)]
pub(crate) struct Search {
    sets: Sets,
    compared: Compared,
    /// For the second look.
    confirming: Option<Bits>,
}

impl Search {
    pub(crate) fn new(config: &Config, sets: Sets, weights: Option<Weights>) -> Self {
        let weighted = |at: usize| {
            let weights = weights.as_ref().map(|weights| weights.get(at));
            (sets.get(at), weights)
        };
        let bits = |bits: usize| Bits::new(bits, sets.len(), weighted);
        let confirming = config.confirm.map(|confirm| bits(confirm.bits));
        let compared = match &config.matcher {
            Matcher::Sketch { hashes, group } => {
                let hashes = MinHashes::new(*hashes);
                Compared::Sketches(each(&sets, |set, spare| hashes.sketch(set, *group, spare)))
            }
            Matcher::Fingerprint { lexicons, keep } => {
                let lexicons = Lexicons::new(*lexicons, *keep);
                Compared::Sketches(each(&sets, |set, _| lexicons.fingerprints(set)))
            }
            Matcher::Bits { bits: count } => Compared::Bits(bits(*count)),
            Matcher::Exact | Matcher::Bands(_) => match weights {
                Some(weights) => Compared::Weighted(weights),
                None => Compared::Sets,
            },
        };
        Self { sets, compared, confirming }
    }

    pub(crate) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// All pairs that the matcher of the settings finds at this threshold.
    pub(crate) fn pairs(
        &self,
        config: &Config,
        threshold: Threshold,
        scope: Scope<'_>,
    ) -> Result<Matches, TooManyPairs> {
        let rule = Rule { measure: config.measure, threshold };
        let agreement = Rule { measure: Measure::MaxOverlap, threshold };
        let found = match (&self.compared, &config.matcher) {
            (Compared::Weighted(weights), _) => {
                matcher::weighted(&self.sets, weights, rule, scope, MOST_PAIRS)
            }
            (Compared::Sketches(sketches), _) => matcher::join(sketches, agreement, scope),
            (Compared::Bits(bits), _) => {
                matcher::hamming(bits, self.sets.len(), threshold, scope, MOST_PAIRS)
            }
            // Bands are those of the settings, whatever the threshold asked for here.
            (Compared::Sets, Matcher::Bands(bands)) => match bands.banding(config.rule()) {
                Some(banding) => matcher::bands(&self.sets, rule, banding, scope, MOST_PAIRS),
                None => matcher::join(&self.sets, rule, scope),
            },
            (Compared::Sets, _) => matcher::join(&self.sets, rule, scope),
        }?;
        match (config.confirm, &self.confirming) {
            (Some(confirm), Some(bits)) => {
                let look = Look { bits, least: confirm.threshold, threshold };
                look.over(found, |text| self.whole(text))
            }
            _ => Ok(found),
        }
    }

    /// The overlap of a text with itself.
    fn whole(&self, text: u32) -> u32 {
        match &self.compared {
            Compared::Sets | Compared::Weighted(_) => self.sets.get(text as usize).len() as u32,
            Compared::Sketches(sketches) => sketches.get(text as usize).len() as u32,
            Compared::Bits(bits) => bits.len() as u32,
        }
    }

    /// The similarity of a pair that was found.
    pub(crate) fn score(&self, config: &Config, pair: Pair) -> f64 {
        let (a, b, overlap) = (pair.a as usize, pair.b as usize, u64::from(pair.overlap));
        let size = |sets: &Sets, at: usize| sets.get(at).len() as u64;
        match &self.compared {
            Compared::Sets => {
                config.measure.score(overlap, size(&self.sets, a), size(&self.sets, b))
            }
            Compared::Sketches(sketches) => {
                Measure::MaxOverlap.score(overlap, size(sketches, a), size(sketches, b))
            }
            Compared::Bits(bits) => overlap as f64 / bits.len() as f64,
            Compared::Weighted(_) => self.likeness(config, pair.a, pair.b).score,
        }
    }

    /// How alike two different texts are, near or not.
    pub(crate) fn likeness(&self, config: &Config, a: u32, b: u32) -> Likeness {
        let (a, b) = (a as usize, b as usize);
        let by_rule = |rule: Rule, x: &[u64], y: &[u64]| {
            let overlap = matcher::overlap(x, y) as u64;
            let (x, y) = (x.len() as u64, y.len() as u64);
            let score = if overlap == 0 { 0.0 } else { rule.measure.score(overlap, x, y) };
            (score, rule.holds(overlap, x, y))
        };
        let (score, holds) = match &self.compared {
            Compared::Sets => by_rule(config.rule(), self.sets.get(a), self.sets.get(b)),
            Compared::Sketches(sketches) => {
                let rule = Rule { measure: Measure::MaxOverlap, threshold: config.threshold };
                by_rule(rule, sketches.get(a), sketches.get(b))
            }
            Compared::Bits(bits) => {
                let agree = bits.agreement(a, b);
                (agree as f64 / bits.len() as f64, enough(config.threshold, agree, bits.len()))
            }
            Compared::Weighted(weights) => {
                let vector = |at: usize| (self.sets.get(at), weights.get(at));
                let shared = weights::shared(config.measure, vector(a), vector(b));
                let (x, y) = (weights.mass(config.measure, a), weights.mass(config.measure, b));
                let score = weights::score(config.measure, shared, x, y);
                (score, weights::reaches(config.rule(), shared, x, y))
            }
        };
        let (x, y) = (self.sets.get(a), self.sets.get(b));
        let met = match (&self.compared, &config.matcher) {
            (Compared::Sets, Matcher::Bands(bands)) if !x.is_empty() && !y.is_empty() => {
                let banding = bands.banding(config.rule());
                banding.is_none_or(|banding| matcher::meet(x, y, banding))
            }
            _ => true,
        };
        let confirmed = match (config.confirm, &self.confirming) {
            (Some(confirm), Some(bits)) => {
                enough(confirm.threshold, bits.agreement(a, b), bits.len())
            }
            _ => true,
        };
        Likeness { score, holds, met, confirmed }
    }
}

/// Whether so many of all are at least the threshold's share.
fn enough(threshold: Threshold, part: u64, all: u64) -> bool {
    part > 0 && threshold.denominator() * part >= threshold.numerator() * all
}

/// A sketch of each set.
fn each(sets: &Sets, sketch: impl Fn(&[u64], &mut Vec<u32>) -> Vec<u64> + Sync) -> Sets {
    let sketches: Vec<Vec<u64>> = (0..sets.len())
        .into_par_iter()
        .map_init(Vec::new, |spare, set| sketch(sets.get(set), spare))
        .collect();
    sketches.into_iter().collect()
}

/// The second look at pairs that were found.
struct Look<'a> {
    bits: &'a Bits,
    least: Threshold,
    /// The threshold of the first look, for what is said when there are too many pairs.
    threshold: Threshold,
}

impl Look<'_> {
    /// The pairs that stand it. Texts with equal sketches may differ, so that each pair of them is
    /// looked at.
    fn over(&self, found: Matches, whole: impl Fn(u32) -> u32) -> Result<Matches, TooManyPairs> {
        let mut pairs = Vec::new();
        for group in &found.identical {
            for (at, b) in group.iter().enumerate() {
                self.keep(&group[..at], std::slice::from_ref(b), whole(*b), &mut pairs)?;
            }
        }
        let groups: HashMap<u32, &[u32]> =
            found.identical.iter().map(|group| (group[0], group.as_slice())).collect();
        for pair in &found.pairs {
            let all = |text| groups.get(text).copied().unwrap_or(std::slice::from_ref(text));
            self.keep(all(&pair.a), all(&pair.b), pair.overlap, &mut pairs)?;
        }
        pairs.sort_unstable();
        Ok(Matches { identical: Vec::new(), pairs, ..found })
    }

    fn keep(
        &self,
        left: &[u32],
        right: &[u32],
        overlap: u32,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), TooManyPairs> {
        for &a in left {
            for &b in right {
                let agree = self.bits.agreement(a as usize, b as usize);
                if enough(self.least, agree, self.bits.len()) {
                    pairs.push(Pair { a: a.min(b), b: a.max(b), overlap });
                }
            }
            if pairs.len() > MOST_PAIRS {
                return Err(TooManyPairs { limit: MOST_PAIRS, threshold: self.threshold });
            }
        }
        Ok(())
    }
}
