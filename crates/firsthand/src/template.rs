//! Page furniture: blocks that recur on pages of one site whose other text differs.
//!
//! A block that occurs on two pages of a site is furniture if these pages tell different stories. Two
//! pages tell the same story if they share enough of the words of the longer one: half of them, or
//! more if their headlines have little in common. Furniture may be longer than the stories around it,
//! so several rules ([`FURNITURE_RULES`]) are applied in turn, the one with the surest evidence first,
//! and each compares what the earlier ones have left of the pages. So a story that a site published
//! twice keeps its text.

use crate::{
    bytes::{Reader, Writer},
    features::BytesError,
    hashed::BuildHashed,
    sign::{PageBlocks, SignedPage},
    text_features::BlockHash,
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_128;

/// Hashes of words or blocks.
pub(crate) type Hashes = HashSet<u64, BuildHashed>;

/// A rule by which a block is furniture: it occurs on enough pages no two of which tell the same story.
struct FurnitureRule {
    /// The number of such pages.
    pages: usize,
    /// The least share of words that two pages with the same story have in common.
    share: Share,
    /// The same for pages whose headlines differ.
    share_of_strangers: Share,
}

/// A fraction: numerator and denominator.
type Share = (u64, u64);

/// Six pages seldom tell one story, and three headlines seldom belong to one: there, even a large
/// common part is furniture.
const FURNITURE_RULES: [FurnitureRule; 3] = [
    FurnitureRule { pages: 6, share: (4, 5), share_of_strangers: (9, 10) },
    FurnitureRule { pages: 3, share: (1, 2), share_of_strangers: (9, 10) },
    FurnitureRule { pages: 2, share: (1, 2), share_of_strangers: (3, 4) },
];

/// The part of a page that furniture is learned from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageView<'a> {
    /// The hashes of the words of its title.
    pub(crate) title: &'a [u64],
    pub(crate) blocks: &'a [BlockHash],
}

/// The version of the encoding.
const VERSION: u8 = 1;

/// The furniture of each site: a value that is learned from pages, merged from parts, written and
/// read, and applied to pages.
///
/// The encoding, version 1: the byte 1, the number of sites, and then the sites in ascending order of
/// name. Each is the length of its name in bytes, its name in UTF-8, the number of its blocks, and the
/// hash of each block (8 bytes, little-endian) in ascending order. Lengths and numbers are LEB128, as
/// in [`Features`](crate::Features).
///
/// ```
/// use firsthand::{Detector, Document, Settings, Templates};
///
/// let detector = Detector::new(Settings::default())?;
/// let page = |id: &str, story: &str| {
///     let text = format!("Home and news and weather\n{story}");
///     detector.sign_page(&Document { host: Some("site.example".to_owned()), ..Document::new(id, text) })
/// };
/// let pages = [
///     page("a", "The ferry to the island did not sail because of the storm"),
///     page("b", "A new bridge to the old town will be built in the spring"),
/// ];
/// let templates = Templates::learn(pages.iter().filter_map(|page| page.page()));
/// assert_eq!(templates.size(), (1, 1));
/// assert_eq!(Templates::from_bytes(&templates.to_bytes())?, templates);
/// let features = detector.apply(&templates, &pages[0]);
/// assert!(features.len() < detector.apply(&Templates::default(), &pages[0]).len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    sites: HashMap<String, Hashes>,
}

impl Templates {
    /// Learns the furniture of each site from its pages. Copies of a page count once.
    pub fn learn<'a>(pages: impl IntoIterator<Item = &'a PageBlocks>) -> Self {
        let mut sites: HashMap<&str, Vec<PageView<'_>>> = HashMap::new();
        for page in pages {
            sites.entry(&page.site).or_default().push(PageView::from(page));
        }
        let sites = sites
            .into_par_iter()
            .map(|(site, pages)| (site.to_owned(), Self::of_site(&pages)))
            .filter(|(_, furniture)| !furniture.is_empty())
            .collect();
        Self { sites }
    }

    /// The furniture of one site.
    pub(crate) fn of_site(pages: &[PageView<'_>]) -> Hashes {
        Site::new(pages).furniture()
    }

    /// Adds templates that were learned from other pages. All pages of a site should be in the same
    /// part: of a site that is split, furniture is only found within each part.
    pub fn merge(&mut self, other: Self) {
        for (site, furniture) in other.sites {
            self.sites.entry(site).or_default().extend(furniture);
        }
    }

    /// Whether a block is furniture of the site.
    pub fn contains(&self, site: &str, block: u64) -> bool {
        self.sites.get(site).is_some_and(|furniture| furniture.contains(&block))
    }

    /// The number of sites with furniture, and the total number of furniture blocks.
    pub fn size(&self) -> (usize, usize) {
        (self.sites.len(), self.sites.values().map(HashSet::len).sum())
    }

    /// Removes the furniture of its site from a page.
    pub(crate) fn set_aside(&self, page: &mut SignedPage) {
        let site = page.page.as_deref().map(|page| page.site.clone());
        page.set_aside(|block| site.as_deref().is_some_and(|site| self.contains(site, block)));
    }

    /// Encodes the templates, with the same bytes on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(VERSION);
        out.number(self.sites.len() as u64);
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_unstable_by_key(|(site, _)| *site);
        for (site, furniture) in sites {
            let mut blocks: Vec<u64> = furniture.iter().copied().collect();
            blocks.sort_unstable();
            out.text(site);
            out.hashes(&blocks);
        }
        out.finish()
    }

    /// Decodes templates.
    ///
    /// # Errors
    ///
    /// If the bytes were written by another version or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        let damaged = BytesError::Damaged { what: "templates" };
        match bytes.split_first() {
            Some((&VERSION, rest)) => Self::read(Reader(rest)).ok_or(damaged),
            Some((&version, _)) => Err(BytesError::Version { what: "templates", version }),
            None => Err(damaged),
        }
    }

    fn read(mut from: Reader<'_>) -> Option<Self> {
        let count = from.number()?;
        let mut sites = HashMap::new();
        for _ in 0..count {
            sites.insert(from.text()?, from.hashes()?.into_iter().collect());
        }
        (from.0.is_empty() && sites.len() as u64 == count).then_some(Self { sites })
    }
}

impl<'a> From<&'a PageBlocks> for PageView<'a> {
    fn from(page: &'a PageBlocks) -> Self {
        Self { title: &page.title, blocks: &page.blocks }
    }
}

/// The pages of one site.
struct Site {
    /// For each page, its distinct blocks with their numbers of words.
    pages: Vec<HashMap<u64, u32, BuildHashed>>,
    /// For each page, the words of its headline: its title without the words of most titles of the site.
    headlines: Vec<Hashes>,
    /// Blocks that occur on several pages, with these pages.
    recurring: Vec<(u64, Vec<u32>)>,
}

impl Site {
    fn new(pages: &[PageView<'_>]) -> Self {
        let mut known: HashSet<u128, BuildHashed> = HashSet::default();
        let mut bytes = Vec::new();
        let mut is_new = |page: &&PageView<'_>| {
            bytes.clear();
            page.blocks.iter().for_each(|block| bytes.extend(block.hash.to_le_bytes()));
            known.insert(xxh3_128(&bytes))
        };
        let different: Vec<&PageView<'_>> = pages.iter().filter(|page| is_new(page)).collect();
        let pages: Vec<HashMap<u64, u32, BuildHashed>> = different
            .iter()
            .map(|page| page.blocks.iter().map(|block| (block.hash, block.words)).collect())
            .collect();
        // Most blocks occur on one page only and need no list.
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
        for rule in FURNITURE_RULES {
            let found = self.on_different_pages(&rule, &furniture);
            furniture.extend(found);
        }
        furniture
    }

    /// The furniture that a rule finds, ignoring the blocks that are set aside already.
    fn on_different_pages(&self, rule: &FurnitureRule, aside: &Hashes) -> Hashes {
        let lengths: Vec<u64> = self.pages.iter().map(|page| length(page, aside)).collect();
        let differ = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            let strangers = are_strangers(&self.headlines[a], &self.headlines[b]);
            let (n, d) = if strangers { rule.share_of_strangers } else { rule.share };
            d * shared(&self.pages[a], &self.pages[b], aside) < n * lengths[a].max(lengths[b])
        };
        let mut found = Hashes::default();
        for (block, pages) in &self.recurring {
            if pages.len() < rule.pages || aside.contains(block) {
                continue;
            }
            let mut chosen: Vec<u32> = Vec::with_capacity(rule.pages);
            for &page in pages {
                if chosen.iter().all(|&other| differ(page, other)) {
                    chosen.push(page);
                }
                if chosen.len() == rule.pages {
                    found.insert(*block);
                    break;
                }
            }
        }
        found
    }
}

/// The words of each title, without those that occur in half of the titles of a site with six or more.
fn headlines(pages: &[&PageView<'_>]) -> Vec<Hashes> {
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
    use proptest::prelude::*;

    /// Pages written as `headline words|blocks`; a letter is a block of ten words.
    fn furniture(pages: &[&str]) -> String {
        let pages: Vec<PageBlocks> = pages
            .iter()
            .map(|page| {
                let (title, letters) = page.split_once('|').unwrap_or(("", page));
                let title = title.bytes().map(u64::from).collect();
                let block = |letter| BlockHash { hash: u64::from(letter), words: 10 };
                let blocks = letters.bytes().map(block).collect();
                PageBlocks { site: "site".into(), title, blocks }
            })
            .collect();
        let templates = Templates::learn(&pages);
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
            // One story, published twice with different adverts.
            (&["NFabcd", "NGabcd"], ""),
            (&["NFabcd", "NFabcd"], ""),
            // The same among other pages: the furniture goes, the story stays.
            (&["NFabcd", "NFabce", "NFghij", "NFklmn"], "FN"),
            // Furniture longer than the stories: six pages reveal it, and a story among them that was
            // published twice stays.
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
            // Three headlines, and more than half of each page is furniture.
            (&["123S|NFGHab", "456S|NFGHcd", "789S|NFGHef"][..], "FGHN"),
            (&["123S|NFGHab", "124S|NFGHcd", "125S|NFGHef"], ""),
            (&["NFGHab", "NFGHcd", "NFGHef"], ""),
            // Two headlines; a story that is published again under another one stays.
            (&["123S|NFGHab", "456S|NFGHcd"], "FGHN"),
            (&["123S|Nabcd", "456S|Nabce"], ""),
        ] {
            assert_eq!(furniture(pages), expected, "{pages:?}");
        }
    }

    #[test]
    fn other_sites_do_not_count() {
        let page = |site: &str, hashes: [u64; 3]| PageBlocks {
            site: site.into(),
            title: Vec::new(),
            blocks: hashes.map(|hash| BlockHash { hash, words: 10 }).to_vec(),
        };
        let templates = Templates::learn(&[page("one", [1, 2, 3]), page("two", [1, 4, 5])]);
        assert_eq!(templates.size(), (0, 0));
        let parts = [("one", [1, 2, 3], [1, 4, 5]), ("two", [7, 2, 3], [7, 4, 5])]
            .map(|(site, a, b)| [page(site, a), page(site, b)]);
        let mut merged = Templates::learn(&parts[0]);
        merged.merge(Templates::learn(&parts[1]));
        assert_eq!(merged, Templates::learn(parts.iter().flatten()));
        assert!(merged.contains("one", 1) && !merged.contains("one", 7));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            sites in prop::collection::hash_map(".{0,9}", prop::collection::hash_set(any::<u64>(), 0..9), 0..5),
            cut in any::<prop::sample::Index>(),
        ) {
            let sites = sites.into_iter().map(|(site, blocks)| (site, blocks.into_iter().collect()));
            let templates = Templates { sites: sites.collect() };
            let bytes = templates.to_bytes();
            prop_assert_eq!(Templates::from_bytes(&bytes), Ok(templates));
            prop_assert!(Templates::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
        }
    }

    #[test]
    fn the_form_is_fixed() {
        // Files written before must stay readable, so these bytes never change.
        let furniture = |hashes: &[u64]| hashes.iter().copied().collect();
        let sites = [("b".to_owned(), furniture(&[2, 1])), ("a".to_owned(), furniture(&[]))];
        let bytes = Templates { sites: sites.into_iter().collect() }.to_bytes();
        let blocks = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes, [&[1, 2, 1, b'a', 0, 1, b'b', 2][..], &blocks].concat());
    }
}
