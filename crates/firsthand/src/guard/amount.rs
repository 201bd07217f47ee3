//! Amounts: a number with its multiplier and its unit.

use super::{
    FigureKind, digits,
    spelled::{self, NumeralPart},
    value::Decimal,
    view::PieceView,
    words::{Beside, Unit, hint, money, unit},
};

/// A number with its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) value: Decimal,
    pub(super) kind: FigureKind,
    /// The unit's number; 0 is none.
    pub(super) unit: u8,
    /// Where it ends.
    pub(super) end: usize,
}

/// The unit of percentages.
pub(super) const PERCENT: u8 = 1;
/// The unit of `m`: metres, or millions.
pub(super) const EM: u8 = 20;
/// Not units: they tell ordinals, decades and vague numbers apart from plain ones.
pub(super) const ORDINAL: u8 = 21;
pub(super) const DECADE: u8 = 22;
pub(super) const VAGUE: u8 = 23;

/// The amount that starts at a piece: a number, a currency sign, or a word.
pub(super) fn read(view: &PieceView, at: usize) -> Option<Amount> {
    let before = money_before(view, at);
    let start = if before.is_some() { at + 1 } else { at };
    let (mut value, mut end, mut unit) = if view.is_number(start) {
        let (value, end) = digits::number(view, start)?;
        (value, end, 0)
    } else {
        let spelled = spelled::number(view, start)?;
        let unit = match (spelled.ordinal, spelled.vague) {
            (true, _) => ORDINAL,
            (_, true) => VAGUE,
            _ => 0,
        };
        (spelled.value, spelled.end, unit)
    };
    if unit != 0 {
        return Some(Amount { value, kind: FigureKind::Count, unit, end });
    }
    (value, end) = scaled(view, value, end);
    if let Some(money) = before {
        unit = money;
        if view.beside(end) == Some(Beside::Em) && view.glued(end) {
            (value, end) = (value.shifted(6), end + 1);
        }
    }
    let after = unit_after(view, end);
    if let Some((found, behind, millions)) = after
        && (before.is_none() || before == Some(found))
    {
        (unit, end) = (found, behind);
        if millions {
            value = value.shifted(6);
        }
    }
    Some(Amount { value, kind: kind(unit), unit, end })
}

/// What a unit measures.
fn kind(unit: u8) -> FigureKind {
    match unit {
        PERCENT => FigureKind::Percent,
        2..EM => FigureKind::Price,
        EM | 30.. => FigureKind::Measure,
        DECADE => FigureKind::Date,
        _ => FigureKind::Count,
    }
}

/// The currency sign or code before a number.
fn money_before(view: &PieceView, at: usize) -> Option<u8> {
    if let Some(money) = view.mark(at).and_then(sign) {
        return view.flows(at + 1).then_some(money);
    }
    let code = view.word(at).is_some_and(|_| view.str(at).chars().all(char::is_uppercase))
        || view.str(at) == "Rs";
    match view.beside(at) {
        Some(Beside::Money(money)) if code && view.is_number(at + 1) => Some(money),
        _ => None,
    }
}

/// The currency of a sign.
pub(super) fn sign(mark: char) -> Option<u8> {
    Some(match mark {
        '$' | '＄' => money::DOLLAR,
        '€' => money::EURO,
        '£' | '￡' => money::POUND,
        '¥' | '￥' => money::YEN,
        '₹' => money::RUPEE,
        '₽' => money::ROUBLE,
        '₩' | '₺' | '₪' | '₴' | '₦' => money::OTHER,
        '¢' => money::CENT,
        _ => return None,
    })
}

/// Applies the words that multiply a number: `5 million`, `1.2bn`, `3 Mrd.`.
pub(super) fn scaled(view: &PieceView, mut value: Decimal, mut end: usize) -> (Decimal, usize) {
    for _ in 0..2 {
        let hyphen = usize::from(view.is_dash(end) && view.glued(end) && view.glued(end + 1));
        let at = end + hyphen;
        if !view.flows(at) {
            break;
        }
        match (spelled::numeral(view, at), view.beside(at)) {
            (Some(NumeralPart::Scale(power)), _) => value = value.shifted(power),
            (Some(NumeralPart::Times(factor)), _) => match value.times(factor) {
                Some(product) => value = product,
                None => break,
            },
            (_, Some(Beside::Scale(power))) => {
                // One-letter abbreviations must touch the number, or they mean something else.
                if view.str(at).len() == 1 && !view.glued(at) {
                    break;
                }
                value = value.shifted(power);
                let point = view.mark(at + 1) == Some('.') && view.glued(at + 1);
                end = at + 1 + usize::from(point && !sentence_ends(view, at + 1));
                continue;
            }
            _ => break,
        }
        end = at + 1;
    }
    (value, end)
}

/// Whether the full stop there ends a sentence: a capital follows, or nothing.
fn sentence_ends(view: &PieceView, at: usize) -> bool {
    view.pieces.get(at + 1).is_none_or(|piece| piece.capital || !view.flows(at + 1))
}

/// The unit after a number, where it ends, and whether it includes a million.
pub(super) fn unit_after(view: &PieceView, at: usize) -> Option<(u8, usize, bool)> {
    if !view.flows(at) {
        return None;
    }
    match view.mark(at) {
        Some('%' | '٪' | '‰' | '％') => return Some((PERCENT, at + 1, false)),
        Some('°' | '˚' | 'º') => {
            let scale = matches!(view.str(at + 1), "C" | "F" | "c" | "f");
            return Some((unit::DEGREE, at + 1 + usize::from(scale && view.flows(at + 1)), false));
        }
        Some('′') => return Some((unit::FOOT, at + 1, false)),
        Some('″') => return Some((unit::INCH, at + 1, false)),
        Some('-' | '‑' | '‐') if view.glued(at) && view.glued(at + 1) => {
            return match view.beside(at + 1)? {
                Beside::Percent => Some((PERCENT, at + 2, false)),
                Beside::Money(money) => Some((money, at + 2, false)),
                Beside::Unit(unit) if view.str(at + 1).len() > 1 => {
                    let (unit, end) = compound(view, unit, at + 2).unwrap_or((unit, at + 2));
                    Some((unit, end, false))
                }
                _ => None,
            };
        }
        // In "two $5 notes" the sign belongs to the next number.
        Some(_) if view.is_number(at + 1) && view.glued(at + 1) => return None,
        Some(mark) => return sign(mark).map(|money| (money, at + 1, false)),
        None => {}
    }
    word_after(view, at)
}

fn word_after(view: &PieceView, at: usize) -> Option<(u8, usize, bool)> {
    let letter = view.str(at).len() == 1;
    let ours = |unit| Some((unit, at + 1, false));
    match view.beside(at) {
        Some(Beside::Percent) => ours(PERCENT),
        Some(Beside::Per) if matches!(view.str(at + 1), "cent" | "ciento" | "Cent") => {
            Some((PERCENT, at + 2, false))
        }
        Some(Beside::Rank) if view.glued(at) => ours(ORDINAL),
        Some(Beside::Decade) if view.glued(at) => {
            let round = at.checked_sub(1).and_then(|number| view.plain(number));
            let is_decade = round.is_some_and(|(number, _)| number % 10 == 0);
            ours(if is_decade || !letter { DECADE } else { unit::SECOND })
        }
        Some(Beside::Square | Beside::Cubic) => {
            let point = usize::from(view.mark(at + 1) == Some('.') && view.glued(at + 1));
            let base = length(view, at + 1 + point)?;
            power(view, at, base).map(|unit| (unit, at + 2 + point, false))
        }
        Some(Beside::Em) => match (compound(view, unit::METRE, at + 1), money_word(view, at + 1)) {
            (Some((unit, end)), _) => Some((unit, end, false)),
            (_, Some((money, end))) => Some((money, end, true)),
            _ if view.glued(at) || view.str(at) == "m" => ours(EM),
            _ => None,
        },
        // "12.5 C", but no other single letter unless it touches the number.
        Some(Beside::Unit(unit::DEGREE)) if letter => {
            matches!(view.str(at), "C" | "F").then_some((unit::DEGREE, at + 1, false))
        }
        Some(Beside::Unit(found)) if !letter || view.glued(at) || "lg".contains(view.str(at)) => {
            if let Some((unit, end)) = compound(view, found, at + 1) {
                return Some((unit, end, false));
            }
            let degrees = found == unit::DEGREE
                && view.beside(at + 1) == Some(Beside::Unit(unit::DEGREE))
                && view.str(at + 1).len() > 1;
            Some((found, at + 1 + usize::from(degrees), false))
        }
        Some(Beside::Money(_)) if letter && !view.glued(at) => None,
        _ => money_word(view, at).map(|(money, end)| (money, end, false)),
    }
}

/// The unit of length at a word.
fn length(view: &PieceView, at: usize) -> Option<u8> {
    match view.beside(at)? {
        Beside::Unit(unit) if view.flows(at) => Some(unit),
        Beside::Em if view.flows(at) => Some(unit::METRE),
        _ => None,
    }
}

/// The area or volume that a word makes of a length.
fn power(view: &PieceView, at: usize, length: u8) -> Option<u8> {
    let power = match view.beside(at)? {
        Beside::Square => "square",
        Beside::Cubic => "cubic",
        _ => return None,
    };
    let name = Unit::numbered(length)?.name;
    Unit::named(&format!("{power}-{name}")).map(|unit| unit.number)
}

/// A unit made of another and what follows it, and where it ends: `kilomètres carrés`, `km/h`,
/// `miles an hour`, `kilomètres à l'heure`, `kilowatt-hours`.
fn compound(view: &PieceView, base: u8, end: usize) -> Option<(u8, usize)> {
    if !view.flows(end) {
        return None;
    }
    if let Some(unit) = power(view, end, base) {
        return Some((unit, end + 1));
    }
    let (mut next, mut divided) = (end, false);
    while next < end + 4 && view.flows(next) {
        match view.mark(next) {
            Some('/') => divided = true,
            Some('-' | '‑' | '‐') if view.glued(next) => {}
            Some('\'' | '’') if divided => {}
            None if view.hints(next, hint::PER) => divided = true,
            _ => break,
        }
        next += 1;
    }
    let time = match (view.beside(next), view.str(next)) {
        _ if !view.flows(next) => return None,
        (Some(Beside::Unit(time)), _) => time,
        (_, "h") => unit::HOUR,
        (_, "s") => unit::SECOND,
        _ => return None,
    };
    let (base, time) = (Unit::numbered(base)?.name, Unit::numbered(time)?.name);
    let rate = Unit::named(&format!("{base}/{time}")).filter(|_| next > end);
    let product = || Unit::named(&format!("{base}-{time}")).filter(|_| !divided);
    rate.or_else(product).map(|unit| (unit.number, next + 1))
}

/// A currency in words, with what links it: `dollars`, `de dollars`, `US-Dollar`, `d'euros`.
fn money_word(view: &PieceView, mut at: usize) -> Option<(u8, usize)> {
    if view.hints(at, hint::OF) {
        at += 1 + usize::from(matches!(view.mark(at + 1), Some('\'' | '’')));
    }
    if matches!(view.str(at), "US" | "U.S") {
        at += 1 + usize::from(view.is_dash(at + 1));
    }
    match view.beside(at) {
        Some(Beside::Money(money)) if view.flows(at) => Some((money, at + 1)),
        _ => view.mark(at).and_then(sign).map(|money| (money, at + 1)),
    }
}
