//! What words mean within and next to a figure, by language. A line of `words/*.txt` is a meaning, and
//! the words that have it.

mod units;

pub(super) use units::{Unit, money, unit};

use super::{number_locale::NumberLocale, pieces::hash_word};
use crate::hashed::BuildHashed;
use std::{collections::HashMap, sync::LazyLock};

/// The role of a word within a number or a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// A number below a hundred.
    Small(u8),
    /// An article that counts as a number before people: `ein Toter`.
    One,
    /// `no`, which counts none before people: `no dead`.
    No,
    /// Nobody at all.
    Nobody,
    /// Multiples of a hundred below a thousand, such as `doscientos`.
    Hundreds(u16),
    /// `hundred`, which multiplies.
    Hundred,
    /// A power of ten that multiplies: `thousand`, `million`.
    Power(u8),
    /// Twelve, which multiplies.
    Dozen,
    /// An ordinal.
    Ordinal(u8),
    /// A vague power of ten, such as `hundreds`.
    Vague(u8),
    /// A month.
    Month(u8),
    /// An abbreviated or ambiguous month: only next to a day or a year.
    MonthIfDated(u8),
    /// A day of the week, from 1, Monday.
    Weekday(u8),
}

/// The role of a word before or after a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// An abbreviated power of ten, such as `bn`.
    Scale(u8),
    /// `m`: millions of money or people, or metres.
    Em,
    /// A percentage.
    Percent,
    /// `per`, before `cent`.
    Per,
    /// A currency.
    Money(u8),
    /// A unit of measurement.
    Unit(u8),
    /// Turns a length into an area: `square`, `carrés`.
    Square,
    /// Turns a length into a volume: `cubic`.
    Cubic,
    /// Turns digits into an ordinal: `st`, `er`.
    Rank,
    /// Turns a year into a decade: `s`.
    Decade,
    /// Turns a number into a time of day.
    Clock,
    /// The same, in capitals only.
    Zone,
}

/// Other hints that a word gives about a number near it, as bits.
pub(super) mod hint {
    /// What pages count about themselves: comments, shares.
    pub(crate) const CROWD: u16 = 1;
    /// Found next to numbers that belong to the page: telephone, page, photo.
    pub(crate) const FRAME: u16 = 2;
    /// Precedes the publication date of a page: published, updated.
    pub(crate) const STAMP: u16 = 4;
    /// Follows a duration up to now: `ago`; or precedes it: `vor`.
    pub(crate) const AGO: u16 = 8;
    /// Links a number and a unit, or a day and a month: `of`, `de`.
    pub(crate) const OF: u16 = 16;
    /// Links numbers: `and`, `und`.
    pub(crate) const AND: u16 = 32;
    /// Precedes a year: `in`, `since`.
    pub(crate) const SINCE: u16 = 64;
    /// Follows a result: `win`, `Sieg`.
    pub(crate) const GAME: u16 = 128;
    /// People who are counted even if there is only one, or none: `Toter`, `blessé`, `dead`.
    pub(crate) const PERSON: u16 = 256;
    /// Links a unit to another that it is divided by: `per`, `an`, `pro`.
    pub(crate) const PER: u16 = 512;

    /// The hints by name.
    pub(super) const NAMED: [(&str, u16); 10] = [
        ("crowd", CROWD),
        ("frame", FRAME),
        ("stamp", STAMP),
        ("ago", AGO),
        ("of", OF),
        ("and", AND),
        ("since", SINCE),
        ("game", GAME),
        ("person", PERSON),
        ("per", PER),
    ];
}

type WordTable<T> = HashMap<u64, T, BuildHashed>;

/// The meanings of words, by [`key`].
#[derive(Default)]
struct Tables {
    numerals: WordTable<Numeral>,
    beside: WordTable<Beside>,
    hints: WordTable<u16>,
    /// Words that may start a figure, as a bitmap over their keys: it settles most words.
    openers: Vec<u64>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables::default();
    for locale in NumberLocale::ALL {
        let own = match locale {
            NumberLocale::German => include_str!("words/german.txt"),
            NumberLocale::French => include_str!("words/french.txt"),
            NumberLocale::Spanish => include_str!("words/spanish.txt"),
            NumberLocale::English | NumberLocale::Comma => include_str!("words/english.txt"),
        };
        for file in [include_str!("words/shared.txt"), own] {
            tables.add(file, locale);
        }
    }
    tables.openers = vec![0; 1 << (FILTER - 6)];
    let money = tables.beside.iter().filter(|(_, beside)| matches!(beside, Beside::Money(_)));
    for key in tables.numerals.keys().chain(money.map(|(key, _)| key)) {
        let bit = key >> (64 - FILTER);
        tables.openers[(bit >> 6) as usize] |= 1 << (bit & 63);
    }
    tables
});
const FILTER: u32 = 16;

impl Tables {
    /// Adds the words of a file, in which a later line overrides an earlier one.
    fn add(&mut self, file: &str, locale: NumberLocale) {
        for (meaning, words) in file.lines().filter_map(|line| line.split_once(": ")) {
            let keys = words.split(' ').map(|word| key(hash_word(word), locale));
            match Meaning::parse(meaning) {
                Some(Meaning::Numeral(numeral)) => {
                    // Pages in any language have English dates.
                    use Numeral::{Month, MonthIfDated, Weekday};
                    let date = matches!(numeral, Month(_) | MonthIfDated(_) | Weekday(_));
                    if date || locale != NumberLocale::Comma {
                        self.numerals.extend(keys.map(|key| (key, numeral)));
                    }
                }
                Some(Meaning::Beside(beside)) => {
                    self.beside.extend(keys.map(|key| (key, beside)));
                }
                Some(Meaning::Hint(bit)) => {
                    keys.for_each(|key| *self.hints.entry(key).or_default() |= bit);
                }
                None => {}
            }
        }
    }
}

/// What a line of a file says about its words.
enum Meaning {
    Numeral(Numeral),
    Beside(Beside),
    Hint(u16),
}

impl Meaning {
    fn parse(written: &str) -> Option<Self> {
        let (name, of) = written.split_once(' ').unwrap_or((written, ""));
        let number = || of.parse().ok();
        let numeral = match name {
            "number" => Numeral::Small(number()?),
            "one" => Numeral::One,
            "no" => Numeral::No,
            "nobody" => Numeral::Nobody,
            "hundreds" => Numeral::Hundreds(of.parse().ok()?),
            "hundred" => Numeral::Hundred,
            "power" => Numeral::Power(number()?),
            "dozen" => Numeral::Dozen,
            "ordinal" => Numeral::Ordinal(number()?),
            "vague" => Numeral::Vague(number()?),
            "month" => Numeral::Month(number()?),
            "month-if-dated" => Numeral::MonthIfDated(number()?),
            "weekday" => Numeral::Weekday(number()?),
            _ => return Self::parse_beside(name, of),
        };
        Some(Self::Numeral(numeral))
    }

    fn parse_beside(name: &str, of: &str) -> Option<Self> {
        Some(Self::Beside(match name {
            "scale" => Beside::Scale(of.parse().ok()?),
            "em" => Beside::Em,
            "percent" => Beside::Percent,
            "per" => Beside::Per,
            "money" => Beside::Money(Unit::named(of)?.number),
            "unit" => Beside::Unit(Unit::named(of)?.number),
            "square" => Beside::Square,
            "cubic" => Beside::Cubic,
            "rank" => Beside::Rank,
            "decade" => Beside::Decade,
            "clock" => Beside::Clock,
            "zone" => Beside::Zone,
            "hint" => {
                return hint::NAMED.iter().find(|hint| hint.0 == of).map(|hint| Self::Hint(hint.1));
            }
            _ => return None,
        }))
    }
}

/// The key of a word in a language.
fn key(word: u64, locale: NumberLocale) -> u64 {
    word.wrapping_add((locale as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Whether a word may start a figure; rarely true for others.
pub(super) fn may_open(word: u64, locale: NumberLocale) -> bool {
    let bit = key(word, locale) >> (64 - FILTER);
    TABLES.openers[(bit >> 6) as usize] >> (bit & 63) & 1 == 1
}

/// The role of a word within a number or a date.
pub(super) fn numeral(word: u64, locale: NumberLocale) -> Option<Numeral> {
    TABLES.numerals.get(&key(word, locale)).copied()
}

/// The role of a word next to a number.
pub(super) fn beside(word: u64, locale: NumberLocale) -> Option<Beside> {
    TABLES.beside.get(&key(word, locale)).copied()
}

/// Other hints of a word, as bits of [`hint`].
pub(super) fn hints(word: u64, locale: NumberLocale) -> u16 {
    TABLES.hints.get(&key(word, locale)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_meaning() {
        let files = [
            include_str!("words/shared.txt"),
            include_str!("words/english.txt"),
            include_str!("words/french.txt"),
            include_str!("words/german.txt"),
            include_str!("words/spanish.txt"),
        ];
        let lines = files.iter().flat_map(|file| file.lines());
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (meaning, words) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
            assert!(Meaning::parse(meaning).is_some(), "{line}");
            assert!(words.split(' ').all(|word| !word.is_empty()), "{line}");
        }
    }
}
