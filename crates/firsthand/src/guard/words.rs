//! What words mean in and beside a figure, by language.

mod english;
mod french;
mod german;
mod spanish;
mod units;

pub(super) use units::{money, unit};

use super::{pieces::hash_word, tongue::Tongue};
use crate::hashed::BuildHashed;
use std::{collections::HashMap, sync::LazyLock};

/// What a word is within a number or a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// A number below a hundred.
    Small(u8),
    /// An article that is a number before people: `ein Toter`.
    One,
    /// Whole hundreds below a thousand, such as `doscientos`.
    Hundreds(u16),
    /// `hundred`, which multiplies.
    Hundred,
    /// A power of ten that multiplies: `thousand`, `million`.
    Power(u8),
    /// Twelve, which multiplies.
    Dozen,
    /// A place in an order.
    Ordinal(u8),
    /// About so many: a power of ten, such as `hundreds`.
    Vague(u8),
    /// A month.
    Month(u8),
    /// An abbreviated month, or one that is another word as well: only beside a day or a year.
    MonthIfDated(u8),
}

/// What a word is behind or before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A power of ten in short, such as `bn`.
    Scale(u8),
    /// `m`: millions of money or people, or metres.
    Em,
    /// A share of a hundred.
    Percent,
    /// `per`, before `cent`.
    Per,
    /// Money.
    Money(u8),
    /// A measure.
    Unit(u8),
    /// Makes an ordinal of digits: `st`, `er`.
    Rank,
    /// Makes a decade of a year: `s`.
    Decade,
    /// Makes a time of day of a number.
    Clock,
    /// The same, in capitals only.
    Zone,
}

/// What else a word may tell about a number near it: bits.
pub(super) mod hint {
    /// What pages count about themselves: comments, shares.
    pub(crate) const CROWD: u16 = 1;
    /// What stands before or behind numbers that are a page's own: telephone, page, photo.
    pub(crate) const FRAME: u16 = 2;
    /// What stands before the date of a page: published, updated.
    pub(crate) const STAMP: u16 = 4;
    /// Behind a stretch of time up to now: `ago`; or before it: `vor`.
    pub(crate) const AGO: u16 = 8;
    /// Links a number and a unit, or a day and a month: `of`, `de`.
    pub(crate) const OF: u16 = 16;
    /// Links numbers: `and`, `und`.
    pub(crate) const AND: u16 = 32;
    /// Stands before a year: `in`, `since`.
    pub(crate) const SINCE: u16 = 64;
    /// Stands behind a result: `win`, `Sieg`.
    pub(crate) const GAME: u16 = 128;
    /// People who are counted even if there is only one: `Toter`, `blessé`.
    pub(crate) const PERSON: u16 = 256;
}

type Table<T> = HashMap<u64, T, BuildHashed>;

static NUMERALS: LazyLock<Table<Numeral>> = LazyLock::new(|| {
    let mut table = Table::default();
    for tongue in Tongue::SPOKEN {
        let list = match tongue {
            Tongue::German => german::NUMERALS,
            Tongue::French => french::NUMERALS,
            Tongue::Spanish => spanish::NUMERALS,
            _ => english::NUMERALS,
        };
        for &(words, numeral) in list {
            for word in words.split(' ') {
                table.insert(key(hash_word(word), tongue), numeral);
            }
        }
    }
    table
});

static BESIDE: LazyLock<Table<Beside>> = LazyLock::new(|| {
    let mut table = Table::default();
    for tongue in Tongue::SPOKEN.into_iter().chain([Tongue::Comma]) {
        let own = match tongue {
            Tongue::German => german::BESIDE,
            Tongue::French => french::BESIDE,
            Tongue::Spanish => spanish::BESIDE,
            _ => english::BESIDE,
        };
        for &(words, beside) in units::BESIDE.iter().chain(own) {
            for word in words.split(' ') {
                table.insert(key(hash_word(word), tongue), beside);
            }
        }
    }
    table
});

static HINTS: LazyLock<Table<u16>> = LazyLock::new(|| {
    let mut table = Table::default();
    for tongue in Tongue::SPOKEN.into_iter().chain([Tongue::Comma]) {
        let own = match tongue {
            Tongue::German => german::HINTS,
            Tongue::French => french::HINTS,
            Tongue::Spanish => spanish::HINTS,
            _ => english::HINTS,
        };
        for &(words, bit) in units::HINTS.iter().chain(own) {
            for word in words.split(' ') {
                *table.entry(key(hash_word(word), tongue)).or_default() |= bit;
            }
        }
    }
    table
});

/// A word of a language.
fn key(word: u64, tongue: Tongue) -> u64 {
    word.wrapping_add((tongue as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Which words may start a figure, by a few bits of their hashes: most words are settled by this.
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

/// Whether a word may start a figure; seldom true of words that do not.
pub(super) fn may_open(word: u64, tongue: Tongue) -> bool {
    let bit = key(word, tongue) >> (64 - FILTER);
    OPENERS[(bit >> 6) as usize] >> (bit & 63) & 1 == 1
}

/// What a word is within a number or a date.
pub(super) fn numeral(word: u64, tongue: Tongue) -> Option<Numeral> {
    NUMERALS.get(&key(word, tongue)).copied()
}

/// What a word is beside a number.
pub(super) fn beside(word: u64, tongue: Tongue) -> Option<Beside> {
    BESIDE.get(&key(word, tongue)).copied()
}

/// What else a word tells, as bits of [`hint`].
pub(super) fn hints(word: u64, tongue: Tongue) -> u16 {
    HINTS.get(&key(word, tongue)).copied().unwrap_or(0)
}
