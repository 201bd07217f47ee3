//! Page furniture: passages that recur over pages of one site whose other text differs.
//!
//! A block that stands on two pages of a site is furniture if these pages tell different stories.
//! Two pages tell the same story if they share at least half of the words of the longer one. A
//! frame may be larger than the stories in it, so it is set aside in rounds ([`ROUNDS`]), the
//! surest evidence first, and later rounds compare what is left of the pages. So a story that a
//! site published twice keeps its text.

use crate::signature::Block;
use std::collections::{HashMap, HashSet};

/// What each round takes for furniture: blocks on so many pages of which no two share this part of
/// their words. Six pages seldom tell one story, so there even a large common part is a frame.
const ROUNDS: [(usize, Share); 3] = [(6, (4, 5)), (3, (1, 2)), (2, (1, 2))];

/// A fraction.
type Share = (u64, u64);

/// The furniture of each site: a value, learned from a collection.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    sites: HashMap<String, HashSet<u64>>,
}

impl Templates {
    /// Learns from pages, given as their site and their blocks. Copies of a page count once.
    pub(crate) fn learn<'a>(pages: impl Iterator<Item = (&'a str, &'a [Block])>) -> Self {
        let mut sites: HashMap<&str, Vec<&[Block]>> = HashMap::new();
        for (site, blocks) in pages {
            sites.entry(site).or_default().push(blocks);
        }
        let sites = sites
            .into_iter()
            .map(|(site, pages)| (site.to_owned(), Site::new(&pages).furniture()))
            .filter(|(_, furniture)| !furniture.is_empty())
            .collect();
        Self { sites }
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
    pages: Vec<HashMap<u64, u32>>,
    /// Blocks that stand on several pages, with these pages.
    recurring: Vec<(u64, Vec<u32>)>,
}

impl Site {
    fn new(pages: &[&[Block]]) -> Self {
        let mut known = HashSet::new();
        let pages: Vec<HashMap<u64, u32>> = pages
            .iter()
            .filter(|page| known.insert(page.iter().map(|block| block.hash).collect::<Vec<_>>()))
            .map(|page| page.iter().map(|block| (block.hash, block.words)).collect())
            .collect();
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (at, page) in pages.iter().enumerate() {
            for &block in page.keys() {
                places.entry(block).or_default().push(at as u32);
            }
        }
        let mut recurring: Vec<_> =
            places.into_iter().filter(|(_, pages)| pages.len() > 1).collect();
        recurring.sort_unstable();
        Self { pages, recurring }
    }

    fn furniture(&self) -> HashSet<u64> {
        let mut furniture = HashSet::new();
        for (least, share) in ROUNDS {
            let found = self.on_different_pages(least, share, &furniture);
            furniture.extend(found);
        }
        furniture
    }

    /// The blocks that stand on `least` pages of which no two share this part of their words, apart
    /// from what is set aside.
    fn on_different_pages(
        &self,
        least: usize,
        (numerator, denominator): Share,
        aside: &HashSet<u64>,
    ) -> HashSet<u64> {
        let lengths: Vec<u64> = self.pages.iter().map(|page| length(page, aside)).collect();
        let differ = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            let shared = shared(&self.pages[a], &self.pages[b], aside);
            denominator * shared < numerator * lengths[a].max(lengths[b])
        };
        let mut found = HashSet::new();
        for (block, pages) in &self.recurring {
            if pages.len() < least || aside.contains(block) {
                continue;
            }
            let mut chosen: Vec<u32> = Vec::with_capacity(least);
            for &page in pages {
                if chosen.iter().all(|&other| differ(page, other)) {
                    chosen.push(page);
                }
                if chosen.len() == least {
                    found.insert(*block);
                    break;
                }
            }
        }
        found
    }
}

fn length(page: &HashMap<u64, u32>, aside: &HashSet<u64>) -> u64 {
    page.iter()
        .filter(|(block, _)| !aside.contains(block))
        .map(|(_, &words)| u64::from(words))
        .sum()
}

fn shared(a: &HashMap<u64, u32>, b: &HashMap<u64, u32>, aside: &HashSet<u64>) -> u64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter()
        .filter(|(block, _)| many.contains_key(block) && !aside.contains(block))
        .map(|(_, &words)| u64::from(words))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of blocks that are each written as a letter; every block has ten words.
    fn page(letters: &str) -> Vec<Block> {
        letters.bytes().map(|letter| Block { hash: u64::from(letter), words: 10 }).collect()
    }

    fn furniture(pages: &[&str]) -> String {
        let pages: Vec<Vec<Block>> = pages.iter().map(|letters| page(letters)).collect();
        let templates = Templates::learn(pages.iter().map(|page| ("site", page.as_slice())));
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
    fn other_sites_do_not_count() {
        let pages = [page("NFabcd"), page("NFefgh")];
        let templates =
            Templates::learn(["one", "two"].into_iter().zip(pages.iter().map(Vec::as_slice)));
        assert_eq!(templates.size(), (0, 0));
    }
}
