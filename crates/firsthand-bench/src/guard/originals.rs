//! Which pages are copied: site by site in turn, so that no site has most of the copies.

use super::CopyKind;
use super::copy::LINK_WORDS;
use super::site::Sites;
use crate::rng::Rng;

/// Sites with fewer pages have no furniture to tell from stories.
const LEAST_PAGES: usize = 3;

/// Stories with fewer lines have none to drop.
const LEAST_LINES: usize = 4;

/// The random stream of the choice.
const STREAM: u64 = 21;

/// The pages to copy, by position.
pub(super) fn pick(sites: &Sites<'_>, kind: CopyKind, copies: usize, seed: u64) -> Vec<usize> {
    let mut rng = Rng::new(seed, &[STREAM, kind as u64]);
    let is_fit = |&at: &usize| match kind {
        CopyKind::Edits | CopyKind::Headline => !sites.stories[at].is_empty(),
        // What is added must not outweigh the story.
        CopyKind::Links => sites.line_words(at).iter().sum::<usize>() >= LINK_WORDS.1,
        CopyKind::Lines => sites.stories[at].len() >= LEAST_LINES,
    };
    let mut pools: Vec<Vec<usize>> = sites
        .hosts
        .values()
        .filter(|pages| pages.len() >= LEAST_PAGES)
        .map(|pages| {
            let mut fit: Vec<usize> = pages.iter().copied().filter(is_fit).collect();
            rng.shuffle(&mut fit);
            fit
        })
        .collect();
    rng.shuffle(&mut pools);
    let mut picked = Vec::new();
    while picked.len() < copies && pools.iter().any(|pool| !pool.is_empty()) {
        picked.extend(pools.iter_mut().filter_map(Vec::pop));
    }
    picked.truncate(copies);
    picked
}
