//! Which figures of two texts stand at the same place, and which of them differ.

use super::{
    Change, Figure, Figures, GAP, Kind, MASK,
    align::{Run, runs},
    amount::{DECADE, EM, PERCENT},
    value::Value,
};

/// Runs of so many words are no accident.
const ENOUGH: usize = 5;
/// Where a run ends beside a figure, the next one has to start within so many words.
const NEAR: usize = 4;
/// So many changes are listed.
const MOST_CHANGES: usize = 100;

/// The figures that changed from one text to the other.
pub(super) fn changes(earlier: &Figures, later: &Figures) -> Vec<Change> {
    let runs = runs(&earlier.words, &later.words);
    let least = earlier.words.len().min(later.words.len());
    let mut changes: Vec<Change> = Vec::new();
    let mut pairs: Vec<(&Figure, &Figure)> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let before = number.checked_sub(1).map(|number| runs[number]);
        let after = runs.get(number + 1).copied();
        let words = &later.words[run.b..run.b + run.len];
        let told = words.iter().filter(|&&word| word != MASK).count();
        let enough = told >= ENOUGH || told * 2 >= least;
        let first = later.figures.partition_point(|figure| (figure.at as usize) < run.b);
        for figure in &later.figures[first..] {
            let at = figure.at as usize;
            if at >= run.b + run.len {
                break;
            }
            let Some(old) = earlier.at(run.a + at - run.b) else { continue };
            if enough && held(earlier, later, run, at, (old, figure), before, after) {
                pairs.push((old, figure));
            }
        }
        if let Some(next) = after {
            pairs.extend(between(earlier, later, run, &next));
        }
    }
    for (number, &(old, new)) in pairs.iter().enumerate() {
        let swapped =
            [number.checked_sub(1), Some(number + 1)].into_iter().flatten().any(|other| {
                pairs.get(other).is_some_and(|&(other_old, other_new)| {
                    other_new.at.abs_diff(new.at) == 2
                        && old.value.agrees(other_new.value)
                        && other_old.value.agrees(new.value)
                })
            });
        if !differ(old, new) || swapped || stated(earlier, later, old, new) {
            continue;
        }
        let kind = if new.kind == Kind::Count { old.kind } else { new.kind };
        let change = Change { before: old.written.clone(), after: new.written.clone(), kind };
        if changes.len() < MOST_CHANGES && !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}

/// Whether what is around two figures says that they are about the same.
fn held(
    earlier: &Figures,
    later: &Figures,
    run: &Run,
    at: usize,
    (old, new): (&Figure, &Figure),
    before: Option<Run>,
    after: Option<Run>,
) -> bool {
    let left = at - run.b;
    let right = run.len - left - 1;
    let (end_a, end_b) = (run.a + run.len, run.b + run.len);
    let open = |words: &[u16], at: usize| words.get(at).is_none_or(|&word| word == GAP);
    let left_holds = left >= 2
        || left >= usize::from(old.lead.max(new.lead))
        || before.is_some_and(|before| {
            let (a, b) = (before.a + before.len, before.b + before.len);
            a <= run.a && run.a - a <= NEAR && run.b - b <= NEAR
        });
    let right_holds = right >= 2
        || right >= usize::from(old.trail.max(new.trail))
        || (open(&earlier.words, end_a) && open(&later.words, end_b) && right >= 1)
        || after.is_some_and(|after| {
            after.a >= end_a && after.a - end_a <= NEAR && after.b - end_b <= NEAR
        });
    left_holds && right_holds
}

/// A figure of each text in a short part between two runs, if it is the only one there.
fn between<'a>(
    earlier: &'a Figures,
    later: &'a Figures,
    run: &Run,
    next: &Run,
) -> Option<(&'a Figure, &'a Figure)> {
    let (a, b) = (run.a + run.len, run.b + run.len);
    if next.a < a || next.a - a > NEAR || next.b - b > NEAR {
        return None;
    }
    let old = earlier.only(a, next.a)?;
    let new = later.only(b, next.b)?;
    (old.kind == new.kind && old.unit == new.unit).then_some((old, new))
}

/// Whether two figures at the same place say different things.
fn differ(old: &Figure, new: &Figure) -> bool {
    if old.written == new.written {
        return false;
    }
    if !old.value.agrees(new.value) {
        return ![(old, new), (new, old)].iter().any(|(a, b)| millions(a, b) || decade(a, b));
    }
    match (old.unit, new.unit) {
        (a, b) if a == b => false,
        (PERCENT, 0) => new.noun,
        (0, PERCENT) => old.noun,
        (a, b) => a != 0 && b != 0 && old.kind != Kind::Count && new.kind != Kind::Count,
    }
}

/// Whether the one is so many `m` and the other as many millions.
fn millions(short: &Figure, long: &Figure) -> bool {
    match (short.value, long.value) {
        (Value::Amount(a, _), Value::Amount(b, _)) => short.unit == EM && a.shifted(6) == b,
        _ => false,
    }
}

/// Whether the one is a decade and the other lies in it.
fn decade(long: &Figure, short: &Figure) -> bool {
    match (long.value, short.value) {
        (Value::Amount(decade, _), Value::Day(day)) if long.unit == DECADE => {
            decade.as_whole().is_some_and(|decade| decade / 10 == u64::from(day.year / 10))
        }
        _ => false,
    }
}

/// Whether the earlier text has what the later one says in another place, in the same words.
fn stated(earlier: &Figures, later: &Figures, old: &Figure, new: &Figure) -> bool {
    let around = |figure: &Figure| agreement(&earlier.words, figure.at, &later.words, new.at);
    let here = around(old);
    earlier.figures.iter().any(|other| {
        other.at != old.at && other.value.agrees(new.value) && around(other) * 4 >= here * 3
    })
}

/// How many words around two places are the same.
fn agreement(a: &[u16], at: u32, b: &[u16], place: u32) -> usize {
    let (at, place) = (at as usize, place as usize);
    let same = |(a, b): &(&u16, &u16)| a == b && **a != GAP;
    let left = a[..at].iter().rev().zip(b[..place].iter().rev()).take(12).take_while(same).count();
    let right = a[at..].iter().zip(&b[place..]).skip(1).take(12).take_while(same).count();
    left + right
}

impl Figures {
    /// The figure at a place among the words.
    fn at(&self, at: usize) -> Option<&Figure> {
        let found = self.figures.binary_search_by_key(&at, |figure| figure.at as usize).ok()?;
        self.figures.get(found)
    }

    /// The figure between two places, if there is just one.
    fn only(&self, from: usize, to: usize) -> Option<&Figure> {
        let first = self.figures.partition_point(|figure| (figure.at as usize) < from);
        let last = self.figures.partition_point(|figure| (figure.at as usize) < to);
        (last == first + 1).then(|| &self.figures[first])
    }
}
