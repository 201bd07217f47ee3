//! The features of a gram in a document: its weight is a weighted sum of them.
//!
//! Values are integers in 1024ths, computed from counts, and a weight is a sum of products of
//! integers, so it is the same on every machine.

use std::sync::LazyLock;

/// The number of features.
pub(crate) const FEATURES: usize = 27;

/// The denominator of feature values.
pub(crate) const PARTS: f64 = 1024.0;

/// The values of all features for one gram.
pub(crate) type Values = [i32; FEATURES];

/// A feature, by its position among the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum GramFeature {
    Bias,
    Count,
    Share,
    CountIdf,
    Idf,
    IdfMedian,
    IdfSquare,
    Common,
    Rare,
    TitleCount,
    Untitled,
    Position,
    Opening,
    FirstPart,
    End,
    Length,
    Letters,
    InTitle,
    InUrl,
    Capitals,
    Digits,
    AfterStop,
    StopDensity,
    LinkDensity,
    Blocks,
    Quoted,
    Aside,
}

/// The description of a feature: its name, as in a model file, and its meaning.
///
/// ```
/// use firsthand::model::DESCRIBED;
///
/// assert_eq!((DESCRIBED[0].name, DESCRIBED[0].says), ("bias", "1 for every gram"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What it says about a gram in a document.
    pub says: &'static str,
}

const fn feature(name: &'static str, says: &'static str) -> Described {
    Described { name, says }
}

/// All features, in their order.
pub const DESCRIBED: [Described; FEATURES] = [
    feature("bias", "1 for every gram"),
    feature("count", "ln(1 + how often it occurs in the document)"),
    feature("share", "percent of the words of the document that it is, at most 20"),
    feature("count-idf", "how often it occurs, at most 16, times idf: what TF-IDF weighs by"),
    feature("idf", "how rare its words are on average: 0 in every document, 1 in none"),
    feature("idf-median", "the median of that over its words; 0 for single words"),
    feature("idf-square", "the square of idf"),
    feature("common", "1 if idf is below 0.2"),
    feature("rare", "1 if idf is above 0.85"),
    feature("title-count", "how often its words are in titles or queries: 0 never, 1 in all"),
    feature("untitled", "1 if none of its words is in any title or query"),
    feature("position", "where it occurs first: 0 at the beginning, 1 at the end"),
    feature("opening", "1 if it occurs in the first tenth"),
    feature("first-part", "1 if it occurs in the first four tenths"),
    feature("end", "1 if it occurs in the last fifth"),
    feature("length", "ln(1 + words of the document)"),
    feature("letters", "ln(1 + characters of the gram, at most 255)"),
    feature("in-title", "the share of its words that are in the title of the document"),
    feature("in-url", "the share of its words that are in the address of the document"),
    feature(
        "capitals",
        "the share of its words that are written with a capital where it occurs first",
    ),
    feature("digits", "1 if it has a digit"),
    feature("after-stop", "1 if it follows an antecedent of SpotSigs, at most two words before"),
    feature("stop-density", "the share of stop words among the twenty words on either side"),
    feature("link-density", "the share of the words of its block that are links"),
    feature("blocks", "ln(1 + how many blocks it occurs in)"),
    feature("quoted", "1 if all its occurrences are in quoted lines, as in replies: > said before"),
    feature("aside", "1 if all of them are in what mail sets apart: quotes, signatures, footers"),
];

/// Consumes the features of a gram.
pub(crate) trait FeatureSink: Copy {
    /// The result for one gram; the default is that of no feature.
    type Sum: Copy + Default;

    /// Adds a feature with this value; each feature is added at most once, and the others are 0.
    fn add(&self, sum: &mut Self::Sum, feature: GramFeature, value: i64);
}

/// Keeps the values of the features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeepValues;

impl FeatureSink for KeepValues {
    type Sum = Values;

    #[inline(always)]
    fn add(&self, sum: &mut Values, feature: GramFeature, value: i64) {
        sum[feature as usize] = value as i32;
    }
}

/// A value in 1024ths.
pub(crate) fn parts(value: f64) -> i32 {
    (value * PARTS).round() as i32
}

/// Natural logarithms of a count plus one, in 1024ths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logarithms(&'static [i32; 256]);

impl Logarithms {
    pub(crate) fn new() -> Self {
        static SMALL: LazyLock<[i32; 256]> = LazyLock::new(|| std::array::from_fn(logarithm));
        Self(&SMALL)
    }

    pub(crate) fn of(self, count: usize) -> i64 {
        i64::from(self.0.get(count).copied().unwrap_or_else(|| logarithm(count)))
    }

    /// The same for counts up to 255, at which larger ones are capped.
    #[inline(always)]
    pub(crate) fn of_few(self, count: usize) -> i64 {
        i64::from(self.0[count.min(255)])
    }
}

fn logarithm(count: usize) -> i32 {
    // Rounding to 1024ths hides the last bit, in which machines may differ.
    parts((count as f64).ln_1p())
}

/// A share, in 1024ths.
pub(crate) fn share(part: usize, whole: usize) -> i64 {
    Shares::of(whole).part(part as u64)
}

/// Shares of a whole. Division is slow, so it is done only once for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shares {
    reciprocal: u32,
}

impl Shares {
    /// Bits after the binary point.
    const BITS: u32 = 20;

    pub(crate) fn of(whole: usize) -> Self {
        let whole = whole.max(1) as u64;
        Self { reciprocal: (((1024 << Self::BITS) + whole / 2) / whole) as u32 }
    }

    /// The share of a part, in 1024ths.
    #[inline(always)]
    pub(crate) fn part(self, part: u64) -> i64 {
        ((part * u64::from(self.reciprocal) + (1 << (Self::BITS - 1))) >> Self::BITS) as i64
    }
}

/// Means over a few words, rounded down, also without division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    reciprocal: u32,
}

impl Means {
    /// Bits after the binary point: exact for sums over the words of a gram.
    const BITS: u32 = 18;

    pub(crate) fn of(words: usize) -> Self {
        Self { reciprocal: (1u32 << Self::BITS).div_ceil(words.max(1) as u32) }
    }

    /// The mean, given the sum of values of at most 1024.
    #[inline(always)]
    pub(crate) fn mean(self, sum: i64) -> i64 {
        (sum * i64::from(self.reciprocal)) >> Self::BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MOST_GRAM;

    #[test]
    fn shares_match_division() {
        for whole in [1usize, 2, 3, 7, 10, 41, 100, 300, 4096] {
            for part in 0..=whole {
                let exact = part as f64 * 1024.0 / whole as f64;
                assert!((share(part, whole) as f64 - exact).abs() <= 0.51, "{part} of {whole}");
            }
            assert_eq!((share(0, whole), share(whole, whole)), (0, 1024));
        }
    }

    #[test]
    fn means_match_division() {
        for words in 1..=MOST_GRAM as i64 {
            for sum in 0..=1024 * words {
                assert_eq!(Means::of(words as usize).mean(sum), sum / words, "{sum} of {words}");
            }
        }
    }
}
