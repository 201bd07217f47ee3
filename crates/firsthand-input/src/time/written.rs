//! Parses written dates word by word, since mail programs agree on little but the words.
//!
//! Day, month, year, clock and zone may come in any unambiguous order:
//! `Thu, 22 Aug 2002 12:46:18 +0100 (BST)`, `30 Aug 02 9:05 PM`, `Sat Sep 21 08:18:08 2002`,
//! `2002/09/14 Sat 13:06:03 GMT`, `2014-05-01T10:00:00.5Z`, `19.04.1993`. Dates such as `4/5/2014`
//! are ambiguous and refused. Unknown words are skipped, and an unknown zone is UTC, as in RFC 2822.

use super::{DAY, clock, days, thousandths, zone};

/// The most bytes of a date.
const LONGEST: usize = 100;

pub(super) fn parse(text: &str) -> Option<i64> {
    let end = text.len().min(LONGEST);
    let text = text.get(..end)?;
    let mut date = Date { rest: text.as_bytes(), ..Date::default() };
    while let Some(&byte) = date.rest.first() {
        match byte {
            b'0'..=b'9' => date.number()?,
            b'+' | b'-' if date.clock.is_some() => date.shift()?,
            b'(' => date.comment(),
            _ if byte.is_ascii_alphabetic() => date.word(),
            _ => date.rest = &date.rest[1..],
        }
    }
    date.finish()
}

#[derive(Default)]
struct Date<'a> {
    rest: &'a [u8],
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    /// Milliseconds since midnight.
    clock: Option<i64>,
    /// Minutes east of UTC.
    offset: i64,
}

impl<'a> Date<'a> {
    /// Takes the leading bytes that satisfy a predicate.
    fn take(&mut self, kind: impl Fn(&u8) -> bool) -> &'a str {
        let length = self.rest.iter().take_while(|byte| kind(byte)).count();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        std::str::from_utf8(taken).unwrap_or_default()
    }

    fn digits(&mut self) -> &'a str {
        self.take(u8::is_ascii_digit)
    }

    /// Takes `mark` and the digits after it, if they follow.
    fn digits_after(&mut self, mark: u8) -> Option<&'a str> {
        match self.rest {
            [first, next, ..] if *first == mark && next.is_ascii_digit() => {
                self.rest = &self.rest[1..];
                Some(self.digits())
            }
            _ => None,
        }
    }

    /// A clock, a date in digits, a day or a year; `None` if ambiguous.
    fn number(&mut self) -> Option<()> {
        let digits = self.digits();
        let value: i64 = digits.parse().ok()?;
        if let Some(minute) = self.digits_after(b':') {
            return self.time_of_day(value, minute);
        }
        for mark in *b"-/." {
            if let Some(second) = self.digits_after(mark) {
                return self.numeric_date(digits, second, mark);
            }
        }
        match digits.len() {
            4 => self.year = self.year.or(Some(value)),
            8 if matches!(self.rest, [b'T' | b't', ..]) => {
                let part = |from: usize, to: usize| digits.get(from..to)?.parse().ok();
                (self.year, self.month, self.day) = (part(0, 4), part(4, 6), part(6, 8));
                self.compact_clock();
            }
            1 | 2 if self.day.is_none() => self.day = Some(value),
            // RFC 2822: two digits are 1950 to 2049, three digits count from 1900.
            2 | 3 if self.year.is_none() => {
                let century = if digits.len() == 2 && value < 50 { 2000 } else { 1900 };
                self.year = Some(century + value);
            }
            _ => {}
        }
        Some(())
    }

    fn time_of_day(&mut self, hour: i64, minute: &str) -> Option<()> {
        let second = self.digits_after(b':').unwrap_or("0");
        let fraction = self.digits_after(b'.').or_else(|| self.digits_after(b',')).unwrap_or("");
        if self.clock.is_none() {
            let whole = clock(hour, minute.parse().ok()?, second.parse().ok()?)?;
            self.clock = Some(whole + thousandths(fraction));
        }
        Some(())
    }

    /// `T101500` after a date of eight digits.
    fn compact_clock(&mut self) {
        self.rest = &self.rest[1..];
        let digits = self.digits();
        let part =
            |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |s| s.parse().ok());
        if let (Some(hour), Some(minute), Some(second)) = (part(0, 2), part(2, 4), part(4, 6)) {
            self.clock = clock(hour, minute, second);
        }
    }

    /// Year first, or day, month and year with dots; anything else is ambiguous.
    fn numeric_date(&mut self, first: &str, second: &str, mark: u8) -> Option<()> {
        let third = self.digits_after(mark);
        let (year, month, day) = match (first.len(), third) {
            (4, third) => (first, second, third.unwrap_or("1")),
            (1 | 2, Some(third)) if mark == b'.' && third.len() == 4 => (third, second, first),
            _ => return None,
        };
        let [year, month, day] = [year, month, day].map(|part| part.parse().ok());
        (self.year, self.month, self.day) = (year, month, day);
        if matches!(self.rest, [b'T' | b't' | b'_', digit, ..] if digit.is_ascii_digit()) {
            self.rest = &self.rest[1..];
        }
        Some(())
    }

    /// `+0100`, `-05:30`, `+1`; some mailers write `+-0500`. `None` if there is no such zone.
    fn shift(&mut self) -> Option<()> {
        let signs = self.take(|byte| matches!(byte, b'+' | b'-'));
        let digits = self.digits();
        let (hours, minutes) = match digits.len() {
            1 | 2 => (digits, self.digits_after(b':').unwrap_or("0")),
            4 => digits.split_at(2),
            _ => return Some(()),
        };
        let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
        let east = hours * 60 + minutes;
        self.offset = if signs.ends_with('-') { -east } else { east };
        (hours < 24 && minutes < 60).then_some(())
    }

    fn comment(&mut self) {
        self.take(|&byte| byte != b')');
    }

    fn word(&mut self) {
        let mut word = self.take(u8::is_ascii_alphabetic).to_ascii_lowercase();
        if word.len() == 1 && matches!(self.rest, [b'.', b'm' | b'M', ..]) {
            self.rest = &self.rest[2..];
            word.push('m');
        }
        if let Some(month) = month(&word) {
            self.month = self.month.or(Some(month));
        } else if let Some(offset) = zone::offset(&word) {
            self.offset = offset;
        } else if word == "daylight" {
            self.offset += 60;
        } else if word == "am" || word == "pm" {
            let half = DAY / 2;
            let after = i64::from(word == "pm") * half;
            // 12 am and 12 pm precede 1 am and 1 pm.
            self.clock = self
                .clock
                .map(|time| if time < half + DAY / 24 { time % half + after } else { time });
        }
    }

    fn finish(&self) -> Option<i64> {
        let day = days(self.year?, self.month?, self.day.unwrap_or(1))?;
        Some(day * DAY + self.clock.unwrap_or(0) - self.offset * 60_000)
    }
}

fn month(word: &str) -> Option<i64> {
    #[rustfmt::skip]
    const NAMES: [&str; 12] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ];
    let found = match word {
        "sept" => Some(8),
        _ if word.len() < 3 => None,
        _ => NAMES.iter().position(|name| name.starts_with(word)),
    };
    found.map(|at| at as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn the_same_moment_written_in_many_ways() {
        let moment = Some(1_000_000_000_000); // 2001-09-09 01:46:40 UTC
        let texts = [
            "2001-09-09T01:46:40Z",
            "2001-09-09t01:46:40.000z",
            "2001-09-09 01:46:40",
            "2001-09-09T03:46:40+02:00",
            "2001-09-09T03:46:40+0200",
            "2001-09-09T03:46:40+02",
            "2001-09-08 20:16:40.0 -0530",
            "2001/09/09 Sun 01:46:40 GMT",
            "20010909T014640Z",
            "20010909014640",
            "Sun, 09 Sep 2001 01:46:40 GMT",
            "Sun, 9 Sep 2001 01:46:40 +0000",
            "Sun,9 Sep 2001 1:46:40 UT",
            "9 Sep 2001 01:46:40 -0000",
            "9 Sep 01 01:46:40",
            "Sat,  8 Sep 2001 21:46:40 -0400 (EDT)",
            "8 Sep 2001 21:46:40 EDT",
            "Sat, 8 Sep 01 21:46:40 Eastern Daylight Time",
            "8 Sep 01 9:46:40 PM EDT",
            "Sun, 9 Sep 2001 02:46:40 GMT+1",
            "Sun, 9 Sep 101 01:46:40 Z",
            "Sat, 8 Sep 2001 20:46:40 +-0500",
            "Sun Sep  9 01:46:40 2001",
            "Sun Sep 9 01:46:40 UTC 2001",
            "Sunday, 09-Sep-01 01:46:40 GMT",
            "9 September 2001 01:46:40",
            "Sept. 9, 2001, 1:46:40 a.m.",
            "9.9.2001 01:46:40",
            "2001-09-09 01:46:40 +0000 UTC",
            "Sun, 9 Sep 2001 01:46:40 (GMT)",
            "Sun, 9 Sep 2001 01:46:40 -0000 (added by mail@example.com)",
        ];
        for text in texts {
            assert_eq!(parse(text), moment, "{text}");
        }
    }

    #[test]
    fn dates_and_odd_hours() {
        let cases = [
            ("1970-01-02", 86_400_000),
            ("1970-02", 31 * 86_400_000),
            ("2 Jan 1970", 86_400_000),
            ("January 2, 1970", 86_400_000),
            ("02.01.1970", 86_400_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("1970-01-01T24:00:00Z", 86_400_000),
            ("1969-12-31T23:59:60Z", 0),
            ("1 Jan 70 12:00 AM", 0),
            ("1 Jan 70 12:00 PM", 43_200_000),
            ("Jan. 1, 1970, 1:00 p.m.", 13 * 3_600_000),
            ("1 Jan 1970 13:00 PM", 13 * 3_600_000),
            ("Thu, 1 Jan 1970 00:00 MST", 7 * 3_600_000),
            ("2014-05-01T10:00:00,25Z", 1_398_938_400_250),
        ];
        for (text, time) in cases {
            assert_eq!(parse(text), Some(time), "{text}");
        }
    }

    #[test]
    fn doubtful_or_impossible() {
        let texts = [
            "4/5/2014",
            "2014-05-01T10:00:00+99:99",
            "2014-05-01T10:00:00+24:00",
            "Thu, 1 May 2014 10:00:00 -0160",
            "2014-02-30",
            "2014-13-01",
            "30 Feb 2014",
            "2014-01-01T25:00:00Z",
            "2014-01-01T10:61:00Z",
            "yesterday",
            "3 days ago",
            "May",
            "10:15",
            "3 May",
        ];
        for text in texts {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
