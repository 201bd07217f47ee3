//! Counterfactual copies: what the guard says if exactly one figure changed, or none that matters.
//!
//! Figures are found by simple patterns, not by the guard's own reader, so that a figure the guard
//! cannot read counts against it.

mod figure;
mod furniture;
mod text_language;

pub use figure::change_one_figure;
pub use furniture::change_furniture;

use crate::guard::{Change, Figures};
use rayon::prelude::*;

/// The guard's results on counterfactual copies of real texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counterfactual {
    /// Texts in which one figure was changed.
    pub changed: usize,
    /// Those of them in which the guard reported it.
    pub caught: usize,
    /// Texts in which only page furniture was changed.
    pub furniture: usize,
    /// Those of them in which the guard reported a change.
    pub false_updates: usize,
    /// The first errors of either kind.
    pub missed: Vec<Missed>,
}

/// An error of the guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// The position of the text.
    pub text: usize,
    /// What had been changed; `None` if only furniture was.
    pub expected: Option<Change>,
    /// What the guard reported.
    pub found: Vec<Change>,
}

/// Errors listed, at most.
const LISTED: usize = 50;

/// Changes each text in both ways and asks the guard. Each copy is in a page frame whose figures
/// differ from those of the original's frame.
///
/// ```
/// use firsthand::evaluate::counterfactual;
///
/// let result = counterfactual(&["The fire in the old town killed 17 people on that day."], 1);
/// assert_eq!((result.changed, result.caught), (1, 1));
/// ```
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

/// What was changed, and what the guard reported.
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

/// Whether the guard reported a change.
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
