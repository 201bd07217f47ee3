//! Pairs the figures of two texts by position and finds those that differ.

use super::{
    Change, Figure, FigureKind, Figures, GAP, MASK,
    align::{self, AlignedWord},
    amount::{DECADE, EM, ORDINAL, PERCENT, VAGUE},
    convert,
    pieces::hash_word,
    read::short,
    value::Value,
};
use std::sync::LazyLock;

/// Shared words around two figures, both sides together, that make them refer to the same thing.
const ENOUGH: usize = 5;
/// Words on each side among which these are looked for.
const REACH: usize = 10;
/// Shared words that each side needs among its [`NEAR`] nearest.
const EACH: usize = 2;
/// Nearest words on a side.
const NEAR: usize = 6;
/// Changes listed per pair of texts, at most.
const MOST_CHANGES: usize = 100;
/// Differences examined per pair of texts, at most.
const MOST_DIFFERENCES: usize = 500;

/// The figures that changed from one text to the other.
pub(super) fn changes(earlier: &Figures, later: &Figures) -> Vec<Change> {
    let aligned = Aligned::new(earlier, later);
    let pairs = aligned.figures();
    let mut changes: Vec<Change> = Vec::new();
    let differences = pairs.iter().enumerate().filter(|(_, (old, new))| differ(old, new));
    for (number, &(old, new)) in differences.take(MOST_DIFFERENCES) {
        if swapped(&pairs, number, later) || stated(earlier, later, old, new) {
            continue;
        }
        let kind = if new.kind == FigureKind::Count { old.kind } else { new.kind };
        let change = Change { before: old.written.clone(), after: new.written.clone(), kind };
        if changes.len() < MOST_CHANGES && !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}

/// Two texts and the words they share at the same position.
struct Aligned<'a> {
    earlier: &'a Figures,
    later: &'a Figures,
    /// Ascending in the later text.
    places: Vec<AlignedWord>,
}

impl<'a> Aligned<'a> {
    fn new(earlier: &'a Figures, later: &'a Figures) -> Self {
        Self { earlier, later, places: align::places(&earlier.words, &later.words) }
    }

    /// The figures that refer to the same thing in both texts.
    fn figures(&self) -> Vec<(&'a Figure, &'a Figure)> {
        let pair = |new: &'a Figure| {
            let number = self.places.binary_search_by_key(&new.at, |place| place.b).ok()?;
            let old = self.earlier.at(self.places[number].a)?;
            self.holds(number, old, new).then_some((old, new))
        };
        self.later.figures.iter().filter_map(pair).collect()
    }

    /// Whether the surroundings of two figures show that they refer to the same thing.
    fn holds(&self, number: usize, old: &Figure, new: &Figure) -> bool {
        let (before, after) = (&self.places[..number], &self.places[number + 1..]);
        let left = self.side(before.iter().rev(), self.places[number]);
        let right = self.side(after.iter(), self.places[number]);
        let least = self.earlier.words.len().min(self.later.words.len());
        let told = left.told + right.told;
        let enough = told >= ENOUGH || told * 2 >= least;
        let enough_each = (left.near >= EACH || left.joined >= usize::from(old.lead.max(new.lead)))
            && (right.near >= EACH || right.joined >= usize::from(old.trail.max(new.trail)));
        // Where words right next to a figure were replaced, the figures must be of the same sort.
        let joined = |side: &SharedContext, most: u8| side.joined >= EACH.min(most.into());
        let joined =
            joined(&left, old.lead.max(new.lead)) && joined(&right, old.trail.max(new.trail));
        enough && enough_each && (joined || alike(old, new))
    }

    /// What one side of a figure has in common, from the nearest position outwards.
    fn side<'p>(
        &self,
        places: impl Iterator<Item = &'p AlignedWord>,
        figure: AlignedWord,
    ) -> SharedContext {
        let mut side = SharedContext::default();
        for (step, place) in places.enumerate() {
            let far = place.a.abs_diff(figure.a).max(place.b.abs_diff(figure.b)) as usize;
            let ordered = (place.a < figure.a) == (place.b < figure.b);
            if far > REACH || !ordered {
                break;
            }
            if far == step + 1 {
                side.joined = far;
            }
            if self.later.words.get(place.b as usize).is_some_and(|&word| word != MASK) {
                side.told += 1;
                side.near += usize::from(far <= NEAR);
            }
        }
        side
    }
}

/// Whether two figures are of the same sort, by their form.
fn alike(old: &Figure, new: &Figure) -> bool {
    let ranked = |figure: &Figure| matches!(figure.unit, ORDINAL | VAGUE);
    let bare = |figure: &Figure| {
        figure.unit == 0
            && matches!(figure.kind, FigureKind::Count | FigureKind::Date)
            && !figure.noun
    };
    (old.kind == new.kind && ranked(old) == ranked(new))
        || (bare(old) && bare(new))
        || old.value.agrees(new.value)
}

/// What the words on one side of two figures have in common.
#[derive(Default)]
struct SharedContext {
    /// Adjacent words without an interruption.
    joined: usize,
    /// Words that are not numbers.
    told: usize,
    /// Those of them that are near.
    near: usize,
}

/// Whether a figure and its neighbour swapped places: "five and seven", "seven and five".
fn swapped(pairs: &[(&Figure, &Figure)], number: usize, later: &Figures) -> bool {
    let (old, new) = pairs[number];
    [number.checked_sub(1), Some(number + 1)].into_iter().flatten().any(|other| {
        pairs.get(other).is_some_and(|&(other_old, other_new)| {
            let link = later.words.get(new.at.min(other_new.at) as usize + 1);
            other_new.at.abs_diff(new.at) == 2
                && link.is_some_and(|link| LINKS.contains(link))
                && old.value.agrees(other_new.value)
                && other_old.value.agrees(new.value)
        })
    })
}

/// Words that link numbers whose order carries no meaning.
static LINKS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let words = ["and", "or", "und", "oder", "et", "ou", "y", "e", "o", "u"];
    words.iter().map(|word| short(hash_word(word))).collect()
});

/// Whether two figures at the same position have different values.
pub(super) fn differ(old: &Figure, new: &Figure) -> bool {
    if old.written == new.written {
        return false;
    }
    if let (Value::Amount(a, _), Value::Amount(b, _)) = (old.value, new.value)
        && convert::alike((a, old.unit), (b, new.unit))
    {
        return false;
    }
    // A day of the week says nothing about figures of other kinds, nor about dates without one.
    if old.value.weekday().is_some() != new.value.weekday().is_some() {
        let full = |value| matches!(value, Value::Day(day) if !day.is_weekday());
        return full(old.value) && full(new.value) && !old.value.agrees(new.value);
    }
    if !old.value.agrees(new.value) {
        return ![(old, new), (new, old)].iter().any(|(a, b)| millions(a, b) || decade(a, b));
    }
    match (old.unit, new.unit) {
        (a, b) if a == b => false,
        (PERCENT, 0) => new.noun,
        (0, PERCENT) => old.noun,
        (a, b) => {
            a != 0 && b != 0 && old.kind != FigureKind::Count && new.kind != FigureKind::Count
        }
    }
}

/// Whether one is a number of `m` and the other the same number of millions.
fn millions(short: &Figure, long: &Figure) -> bool {
    match (short.value, long.value) {
        (Value::Amount(a, _), Value::Amount(b, _)) => short.unit == EM && a.shifted(6) == b,
        _ => false,
    }
}

/// Whether one is a decade and the other a year in it.
fn decade(long: &Figure, short: &Figure) -> bool {
    match (long.value, short.value) {
        (Value::Amount(decade, _), Value::Day(day)) if long.unit == DECADE => {
            decade.as_whole().is_some_and(|decade| decade / 10 == u64::from(day.year / 10))
        }
        _ => false,
    }
}

/// Whether the earlier text states the later value elsewhere: in the same words, or nearby with the
/// same word after it, as in a reordered list.
fn stated(earlier: &Figures, later: &Figures, old: &Figure, new: &Figure) -> bool {
    let around = |figure: &Figure| agreement(&earlier.words, figure.at, &later.words, new.at);
    let here = around(old);
    let behind =
        |figures: &Figures, figure: &Figure| figures.words.get(figure.at as usize + 1).copied();
    let counted = behind(later, new);
    let another = behind(earlier, old) != counted;
    earlier.figures.iter().any(|other| {
        let near = other.at.abs_diff(old.at) as usize <= REACH;
        let listed = another && near && behind(earlier, other) == counted && other.unit == new.unit;
        other.at != old.at
            && other.value.agrees(new.value)
            && (listed || around(other) * 4 >= here * 3)
    })
}

/// How many words around two positions are the same.
fn agreement(a: &[u16], at: u32, b: &[u16], place: u32) -> usize {
    let (at, place) = (at as usize, place as usize);
    let same = |(a, b): &(&u16, &u16)| a == b && **a != GAP;
    let left = a[..at].iter().rev().zip(b[..place].iter().rev()).take(12).take_while(same).count();
    let right = a[at..].iter().zip(&b[place..]).skip(1).take(12).take_while(same).count();
    left + right
}

impl Figures {
    /// The figure at a position among the words.
    fn at(&self, at: u32) -> Option<&Figure> {
        let found = self.figures.binary_search_by_key(&at, |figure| figure.at).ok()?;
        self.figures.get(found)
    }
}
