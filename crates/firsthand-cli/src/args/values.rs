//! Values of flags: written by a person, checked before anything runs.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use firsthand::settings::{Language, Threshold, parse_duration};
use firsthand_input::Kind;
use firsthand_jobs::results::ColumnNames;
use firsthand_jobs::settings::{ENDLESS, plain_words};
use std::ffi::OsStr;
use std::net::SocketAddr;
use std::time::Duration;
use toml::Value;

/// Reads a value by the name that the configuration file uses for it.
pub(crate) fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    let value = serde_json::Value::from(name);
    serde_json::from_value(value).map_err(|error| plain_words(&error.to_string()))
}

/// Names of columns that are added to rows.
pub(crate) fn column_names(written: &str) -> Result<ColumnNames, String> {
    ColumnNames::parse(written).map_err(|error| error.to_string())
}

/// A threshold; someone who types 80 or 80% means 0.8, but 1.5 may be anything.
pub(crate) fn threshold(written: &str) -> Result<Threshold, String> {
    written.parse::<Threshold>().map_err(|error| {
        let number = written.trim();
        let percent = match number.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().ok(),
            None => number.parse::<u8>().ok().filter(|percent| *percent > 1).map(f64::from),
        };
        match percent.filter(|percent| 0.0 < *percent && *percent <= 100.0) {
            Some(percent) => format!("{error}; for {percent} per cent write {}", percent / 100.0),
            None => error.to_string(),
        }
    })
}

/// A name. Completions offer the known ones; another is refused when settings are worked out, with all
/// that there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names(pub(crate) &'static [(&'static str, &'static str)]);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|(name, about)| PossibleValue::new(*name).help(*about))))
    }
}

pub(crate) fn number(written: &str) -> Result<Value, String> {
    let number = written.parse::<u64>().ok().and_then(|number| i64::try_from(number).ok());
    number.map(Value::Integer).ok_or_else(|| "write a whole number, such as 5".to_owned())
}

pub(crate) fn decimal(written: &str) -> Result<Value, String> {
    written.parse().map(Value::Float).map_err(|error: std::num::ParseFloatError| error.to_string())
}

pub(crate) fn share(written: &str) -> Result<f64, String> {
    match written.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("write a share above 0 and up to 1, such as 0.99".to_owned()),
    }
}

/// A parser of whole numbers from `least` to `most`, beyond which they are a slip of the finger; `advice`
/// is added to what is said then.
pub(crate) fn within(
    least: usize,
    most: usize,
    advice: &'static str,
) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |written: &str| match written.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(match least {
            0 if !advice.is_empty() => format!("write a number up to {most}{advice}"),
            _ => format!("write a number from {least} to {most}{advice}"),
        }),
    }
}

pub(crate) fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Kind::NAMES.map(|(name, _)| name).into();
        format!("use one of {}", known.join(", "))
    })
}

/// A number of bytes: 1000000, 500k, 64M, 2G.
pub(crate) fn size(written: &str) -> Result<u64, String> {
    let lower = written.trim().to_ascii_lowercase();
    let plain = lower.trim_end_matches("ib").trim_end_matches('b');
    let (digits, shift) = match plain.chars().last() {
        Some('k') => (&plain[..plain.len() - 1], 10),
        Some('m') => (&plain[..plain.len() - 1], 20),
        Some('g') => (&plain[..plain.len() - 1], 30),
        Some('t') => (&plain[..plain.len() - 1], 40),
        _ => (plain, 0),
    };
    let count = digits.trim().parse::<u64>().ok();
    let size = count.and_then(|count| count.checked_mul(1 << shift));
    let size = size.filter(|size| i64::try_from(*size).is_ok());
    size.ok_or_else(|| "write a number of bytes, such as 500k, 64M or 2G".to_owned())
}

pub(crate) fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code).ok_or_else(|| {
        let known: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
        format!("there are word lists for {}", known.join(", "))
    })
}

/// The window of a stream in milliseconds.
pub(crate) fn window(written: &str) -> Result<i64, String> {
    if written == "endless" {
        return Ok(ENDLESS);
    }
    match parse_duration(written) {
        Some(time @ 1..) => Ok(time),
        _ => Err("write a time such as 24h, 7d or 90min, or endless".to_owned()),
    }
}

/// A time from 0 to a day.
pub(crate) fn duration(written: &str) -> Result<Duration, String> {
    let most = 24 * 60 * 60 * 1000;
    let time = parse_duration(written).filter(|time| *time <= most);
    let time = time.and_then(|time| u64::try_from(time).ok());
    time.map(Duration::from_millis).ok_or_else(|| "write a time such as 500ms or 2s".to_owned())
}

/// Where to listen, by number or as `localhost`.
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
pub(crate) fn address(written: &str) -> Result<SocketAddr, String> {
    let local = written.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = local.as_deref().unwrap_or(written).parse();
    address.map_err(|_| "write address and port, such as 127.0.0.1:7411".to_owned())
}

/// Seconds between looks, from a hundredth to a day.
pub(crate) fn seconds(written: &str) -> Result<Duration, String> {
    match written.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("write a number of seconds, such as 5 or 0.5".to_owned()),
    }
}

/// A point in time.
pub(crate) fn moment(written: &str) -> Result<i64, String> {
    firsthand_input::parse_time(written)
        .ok_or_else(|| "write a time such as 2024-05-31 or 2024-05-31T18:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_units() {
        let day = 86_400_000;
        let cases = [("24h", Ok(day)), ("7d", Ok(7 * day)), ("90min", Ok(5_400_000))];
        for (written, time) in cases {
            assert_eq!(window(written), time, "{written}");
        }
        assert_eq!(window("endless"), Ok(ENDLESS));
        for written in ["", "0h", "24", "-1h", "h", "1y", "9999999999999999d", "∞"] {
            assert!(window(written).is_err(), "{written}");
        }
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        assert!(duration("2d").is_err() && seconds("0").is_err() && seconds("NaN").is_err());
    }

    #[test]
    fn thresholds_in_per_cent() {
        for (written, advice) in [("80", "0.8"), ("80%", "0.8"), ("1.5%", "0.015"), ("100", "1")] {
            let error = threshold(written).unwrap_err();
            assert!(error.ends_with(&format!("per cent write {advice}")), "{error}");
        }
        for written in ["1.5", "2.0", "0", "-1", "101", "1.0001", "x"] {
            let error = threshold(written).unwrap_err();
            assert!(
                error.contains("above 0 and up to 1") && !error.contains("per cent"),
                "{error}"
            );
        }
    }
}
