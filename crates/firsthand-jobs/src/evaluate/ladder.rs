//! Matching at descending thresholds until lower ones cannot be good.
//!
//! The lower the threshold, the more pairs reach it. Once stated pairs outnumber positive ones ten to
//! one, no lower threshold can be good. The descent stops there rather than at a fixed threshold,
//! which would suit one measure and not another, and nothing depends on the speed of the machine.

use firsthand::collections::{Collection, Pairs};
use firsthand::evaluate::Truth;
use firsthand::matcher::TooManyPairs;
use firsthand::settings::{Threshold, ThresholdError};
use std::time::Instant;

/// The results of the descent.
pub(super) struct Ladder {
    /// The lowest threshold and its pairs; none if there were too many at every step.
    pub(super) lowest: Option<(Threshold, Pairs)>,
    /// Thresholds that are multiples of 0.1, from 0.3 to 1, and the seconds that matching took.
    pub(super) times: Vec<(f64, f64)>,
}

/// The descent never stops because of fewer pairs than this.
const FEW: u64 = 1_000;

/// The same where only some pairs are labelled, since most stated pairs are unlabelled then.
const MANY: u64 = 100_000;

/// Matching that looks at more index entries than this is slow.
const COSTLY: u64 = 100_000_000;

/// Descends to the floor, or until there are enough pairs. Slow matching is done only near the
/// threshold of the settings.
pub(super) fn descend(
    collection: &Collection,
    floor: Threshold,
    truth: &Truth,
) -> Result<Ladder, ThresholdError> {
    let documents = collection.documents().len() as u64;
    let enough = match truth.is_closed() {
        true => FEW.max(documents).max(10 * truth.positives()),
        false => MANY.max(20 * documents),
    };
    let near = 0.8 * collection.settings().threshold.value();
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

/// Multiples of 0.05 from 1 down, in hundredths, and the floor last.
fn steps(floor: Threshold) -> Result<Vec<(u64, Threshold)>, ThresholdError> {
    let mut steps = Vec::new();
    for hundredths in (5..=100).rev().step_by(5) {
        let threshold = Threshold::new(hundredths, 100)?;
        if !is_below(floor, threshold) {
            break;
        }
        steps.push((hundredths, threshold));
    }
    // A floor of whole hundredths is timed like the others.
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
