//! The search among some texts of a collection.

use super::encoding;
use crate::{
    matcher::{Cost, Pair, Scope, SearchLimits, ShelvedSets, Sides, TooManyPairs},
    same_site::PageHead,
    search::Search,
    settings::Settings,
};
use std::collections::HashMap;

/// Some texts of a collection: those that were searched among themselves before, and then others.
///
/// ```
/// use firsthand::{Settings, matcher::SearchLimits, pieces::Block};
///
/// let mut block = Block::default();
/// for own in 0..3u64 {
///     block.push(&(0..40).chain([100 + own]).collect::<Vec<_>>(), &[]);
/// }
/// // The first two were compared before.
/// block.search_before(2);
/// let found = block.search(&Settings::profile("corpus")?, false, SearchLimits::default())?;
/// let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|(a, b, _)| (*a, *b)).collect();
/// assert_eq!(pairs, [(0, 2), (1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Block {
    sets: ShelvedSets,
    heads: Vec<Option<PageHead>>,
    before: usize,
    /// Whether only pairs of a text from before with another are wanted.
    across: bool,
}

/// The pairs of a block, by the places of its texts.
///
/// ```
/// use firsthand::{Settings, matcher::SearchLimits, pieces::{Block, BlockPairs}};
///
/// let mut block = Block::default();
/// for last in [40, 40, 41] {
///     block.push(&(0..40).chain([last]).collect::<Vec<_>>(), &[]);
/// }
/// let BlockPairs { identical, pairs, .. } =
///     block.search(&Settings::profile("corpus")?, false, SearchLimits::default())?;
/// assert_eq!(identical, [[0, 1]]);
/// // The first text stands for both.
/// assert_eq!(pairs.iter().map(|(a, b, _)| (*a, *b)).collect::<Vec<_>>(), [(0, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct BlockPairs {
    /// Groups of texts with equal features. In `pairs`, the first stands for all.
    pub identical: Vec<Vec<u32>>,
    /// Two texts that reach the threshold, and their similarity.
    pub pairs: Vec<(u32, u32, f64)>,
    /// What it cost.
    pub cost: Cost,
}

impl Block {
    /// Adds a text: its features, ascending, and its [head](super::PieceText::head).
    pub fn push(&mut self, features: &[u64], head: &[u8]) {
        self.sets.push(features);
        self.heads.push(encoding::read_head(head));
    }

    /// Adds the texts of another block after its own.
    pub fn append(&mut self, other: Self) {
        self.sets.append(other.sets);
        self.heads.extend(other.heads);
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Says that the first `texts` texts were searched among themselves before.
    pub fn search_before(&mut self, texts: usize) {
        self.before = texts;
    }

    /// Says the same, and that the others were as well: only pairs across are wanted.
    pub fn search_across(&mut self, texts: usize) {
        (self.before, self.across) = (texts, true);
    }

    /// Finds the pairs, but for those of two texts that were searched before. If equal features do not
    /// make documents equal, which is known of the collection as a whole, they are to be kept `apart`.
    ///
    /// # Errors
    ///
    /// If there are more pairs than allowed.
    pub fn search(
        self,
        settings: &Settings,
        apart: bool,
        limits: SearchLimits<'_>,
    ) -> Result<BlockPairs, TooManyPairs> {
        let Self { sets, heads, before, across } = self;
        let sets = sets.finish();
        let side = |at: usize| Sides { old: at < before || !across, new: at >= before };
        let sides: Vec<Sides> = (0..sets.len()).map(side).collect();
        let scope = if before == 0 { Scope::Within } else { Scope::Across(&sides) };
        let search = Search::new(settings, sets, None, heads);
        let mut found = search.pairs(settings, settings.threshold, scope, limits)?;
        if apart {
            expand(&mut found.identical, &mut found.pairs, |text| search.whole(text));
        }
        let is_new = |pair: &Pair| pair.b as usize >= before || !apart;
        let pairs = found.pairs.into_iter().filter(is_new);
        let pairs = pairs.map(|pair| (pair.a, pair.b, search.score(settings, pair))).collect();
        Ok(BlockPairs { identical: found.identical, pairs, cost: found.cost })
    }
}

/// Every pair for which the first texts of groups stand.
fn expand(identical: &mut Vec<Vec<u32>>, pairs: &mut Vec<Pair>, whole: impl Fn(u32) -> u32) {
    let groups: HashMap<u32, Vec<u32>> =
        std::mem::take(identical).into_iter().map(|group| (group[0], group)).collect();
    let mut all = Vec::new();
    for group in groups.values() {
        for (at, &b) in group.iter().enumerate() {
            all.extend(group[..at].iter().map(|&a| Pair { a, b, overlap: whole(a) }));
        }
    }
    for pair in pairs.drain(..) {
        let of = |text: &u32| groups.get(text).cloned().unwrap_or_else(|| vec![*text]);
        for a in of(&pair.a) {
            let others = of(&pair.b).into_iter();
            all.extend(others.map(|b| Pair { a: a.min(b), b: a.max(b), overlap: pair.overlap }));
        }
    }
    all.sort_unstable();
    *pairs = all;
}
