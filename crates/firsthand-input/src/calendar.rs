//! Days since 1970 as dates of the Gregorian calendar, and times in RFC 3339.

use std::fmt;

const DAY: i64 = 86_400_000;

/// Days from 1 March of year 0, where the arithmetic starts, to 1970-01-01.
const FROM_YEAR_0: i64 = 719_468;

/// A date of the Gregorian calendar. It is displayed as `YYYY-MM-DD`.
///
/// ```
/// use firsthand_input::calendar::Date;
///
/// let date = Date::new(2000, 2, 29).unwrap();
/// assert_eq!(date.days(), 11_016);
/// assert_eq!(Date::from_days(11_017).to_string(), "2000-03-01");
/// assert_eq!(Date::new(1900, 2, 29), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    year: i64,
    month: i64,
    day: i64,
}

impl Date {
    /// The date with this year, month and day; `None` if the calendar has no such day or the year is
    /// not between 0 and 9999.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let exists = (1..=length).contains(&day) && (0..=9999).contains(&year);
        exists.then_some(Self { year, month, day })
    }

    /// The date that is a number of days after 1970-01-01.
    pub fn from_days(days: i64) -> Self {
        // A year that starts in March has its leap day at the end, and 400 of them have 146,097 days.
        let days = days.saturating_add(FROM_YEAR_0);
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Self { year: era * 400 + year + next, month, day }
    }

    /// The date in UTC of a time in milliseconds since 1970.
    pub fn of_time(milliseconds: i64) -> Self {
        Self::from_days(milliseconds.div_euclid(DAY))
    }

    /// The number of days since 1970-01-01.
    pub fn days(self) -> i64 {
        let Self { year, month, day } = self;
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        before + (month * 153 + 2) / 5 + day - 1 - FROM_YEAR_0
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A time in milliseconds since 1970 as RFC 3339 in UTC, with a fraction only where there is one.
///
/// ```
/// use firsthand_input::calendar::rfc3339;
///
/// assert_eq!(rfc3339(1_400_000_000_000), "2014-05-13T16:53:20Z");
/// assert_eq!(rfc3339(-1), "1969-12-31T23:59:59.999Z");
/// ```
pub fn rfc3339(milliseconds: i64) -> String {
    let rest = milliseconds.rem_euclid(DAY);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    let fraction = match rest % 1000 {
        0 => String::new(),
        thousandths => format!(".{thousandths:03}"),
    };
    format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}Z", Date::of_time(milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        let cases = [
            ("0000-03-01", -719_468),
            ("1582-10-15", -141_427),
            ("1900-03-01", -25_508),
            ("1969-12-31", -1),
            ("1970-01-01", 0),
            ("2000-02-29", 11_016),
            ("2009-01-01", 14_245),
            ("2012-02-29", 15_399),
            ("2038-01-19", 24_855),
            ("9999-12-31", 2_932_896),
        ];
        for (text, days) in cases {
            let date = Date::from_days(days);
            assert_eq!((date.to_string().as_str(), date.days()), (text, days));
        }
    }

    #[test]
    fn what_is_no_date() {
        let cases = [
            (1900, 2, 29),
            (2014, 2, 30),
            (2014, 4, 31),
            (2014, 13, 1),
            (2014, 0, 1),
            (2014, 1, 0),
        ];
        for (year, month, day) in cases.into_iter().chain([(-1, 1, 1), (10_000, 1, 1)]) {
            assert_eq!(Date::new(year, month, day), None, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        let mut expected = Date::new(0, 1, 1).unwrap().days();
        for (year, month) in (0..=9999).flat_map(|year| (1..=12).map(move |month| (year, month))) {
            for date in (1..=31).filter_map(|day| Date::new(year, month, day)) {
                assert_eq!((date.days(), Date::from_days(expected)), (expected, date));
                expected += 1;
            }
        }
    }

    #[test]
    fn times_of_all_sizes() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(1_400_000_000_005), "2014-05-13T16:53:20.005Z");
        for number in [i64::MIN, i64::MAX] {
            assert!(rfc3339(number).ends_with('Z'));
            assert!(!Date::from_days(number).to_string().is_empty());
        }
    }
}
