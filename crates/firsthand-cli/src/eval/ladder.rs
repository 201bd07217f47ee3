//! From the highest threshold down, step by step, until there is nothing more to learn.
//!
//! The lower the threshold, the more pairs reach it, up to all there are. Once stated pairs
//! outnumber the true ones ten to one, no lower threshold can be a good one: that is where to stop,
//! rather than at a threshold that suits one measure and not another. Nothing here depends on how
//! fast the machine is.

use anyhow::Result;
use firsthand::evaluate::Truth;
use firsthand::{
    Detector,
    collections::{Collection, Pairs},
    matcher::TooManyPairs,
    settings::Threshold,
};
use std::time::Instant;

/// What was found on the way down.
pub(super) struct Ladder {
    /// The lowest threshold, and the pairs there; none if there were too many at every step.
    pub(super) lowest: Option<(Threshold, Pairs)>,
    /// At every tenth from 1 to 0.3: the threshold, and the seconds that matching took.
    pub(super) times: Vec<(f64, f64)>,
}

/// Fewer pairs than this are no burden, whatever they say.
const FEW: u64 = 1_000;

/// Where only some pairs are labelled, so many unlabelled ones may come with them.
const MANY: u64 = 100_000;

/// Matching that looks at more entries of the index than this takes its time.
const COSTLY: u64 = 100_000_000;

/// Goes down to the floor, or until there are enough pairs. What is costly is done only in the
/// neighbourhood of the threshold.
pub(super) fn descend(
    collection: &Collection,
    detector: &Detector,
    floor: Threshold,
    truth: &Truth,
) -> Result<Ladder> {
    let documents = collection.documents().len() as u64;
    let enough = match truth.is_closed() {
        true => FEW.max(documents).max(10 * truth.positives()),
        false => MANY.max(20 * documents),
    };
    let near = 0.8 * detector.settings().threshold.value();
    let mut ladder = Ladder { lowest: None, times: Vec::new() };
    for (hundredths, threshold) in steps(floor)? {
        let started = Instant::now();
        let found = collection.matches_at(threshold);
        let seconds = started.elapsed().as_secs_f64();
        let (pairs, cost) = match found {
            Ok(found) => found,
            Err(TooManyPairs { .. }) => break,
        };
        if hundredths.is_multiple_of(10) && hundredths >= 30 {
            ladder.times.push((threshold.value(), seconds));
        }
        let count = pairs.count();
        ladder.lowest = Some((threshold, pairs));
        if count > enough || cost.postings > COSTLY && threshold.value() < near {
            break;
        }
    }
    ladder.times.reverse();
    Ok(ladder)
}

/// Every twentieth from 1 down, and the floor last.
fn steps(floor: Threshold) -> Result<Vec<(u64, Threshold)>> {
    let mut steps = Vec::new();
    for hundredths in (5..=100).rev().step_by(5) {
        let threshold = Threshold::new(hundredths, 100)?;
        if !is_below(floor, threshold) {
            break;
        }
        steps.push((hundredths, threshold));
    }
    // A floor that is a twentieth itself is timed like the others.
    let hundredths = 100 * floor.numerator();
    let exact = hundredths.is_multiple_of(floor.denominator());
    steps.push((if exact { hundredths / floor.denominator() } else { 0 }, floor));
    Ok(steps)
}

/// Whether one threshold is below another.
pub(super) fn is_below(one: Threshold, other: Threshold) -> bool {
    one.numerator() * other.denominator() < other.numerator() * one.denominator()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_once_and_the_floor_last() {
        let written = |floor: &str| {
            let steps = steps(floor.parse().unwrap()).unwrap();
            steps.iter().map(|(_, step)| step.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(written("0.85"), ["1", "0.95", "0.9", "0.85"]);
        assert_eq!(written("0.87"), ["1", "0.95", "0.9", "0.87"]);
        assert_eq!(written("1"), ["1"]);
        assert_eq!(written("1/22").len(), 21);
    }
}
