//! Page furniture: passages that recur over pages of one site whose other text differs.
//!
//! A block that stands on two pages of a site is furniture if these pages tell different stories.
//! Two pages tell the same story if they share enough of the words of the longer one: half of them,
//! or more if their headlines have little in common. A frame may be larger than the stories in it,
//! so it is set aside in rounds ([`ROUNDS`]), the surest evidence first, and later rounds compare
//! what is left of the pages. So a story that a site published twice keeps its text.

use crate::{hashed::BuildHashed, signature::BlockHash};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_128;

/// Hashes of words or blocks.
pub(crate) type Hashes = HashSet<u64, BuildHashed>;

/// What a round takes for furniture: blocks on so many pages of which no two tell the same story.
struct Round {
    pages: usize,
    /// The part of the words that pages with one story share at least.
    share: Share,
    /// The same for pages whose headlines differ.
    share_of_strangers: Share,
}

/// A fraction.
type Share = (u64, u64);

/// Six pages seldom tell one story, and three headlines seldom belong to one: there even a large
/// common part is a frame.
const ROUNDS: [Round; 3] = [
    Round { pages: 6, share: (4, 5), share_of_strangers: (9, 10) },
    Round { pages: 3, share: (1, 2), share_of_strangers: (9, 10) },
    Round { pages: 2, share: (1, 2), share_of_strangers: (3, 4) },
];

/// A page as the templates see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    /// The hashes of the words of its title.
    pub(crate) title: &'a [u64],
    pub(crate) blocks: &'a [BlockHash],
}

/// The furniture of each site: a value, learned from a collection.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    sites: HashMap<String, Hashes>,
}

impl Templates {
    /// Learns from pages, given with their sites. Copies of a page count once.
    pub(crate) fn learn<'a>(pages: impl Iterator<Item = (&'a str, Page<'a>)>) -> Self {
        let mut sites: HashMap<&str, Vec<Page<'_>>> = HashMap::new();
        for (site, page) in pages {
            sites.entry(site).or_default().push(page);
        }
        let sites = sites
            .into_par_iter()
            .map(|(site, pages)| (site.to_owned(), Site::new(&pages).furniture()))
            .filter(|(_, furniture)| !furniture.is_empty())
            .collect();
        Self { sites }
    }

    /// The furniture of one site.
    pub(crate) fn of_site(pages: &[Page<'_>]) -> Hashes {
        Site::new(pages).furniture()
    }

    /// Whether a block is furniture of the site.
    pub(crate) fn contains(&self, site: &str, block: u64) -> bool {
        self.sites.get(site).is_some_and(|furniture| furniture.contains(&block))
    }

    /// The number of sites with furniture and of blocks that are furniture.
    pub fn size(&self) -> (usize, usize) {
        (self.sites.len(), self.sites.values().map(HashSet::len).sum())
    }
}

/// The pages of one site.
struct Site {
    /// Per page, its different blocks with their words.
    pages: Vec<HashMap<u64, u32, BuildHashed>>,
    /// Per page, the words of its headline: its title without what most titles of the site say.
    headlines: Vec<Hashes>,
    /// Blocks that stand on several pages, with these pages.
    recurring: Vec<(u64, Vec<u32>)>,
}

impl Site {
    fn new(pages: &[Page<'_>]) -> Self {
        let mut known: HashSet<u128, BuildHashed> = HashSet::default();
        let mut bytes = Vec::new();
        let mut is_new = |page: &&Page<'_>| {
            bytes.clear();
            page.blocks.iter().for_each(|block| bytes.extend(block.hash.to_le_bytes()));
            known.insert(xxh3_128(&bytes))
        };
        let different: Vec<&Page<'_>> = pages.iter().filter(|page| is_new(page)).collect();
        let pages: Vec<HashMap<u64, u32, BuildHashed>> = different
            .iter()
            .map(|page| page.blocks.iter().map(|block| (block.hash, block.words)).collect())
            .collect();
        // Most blocks stand on one page only, and need no list.
        let mut places: Vec<(u64, u32)> = Vec::new();
        for (at, page) in (0u32..).zip(&pages) {
            places.extend(page.keys().map(|&block| (block, at)));
        }
        places.sort_unstable();
        let recurring = places.chunk_by(|a, b| a.0 == b.0).filter(|places| places.len() > 1);
        let recurring =
            recurring.map(|places| (places[0].0, places.iter().map(|place| place.1).collect()));
        let recurring = recurring.collect();
        Self { headlines: headlines(&different), pages, recurring }
    }

    fn furniture(&self) -> Hashes {
        let mut furniture = Hashes::default();
        for round in ROUNDS {
            let found = self.on_different_pages(&round, &furniture);
            furniture.extend(found);
        }
        furniture
    }

    /// What a round finds, comparing the pages apart from what is set aside.
    fn on_different_pages(&self, round: &Round, aside: &Hashes) -> Hashes {
        let lengths: Vec<u64> = self.pages.iter().map(|page| length(page, aside)).collect();
        let differ = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            let strangers = are_strangers(&self.headlines[a], &self.headlines[b]);
            let (n, d) = if strangers { round.share_of_strangers } else { round.share };
            d * shared(&self.pages[a], &self.pages[b], aside) < n * lengths[a].max(lengths[b])
        };
        let mut found = Hashes::default();
        for (block, pages) in &self.recurring {
            if pages.len() < round.pages || aside.contains(block) {
                continue;
            }
            let mut chosen: Vec<u32> = Vec::with_capacity(round.pages);
            for &page in pages {
                if chosen.iter().all(|&other| differ(page, other)) {
                    chosen.push(page);
                }
                if chosen.len() == round.pages {
                    found.insert(*block);
                    break;
                }
            }
        }
        found
    }
}

/// The words of each title, without those that half of the titles of a larger site have.
fn headlines(pages: &[&Page<'_>]) -> Vec<Hashes> {
    let titles: Vec<Hashes> =
        pages.iter().map(|page| page.title.iter().copied().collect()).collect();
    let mut counts: HashMap<u64, usize, BuildHashed> = HashMap::default();
    for &word in titles.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let common = |word: &u64| titles.len() >= 6 && 2 * counts[word] >= titles.len();
    titles
        .iter()
        .map(|title| title.iter().copied().filter(|word| !common(word)).collect())
        .collect()
}

/// Whether two headlines have less than a third of the shorter one in common.
fn are_strangers(a: &Hashes, b: &Hashes) -> bool {
    3 * a.intersection(b).count() < a.len().min(b.len())
}

fn length(page: &HashMap<u64, u32, BuildHashed>, aside: &Hashes) -> u64 {
    page.iter()
        .filter(|(block, _)| !aside.contains(block))
        .map(|(_, &words)| u64::from(words))
        .sum()
}

fn shared(
    a: &HashMap<u64, u32, BuildHashed>,
    b: &HashMap<u64, u32, BuildHashed>,
    aside: &Hashes,
) -> u64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter()
        .filter(|(block, _)| many.contains_key(block) && !aside.contains(block))
        .map(|(_, &words)| u64::from(words))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages written as `headline words|blocks`; a letter is a block of ten words.
    fn furniture(pages: &[&str]) -> String {
        let pages: Vec<(Vec<u64>, Vec<BlockHash>)> = pages
            .iter()
            .map(|page| {
                let (title, letters) = page.split_once('|').unwrap_or(("", page));
                let title = title.bytes().map(u64::from).collect();
                let block = |letter| BlockHash { hash: u64::from(letter), words: 10 };
                (title, letters.bytes().map(block).collect())
            })
            .collect();
        let templates =
            Templates::learn(pages.iter().map(|(title, blocks)| ("site", Page { title, blocks })));
        let mut found: Vec<u8> =
            templates.sites.get("site").into_iter().flatten().map(|&hash| hash as u8).collect();
        found.sort_unstable();
        String::from_utf8(found).unwrap()
    }

    #[test]
    fn furniture_is_what_different_stories_share() {
        for (pages, expected) in [
            (&["NFabcd"][..], ""),
            (&["NFabcd", "NFefgh"], "FN"),
            // One story, published twice with another advert.
            (&["NFabcd", "NGabcd"], ""),
            (&["NFabcd", "NFabcd"], ""),
            // The same among other pages: the frame goes, the story stays.
            (&["NFabcd", "NFabce", "NFghij", "NFklmn"], "FN"),
            // A frame larger than the stories: six pages give it away, and one story among them
            // that was published twice stays.
            (
                &["NFGHab", "NFGHcd", "NFGHef", "NFGHgh", "NFGHij", "NFGHkl", "NFGHab", "NFGHa"],
                "FGHN",
            ),
            (&["NFGabcd", "NFGefgh", "NFGijkl"], "FGN"),
            // A passage quoted in another story.
            (&["abcdefgh", "aijklmno"], "a"),
        ] {
            assert_eq!(furniture(pages), expected, "{pages:?}");
        }
    }

    #[test]
    fn headlines_help_to_tell_stories_apart() {
        for (pages, expected) in [
            // Three headlines, and a frame of more than half.
            (&["123S|NFGHab", "456S|NFGHcd", "789S|NFGHef"][..], "FGHN"),
            (&["123S|NFGHab", "124S|NFGHcd", "125S|NFGHef"], ""),
            (&["NFGHab", "NFGHcd", "NFGHef"], ""),
            // Two headlines; a story that is told again under another one stays.
            (&["123S|NFGHab", "456S|NFGHcd"], "FGHN"),
            (&["123S|Nabcd", "456S|Nabce"], ""),
        ] {
            assert_eq!(furniture(pages), expected, "{pages:?}");
        }
    }

    #[test]
    fn other_sites_do_not_count() {
        let blocks = [[1, 2, 3], [1, 4, 5]].map(|b| b.map(|hash| BlockHash { hash, words: 10 }));
        let pages = blocks.iter().map(|blocks| Page { title: &[], blocks });
        let templates = Templates::learn(["one", "two"].into_iter().zip(pages));
        assert_eq!(templates.size(), (0, 0));
    }
}
