//! Dates, in words and in numbers.

use super::{
    amount,
    number_locale::NumberLocale,
    value::Day,
    view::PieceView,
    words::{Beside, Numeral, hint},
};

/// The date that starts at a piece, and where it ends.
pub(super) fn read(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    let Some(weekday) = weekday(view, at) else { return without_weekday(view, at) };
    // `Tuesday, 12 March` and `Dienstag, den 12. März` are one date.
    let mut next = at + 1;
    if matches!(view.mark(next), Some(',' | '.')) {
        next += 1;
    }
    if matches!(view.str(next), "the" | "den" | "dem" | "der" | "le" | "el") {
        next += 1;
    }
    match without_weekday(view, next).filter(|(day, _)| view.flows(next) && day.day != 0) {
        Some((day, end)) => Some((Day { weekday, ..day }, end)),
        None => Some((Day { weekday, ..Day::default() }, at + 1)),
    }
}

/// The day of the week that a word names.
fn weekday(view: &PieceView, at: usize) -> Option<u8> {
    match view.numeral(at)? {
        Numeral::Weekday(weekday) if may_be_name(view, at) => Some(weekday),
        _ => None,
    }
}

/// Whether a word is written as names of months and days are: with a capital, but in French and
/// Spanish.
fn may_be_name(view: &PieceView, at: usize) -> bool {
    let capital = view.pieces.get(at).is_some_and(|piece| piece.capital);
    capital || matches!(view.locale, NumberLocale::French | NumberLocale::Spanish)
}

fn without_weekday(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    if view.is_number(at) {
        numbers(view, at).or_else(|| day_first(view, at))
    } else {
        month_first(view, at)
            .or_else(|| if view.numeral(at).is_some() { day_first(view, at) } else { None })
    }
}

/// A year on its own, and where it ends.
pub(super) fn year(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    let (year, 4) = view.plain(at)? else { return None };
    let year = u16::try_from(year).ok().filter(|year| (1500..2100).contains(year))?;
    if amount::unit_after(view, at + 1).is_some() {
        return None;
    }
    let since = at > 0 && view.flows(at) && view.hints(at - 1, hint::SINCE);
    let counts = view.flows(at + 1) && view.is_noun(at + 1) && view.glued(at + 1);
    let modern = (1900..2100).contains(&year);
    let noun = view.flows(at + 1) && view.is_noun(at + 1);
    let the = at > 0 && view.word(at - 1).is_some() && !view.is_noun(at - 1);
    let dated = since || (modern && (!noun || the));
    (dated && !counts).then_some((Day { year, ..Day::default() }, at + 1))
}

/// `12.03.2014`, `2014-03-12`, `3/12/2014`, `12.3.`
fn numbers(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    let text = view.str(at);
    let part =
        |text: &str| -> Option<u16> { (text.len() <= 4).then(|| text.parse().ok()).flatten() };
    let mut parts = text.split('.');
    if let (Some(first), Some(second), third, None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    {
        if let Some(third) = third {
            // "1.6.1" is a version.
            if first.len() != 4 && !matches!(third.len(), 2 | 4) {
                return None;
            }
            return Some((ordered(view, part(first)?, part(second)?, part(third)?)?, at + 1));
        }
        let point = view.mark(at + 1) == Some('.') && view.glued(at + 1);
        if view.locale == NumberLocale::German && point && first.len() <= 2 && second.len() <= 2 {
            let (day, month) = (part(first)?, part(second)?);
            return Some((checked(0, month, day)?, at + 2));
        }
        return None;
    }
    let mark = view.mark(at + 1).filter(|mark| matches!(mark, '/' | '-' | '.'))?;
    if view.mark(at + 3) != Some(mark) || !(at + 1..=at + 4).all(|at| view.glued(at)) {
        return None;
    }
    let three = [at, at + 2, at + 4].map(|at| part(view.str(at)));
    let [Some(first), Some(second), Some(third)] = three else { return None };
    // "555-12-34" is not a date.
    if mark == '-' && first < 1000 && third < 1000 {
        return None;
    }
    Some((ordered(view, first, second, third)?, at + 5))
}

fn ordered(view: &PieceView, first: u16, second: u16, third: u16) -> Option<Day> {
    if first >= 1000 {
        return checked(first, second, third);
    }
    let us = view.locale == NumberLocale::English;
    let day_month = if (us && second <= 31 && first <= 12) || second > 12 {
        (second, first)
    } else {
        (first, second)
    };
    checked(third, day_month.1, day_month.0)
}

fn checked(year: u16, month: u16, day: u16) -> Option<Day> {
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let possible = (1..=12).contains(&month) && (1..=31).contains(&day) && year < 3000;
    possible.then_some(Day { year, month, day, ..Day::default() })
}

/// `12 March 2014`, `12. März`, `1er mars 2014`, `12 de marzo de 2014`, `the twelfth of March`.
fn day_first(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    let (day, mut next) = day(view, at)?;
    if view.hints(next, hint::OF) {
        next += 1;
    }
    let month = month(view, next, true)?;
    let (year, end) = year_behind(view, next + 1);
    Some((Day { year, month, day, ..Day::default() }, end))
}

/// `March 12, 2014`, `March 2014`, `im März`.
fn month_first(view: &PieceView, at: usize) -> Option<(Day, usize)> {
    let dated = month(view, at, true)?;
    let mut next = at + 1;
    if view.mark(next) == Some('.') && view.glued(next) {
        next += 1;
    }
    let not_so_far = |end: usize| (end..=end + 1).all(|end| !view.is_dash(end) || !view.glued(end));
    if view.locale == NumberLocale::English
        && view.flows(next)
        && let Some((day, end)) = day(view, next)
        && (not_so_far(end) || !view.is_number(end + 1))
        && !(view.mark(end) == Some(':') && view.glued(end))
    {
        let comma = usize::from(view.mark(end) == Some(','));
        let (year, end) = match year_at(view, end + comma) {
            Some(year) => (year, end + comma + 1),
            None => (0, end),
        };
        return Some((Day { year, month: dated, day, ..Day::default() }, end));
    }
    if let (year @ 1.., end) = year_behind(view, at + 1) {
        return Some((Day { year, month: dated, ..Day::default() }, end));
    }
    // A month alone needs a word like "in" before it.
    let month = month(view, at, false)?;
    let since = at > 0 && view.flows(at) && view.hints(at - 1, hint::SINCE);
    since.then_some((Day { month, ..Day::default() }, at + 1))
}

/// A day of the month in digits or words, and where it ends.
fn day(view: &PieceView, at: usize) -> Option<(u8, usize)> {
    if let Some((number, 1..=2)) = view.plain(at) {
        let mut end = at + 1;
        let rank = view.beside(end) == Some(Beside::Rank) && view.glued(end);
        let point = view.locale == NumberLocale::German && view.mark(end) == Some('.');
        if rank || (point && view.glued(end)) || matches!(view.mark(end), Some('º' | '°')) {
            end += 1;
        }
        // An impossible day still counts: what is written next to a month is compared.
        return Some((u8::try_from(number).ok()?, end));
    }
    let spelled = super::spelled::number(view, at)?;
    let day = u8::try_from(spelled.value.as_whole()?).ok().filter(|day| (1..=31).contains(day))?;
    (spelled.ordinal || view.locale != NumberLocale::English).then_some((day, spelled.end))
}

fn month(view: &PieceView, at: usize, dated: bool) -> Option<u8> {
    if !may_be_name(view, at) || !view.flows(at) {
        return None;
    }
    match view.numeral(at)? {
        Numeral::Month(month) => Some(month),
        Numeral::MonthIfDated(month) => dated.then_some(month),
        _ => None,
    }
}

/// The year after a month, or 0, and where the date ends.
fn year_behind(view: &PieceView, at: usize) -> (u16, usize) {
    let mut next = at;
    if matches!(view.mark(next), Some('.' | ',')) && view.flows(next) {
        next += 1;
    }
    if view.hints(next, hint::OF) || view.str(next) == "del" {
        next += 1;
    }
    match year_at(view, next) {
        Some(year) => (year, next + 1),
        None => (0, at),
    }
}

fn year_at(view: &PieceView, at: usize) -> Option<u16> {
    let (year, digits) = view.plain(at).filter(|_| view.flows(at))?;
    let year = u16::try_from(year).ok()?;
    (digits == 4 && year > 0).then_some(year)
}
