//! A text with one figure changed.

use super::text_language::TextLanguage;
use crate::{
    evaluate::random::Random,
    guard::{Change, FigureKind},
};
use std::sync::LazyLock;

/// Interchangeable number words.
type WordRow = Vec<&'static str>;

/// The lines of `figure.txt`: what they list, and their words.
static LINES: LazyLock<Vec<(&str, WordRow)>> = LazyLock::new(|| {
    let lines = include_str!("figure.txt").lines().filter_map(|line| line.split_once(": "));
    lines.map(|(list, words)| (list, words.split(' ').collect())).collect()
});

/// Whether a list has a word.
fn lists(list: &str, word: &str) -> bool {
    LINES.iter().any(|(name, words)| *name == list && words.contains(&word))
}

/// The number words of the text's language.
fn rows(text: &str) -> Vec<&'static WordRow> {
    let list = match TextLanguage::of(text) {
        TextLanguage::English => "english numbers",
        TextLanguage::German => "german numbers",
        TextLanguage::French => "french numbers",
        TextLanguage::Spanish => "spanish numbers",
    };
    LINES.iter().filter(|line| line.0 == list).map(|line| &line.1).collect()
}

/// The text with exactly one figure changed to another of the same form, and the change. `None` if
/// it has no figure in prose.
pub fn change_one_figure(text: &str, seed: u64) -> Option<(String, Change)> {
    let mut random = Random::new(seed, 0x46);
    let spots = spots(text, &rows(text));
    if spots.is_empty() {
        return None;
    }
    let spot = &spots[random.below(spots.len())];
    let before = &text[spot.start..spot.end];
    let after = match spot.row {
        Some(row) => another_word(row, before, &mut random)?,
        None => another_number(before, spot.kind, spot.day, &mut random)?,
    };
    let copy = format!("{}{after}{}", &text[..spot.start], &text[spot.end..]);
    Some((copy, Change { before: before.to_owned(), after, kind: spot.kind }))
}

/// A figure in prose.
struct FigureSpot {
    start: usize,
    end: usize,
    kind: FigureKind,
    /// Whether it is a day of a month.
    day: bool,
    /// The interchangeable words it is one of.
    row: Option<&'static WordRow>,
}

/// The figures between words of a line that is long enough to be a sentence.
fn spots(text: &str, rows: &[&'static WordRow]) -> Vec<FigureSpot> {
    let mut spots = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let mut words = Vec::new();
        let mut at = 0;
        for word in line.split_whitespace() {
            // The position of the word, which is part of the line.
            at += line[at..].find(word).unwrap_or(0);
            words.push((start + at, word));
            at += word.len();
        }
        if words.len() >= 12 {
            let found = words.windows(3).filter_map(|w| spot(w[0].1, w[1], w[2].1, rows));
            spots.extend(found);
        }
        start += line.len() + 1;
    }
    spots
}

/// A word without the punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '©')).to_lowercase()
}

fn spot(
    left: &str,
    (start, word): (usize, &str),
    right: &str,
    rows: &[&'static WordRow],
) -> Option<FigureSpot> {
    let (before, after) = (bare(left), bare(right));
    let is_word =
        |word: &str| word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_numeric);
    // A number at the end of a sentence may be followed by anything; others by a word.
    let ends = word.ends_with(['.', ',', ';', '!', '?']);
    if !is_word(&before) || !(is_word(&after) || after == "%") {
        return None;
    }
    let furniture = |word: &str| lists("furniture", word);
    if furniture(&before) || furniture(&after) && !ends {
        return None;
    }
    let front = word.find(|c: char| c.is_alphanumeric())?;
    let signs = &word[..front];
    let core = word[front..].trim_end_matches(|c: char| !c.is_alphanumeric());
    let tail = &word[front + core.len()..];
    let (start, end) = (start + front, start + front + core.len());
    if let Some(row) = rows.iter().find(|row| row.contains(&core)) {
        let kind = kind(signs, tail, &before, &after, core);
        return Some(FigureSpot { start, end, kind, day: false, row: Some(row) });
    }
    if !is_number(core)
        || signs.contains(['+', '#', '@', '/', '-', '\'', '’', '.'])
        || tail.contains(['/', '-'])
    {
        return None;
    }
    let kind = kind(signs, tail, &before, &after, core);
    let month = |word: &str| lists("months", word);
    let day = kind == FigureKind::Date && core.len() <= 2 && (month(&before) || month(&after));
    Some(FigureSpot { start, end, kind, day, row: None })
}

/// `17`, `1,200`, `12.5`, `3-1`.
fn is_number(core: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((left, right)) = core.split_once(['-', '–']) {
        return digits(left) && digits(right) && left.len() <= 2 && right.len() <= 2;
    }
    let groups: Vec<&str> = core.split([',', '.']).collect();
    let plain = groups.iter().all(|group| digits(group)) && core.len() <= 12;
    let named = core.starts_with('0') && groups.len() == 1;
    // 12.03.2014 is a date, and 10.30 may be a time.
    let mixed = groups.len() > 2 && !groups[1..].iter().all(|group| group.len() == 3);
    let long = groups.len() == 1 && core.len() > 6;
    let time =
        groups.len() == 2 && core.contains('.') && groups[1].len() == 2 && groups[0].len() <= 2;
    plain && !named && !mixed && !long && !time
}

fn kind(signs: &str, tail: &str, before: &str, after: &str, core: &str) -> FigureKind {
    let year = core.len() == 4 && (core.starts_with("19") || core.starts_with("20"));
    let month = |word: &str| lists("months", word);
    if signs.contains(['$', '€', '£']) || tail.contains(['€', '$']) || lists("money", after) {
        FigureKind::Price
    } else if tail.contains('%') || lists("percent", after) {
        FigureKind::Percent
    } else if core.contains(['-', '–']) {
        FigureKind::Score
    } else if year || ((month(before) || month(after)) && core.len() <= 2) {
        FigureKind::Date
    } else if lists("measures", after) {
        FigureKind::Measure
    } else {
        FigureKind::Count
    }
}

fn another_word(row: &[&str], word: &str, random: &mut Random) -> Option<String> {
    let others: Vec<&&str> = row.iter().filter(|other| **other != word).collect();
    Some((*others.get(random.below(others.len().max(1)))?).to_string())
}

/// Another number with the same number of digits.
fn another_number(
    number: &str,
    kind: FigureKind,
    day: bool,
    random: &mut Random,
) -> Option<String> {
    if day {
        let day: usize = number.parse().ok()?;
        let other = 1 + random.below(27);
        return Some((if other == day { other + 1 } else { other }).to_string());
    }
    let places: Vec<usize> =
        (0..number.len()).filter(|&at| number.as_bytes()[at].is_ascii_digit()).collect();
    // Only the last digit of a year: other centuries are not plausible.
    let from = if kind == FigureKind::Date { places.len().saturating_sub(1) } else { 0 };
    let at = places[from..][random.below(places.len() - from)];
    let digit = number.as_bytes()[at] - b'0';
    // No leading zero.
    let low = u8::from(at == places[0] && number.len() > 1);
    let choices: Vec<u8> = (low..10).filter(|&other| other != digit).collect();
    let other = choices[random.below(choices.len())];
    Some(format!("{}{other}{}", &number[..at], &number[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_figure_changes() {
        let text = "The minister said that 17 people of the town had left by 14:32 on Monday evening, at 3 pm.\n23 comments";
        for seed in 0..50 {
            let (copy, change) = change_one_figure(text, seed).unwrap();
            assert_eq!(change.before, "17");
            assert_ne!(change.after, "17");
            assert_eq!(copy, text.replace("17", &change.after));
            assert_eq!(change.kind, FigureKind::Count);
        }
    }

    #[test]
    fn figures_of_each_form() {
        for (figure, form) in [
            ("$5 million for", FigureKind::Price),
            ("1,200 euros for", FigureKind::Price),
            ("12.5 percent for", FigureKind::Percent),
            ("5% for", FigureKind::Percent),
            ("3-1 against", FigureKind::Score),
            ("2014 before", FigureKind::Date),
            ("seventeen goats for", FigureKind::Count),
            ("40 miles to", FigureKind::Measure),
        ] {
            let text = format!("It was said in the town hall that they had got {figure} the farm.");
            let (copy, change) = change_one_figure(&text, 3).unwrap();
            assert_eq!(change.kind, form, "{figure}");
            assert_ne!(copy, text);
        }
        for text in [
            "",
            "17",
            "Nobody there knew that it was 14:32 or 3 pm on that day in May.",
            "Total 17",
        ] {
            assert_eq!(change_one_figure(text, 1), None, "{text}");
        }
    }
}
