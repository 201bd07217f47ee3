//! Numbers as people read them: 12,345 documents, 1 cluster, 3.4 MB, 0.87.

pub use firsthand::explain::score_text as score;

use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

/// `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Nouns whose plural takes more than an s at their end.
const PLURALS: [(&str, &str); 12] = [
    ("device, pipe or socket", "devices, pipes or sockets"),
    ("folder of earlier results", "folders of earlier results"),
    ("folder of results", "folders of results"),
    ("table about documents", "tables about documents"),
    ("name leads out of the archive", "names lead out of the archive"),
    ("page cannot be parsed", "pages cannot be parsed"),
    ("page not found or moved", "pages not found or moved"),
    ("revisit without its original", "revisits without their originals"),
    ("time not understood", "times not understood"),
    ("id too long", "ids too long"),
    ("copy", "copies"),
    ("min-hash", "min-hashes"),
];

/// Labels that are nouns.
const NOUNS: [&str; 5] =
    ["bad record", "other extension", "symbolic link", "unknown kind", "wrong field type"];

/// `1 pair`, `2 pairs`.
pub fn counted(number: u64, noun: &str) -> String {
    match (number, PLURALS.iter().find(|(one, _)| *one == noun)) {
        (1, _) => format!("1 {noun}"),
        (_, Some((_, plural))) => format!("{} {plural}", grouped(number)),
        _ => format!("{} {noun}s", grouped(number)),
    }
}

/// `1 document has`, `2 documents have`: a number of things and what they do or are.
pub fn counted_with(number: u64, noun: &str, verb: (&str, &str)) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { verb.0 } else { verb.1 })
}

/// `3 not valid JSON, 2 symbolic links`, the most frequent first.
pub fn reasons(by_label: &BTreeMap<&'static str, usize>) -> String {
    let mut labels: Vec<_> = by_label.iter().collect();
    labels.sort_by_key(|(label, count)| (Reverse(**count), **label));
    let words = labels.into_iter().map(|(label, count)| {
        let has_plural = NOUNS.contains(label) || PLURALS.iter().any(|(one, _)| one == label);
        match has_plural {
            true => counted(*count as u64, label),
            false => format!("{} {label}", grouped(*count as u64)),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// `3.4 MB`.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_000 => counted(number, "byte"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.2} GB", number as f64 / 1e9),
    }
}

/// `7 ms`, `0.21 s`, `12 s`, `3 min 20 s`, `2 h 05 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 if time.as_millis() < 100 => format!("{} ms", time.as_millis().max(1)),
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..120 => format!("{seconds} s"),
        120..7200 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 2].map(|n| counted(n, "pair")), ["0 pairs", "1 pair", "2 pairs"]);
        assert_eq!([1, 2].map(|n| counted(n, "copy")), ["1 copy", "2 copies"]);
        let has = |n| counted_with(n, "page", ("has", "have"));
        assert_eq!([has(1), has(2_000)], ["1 page has", "2,000 pages have"]);
        let labels = [("symbolic link", 2), ("hidden", 3), ("device, pipe or socket", 1)];
        let labels = labels.into_iter().collect();
        assert_eq!(reasons(&labels), "3 hidden, 2 symbolic links, 1 device, pipe or socket");
        assert_eq!([1, 1_500, 3_400_000].map(bytes), ["1 byte", "1.5 kB", "3.4 MB"]);
        assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(duration(Duration::from_millis(214)), "0.21 s");
        assert_eq!(duration(Duration::from_millis(7)), "7 ms");
        assert_eq!(duration(Duration::from_secs(7500)), "2 h 05 min");
    }
}
