//! Numbers in digits, with the decimal and thousands separators of a language.

use super::{
    number_locale::NumberLocale,
    pieces::{Gap, digit},
    value::Decimal,
    view::PieceView,
};

/// A number in digits and where it ends; `None` if it is not a single number, such as `1.2.3`.
pub(super) fn number(view: &PieceView, at: usize) -> Option<(Decimal, usize)> {
    let mut end = at + 1;
    let first = view.str(at);
    if first.len() <= 3 && !first.starts_with('0') && view.plain(at).is_some() {
        // Groups of three, separated by spaces.
        let mut digits = first.to_owned();
        let is_near = |at: usize| matches!(view.gap(at), Gap::Narrow | Gap::Space);
        while view.plain(end).is_some_and(|(_, digits)| digits == 3)
            && is_near(end)
            && digits.len() < 15
        {
            digits.push_str(view.str(end));
            end += 1;
        }
        // Other digits behind them show that these are no groups; so does a hyphen where such groups are
        // rare: "12 500-pound bombs".
        let is_row = view.is_number(end) && is_near(end);
        let is_counted = view.is_dash(end) && view.glued(end);
        if is_row || (is_counted && view.locale == NumberLocale::English) {
            (digits, end) = (first.to_owned(), at + 1);
        }
        return Some((Decimal::whole(digits.parse().ok()?), end));
    }
    Some((decimal(first, view.locale)?, end))
}

/// Reads digits with points and commas. A separator that occurs more than once, or before another
/// one, separates thousands; a single one is the decimal separator, unless three digits follow it
/// and the language writes thousands that way.
fn decimal(text: &str, locale: NumberLocale) -> Option<Decimal> {
    let mut groups: Vec<(char, usize)> = vec![(' ', 0)];
    let mut digits: u64 = 0;
    let mut count = 0;
    for c in text.chars() {
        match digit(c) {
            Some(value) => {
                count += 1;
                digits = digits.checked_mul(10)?.checked_add(value.into())?;
                if let Some(last) = groups.last_mut() {
                    last.1 += 1;
                }
            }
            None => groups.push((mark(c), 0)),
        }
    }
    let zero = text.starts_with('0');
    if count > 18 || (zero && groups[0].1 > 1 && groups.len() == 1) {
        return None;
    }
    let whole = || Some(Decimal::whole(digits));
    let part = |places: usize| Decimal::with_places(digits, u8::try_from(places).ok()?);
    let thousands = |groups: &[(char, usize)]| {
        groups[0].1 <= 3 && groups[1..].iter().all(|&(mark, len)| len == 3 && mark == groups[1].0)
    };
    match groups[..] {
        [_] => whole(),
        [_, ('\'', 3)] if thousands(&groups) => whole(),
        [_, ('\'', _)] => None,
        [_, (mark, places)] => {
            let grouped = places == 3 && thousands(&groups) && !zero;
            let point = locale == NumberLocale::English && mark == '.';
            if grouped && !point { whole() } else { part(places) }
        }
        // Indian grouping: 12,34,567.
        [_, ref inner @ .., (',', 3)]
            if inner.iter().all(|&(mark, len)| mark == ',' && len == 2) =>
        {
            whole()
        }
        _ if thousands(&groups) => whole(),
        [ref front @ .., (mark, places)] if thousands(front) && mark != front[1].0 => part(places),
        _ => None,
    }
}

/// Separators of other scripts, as their ASCII equivalents.
fn mark(c: char) -> char {
    match c {
        '’' => '\'',
        '٫' => '.',
        '٬' => ',',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_each_language() {
        use NumberLocale::{Comma, English, French, German, Spanish};
        for (text, locale, digits, scale) in [
            ("17", English, 17, 0),
            ("1,200", English, 12, 2),
            ("1.200", German, 12, 2),
            ("1,200", German, 12, 2),
            ("1'200", German, 12, 2),
            ("1’234’567", German, 1_234_567, 0),
            ("1.200", English, 12, -1),
            ("3.125", English, 3125, -3),
            ("0,125", German, 125, -3),
            ("0.125", Spanish, 125, -3),
            ("12,5", French, 125, -1),
            ("12.5", Spanish, 125, -1),
            ("1,234,567.89", English, 123_456_789, -2),
            ("1.234.567,89", German, 123_456_789, -2),
            ("12,34,567", English, 1_234_567, 0),
            ("2,5", Comma, 25, -1),
            ("1200", Comma, 12, 2),
            ("٥٠٫٥", Comma, 505, -1),
        ] {
            assert_eq!(decimal(text, locale), Some(Decimal { digits, scale }), "{text}");
        }
        for text in ["1.2.3", "007", "1234567890123456789012", "1,2,3", "12.03.2014", "1'5"] {
            assert_eq!(decimal(text, English), None, "{text}");
        }
    }
}
