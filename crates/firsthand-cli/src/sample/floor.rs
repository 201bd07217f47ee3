//! The score from which on pairs are looked at.

use crate::console::Console;
use anyhow::{Result, bail};
use firsthand::{
    Detector,
    collections::{Collection, Pairs},
    settings::Threshold,
};

/// What was typed, or half the threshold.
pub(super) fn of(typed: Option<Threshold>, threshold: Threshold) -> Result<Threshold> {
    match typed {
        Some(floor) if floor.value() > threshold.value() => bail!(
            "--floor {floor} is above the threshold {threshold}, but pairs on both sides of the \
             threshold are wanted: give a lower --floor or a higher --threshold"
        ),
        Some(floor) => Ok(floor),
        None => Ok(halfway(0.0, threshold, 2)),
    }
}

/// A part of the way from a score to the threshold, in thousandths.
fn halfway(from: f64, threshold: Threshold, part: u32) -> Threshold {
    let to = threshold.value();
    let thousandths = (from + (to - from) / f64::from(part)) * 1000.0;
    // Rounded up, so that steps never stand still.
    let thousandths = ((thousandths - 1e-6).ceil() as u64).clamp(1, 1000);
    Threshold::new(thousandths, 1000).unwrap_or(threshold)
}

/// All pairs from the floor on; where these are too many, the floor is raised, and that is said.
pub(super) fn matches(
    collection: &Collection,
    detector: &Detector,
    mut floor: Threshold,
    console: &Console,
) -> Result<(Pairs, Threshold)> {
    let threshold = detector.settings().threshold;
    loop {
        let error = match collection.matches_at(floor) {
            Ok((pairs, _)) => return Ok((pairs, floor)),
            Err(error) => error,
        };
        let next = halfway(floor.value(), threshold, 3);
        if next.value() <= floor.value() || next.value() > threshold.value() {
            return Err(error.into());
        }
        console
            .warn(&format!("too many pairs score {floor} or more: the floor is raised to {next}"));
        floor = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_threshold_unless_another_is_typed() {
        let share = |text: &str| text.parse::<Threshold>().unwrap();
        assert_eq!(of(None, share("0.45")).unwrap(), share("0.225"));
        assert_eq!(of(None, share("0.000001")).unwrap(), share("0.001"));
        assert_eq!(of(Some(share("0.3")), share("0.45")).unwrap(), share("0.3"));
        assert_eq!(of(Some(share("0.45")), share("0.45")).unwrap(), share("0.45"));
        let message = of(Some(share("0.5")), share("0.45")).unwrap_err().to_string();
        assert!(message.contains("--floor 0.5 is above the threshold 0.45"), "{message}");
    }

    #[test]
    fn steps_lead_to_the_threshold() {
        let threshold: Threshold = "1/3".parse().unwrap();
        let mut floor = halfway(0.0, threshold, 2);
        for _ in 0..100 {
            let next = halfway(floor.value(), threshold, 3);
            if next.value() > threshold.value() {
                return;
            }
            assert!(next.value() > floor.value());
            floor = next;
        }
        panic!("the floor stands still at {floor}");
    }
}
