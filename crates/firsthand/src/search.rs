//! The search for near-duplicates in a collection, by whichever matcher the settings name.

mod weighted_sets;

use crate::{
    matcher::{
        self, Matches, Pair, Scope, SearchLimits, Sets, TooManyPairs, Wanted,
        stars::{self, Preference, SecondCheck},
        verify,
    },
    measure::{Measure, Rule},
    same_site::{Identity, Objection, PageHead, objection},
    settings::{Matcher, Settings},
    sketch::{Bits, Lexicons, MinHashes},
    threshold::Threshold,
    weights::Weights,
};
use rayon::prelude::*;
use weighted_sets::WeightedSets;

/// What the texts of a collection are compared by.
#[derive(Debug)]
enum Representation {
    /// The sets themselves.
    Sets,
    /// The sets, with a weight for each feature.
    Weighted(WeightedSets),
    /// A sketch of each set.
    Sketches(Sets),
    /// The bits of each set.
    Bits(Bits),
}

/// The similarity of two texts, and how the matcher treats them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    pub(crate) score: f64,
    /// Whether the similarity reaches the threshold.
    pub(crate) holds: bool,
    /// Whether the matcher compares the pair at all.
    pub(crate) met: bool,
    /// Whether the pair passes the second check, if there is one.
    pub(crate) confirmed: bool,
    /// What speaks against the pair although it reaches the threshold, if both are pages of one site.
    pub(crate) objection: Option<Objection>,
    /// Whether they are versions of one page.
    pub(crate) identity: Identity,
}

impl Likeness {
    /// Whether the search finds the pair.
    pub(crate) fn is_match(self) -> bool {
        self.holds && self.met && self.confirmed && self.objection.is_none()
    }
}

/// The sets of a collection, and everything else that the matcher needs.
#[derive(Debug)]
pub(crate) struct Search {
    sets: Sets,
    representation: Representation,
    /// For the second check.
    confirming: Option<Bits>,
    /// Site and headline of each text; empty if nothing can speak against a pair.
    heads: Vec<Option<PageHead>>,
}

impl Search {
    pub(crate) fn new(
        settings: &Settings,
        sets: Sets,
        weights: Option<Weights>,
        mut heads: Vec<Option<PageHead>>,
    ) -> Self {
        if !heads.iter().flatten().any(PageHead::may_object) {
            heads = Vec::new();
        }
        let weighted = |at: usize| {
            let weights = weights.as_ref().map(|weights| weights.get(at));
            (sets.get(at), weights)
        };
        let bits = |bits: usize| Bits::new(bits, sets.len(), weighted);
        let confirming = settings.confirm.map(|confirm| bits(confirm.bits));
        let representation = match (settings.collection_matcher(), &weights) {
            (_, Some(_)) if !settings.is_by_sketch() => None,
            (Matcher::Sketch { hashes, group }, _) => {
                let hashes = MinHashes::new(*hashes);
                let sketch = |set, values: &mut _| hashes.sketch(sets.get(set), *group, values);
                Some(Representation::Sketches(each(sets.len(), sketch)))
            }
            (Matcher::Fingerprint { lexicons, keep }, _) => {
                let lexicons = Lexicons::new(*lexicons, *keep);
                let sketch = |set, _: &mut _| lexicons.fingerprints(sets.get(set));
                Some(Representation::Sketches(each(sets.len(), sketch)))
            }
            (Matcher::Bits { bits: count }, _) => Some(Representation::Bits(bits(*count))),
            (Matcher::Exact | Matcher::Bands(_) | Matcher::Collisions(_), _) => None,
        };
        let representation = match (representation, weights) {
            (Some(representation), _) => representation,
            (None, Some(weights)) => Representation::Weighted(WeightedSets::new(
                settings.collection_matcher(),
                &sets,
                weights,
            )),
            (None, None) => Representation::Sets,
        };
        Self { sets, representation, confirming, heads }
    }

    pub(crate) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The weights of the features of a set, if there are weights.
    pub(crate) fn weights(&self, set: usize) -> Option<&[u32]> {
        match &self.representation {
            Representation::Weighted(weighted) => Some(weighted.weights(set)),
            _ => None,
        }
    }

    /// All pairs that the matcher of the settings finds at this threshold.
    pub(crate) fn pairs(
        &self,
        settings: &Settings,
        threshold: Threshold,
        scope: Scope<'_>,
        limits: SearchLimits<'_>,
    ) -> Result<Matches, TooManyPairs> {
        let by = |measure| Wanted { rule: Rule { measure, threshold }, scope, limits };
        let (wanted, agreeing) = (by(settings.measure), by(Measure::MaxOverlap));
        let found = match (&self.representation, settings.collection_matcher()) {
            (Representation::Weighted(weighted), matcher) => {
                weighted.pairs(matcher, &self.sets, settings.rule(), wanted)
            }
            (Representation::Sketches(sketches), _) => matcher::exact(sketches, agreeing),
            (Representation::Bits(bits), _) => matcher::hamming(bits, self.sets.len(), wanted),
            // Bands are chosen for the threshold of the settings, whatever `threshold` is.
            (Representation::Sets, Matcher::Bands(bands)) => match bands.banding(settings.rule()) {
                Some(banding) => matcher::bands(&self.sets, banding, wanted),
                None => matcher::exact(&self.sets, wanted),
            },
            (Representation::Sets, _) => matcher::exact(&self.sets, wanted),
        }?;
        if !self.has_second_check(settings) {
            return Ok(found);
        }
        let too_many = TooManyPairs { limit: limits.pairs, threshold };
        let whole = |text: u32| self.whole(text);
        let confirms = |a: u32, b: u32| self.passes(settings, a, b);
        let (pairs, cost) = verify(found, whole, confirms, limits).ok_or(too_many)?;
        Ok(Matches { identical: Vec::new(), pairs, cost })
    }

    /// Each text with the original that it joins, without a list of all pairs.
    pub(crate) fn stars(
        &self,
        settings: &Settings,
        preference: Preference<'_>,
        scope: Scope<'_>,
        limits: SearchLimits<'_>,
    ) -> Matches {
        let rule = settings.rule();
        let wanted = Wanted { rule, scope, limits };
        let compare = |a: u32, b: u32| {
            let likeness = self.likeness(settings, a.min(b), a.max(b));
            likeness.is_match().then(|| (self.agreement(a, b), likeness.score))
        };
        let passes = |a: u32, b: u32| self.passes(settings, a, b);
        let check: SecondCheck<'_> = self.has_second_check(settings).then_some(&passes);
        match &self.representation {
            Representation::Sets => {
                let banding = match settings.collection_matcher() {
                    Matcher::Bands(bands) => bands.banding(rule),
                    _ => None,
                };
                stars::of_sets(&self.sets, banding, wanted, preference, check)
            }
            Representation::Sketches(sketches) => {
                let rule = Rule { measure: Measure::MaxOverlap, ..rule };
                stars::of_sets(sketches, None, Wanted { rule, ..wanted }, preference, check)
            }
            Representation::Bits(bits) => {
                stars::of_bits((bits, self.sets.len()), wanted, preference, check, compare)
            }
            Representation::Weighted(weighted) => {
                stars::of_vectors(weighted.vectors(&self.sets), wanted, preference, check, compare)
            }
        }
    }

    /// Whether pairs that reach the threshold may still be refused.
    fn has_second_check(&self, settings: &Settings) -> bool {
        settings.confirm.is_some() || !self.heads.is_empty()
    }

    /// Whether two texts that reach the threshold pass all that is asked beyond.
    fn passes(&self, settings: &Settings, a: u32, b: u32) -> bool {
        self.confirms(settings, a, b) && self.objection(settings, a, b).is_none()
    }

    /// Site and headline of a text, if they may speak against a pair.
    pub(crate) fn head(&self, text: u32) -> Option<&PageHead> {
        self.heads.get(text as usize)?.as_ref()
    }

    /// What speaks against two pages of one site although they reach the threshold.
    fn objection(&self, settings: &Settings, a: u32, b: u32) -> Option<Objection> {
        let page = |text: u32| {
            let head = self.head(text)?;
            Some((Some(head), self.sets.get(text as usize)))
        };
        let (a, b) = (page(a)?, page(b)?);
        let shared = matcher::overlap(a.1, b.1) as u64;
        // How alike pages of one form are is asked of the sets; other representations have a scale of their own.
        let is_by_set = matches!(self.representation, Representation::Sets);
        objection(settings.rule(), a, b, shared)
            .filter(|objection| is_by_set || *objection != Objection::OneForm)
    }

    /// Whether two texts pass the check of the settings, if there is one.
    fn confirms(&self, settings: &Settings, a: u32, b: u32) -> bool {
        match (settings.confirm, &self.confirming) {
            (Some(confirm), Some(bits)) => {
                let agree = bits.agreement(a as usize, b as usize);
                enough(confirm.threshold, agree, bits.len())
            }
            _ => true,
        }
    }

    /// The bits that two texts agree on, where they are compared by bits.
    fn agreement(&self, a: u32, b: u32) -> u32 {
        match &self.representation {
            Representation::Bits(bits) => bits.agreement(a as usize, b as usize) as u32,
            _ => 0,
        }
    }

    /// The overlap of a text with itself.
    pub(crate) fn whole(&self, text: u32) -> u32 {
        match &self.representation {
            Representation::Sets | Representation::Weighted(_) => {
                self.sets.get(text as usize).len() as u32
            }
            Representation::Sketches(sketches) => sketches.get(text as usize).len() as u32,
            Representation::Bits(bits) => bits.len() as u32,
        }
    }

    /// The similarity of a pair that was found.
    pub(crate) fn score(&self, settings: &Settings, pair: Pair) -> f64 {
        let (a, b, overlap) = (pair.a as usize, pair.b as usize, u64::from(pair.overlap));
        let size = |sets: &Sets, at: usize| sets.get(at).len() as u64;
        match &self.representation {
            Representation::Sets => {
                settings.measure.score(overlap, size(&self.sets, a), size(&self.sets, b))
            }
            Representation::Sketches(sketches) => {
                Measure::MaxOverlap.score(overlap, size(sketches, a), size(sketches, b))
            }
            Representation::Bits(bits) => overlap as f64 / bits.len() as f64,
            Representation::Weighted(_) => self.likeness(settings, pair.a, pair.b).score,
        }
    }

    /// The similarity of two different texts, near-duplicates or not.
    pub(crate) fn likeness(&self, settings: &Settings, a: u32, b: u32) -> Likeness {
        let pair = (a, b);
        let confirmed = self.confirms(settings, a, b);
        let objection = self.objection(settings, a, b);
        let identity = Identity::of(self.head(a), self.head(b));
        let (a, b) = (a as usize, b as usize);
        let by_rule = |rule: Rule, x: &[u64], y: &[u64]| {
            let overlap = matcher::overlap(x, y) as u64;
            let (x, y) = (x.len() as u64, y.len() as u64);
            let score = if overlap == 0 { 0.0 } else { rule.measure.score(overlap, x, y) };
            (score, rule.holds(overlap, x, y), true)
        };
        let (x, y) = (self.sets.get(a), self.sets.get(b));
        let (score, holds, met) = match &self.representation {
            Representation::Sets => {
                let (score, holds, _) = by_rule(settings.rule(), x, y);
                (score, holds, x.is_empty() || y.is_empty() || meet(settings, x, y))
            }
            Representation::Sketches(sketches) => {
                let rule = Rule { measure: Measure::MaxOverlap, threshold: settings.threshold };
                by_rule(rule, sketches.get(a), sketches.get(b))
            }
            Representation::Bits(bits) => {
                let agree = bits.agreement(a, b);
                let share = agree as f64 / bits.len() as f64;
                (share, enough(settings.threshold, agree, bits.len()), true)
            }
            Representation::Weighted(weighted) => {
                weighted.likeness(settings.collection_matcher(), &self.sets, settings.rule(), pair)
            }
        };
        Likeness { score, holds, met, confirmed, objection, identity }
    }
}

/// Whether the matcher of the settings compares two sets that are not empty.
fn meet(settings: &Settings, x: &[u64], y: &[u64]) -> bool {
    match settings.collection_matcher() {
        Matcher::Bands(bands) => {
            let banding = bands.banding(settings.rule());
            banding.is_none_or(|banding| matcher::meet(x, y, banding))
        }
        _ => true,
    }
}

/// Whether `part` of `all` reaches the threshold.
fn enough(threshold: Threshold, part: u64, all: u64) -> bool {
    part > 0 && threshold.denominator() * part >= threshold.numerator() * all
}

/// The sketch of each set.
fn each(count: usize, sketch: impl Fn(usize, &mut Vec<u32>) -> Vec<u64> + Sync) -> Sets {
    let sketches: Vec<Vec<u64>> =
        (0..count).into_par_iter().map_init(Vec::new, |spare, set| sketch(set, spare)).collect();
    sketches.into_iter().collect()
}
