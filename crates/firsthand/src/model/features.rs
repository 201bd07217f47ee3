//! What is known about a gram of a document: the features that its weight is a sum of.
//!
//! Values are integers in 1024ths, made from counts that are the same on every machine. A weight is a
//! sum of products of integers, so that it is the same everywhere, too.

use std::sync::LazyLock;

/// How many features there are.
pub(crate) const FEATURES: usize = 27;

/// The parts of one in the value of a feature.
pub(crate) const PARTS: f64 = 1024.0;

/// The values of all features for one gram.
pub(crate) type Values = [i32; FEATURES];

/// A feature, by its place among the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Feature {
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

/// A feature for people to read: its name, as in a model file, and what it says.
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
    feature("letters", "ln(1 + characters of the gram)"),
    feature("in-title", "the share of its words that are in the title of the document"),
    feature("in-url", "the share of its words that are in the address of the document"),
    feature("capitals", "the share of its words that are written with a capital here"),
    feature("digits", "1 if it has a digit"),
    feature("after-stop", "1 if it follows an antecedent of SpotSigs, at most two words before"),
    feature("stop-density", "the share of stop words among the twenty words on either side"),
    feature("link-density", "the share of the words of its block that are links"),
    feature("blocks", "ln(1 + how many blocks it occurs in)"),
    feature("quoted", "1 if all its occurrences are in quoted lines, as in replies: > said before"),
    feature("aside", "1 if all of them are in what mail sets apart: quotes, signatures, footers"),
];

/// What takes the values of the features of one gram, each at most once.
pub(crate) trait Sink {
    /// A feature has this value; those that are not named are zero.
    fn set(&mut self, feature: Feature, value: i32);
}

impl Sink for Values {
    #[inline(always)]
    fn set(&mut self, feature: Feature, value: i32) {
        self[feature as usize] = value;
    }
}

/// A value in parts.
pub(crate) fn parts(value: f64) -> i32 {
    (value * PARTS).round() as i32
}

/// Natural logarithms of one more than a count, in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logarithms(&'static [i32; 256]);

impl Logarithms {
    pub(crate) fn new() -> Self {
        static SMALL: LazyLock<[i32; 256]> = LazyLock::new(|| std::array::from_fn(logarithm));
        Self(&SMALL)
    }

    #[inline(always)]
    pub(crate) fn of(self, count: usize) -> i32 {
        self.0.get(count).copied().unwrap_or_else(|| logarithm(count))
    }
}

fn logarithm(count: usize) -> i32 {
    // Rounded to 1024ths, the last bit in which machines may differ does not show.
    parts((count as f64).ln_1p())
}

/// A share, in parts.
pub(crate) fn share(part: usize, whole: usize) -> i32 {
    Shares::of(whole).part(part)
}

/// Shares of a whole. Division is slow, and one is enough for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shares {
    reciprocal: u64,
}

impl Shares {
    /// Bits behind the point.
    const BITS: u32 = 20;

    pub(crate) fn of(whole: usize) -> Self {
        let whole = whole.max(1) as u64;
        Self { reciprocal: ((1024 << Self::BITS) + whole / 2) / whole }
    }

    /// The share of a part, in parts.
    pub(crate) fn part(self, part: usize) -> i32 {
        ((part as u64 * self.reciprocal + (1 << (Self::BITS - 1))) >> Self::BITS) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_division() {
        for whole in [1usize, 2, 3, 7, 10, 41, 100, 300, 4096] {
            for part in 0..=whole {
                let exact = part as f64 * 1024.0 / whole as f64;
                assert!((f64::from(share(part, whole)) - exact).abs() <= 0.51, "{part} of {whole}");
            }
            assert_eq!((share(0, whole), share(whole, whole)), (0, 1024));
        }
    }
}
