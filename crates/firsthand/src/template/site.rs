//! Learning from the pages of one site.
//!
//! A line that occurs on two pages of a site is furniture if these pages tell different stories. Two
//! pages tell the same story if one shows enough of the text of the other: half of its words, or more
//! of both if their headlines have little in common. Furniture may be longer than the stories around it,
//! so several rules ([`FURNITURE_RULES`]) are applied in turn, the one with the surest evidence first,
//! and each compares what the earlier ones have left of the pages. So a story that a site published
//! twice keeps its text.
//!
//! A line *occurs* wherever it is visible; pages are *compared* by their text. Were whole pages compared,
//! menus would drown the stories; were lines only counted where they are text, the furniture of a page
//! whose story was dropped would look like its own.

use super::{Hashes, PageView, SiteTemplate};
use crate::{anchors, hashed::BuildHashed};
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_128;

/// A rule by which a line is furniture: it occurs on enough pages no two of which tell the same story.
struct FurnitureRule {
    /// The number of such pages.
    pages: usize,
    /// The least share of its words that a page with the same story shows.
    share: Share,
    /// The same for pages whose headlines differ; they never tell the same story if there is none.
    share_of_strangers: Option<Share>,
}

/// A fraction: numerator and denominator.
type Share = (u64, u64);

/// Six pages seldom tell one story, and three headlines seldom belong to one: there, even a large
/// common part is furniture. Six headlines never belong to one story: there, all of the text may be.
const FURNITURE_RULES: [FurnitureRule; 3] = [
    FurnitureRule { pages: 6, share: (4, 5), share_of_strangers: None },
    FurnitureRule { pages: 3, share: (1, 2), share_of_strangers: Some((9, 10)) },
    FurnitureRule { pages: 2, share: (1, 2), share_of_strangers: Some((3, 4)) },
];

/// A line on at most this number of pages may belong to one text in several versions.
const VERSIONS: usize = 4;
/// A line on at most this number of pages is on few.
const FEW: usize = 3;
/// A line of this many words is a passage: it may be quoted, or stand untranslated on pages that are
/// translated in part. Of a passage that is furniture, one page in fifty shows it, or [`QUOTED`] pages.
const PASSAGE: u32 = 25;
/// An excerpt is on at most this number of pages: that of the text, and lists of different kinds.
const QUOTED: usize = 8;
/// A page has at most this number of versions.
const NAMESAKES: usize = 12;
/// The number of lines from a headline to the excerpt below it, at most.
const BELOW: usize = 4;

/// The pages of one site.
pub(super) struct Site<'a> {
    shown: Vec<&'a PageView<'a>>,
    /// For each page, its distinct visible lines with their numbers of words.
    visible: Vec<HashMap<u64, u32, BuildHashed>>,
    /// For each page, the words of its headline: its title without the words of most titles of the site.
    headlines: Vec<Hashes>,
    /// The words of most titles.
    of_titles: Hashes,
    /// For each page, the name that its address gives it; 0 if it has none that tells its versions.
    names: Vec<u64>,
    /// The anchors of many pages.
    anchors: Hashes,
    /// Lines that occur on several pages, with these pages.
    recurring: Vec<(u64, Vec<u32>)>,
}

impl<'a> Site<'a> {
    /// The site, if it has two pages that differ.
    pub(super) fn new(pages: &'a [PageView<'a>]) -> Option<Self> {
        let mut known: HashSet<u128, BuildHashed> = HashSet::default();
        let mut bytes = Vec::new();
        let mut is_new = |page: &&PageView<'_>| {
            bytes.clear();
            page.lines.iter().for_each(|line| bytes.extend(line.hash.to_le_bytes()));
            known.insert(xxh3_128(&bytes))
        };
        let shown: Vec<&PageView<'_>> = pages.iter().filter(|page| is_new(page)).collect();
        if shown.len() < 2 {
            return None;
        }
        let visible: Vec<HashMap<u64, u32, BuildHashed>> = shown
            .iter()
            .map(|page| page.lines.iter().map(|line| (line.hash, line.words)).collect())
            .collect();
        // Most lines occur on one page only and need no list.
        let mut places: Vec<(u64, u32)> = Vec::new();
        for (at, page) in (0u32..).zip(&visible) {
            places.extend(page.keys().map(|&line| (line, at)));
        }
        places.sort_unstable();
        let recurring = places.chunk_by(|a, b| a.0 == b.0).filter(|places| places.len() > 1);
        let recurring =
            recurring.map(|places| (places[0].0, places.iter().map(|place| place.1).collect()));
        let recurring = recurring.collect();
        let (headlines, of_titles) = headlines(&shown);
        let names = names(&shown);
        let anchors = anchors::common(shown.iter().map(|page| &page.headline.anchors));
        Some(Self { headlines, of_titles, names, anchors, shown, visible, recurring })
    }

    pub(super) fn template(&self) -> SiteTemplate {
        let mut template = SiteTemplate::default();
        template.of_titles.extend(&self.of_titles);
        template.anchors.extend(&self.anchors);
        for (line, pages) in &self.recurring {
            match pages.len() {
                ..=VERSIONS if self.has_one_headline(pages) => false,
                ..=FEW => template.on_few.insert(*line),
                _ => template.on_many.insert(*line),
            };
        }
        let texts: Vec<HashMap<u64, u32, BuildHashed>> = self
            .shown
            .iter()
            .map(|page| {
                let fates = template.fates(page.lines, |_| false);
                let text = page.lines.iter().zip(fates).filter(|(_, fate)| fate.is_compared());
                text.map(|(line, _)| (line.hash, line.words)).collect()
            })
            .collect();
        for rule in FURNITURE_RULES {
            let found = self.on_different_pages(&rule, &texts, &template.furniture);
            template.furniture.extend(found);
        }
        template
    }

    /// Whether all pages have the same headline, or the same name.
    fn has_one_headline(&self, pages: &[u32]) -> bool {
        let first = &self.headlines[pages[0] as usize];
        let is_same = |&page: &u32| self.headlines[page as usize] == *first;
        !first.is_empty() && pages.iter().all(is_same)
            || pages.iter().all(|&page| self.are_versions(page, pages[0]))
    }

    /// Whether the addresses of two pages give them the same name.
    fn are_versions(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.names[a as usize], self.names[b as usize]);
        a == b && a != 0
    }

    /// The furniture that a rule finds, ignoring the lines that are set aside already.
    fn on_different_pages(
        &self,
        rule: &FurnitureRule,
        texts: &[HashMap<u64, u32, BuildHashed>],
        aside: &Hashes,
    ) -> Hashes {
        let words = |page: u32, shown: &dyn Fn(&u64) -> bool| -> u64 {
            let text = texts[page as usize].iter();
            let text = text.filter(|(line, _)| !aside.contains(line) && shown(line));
            text.map(|(_, &words)| u64::from(words)).sum()
        };
        let lengths: Vec<u64> =
            (0..texts.len() as u32).map(|page| words(page, &|_| true)).collect();
        // Whether enough of the text of a page is visible on another.
        let shows = |a: u32, b: u32, (n, d): Share| {
            let other = &self.visible[b as usize];
            d * words(a, &|line| other.contains_key(line)) >= n * lengths[a as usize]
        };
        // The same pages share many lines.
        let mut known: HashMap<(u32, u32), bool, BuildHashed> = HashMap::default();
        let mut differ = |a: u32, b: u32| {
            *known.entry((a, b)).or_insert_with(|| {
                let (x, y) = (&self.headlines[a as usize], &self.headlines[b as usize]);
                let are_strangers = are_strangers(x, y) && !self.are_versions(a, b);
                match (are_strangers, rule.share_of_strangers) {
                    (true, None) => true,
                    (true, Some(share)) => !(shows(a, b, share) && shows(b, a, share)),
                    (false, _) => !(shows(a, b, rule.share) || shows(b, a, rule.share)),
                }
            })
        };
        let mut found = Hashes::default();
        for (line, pages) in &self.recurring {
            let is_long = self.visible[pages[0] as usize][line] >= PASSAGE;
            let least = if is_long { (self.shown.len() / 50).min(QUOTED) } else { 0 };
            if pages.len() < rule.pages.max(least) || aside.contains(line) {
                continue;
            }
            let mut chosen: Vec<u32> = Vec::with_capacity(rule.pages);
            for &page in pages {
                if chosen.iter().all(|&other| differ(page, other)) {
                    chosen.push(page);
                }
                if chosen.len() == rule.pages {
                    break;
                }
            }
            if chosen.len() == rule.pages && !self.is_excerpt(*line, pages) {
                found.insert(*line);
            }
        }
        found
    }

    /// Whether a line belongs to one of its pages, and the others quote it below the headline of that
    /// page, as lists of posts do.
    fn is_excerpt(&self, line: u64, pages: &[u32]) -> bool {
        let quotes = |page: u32, headline: u64| {
            let lines = self.shown[page as usize].lines;
            let at = lines.iter().position(|other| other.hash == line).unwrap_or(0);
            lines[at.saturating_sub(BELOW)..at].iter().any(|other| other.hash == headline)
        };
        let belongs = |&page: &u32| {
            self.shown[page as usize].headline.line.is_some_and(|headline| {
                headline != line
                    && pages.iter().all(|&other| other == page || quotes(other, headline))
            })
        };
        pages.len() <= QUOTED && pages.iter().any(belongs)
    }
}

/// The words of each title without those of most titles, and these: words that half of the titles of a
/// site with six or more have.
fn headlines(pages: &[&PageView<'_>]) -> (Vec<Hashes>, Hashes) {
    let mut titles: Vec<Hashes> =
        pages.iter().map(|page| page.headline.words.iter().copied().collect()).collect();
    let mut counts: HashMap<u64, usize, BuildHashed> = HashMap::default();
    for &word in titles.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let is_common = |count: usize| titles.len() >= 6 && 2 * count >= titles.len();
    let common: Hashes =
        counts.into_iter().filter(|(_, count)| is_common(*count)).map(|(word, _)| word).collect();
    titles.iter_mut().for_each(|title| title.retain(|word| !common.contains(word)));
    (titles, common)
}

/// The name of each page; 0 where many pages of the site have the same, so that it tells what kind of page it is,
/// and where there are too few to know.
fn names(pages: &[&PageView<'_>]) -> Vec<u64> {
    let mut counts: HashMap<u64, usize, BuildHashed> = HashMap::default();
    for page in pages {
        *counts.entry(page.headline.name).or_default() += 1;
    }
    let is_rare = |count: usize| count <= NAMESAKES && 4 * count <= pages.len();
    let name = |page: &&PageView<'_>| page.headline.name;
    pages.iter().map(name).map(|name| if is_rare(counts[&name]) { name } else { 0 }).collect()
}

/// Whether two headlines have less than a third of the shorter one in common.
fn are_strangers(a: &Hashes, b: &Hashes) -> bool {
    3 * a.intersection(b).count() < a.len().min(b.len())
}
