//! The passages of two documents side by side: the same, changed, or only in one of them.

use super::align::{Effort, common, heaviest};
use super::units::{self, Unit};
use crate::{
    matcher::overlap,
    tokens::{Folding, Tokens},
};
use serde::Serialize;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// A passage of one document or of both: a block, as a person reads it.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{Passage, explain};
///
/// let a = Document::new("a", "The ferry did not sail.\nNobody was hurt.");
/// let b = Document::new("b", "The ferry did NOT sail.\nMore at ten.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let passages = explain(&collection, &a, &b)?.passages;
/// assert_eq!(passages[0], Passage::Same { text: "The ferry did not sail.".to_owned() });
/// assert!(passages.contains(&Passage::OnlyB { text: "More at ten.".to_owned() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Passage {
    /// In both, apart from case, white space and obfuscation; written as in `a`.
    Same {
        /// The passage.
        text: String,
    },
    /// In both, with differences.
    Changed {
        /// The common and the different pieces, in order.
        pieces: Vec<Piece>,
    },
    /// Only in `a`.
    OnlyA {
        /// The passage.
        text: String,
    },
    /// Only in `b`.
    OnlyB {
        /// The passage.
        text: String,
    },
}

/// A piece of a changed passage. `Same` and `A` together are the passage of `a`.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{Passage, Piece, explain};
///
/// let a = Document::new("a", "The ferry to the island did not sail on Monday.");
/// let b = Document::new("b", "The ferry to the island did not sail on Tuesday.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let Passage::Changed { pieces } = &explain(&collection, &a, &b)?.passages[0] else {
///     return Err("the passage has not changed".into());
/// };
/// assert_eq!(pieces[1..], [Piece::A("Monday.".to_owned()), Piece::B("Tuesday.".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    /// In both; written as in `a`.
    Same(String),
    /// Only in `a`.
    A(String),
    /// Only in `b`.
    B(String),
}

/// A block of a document, ready to be compared.
pub(super) struct ExplainedBlock<'a> {
    pub(super) text: &'a str,
    folding: Folding,
    /// The hash of its normalised text.
    key: u64,
    /// The hashes of its words, ascending.
    words: Vec<u64>,
}

impl<'a> ExplainedBlock<'a> {
    pub(super) fn new(text: &'a str, folding: Folding) -> Self {
        let tokens = Tokens::new(&folding.apply(text));
        let mut words = tokens.hashes().to_vec();
        words.sort_unstable();
        Self { text, folding, key: xxh3_64(tokens.text().as_bytes()), words }
    }
}

/// Aligns the blocks of two documents. Exact copies may differ in where their blocks end, so they are
/// shown as `a` has them.
pub(super) fn compare(
    a: Vec<ExplainedBlock<'_>>,
    b: Vec<ExplainedBlock<'_>>,
    exact: bool,
) -> Vec<Passage> {
    if exact {
        return a.iter().map(|block| Passage::Same { text: block.text.to_owned() }).collect();
    }
    let keys =
        |blocks: &[ExplainedBlock<'_>]| blocks.iter().map(|block| block.key).collect::<Vec<_>>();
    let mut effort = Effort::new();
    let same = common(&keys(&a), &keys(&b), &mut effort);
    let mut passages = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in same.into_iter().chain([(a.len(), b.len())]) {
        let changed = similar(&a[i..next_i], &b[j..next_j], &mut effort);
        let end = (next_i - i, next_j - j);
        let (gap_a, gap_b) = (i, j);
        for (to_i, to_j) in changed.into_iter().chain([end]) {
            let only = |blocks: &[ExplainedBlock<'_>], range: Range<usize>| {
                blocks[range].iter().map(|block| block.text.to_owned()).collect::<Vec<_>>()
            };
            let (only_a, only_b) = (only(&a, i..gap_a + to_i), only(&b, j..gap_b + to_j));
            passages.extend(only_a.into_iter().map(|text| Passage::OnlyA { text }));
            passages.extend(only_b.into_iter().map(|text| Passage::OnlyB { text }));
            (i, j) = (gap_a + to_i, gap_b + to_j);
            if (to_i, to_j) != end {
                let pieces = pieces(&a[i], &b[j], &mut effort);
                passages.push(Passage::Changed { pieces });
                (i, j) = (i + 1, j + 1);
            }
        }
        if let Some(block) = a.get(next_i) {
            passages.push(Passage::Same { text: block.text.to_owned() });
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    passages
}

/// The pairs of blocks that are versions of each other.
fn similar(
    a: &[ExplainedBlock<'_>],
    b: &[ExplainedBlock<'_>],
    effort: &mut Effort,
) -> Vec<(usize, usize)> {
    let words =
        |blocks: &[ExplainedBlock<'_>]| blocks.iter().map(|b| b.words.len() as u64).sum::<u64>();
    let (n, m) = (a.len() as u64, b.len() as u64);
    // Every block is compared with every other, once to fill the table and once to walk through it.
    if !effort.allows(n * m, 2 * (n * words(b) + m * words(a))) {
        return Vec::new();
    }
    heaviest(a.len(), b.len(), |i, j| {
        let (x, y) = (&a[i].words, &b[j].words);
        let shared = overlap(x, y);
        let (shorter, longer) = (x.len().min(y.len()), x.len().max(y.len()));
        // At least half of the longer block, or most of a shorter one that is long enough to tell.
        let alike = 2 * shared >= longer || shorter >= 8 && 5 * shared >= 4 * shorter;
        if alike { shared as u32 } else { 0 }
    })
}

fn pieces(a: &ExplainedBlock<'_>, b: &ExplainedBlock<'_>, effort: &mut Effort) -> Vec<Piece> {
    let (units_a, units_b) = (units::of(a.text, a.folding), units::of(b.text, b.folding));
    let keys = |units: &[Unit<'_>]| units.iter().map(|unit| unit.key).collect::<Vec<_>>();
    let same = readable(common(&keys(&units_a), &keys(&units_b), effort), &units_a, &units_b);
    let text = |units: &[Unit<'_>]| units.iter().map(|unit| unit.text).collect::<String>();
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in same.into_iter().chain([(units_a.len(), units_b.len())]) {
        for (only, piece) in [
            (text(&units_a[i..next_i]), Piece::A as fn(String) -> Piece),
            (text(&units_b[j..next_j]), Piece::B),
        ] {
            if !only.is_empty() {
                pieces.push(piece(only));
            }
        }
        if let Some(unit) = units_a.get(next_i) {
            match pieces.last_mut() {
                Some(Piece::Same(text)) => text.push_str(unit.text),
                _ => pieces.push(Piece::Same(unit.text.to_owned())),
            }
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    pieces
}

/// Drops single words that happen to agree between two longer changes: such a difference is easier to
/// read as one.
fn readable(same: Vec<(usize, usize)>, a: &[Unit<'_>], b: &[Unit<'_>]) -> Vec<(usize, usize)> {
    let gap = |from: Option<&(usize, usize)>, to: Option<&(usize, usize)>| {
        let (i, j) = from.map_or((0, 0), |&(i, j)| (i + 1, j + 1));
        let &(to_i, to_j) = to.unwrap_or(&(a.len(), b.len()));
        (to_i - i).max(to_j - j)
    };
    let lonely = |at: usize| {
        let before = at.checked_sub(1).map(|before| &same[before]);
        gap(before, Some(&same[at])) > 1 && gap(Some(&same[at]), same.get(at + 1)) > 1
    };
    let kept = (0..same.len()).filter(|&at| !lonely(at)).map(|at| same[at]);
    kept.collect()
}
