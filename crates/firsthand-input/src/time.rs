//! Parses times into milliseconds since 1970-01-01 UTC.
//!
//! Accepts RFC 3339 and other forms that start with the year, RFC 2822 with the variations of old
//! mail and news programs (see [`written`]), and counts since 1970. A time without a zone is UTC.

mod written;
mod zone;

use crate::calendar::Date;

/// Parses a time into milliseconds since 1970-01-01 UTC; `None` if the text is not a time.
///
/// Numbers of up to 11 digits are seconds since 1970, larger ones milliseconds, microseconds or
/// nanoseconds; but `20140131` and `20140131235959` are dates.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim().lines().next()?;
    let is_count = text.bytes().enumerate().all(|(at, byte)| match byte {
        b'0'..=b'9' | b'.' => true,
        b'-' | b'+' => at == 0,
        _ => false,
    });
    if !is_count {
        return written::parse(text);
    }
    dotted(text).or_else(|| compact(text)).or_else(|| since_1970(text))
}

/// `31.01.2014`, which is not a decimal number.
fn dotted(text: &str) -> Option<i64> {
    if text.matches('.').count() == 2 { written::parse(text) } else { None }
}

/// `YYYYMMDD` or `YYYYMMDDhhmmss`, for years that a count since 1970 of that length cannot mean.
fn compact(text: &str) -> Option<i64> {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let year = part(0, 4).filter(|year| (1900..2100).contains(year))?;
    let day = days(year, part(4, 6)?, part(6, 8)?)?;
    match text.len() {
        8 => Some(day * DAY),
        14 => {
            let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
            Some(day * DAY + clock(hour, minute, second)?)
        }
        _ => None,
    }
}

fn since_1970(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let count: i64 = whole.parse().ok()?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match count.unsigned_abs() {
        size if size < 100_000_000_000 => {
            let rest = thousandths(fraction);
            count * 1000 + if text.starts_with('-') { -rest } else { rest }
        }
        size if size < 100_000_000_000_000 => count,
        size if size < 100_000_000_000_000_000 => count.div_euclid(1000),
        _ => count.div_euclid(1_000_000),
    })
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The first three digits of a fraction, as milliseconds.
fn thousandths(fraction: &str) -> i64 {
    let digit = |at: usize| fraction.as_bytes().get(at).map_or(0, |&byte| i64::from(byte & 15));
    digit(0) * 100 + digit(1) * 10 + digit(2)
}

/// Milliseconds since midnight; a leap second becomes the first second of the next minute.
fn clock(hour: i64, minute: i64, second: i64) -> Option<i64> {
    let fits = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    let midnight = hour == 24 && minute == 0 && second == 0;
    (fits || midnight).then(|| ((hour * 60 + minute) * 60 + second) * 1000)
}

/// Days since 1970-01-01 of a date, if there is such a date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    Date::new(year, month, day).map(Date::days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::rfc3339;
    use proptest::prelude::*;

    #[test]
    fn counts_since_1970() {
        let cases = [
            ("0", 0),
            ("1", 1_000),
            ("1400000000", 1_400_000_000_000),
            ("1400000000.5", 1_400_000_000_500),
            ("1400000000.1239", 1_400_000_000_123),
            ("-1.5", -1_500),
            ("-0.5", -500),
            ("1400000000123", 1_400_000_000_123),
            ("1400000000123.7", 1_400_000_000_123),
            ("1400000000123456", 1_400_000_000_123),
            ("1400000000123456789", 1_400_000_000_123),
        ];
        for (text, time) in cases {
            assert_eq!(parse(text), Some(time), "{text}");
        }
    }

    #[test]
    fn dates_without_separators() {
        assert_eq!(parse("20140131"), parse("2014-01-31"));
        assert_eq!(parse("20140131235958"), parse("2014-01-31T23:59:58Z"));
        // Not a date but a count of seconds.
        assert_eq!(parse("20141331"), Some(20_141_331_000));
    }

    #[test]
    fn what_is_no_time() {
        let texts = ["", " ", ".", "-", "+", "1.2.3.4", "99999999999999999999", "1-2", "\u{0}"];
        for text in texts {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        for day in (-719_528..2_932_896_i64).step_by(97) {
            let time = day * DAY + day.rem_euclid(DAY);
            let text = rfc3339(time);
            assert_eq!(parse(&text), Some(time), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_time_or_not(text in "[0-9a-zA-Z:+ ,./()é-]{0,40}") {
            parse(&text);
        }
    }
}
