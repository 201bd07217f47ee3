//! Numbers that German writes as one word: `siebenundzwanzig`, `zweihundertfünfzigtausend`.

/// The number and whether it is an ordinal; `None` if the word is not a number.
pub(super) fn read(word: &str) -> Option<(u64, bool)> {
    // The longest plausible ones have about sixty letters.
    if word.len() < 4 || word.len() > 80 || !starts_like_a_number(word) {
        return None;
    }
    let word = word.to_lowercase();
    if let Some((value, "")) = number(&word) {
        return Some((value, false));
    }
    let stem = ["sten", "ster", "stes", "ste", "ten", "ter", "tes", "te"]
        .iter()
        .find_map(|end| word.strip_suffix(end))?;
    match number(stem) {
        Some((value, "")) => Some((value, true)),
        _ => None,
    }
}

/// A cheap check of the first letters, because every word of a text gets here.
pub(super) fn starts_like_a_number(word: &str) -> bool {
    let Some(three) = word.as_bytes().first_chunk::<3>() else { return false };
    matches!(
        &three.map(|byte| byte.to_ascii_lowercase()),
        b"ein"
            | b"zwe"
            | b"dre"
            | b"vie"
            | b"f\xc3\xbc"
            | b"f\xc3\x9c"
            | b"fue"
            | b"sec"
            | b"sie"
            | b"ach"
            | b"neu"
            | b"zeh"
            | b"elf"
            | b"zw\xc3"
            | b"zwo"
            | b"zwa"
            | b"hun"
            | b"tau"
    )
}

const SMALL: [(&str, u64); 15] = [
    ("zwölf", 12),
    ("zwoelf", 12),
    ("zehn", 10),
    ("elf", 11),
    ("eins", 1),
    ("ein", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("fuenf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
];

/// The number below a million at the start, and the rest.
fn number(word: &str) -> Option<(u64, &str)> {
    let (mut value, mut rest) = match hundreds(word) {
        Some(found) => found,
        None if word.starts_with("tausend") => (1, word),
        None => return None,
    };
    if let Some(behind) = rest.strip_prefix("tausend") {
        value *= 1000;
        rest = behind.strip_prefix("und").unwrap_or(behind);
        if let Some((low, left)) = hundreds(rest) {
            (value, rest) = (value + low, left);
        }
    }
    Some((value, rest))
}

/// The number below a thousand at the start, and the rest.
fn hundreds(word: &str) -> Option<(u64, &str)> {
    let (value, rest) = match tens(word) {
        Some(found) => found,
        None if word.starts_with("hundert") => (1, word),
        None => return None,
    };
    let Some(behind) = rest.strip_prefix("hundert") else { return Some((value, rest)) };
    let (value, rest) = (value * 100, behind.strip_prefix("und").unwrap_or(behind));
    match tens(rest) {
        Some((low, left)) => Some((value + low, left)),
        None => Some((value, rest)),
    }
}

/// The number below a hundred at the start, and the rest.
fn tens(word: &str) -> Option<(u64, &str)> {
    if let Some(found) = ty(word) {
        return Some(found);
    }
    let (name, value) = SMALL.iter().find(|(name, _)| word.starts_with(name))?;
    let rest = &word[name.len()..];
    if let Some((tens, left)) = rest.strip_prefix("und").and_then(ty) {
        return Some((tens + value, left));
    }
    if *value < 10
        && let Some(left) = rest.strip_prefix("zehn")
    {
        return Some((10 + value, left));
    }
    Some((*value, rest))
}

/// Multiples of ten, and the teens that drop letters.
fn ty(word: &str) -> Option<(u64, &str)> {
    const TENS: [(&str, u64); 12] = [
        ("zwanzig", 20),
        ("dreißig", 30),
        ("dreissig", 30),
        ("vierzig", 40),
        ("fünfzig", 50),
        ("fuenfzig", 50),
        ("sechzig", 60),
        ("siebzig", 70),
        ("achtzig", 80),
        ("neunzig", 90),
        ("sechzehn", 16),
        ("siebzehn", 17),
    ];
    let found = TENS.iter().find(|(name, _)| word.starts_with(name));
    found.map(|(name, value)| (*value, &word[name.len()..]))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn reads_compound_numbers() {
        for (word, value, ordinal) in [
            ("siebzehn", 17, false),
            ("Siebenundzwanzig", 27, false),
            ("einundzwanzig", 21, false),
            ("dreißig", 30, false),
            ("neunzehn", 19, false),
            ("hundertfünfzig", 150, false),
            ("zweihundertdreiundvierzig", 243, false),
            ("dreitausend", 3000, false),
            ("zwölftausendfünfhundert", 12_500, false),
            ("neunzehnhundertneunundachtzig", 1989, false),
            ("hunderttausend", 100_000, false),
            ("tausendundeins", 1001, false),
            ("vierte", 4, true),
            ("zwanzigsten", 20, true),
            ("siebzehnter", 17, true),
        ] {
            assert_eq!(read(word), Some((value, ordinal)), "{word}");
        }
        for word in
            ["Einwohner", "Viertel", "achtlos", "einen", "Vierer", "neue", "zweifeln", "ein", ""]
        {
            assert_eq!(read(word), None, "{word}");
        }
    }
}
