//! The lowest score of the pairs that are looked at.

use crate::error::{JobError, SampleError};
use crate::observer::{Notice, Observer, Phase};
use firsthand::collections::{Collection, Pairs};
use firsthand::settings::Threshold;

/// The floor that was asked for, or half the threshold.
pub(super) fn resolve(
    asked: Option<Threshold>,
    threshold: Threshold,
) -> Result<Threshold, SampleError> {
    match asked {
        Some(floor) if floor.value() > threshold.value() => {
            Err(SampleError::FloorAboveThreshold { floor, threshold })
        }
        Some(floor) => Ok(floor),
        None => Ok(towards(0.0, threshold, 2)),
    }
}

/// The score at one `part`-th of the way to the threshold, in thousandths.
fn towards(from: f64, threshold: Threshold, part: u32) -> Threshold {
    let to = threshold.value();
    let thousandths = (from + (to - from) / f64::from(part)) * 1000.0;
    // Rounded up, so that every step makes progress.
    let thousandths = ((thousandths - 1e-6).ceil() as u64).clamp(1, 1000);
    Threshold::new(thousandths, 1000).unwrap_or(threshold)
}

/// All pairs from the floor on. If they are too many, the floor is raised and the observer told.
pub(super) fn matches(
    collection: &Collection,
    mut floor: Threshold,
    observer: &dyn Observer,
) -> Result<(Pairs, Threshold), JobError> {
    observer.phase(Phase::Matching);
    let threshold = collection.settings().threshold;
    loop {
        let error = match collection.matches_at(floor) {
            Ok((pairs, _)) => return Ok((pairs, floor)),
            Err(error) => error,
        };
        let next = towards(floor.value(), threshold, 3);
        if next.value() <= floor.value() || next.value() > threshold.value() {
            return Err(error.into());
        }
        observer.notice(Notice::FloorRaised { from: floor, to: next });
        floor = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_threshold_unless_another_is_asked_for() {
        let share = |text: &str| text.parse::<Threshold>().unwrap();
        assert_eq!(resolve(None, share("0.45")).unwrap(), share("0.225"));
        assert_eq!(resolve(None, share("0.000001")).unwrap(), share("0.001"));
        assert_eq!(resolve(Some(share("0.3")), share("0.45")).unwrap(), share("0.3"));
        assert_eq!(resolve(Some(share("0.45")), share("0.45")).unwrap(), share("0.45"));
        let (floor, threshold) = (share("0.5"), share("0.45"));
        let error = SampleError::FloorAboveThreshold { floor, threshold };
        assert_eq!(resolve(Some(floor), threshold), Err(error));
    }

    #[test]
    fn steps_lead_to_the_threshold() {
        let threshold: Threshold = "1/3".parse().unwrap();
        let mut floor = towards(0.0, threshold, 2);
        for _ in 0..100 {
            let next = towards(floor.value(), threshold, 3);
            if next.value() > threshold.value() {
                return;
            }
            assert!(next.value() > floor.value());
            floor = next;
        }
        panic!("the floor stands still at {floor}");
    }
}
