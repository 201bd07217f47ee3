//! The limits of the service: one named value for everything that a client could have too much of.

use serde::Serialize;
use std::time::Duration;

/// The limits of the service. None of them changes an answer: what exceeds one is refused by name.
///
/// ```
/// use firsthand_server::Limits;
///
/// let mut limits = Limits::default();
/// limits.set("lines", "50000")?;
/// limits.set("idle", "5s")?;
/// assert_eq!((limits.lines, limits.idle.as_secs()), (50_000, 5));
/// assert!(limits.set("line-up", "1").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once; a further one is answered with 503 and closed.
    pub connections: u64,
    /// Requests that are worked on at once; a further one is answered with 503.
    pub in_flight: u64,
    /// Requests of one client that are worked on at once; a further one is answered with 429.
    pub per_client: u64,
    /// Requests that send documents and are worked on at once, each with a thread of its own.
    pub uploads: u64,
    /// The bytes of a request's head.
    pub header: u64,
    /// The bytes of a body as it is sent.
    pub body: u64,
    /// The bytes of a body once it is decompressed.
    pub decompressed: u64,
    /// The bytes of a line, or of an element of an array.
    pub line: u64,
    /// The lines of a body.
    pub lines: u64,
    /// How deep JSON may be nested.
    pub json_depth: u64,
    /// The most times its own size that a body may decompress to; the first 64 MiB are free.
    pub ratio: u64,
    /// The bytes of answers that wait in memory for a client that does not read; more go to a file.
    pub answers: u64,
    /// The free bytes on the disk of the store below which nothing more is stored.
    pub disk: u64,
    /// How long a new connection may stay silent.
    pub first_byte: Duration,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long a connection may stay idle between requests.
    pub idle: Duration,
    /// How long a body may stay silent between two of its parts.
    pub body_idle: Duration,
    /// The least bytes a second that a body must come with, on average, after its first ten seconds.
    pub body_rate: u64,
    /// How long a client may leave an answer unread.
    pub write: Duration,
    /// How long requests in flight may take to end once the service is to stop.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            in_flight: 256,
            per_client: 128,
            uploads: 64,
            header: 16 << 10,
            body: 1 << 30,
            decompressed: 4 << 30,
            line: 16 << 20,
            lines: 1_000_000,
            json_depth: 64,
            ratio: 500,
            answers: 1 << 20,
            disk: 256 << 20,
            first_byte: Duration::from_secs(10),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            body_idle: Duration::from_secs(30),
            body_rate: 512,
            write: Duration::from_secs(60),
            drain: Duration::from_secs(30),
        }
    }
}

/// A limit as it is listed: its name, its value, and whether that is a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedLimit {
    /// The name, as `--limit` takes it.
    pub name: &'static str,
    /// The value, such as `1073741824` or `10s`.
    pub value: String,
}

/// A field of [`Limits`].
enum Field<'a> {
    Count(&'a mut u64),
    Time(&'a mut Duration),
}

impl Limits {
    fn fields(&mut self) -> [(&'static str, Field<'_>); 20] {
        use Field::{Count, Time};
        [
            ("connections", Count(&mut self.connections)),
            ("in-flight", Count(&mut self.in_flight)),
            ("per-client", Count(&mut self.per_client)),
            ("uploads", Count(&mut self.uploads)),
            ("header", Count(&mut self.header)),
            ("body", Count(&mut self.body)),
            ("decompressed", Count(&mut self.decompressed)),
            ("line", Count(&mut self.line)),
            ("lines", Count(&mut self.lines)),
            ("json-depth", Count(&mut self.json_depth)),
            ("ratio", Count(&mut self.ratio)),
            ("answers", Count(&mut self.answers)),
            ("disk", Count(&mut self.disk)),
            ("first-byte", Time(&mut self.first_byte)),
            ("head", Time(&mut self.head)),
            ("idle", Time(&mut self.idle)),
            ("body-idle", Time(&mut self.body_idle)),
            ("body-rate", Count(&mut self.body_rate)),
            ("write", Time(&mut self.write)),
            ("drain", Time(&mut self.drain)),
        ]
    }

    /// All limits, by name.
    pub fn named(&self) -> Vec<NamedLimit> {
        let mut limits = self.clone();
        let value = |field| match field {
            Field::Count(count) => count.to_string(),
            Field::Time(time) => format!("{}ms", time.as_millis()),
        };
        let fields = limits.fields().into_iter();
        fields.map(|(name, field)| NamedLimit { name, value: value(field) }).collect()
    }

    /// Sets a limit by its name. Sizes may end in `k`, `M` or `G` (powers of 1024), times end in `ms`,
    /// `s` or `min`.
    ///
    /// # Errors
    ///
    /// If there is no such limit, or the value is none.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut fields = self.fields();
        let names = fields.each_ref().map(|(name, _)| *name).join(", ");
        let Some((_, field)) = fields.iter_mut().find(|(known, _)| *known == name) else {
            return Err(format!("there is no limit {name:?}; there are {names}"));
        };
        match field {
            Field::Count(count) => {
                **count = size(value).ok_or_else(|| {
                    format!("the limit {name} takes a number, such as 500 or 64M")
                })?;
            }
            Field::Time(time) => {
                **time = duration(value).ok_or_else(|| {
                    format!("the limit {name} takes a time, such as 500ms or 10s")
                })?;
            }
        }
        Ok(())
    }
}

fn size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.strip_suffix(['k', 'M', 'G']) {
        Some(digits) if text.ends_with('k') => (digits, 10),
        Some(digits) if text.ends_with('M') => (digits, 20),
        Some(digits) => (digits, 30),
        None => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift).filter(|size| *size > 0)
}

fn duration(text: &str) -> Option<Duration> {
    let unit = |suffix: &str, milliseconds: u64| {
        let number: u64 = text.strip_suffix(suffix)?.trim_end().parse().ok()?;
        Some(Duration::from_millis(number.checked_mul(milliseconds)?))
    };
    // The longer endings first: `5ms` ends in `s` too.
    unit("ms", 1).or_else(|| unit("min", 60_000)).or_else(|| unit("s", 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_to_what_it_says() {
        let mut limits = Limits::default();
        for NamedLimit { name, value } in Limits::default().named() {
            limits.set(name, &value).unwrap();
        }
        assert_eq!(limits, Limits::default());
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(
            (size("5"), size("2k"), size("3M"), size("0")),
            (Some(5), Some(2048), Some(3 << 20), None)
        );
        assert_eq!(size("18446744073709551615G"), None);
        let seconds = |text| duration(text).map(|time| time.as_millis());
        assert_eq!(
            (seconds("5ms"), seconds("2 s"), seconds("1min")),
            (Some(5), Some(2000), Some(60_000))
        );
        assert_eq!((seconds("5"), seconds("s")), (None, None));
    }
}
