//! What words mean within and next to a figure, by language.

mod english;
mod french;
mod german;
mod spanish;
mod units;

pub(super) use units::{money, unit};

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
    /// FoundFigure next to numbers that belong to the page: telephone, page, photo.
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
    /// People who are counted even if there is only one: `Toter`, `blessé`.
    pub(crate) const PERSON: u16 = 256;
}

type WordTable<T> = HashMap<u64, T, BuildHashed>;

static NUMERALS: LazyLock<WordTable<Numeral>> = LazyLock::new(|| {
    let mut table = WordTable::default();
    for locale in NumberLocale::ALL {
        let list = match locale {
            NumberLocale::German => german::NUMERALS,
            NumberLocale::French => french::NUMERALS,
            NumberLocale::Spanish => spanish::NUMERALS,
            NumberLocale::English | NumberLocale::Comma => english::NUMERALS,
        };
        // Pages in any language have English dates.
        let dates = |numeral| matches!(numeral, Numeral::Month(_) | Numeral::MonthIfDated(_));
        for &(words, numeral) in
            list.iter().filter(|item| locale != NumberLocale::Comma || dates(item.1))
        {
            for word in words.split(' ') {
                table.insert(key(hash_word(word), locale), numeral);
            }
        }
    }
    table
});

static BESIDE: LazyLock<WordTable<Beside>> = LazyLock::new(|| {
    let mut table = WordTable::default();
    for locale in NumberLocale::ALL {
        let own = match locale {
            NumberLocale::German => german::BESIDE,
            NumberLocale::French => french::BESIDE,
            NumberLocale::Spanish => spanish::BESIDE,
            _ => english::BESIDE,
        };
        for &(words, beside) in units::BESIDE.iter().chain(own) {
            for word in words.split(' ') {
                table.insert(key(hash_word(word), locale), beside);
            }
        }
    }
    table
});

static HINTS: LazyLock<WordTable<u16>> = LazyLock::new(|| {
    let mut table = WordTable::default();
    for locale in NumberLocale::ALL {
        let own = match locale {
            NumberLocale::German => german::HINTS,
            NumberLocale::French => french::HINTS,
            NumberLocale::Spanish => spanish::HINTS,
            _ => english::HINTS,
        };
        for &(words, bit) in units::HINTS.iter().chain(own) {
            for word in words.split(' ') {
                *table.entry(key(hash_word(word), locale)).or_default() |= bit;
            }
        }
    }
    table
});

/// The key of a word in a language.
fn key(word: u64, locale: NumberLocale) -> u64 {
    word.wrapping_add((locale as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Words that may start a figure, as a bitmap over their hashes: it settles most words.
static OPENERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut bits = vec![0; 1 << (FILTER - 6)];
    let money = BESIDE.iter().filter(|(_, beside)| matches!(beside, Beside::Money(_)));
    for key in NUMERALS.keys().chain(money.map(|(key, _)| key)) {
        let bit = key >> (64 - FILTER);
        bits[(bit >> 6) as usize] |= 1 << (bit & 63);
    }
    bits
});
const FILTER: u32 = 16;

/// Whether a word may start a figure; rarely true for others.
pub(super) fn may_open(word: u64, locale: NumberLocale) -> bool {
    let bit = key(word, locale) >> (64 - FILTER);
    OPENERS[(bit >> 6) as usize] >> (bit & 63) & 1 == 1
}

/// The role of a word within a number or a date.
pub(super) fn numeral(word: u64, locale: NumberLocale) -> Option<Numeral> {
    NUMERALS.get(&key(word, locale)).copied()
}

/// The role of a word next to a number.
pub(super) fn beside(word: u64, locale: NumberLocale) -> Option<Beside> {
    BESIDE.get(&key(word, locale)).copied()
}

/// Other hints of a word, as bits of [`hint`].
pub(super) fn hints(word: u64, locale: NumberLocale) -> u16 {
    HINTS.get(&key(word, locale)).copied().unwrap_or(0)
}
