//! Milliseconds since 1970 as people write them.

/// RFC 3339 in UTC; milliseconds only where there are any.
pub fn rfc3339(milliseconds: i64) -> String {
    let (seconds, rest) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
    let (hour, minute, second) = (
        seconds.div_euclid(3600).rem_euclid(24),
        seconds.div_euclid(60).rem_euclid(60),
        seconds.rem_euclid(60),
    );
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}Z", date(milliseconds))
}

/// The day in UTC.
pub fn date(milliseconds: i64) -> String {
    // Days in eras of 400 years that start on 1 March 0000: a leap day is then the last of a year.
    let days = milliseconds.div_euclid(86_400_000) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_as_the_same_time() {
        let days = -800_000..800_000i64;
        for milliseconds in
            days.step_by(97).map(|day| day * 86_400_000 + day.rem_euclid(86_400_000))
        {
            let text = rfc3339(milliseconds);
            if !text.starts_with('-') {
                assert_eq!(firsthand_input::parse_time(&text), Some(milliseconds), "{text}");
            }
        }
        assert_eq!(rfc3339(1_400_000_000_000), "2014-05-13T16:53:20Z");
        assert_eq!(rfc3339(1_400_000_000_005), "2014-05-13T16:53:20.005Z");
    }
}
