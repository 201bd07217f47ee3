//! Numbers in words.

use super::{
    compound,
    number_locale::NumberLocale,
    value::Decimal,
    view::PieceView,
    words::{Numeral, hint},
};

/// A number in words.
pub(super) struct Spelled {
    pub(super) value: Decimal,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether it is an ordinal.
    pub(super) ordinal: bool,
    /// Whether it is only approximate.
    pub(super) vague: bool,
}

/// The role of a word within a number, German compounds included.
pub(super) fn numeral(view: &PieceView, at: usize) -> Option<NumeralPart> {
    let part = |value, ordinal| Some(NumeralPart::Number { value, ordinal });
    match view.numeral(at) {
        Some(Numeral::Small(value)) => part(value.into(), false),
        Some(Numeral::Hundreds(value)) => part(value.into(), false),
        Some(Numeral::Ordinal(value)) => part(value.into(), true),
        Some(Numeral::Hundred) => Some(NumeralPart::Times(100)),
        Some(Numeral::Dozen) => Some(NumeralPart::Times(12)),
        Some(Numeral::Power(power)) => Some(NumeralPart::Scale(power)),
        Some(Numeral::Vague(power)) => Some(NumeralPart::Vague(power)),
        Some(Numeral::Month(_) | Numeral::MonthIfDated(_) | Numeral::Weekday(_)) => None,
        Some(Numeral::One | Numeral::No | Numeral::Nobody) => None,
        None if view.locale == NumberLocale::German => {
            view.word(at)?;
            let (value, ordinal) = compound::read(view.str(at))?;
            part(value, ordinal)
        }
        None => None,
    }
}

/// An article as part of a longer number: `vingt et un`.
fn one(view: &PieceView, at: usize) -> Option<NumeralPart> {
    let is_one = view.numeral(at) == Some(Numeral::One);
    is_one.then_some(NumeralPart::Number { value: 1, ordinal: false })
}

/// Where words end that count no people: `nobody`, `no one`, or `no` right before people.
fn none(view: &PieceView, at: usize) -> Option<usize> {
    match view.numeral(at)? {
        Numeral::Nobody => Some(at + 1),
        Numeral::No => {
            let hyphen = usize::from(view.is_dash(at + 1) && view.glued(at + 1));
            let mut one = at + 1 + hyphen;
            // The signs of a quotation, where a line of it ends after "no".
            while view.mark(one) == Some('>') {
                one += 1;
            }
            let is_one = view.flows(one) && view.numeral(one) == Some(Numeral::Small(1));
            // "no one-way streets" counts nobody.
            let goes_on = view.is_dash(one + 1) && view.glued(one + 1);
            match is_one && !goes_on {
                true => Some(one + 1),
                false => {
                    let people = view.flows(at + 1) && view.hints(at + 1, hint::PERSON);
                    people.then_some(at + 1)
                }
            }
        }
        _ => None,
    }
}

/// A word within a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumeralPart {
    /// A number that is added to what precedes it.
    Number { value: u64, ordinal: bool },
    /// A number that multiplies what precedes it and is below a thousand.
    Times(u64),
    /// A power of ten that multiplies what precedes it.
    Scale(u8),
    /// A vague power of ten, such as `hundreds`.
    Vague(u8),
}

/// The number that starts at a word.
pub(super) fn number(view: &PieceView, at: usize) -> Option<Spelled> {
    if view.numeral(at) == Some(Numeral::One) {
        let person = view.flows(at + 1) && view.hints(at + 1, hint::PERSON);
        let value = Decimal::whole(1);
        return person.then_some(Spelled { value, end: at + 1, ordinal: false, vague: false });
    }
    if let Some(end) = none(view, at) {
        let value = Decimal::whole(0);
        return Some(Spelled { value, end, ordinal: false, vague: false });
    }
    let mut sum = PartialNumber::default();
    let mut end = at;
    let mut ordinal = false;
    while !ordinal {
        // Parts of a number are joined by a space, a hyphen, or "and".
        let mut next = end;
        if end > at {
            let hyphen = view.is_dash(next) && view.glued(next) && view.glued(next + 1);
            if hyphen || (view.hints(next, hint::AND) && sum.takes_and(view.locale)) {
                next += 1;
            }
            if !view.flows(next) {
                break;
            }
        }
        let part = numeral(view, next).or_else(|| one(view, next).filter(|_| next > end));
        let taken = match part {
            Some(NumeralPart::Number { value, .. }) => sum.add(value, view.locale, next > end),
            Some(NumeralPart::Times(factor)) => sum.times(factor),
            Some(NumeralPart::Scale(power)) => sum.scale(power, view.locale),
            Some(NumeralPart::Vague(power)) if end == at => {
                let value = Decimal::whole(1).shifted(power);
                return Some(Spelled { value, end: at + 1, ordinal: false, vague: true });
            }
            _ => false,
        };
        if !taken {
            break;
        }
        ordinal = matches!(part, Some(NumeralPart::Number { ordinal: true, .. }));
        end = next + 1;
    }
    if end == at {
        return None;
    }
    Some(Spelled { value: sum.value()?, end, ordinal, vague: false })
}

/// A number as far as it has been read.
#[derive(Default)]
struct PartialNumber {
    /// Multiples of a thousand.
    high: u64,
    /// The power of ten of the last of these.
    power: Option<u8>,
    /// The part below.
    low: Option<u64>,
}

impl PartialNumber {
    fn takes_and(&self, locale: NumberLocale) -> bool {
        let low = self.low.unwrap_or(0);
        match locale {
            NumberLocale::English => {
                (low > 0 && low.is_multiple_of(100)) || (low == 0 && self.high > 0)
            }
            _ => low % 100 >= 20 && low.is_multiple_of(10),
        }
    }

    fn add(&mut self, value: u64, locale: NumberLocale, joined: bool) -> bool {
        let Some(low) = self.low else {
            // After a power of ten, only a smaller number continues.
            if self.power.is_some_and(|power| power < 3) {
                return false;
            }
            self.low = Some(value);
            return true;
        };
        let tens = low % 100;
        let fits = match locale {
            // quatre-vingt, soixante-dix, quatre-vingt-onze
            NumberLocale::French if value == 20 && tens == 4 && joined => {
                self.low = Some(low + 76);
                return true;
            }
            NumberLocale::French if matches!(tens, 60 | 80) => value < 20,
            _ => tens >= 20 && tens.is_multiple_of(10) && value < 10,
        };
        let fits = value > 0 && (fits || (low >= 100 && tens == 0 && value < 100));
        if fits {
            self.low = Some(low + value);
        }
        fits
    }

    fn times(&mut self, factor: u64) -> bool {
        let low = self.low.unwrap_or(1);
        if low >= 100 {
            return false;
        }
        self.low = Some(low * factor);
        true
    }

    fn scale(&mut self, power: u8, locale: NumberLocale) -> bool {
        let factor = 10u64.checked_pow(power.into()).unwrap_or(u64::MAX);
        match self.power {
            // "mil millones" is a thousand millions.
            Some(last) if last < power => {
                if locale != NumberLocale::Spanish || last != 3 {
                    return false;
                }
                let all = self.high.saturating_add(self.low.unwrap_or(0));
                self.high = all.saturating_mul(factor);
                self.low = None;
            }
            Some(last) if last == power => return false,
            _ => {
                let low = self.low.take().unwrap_or(1);
                self.high = self.high.saturating_add(low.saturating_mul(factor));
            }
        }
        self.power = Some(power);
        true
    }

    fn value(&self) -> Option<Decimal> {
        let all = self.high.checked_add(self.low.unwrap_or(0))?;
        (all < u64::MAX / 2).then(|| Decimal::whole(all))
    }
}
