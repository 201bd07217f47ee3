//! Counterfactual copies: what would the guard say if just one figure had changed, or none that
//! matters?
//!
//! Figures are found by plain patterns, not by the guard's own reader, so that what the guard cannot
//! read counts against it.

mod figure;
mod furniture;
mod text_language;

pub use figure::change_one_figure;
pub use furniture::change_furniture;

use crate::guard::{Change, Figures};
use rayon::prelude::*;

/// How the guard did on counterfactual copies of real texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counterfactual {
    /// Texts of which one figure was changed.
    pub changed: usize,
    /// Of these, those where the guard named it.
    pub caught: usize,
    /// Texts of which only the furniture was changed.
    pub furniture: usize,
    /// Of these, those where the guard saw a changed figure.
    pub false_updates: usize,
    /// Examples of either error, the first ones.
    pub missed: Vec<Missed>,
}

/// An error of the guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// Which text, by its place.
    pub text: usize,
    /// What had been changed; none if it was furniture only.
    pub expected: Option<Change>,
    /// What the guard said.
    pub found: Vec<Change>,
}

/// So many errors are listed.
const LISTED: usize = 50;

/// Changes each text in both ways and asks the guard. The copies stand in page frames with other
/// figures than the frame of the original.
pub fn counterfactual<T: AsRef<str> + Sync>(texts: &[T], seed: u64) -> Counterfactual {
    let trials: Vec<GuardTrial> =
        texts.par_iter().enumerate().map(|(at, text)| trial(text.as_ref(), seed, at)).collect();
    let mut sum = Counterfactual::default();
    for (text, trial) in trials.into_iter().enumerate() {
        if let Some((expected, found)) = trial.changed {
            sum.changed += 1;
            if named(&expected, &found) {
                sum.caught += 1;
            } else if sum.missed.len() < LISTED {
                sum.missed.push(Missed { text, expected: Some(expected), found });
            }
        }
        if let Some(found) = trial.furniture {
            sum.furniture += 1;
            if !found.is_empty() {
                sum.false_updates += 1;
                if sum.missed.len() < LISTED {
                    sum.missed.push(Missed { text, expected: None, found });
                }
            }
        }
    }
    sum
}

/// What was changed and what the guard said.
struct GuardTrial {
    changed: Option<(Change, Vec<Change>)>,
    furniture: Option<Vec<Change>>,
}

fn trial(text: &str, seed: u64, at: usize) -> GuardTrial {
    if text.trim().is_empty() {
        return GuardTrial { changed: None, furniture: None };
    }
    let seed = seed ^ (at as u64).wrapping_mul(0x2545_F491_4F6C_DD1D);
    let original = Figures::read(&change_furniture(text, seed));
    let later = |text: &str| Figures::read(&change_furniture(text, !seed));
    let changed = change_one_figure(text, seed)
        .map(|(copy, expected)| (expected, original.changed(&later(&copy))));
    GuardTrial { changed, furniture: Some(original.changed(&later(text))) }
}

/// Whether the guard names a change.
fn named(expected: &Change, found: &[Change]) -> bool {
    found.iter().any(|change| {
        change.before.contains(&*expected.before) && change.after.contains(&*expected.after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Fire in the old town\nThe fire in the old town killed seventeen people on \
        Monday, and 1,200 others had to leave their homes. The damage was put at $5 million by the \
        insurers, who had spoken of 20 percent less at first.";

    #[test]
    fn one_figure_is_changed_and_caught() {
        let texts: Vec<&str> = vec![TEXT; 50];
        let result = counterfactual(&texts, 7);
        assert_eq!((result.changed, result.caught), (50, 50), "{:?}", result.missed);
        assert_eq!((result.furniture, result.false_updates), (50, 0), "{:?}", result.missed);
        assert_eq!(result, counterfactual(&texts, 7));
    }

    #[test]
    fn texts_without_figures_have_none_to_change() {
        let result =
            counterfactual(&["", "Nothing has happened here in a long time, they said."], 1);
        assert_eq!((result.changed, result.furniture, result.false_updates), (0, 1, 0));
    }
}
