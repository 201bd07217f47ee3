//! Numbers that are not figures: times of day, telephone numbers and other identifiers.

use super::{
    view::PieceView,
    words::{Beside, hint, unit},
};

/// The end of a time of day that starts at a number.
pub(super) fn clock(view: &PieceView, at: usize) -> Option<usize> {
    let hour = |hour: &str| hour.parse::<u8>().is_ok_and(|hour| hour <= 24);
    let minute = |minute: &str| minute.len() == 2 && minute.parse::<u8>().is_ok_and(|m| m < 60);
    let text = view.str(at);
    // 14:32, 14:32:05
    if hour(text)
        && view.mark(at + 1) == Some(':')
        && view.glued(at + 1)
        && view.glued(at + 2)
        && minute(view.str(at + 2))
    {
        let mut end = at + 3;
        if view.mark(end) == Some(':') && view.glued(end) && view.is_number(end + 1) {
            end += 2;
        }
        return Some(suffix(view, end).unwrap_or(end));
    }
    let whole = text.len() <= 2
        || (text.len() == 4 && text.get(2..).is_some_and(minute))
        || clock_text(text);
    if whole && view.is_number(at) {
        return suffix(view, at + 1);
    }
    None
}

/// `10.30`
fn clock_text(text: &str) -> bool {
    text.split_once('.').is_some_and(|(hour, minute)| {
        hour.len() <= 2 && minute.len() == 2 && minute.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The end of what turns a number into a time of day: `pm`, `Uhr`, `h30`, `o'clock`, `GMT`.
fn suffix(view: &PieceView, at: usize) -> Option<usize> {
    if !view.flows(at) {
        return None;
    }
    let written = view.str(at);
    match view.beside(at) {
        Some(Beside::Clock) => {
            // "15 h 30"
            let minutes =
                written == "h" && view.plain(at + 1).is_some_and(|(_, digits)| digits == 2);
            return Some(at + 1 + usize::from(minutes));
        }
        Some(Beside::Zone) if written.chars().all(char::is_uppercase) => return Some(at + 1),
        Some(Beside::Unit(unit::HOUR)) => {
            let said = at >= 2 && matches!(view.str(at - 2), "à" | "las" | "À" | "Las");
            let military = written == "hrs" && at >= 1 && view.str(at - 1).len() == 4;
            return (said || military).then_some(at + 1);
        }
        _ => {}
    }
    let h = written.strip_prefix(['h', 'H']);
    if h.is_some_and(|minute| minute.len() == 2 && minute.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Some(at + 1);
    }
    if matches!(written, "a" | "p" | "A" | "P")
        && view.mark(at + 1) == Some('.')
        && matches!(view.str(at + 2), "m" | "M")
        && view.glued(at + 2)
    {
        return Some(at + 3 + usize::from(view.mark(at + 3) == Some('.')));
    }
    let oclock = written == "o" && matches!(view.mark(at + 1), Some('\'' | '’'));
    (oclock && view.str(at + 2) == "clock").then_some(at + 3)
}

/// The end of a telephone number or other identifier that starts at a number.
pub(super) fn code(view: &PieceView, at: usize) -> Option<usize> {
    let digits = |at: usize| view.str(at).chars().filter(char::is_ascii_digit).count();
    let (mut end, mut groups, mut total) = (at + 1, 1, digits(at));
    let mut hard = 0;
    loop {
        let mut next = end;
        while matches!(view.mark(next), Some('-' | '.' | '/' | '(' | ')' | '–')) && next < end + 2
        {
            next += 1;
        }
        let near = (end..=next).all(|at| view.flows(at));
        if !view.is_number(next) || !near || groups > 8 {
            break;
        }
        hard += usize::from(next > end && view.glued(next));
        (end, groups, total) = (next + 1, groups + 1, total + digits(next));
    }
    let before = |back: usize| at.checked_sub(back);
    let plus = before(1).is_some_and(|at| view.mark(at) == Some('+')) && view.glued(at);
    let bracket =
        before(1).is_some_and(|at| view.mark(at) == Some('(')) && view.mark(at + 1) == Some(')');
    let named = (1..=3).filter_map(before).any(|at| view.hints(at, hint::FRAME));
    let zero =
        view.str(at).starts_with('0') && digits(at) > 1 && !view.str(at).contains(['.', ',']);
    let local = groups == 2 && hard == 1 && digits(at) == 3 && total == 7;
    let spaced = groups >= 3 && hard + 1 == groups;
    let long = total >= 7 && (plus || bracket || named || zero || local || spaced);
    if groups >= 2 && long {
        return Some(end);
    }
    // "0ne", "3rdparty": letters that are not a unit.
    let word = view.word(at + 1).is_some() && view.glued(at + 1) && view.str(at + 1).len() > 1;
    let odd = word && view.beside(at + 1).is_none() && view.numeral(at + 1).is_none();
    let single = digits(at) >= 10 && !view.str(at).contains(['.', ',', '\'', '’']);
    if odd {
        return Some(at + 2);
    }
    (single || zero).then_some(at + 1)
}
