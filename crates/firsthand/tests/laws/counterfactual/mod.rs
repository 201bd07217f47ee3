//! What the guard says of copies of a text in which one figure changed, or none that matters.

use firsthand::{
    evaluate::{change_furniture, change_one_figure},
    guard::{Change, Figures},
};

/// The guard's results.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counterfactual {
    /// Texts in which one figure was changed.
    pub changed: usize,
    /// Those of them in which the guard reported it.
    pub caught: usize,
    /// Texts in which only page furniture was changed.
    pub furniture: usize,
    /// Those of them in which the guard reported a change.
    pub false_updates: usize,
    /// What had been changed, if it was not furniture, and what the guard reported instead.
    pub wrong: Vec<(Option<Change>, Vec<Change>)>,
}

/// Changes each text in both ways and asks the guard. Each copy is in a page frame whose figures
/// differ from those of the original's frame.
pub(crate) fn counterfactual<T: AsRef<str>>(texts: &[T], seed: u64) -> Counterfactual {
    let mut sum = Counterfactual::default();
    for (at, text) in texts.iter().map(AsRef::as_ref).enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let seed = seed ^ (at as u64).wrapping_mul(0x2545_F491_4F6C_DD1D);
        let original = Figures::read(&change_furniture(text, seed));
        let later = |text: &str| original.changed(&Figures::read(&change_furniture(text, !seed)));
        if let Some((copy, expected)) = change_one_figure(text, seed) {
            sum.changed += 1;
            let found = later(&copy);
            if named(&expected, &found) {
                sum.caught += 1;
            } else {
                sum.wrong.push((Some(expected), found));
            }
        }
        sum.furniture += 1;
        let found = later(text);
        if !found.is_empty() {
            sum.false_updates += 1;
            sum.wrong.push((None, found));
        }
    }
    sum
}

/// Whether the guard reported the change, perhaps with more words around it.
fn named(expected: &Change, found: &[Change]) -> bool {
    found.iter().any(|change| {
        change.before.contains(&*expected.before) && change.after.contains(&*expected.after)
    })
}
