//! Lengths of time as people write them: `24h`.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Units in milliseconds, the largest first.
const UNITS: [(&str, i64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)];

/// A length of time in milliseconds, as people write it: `24h`, `90min`, `7d`.
///
/// ```
/// use firsthand::settings::{duration, parse_duration};
///
/// assert_eq!(duration(86_400_000), "24h");
/// assert_eq!(parse_duration("7d"), Some(7 * 86_400_000));
/// ```
pub fn duration(milliseconds: i64) -> String {
    // Up to three days are written in hours, as windows are spoken of.
    let units = UNITS.iter().filter(|(unit, _)| *unit != "d" || milliseconds > 3 * 86_400_000);
    let whole = units.clone().find(|(_, length)| milliseconds % length == 0);
    let (unit, length) = whole.unwrap_or(&("ms", 1));
    format!("{}{unit}", milliseconds / length)
}

/// Milliseconds from a length of time as people write it; `None` if it is none.
pub fn parse_duration(written: &str) -> Option<i64> {
    let written = written.trim();
    let end = written.find(|c: char| !c.is_ascii_digit()).unwrap_or(written.len());
    let (count, unit) = written.split_at(end);
    let length = match unit.trim() {
        "w" => 7 * 86_400_000,
        "m" => 60_000,
        unit => UNITS.iter().find(|(known, _)| *known == unit)?.1,
    };
    count.parse::<i64>().ok()?.checked_mul(length)
}

pub(super) fn serialize<S: Serializer>(
    milliseconds: &Option<i64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match milliseconds {
        Some(milliseconds) => serializer.serialize_str(&duration(*milliseconds)),
        None => serializer.serialize_none(),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum NumberOrText {
        Number(i64),
        Text(String),
    }
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(milliseconds) => Ok(Some(milliseconds)),
        NumberOrText::Text(text) => parse_duration(&text).map(Some).ok_or_else(|| {
            D::Error::custom(format!("{text:?} is not a length of time such as \"24h\" or \"7d\""))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_written_and_read() {
        for (milliseconds, written) in [
            (86_400_000, "24h"),
            (12 * 3_600_000, "12h"),
            (2 * 86_400_000, "48h"),
            (7 * 86_400_000, "7d"),
            (90 * 60_000, "90min"),
            (1500, "1500ms"),
            (0, "0h"),
        ] {
            assert_eq!(duration(milliseconds), written);
            assert_eq!(parse_duration(written), Some(milliseconds));
        }
        assert_eq!(parse_duration(" 2 w"), Some(14 * 86_400_000));
        for wrong in ["", "h", "24", "-1h", "1.5h", "24 years", "9999999999999999d", "soon"] {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }
}
