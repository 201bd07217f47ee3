//! Pages by their sites: what the pages of a site share, and the stories of other sites.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::InputPage;
use super::page::{self, own_runs, text_runs, words, words_of_markup};
use crate::rng::Rng;

/// A main text with fewer words is too short to be copied, or to lend words to a copy.
const LEAST_WORDS: usize = 100;

/// All pages with their sites and stories.
pub(super) struct Sites<'a> {
    pub(super) pages: &'a [InputPage],
    /// The lines of each page's story, as places in its markup; none if it is too short.
    pub(super) stories: Vec<Vec<Range<usize>>>,
    /// The pages of each host.
    pub(super) hosts: BTreeMap<&'a str, Vec<usize>>,
    /// The words that half of a site's titles have.
    title_words: HashMap<&'a str, HashSet<String>>,
    /// The pages that have a story.
    lenders: Vec<usize>,
}

/// The host of a URL.
pub(super) fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or_default()
}

impl<'a> Sites<'a> {
    pub(super) fn new(pages: &'a [InputPage]) -> Self {
        let mut hosts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, page) in pages.iter().enumerate() {
            hosts.entry(host(&page.url)).or_default().push(at);
        }
        let counts = run_counts(pages, &hosts);
        let story = |page: &InputPage| {
            let story = match &page.gold {
                Some(gold) => page::story(&page.html, gold),
                None => {
                    let counts = counts.get(host(&page.url));
                    let count = |run: &str| counts.and_then(|counts| counts.get(run));
                    own_runs(&page.html, |run| count(run).is_none_or(|count| *count == 1))
                }
            };
            let count = |run: &Range<usize>| words_of_markup(&page.html[run.clone()]).len();
            let found: usize = story.iter().map(count).sum();
            // A story of which the markup shows little cannot be edited in place.
            let all = page.gold.as_ref().map_or(found, |gold| words(gold).len());
            if all >= LEAST_WORDS && 5 * found >= 3 * all { story } else { Vec::new() }
        };
        let stories: Vec<Vec<Range<usize>>> = pages.par_iter().map(story).collect();
        let title_words = hosts.iter().map(|(host, at)| (*host, common_words(pages, at))).collect();
        let lenders = (0..pages.len()).filter(|&at| !stories[at].is_empty()).collect();
        Self { pages, stories, hosts, title_words, lenders }
    }

    /// The number of words of each line of a page's story.
    pub(super) fn line_words(&self, at: usize) -> Vec<usize> {
        let html = &self.pages[at].html;
        self.stories[at].iter().map(|run| words_of_markup(&html[run.clone()]).len()).collect()
    }

    /// A page of another site that has a story.
    pub(super) fn elsewhere(&self, at: usize, rng: &mut Rng) -> usize {
        let home = host(&self.pages[at].url);
        for _ in 0..100 {
            let other = rng.pick(&self.lenders);
            if host(&self.pages[other].url) != home {
                return other;
            }
        }
        at
    }

    /// The lines of a page's story, as text.
    pub(super) fn lines(&self, at: usize) -> Vec<String> {
        let html = &self.pages[at].html;
        let text = |run: &Range<usize>| htmlize::unescape(&html[run.clone()]).trim().to_owned();
        self.stories[at].iter().map(text).collect()
    }

    /// Whether all words of a text stand in half of the titles of a page's site.
    pub(super) fn belongs_to_site(&self, at: usize, text: &str) -> bool {
        let common = self.title_words.get(host(&self.pages[at].url));
        words(text).iter().all(|word| common.is_some_and(|common| common.contains(word)))
    }

    /// The headline of a page: its title without what belongs to the site; if that is little, the
    /// first words of its story.
    pub(super) fn headline(&self, at: usize, rng: &mut Rng) -> String {
        let title = page::title(&self.pages[at].html);
        let own = |part: &&str| !words(part).is_empty() && !self.belongs_to_site(at, part);
        let own: Vec<&str> = title.split(' ').filter(own).collect();
        if own.len() >= 3 {
            return own.join(" ");
        }
        let text = self.lines(at).join(" ");
        let first = text.split_whitespace().take(rng.between(5, 9));
        first.collect::<Vec<_>>().join(" ")
    }
}

/// On how many pages of its site each run of text stands; only where main texts are not known.
fn run_counts<'a>(
    pages: &[InputPage],
    hosts: &BTreeMap<&'a str, Vec<usize>>,
) -> HashMap<&'a str, HashMap<String, u32>> {
    let count = |at: &Vec<usize>| {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for html in at.iter().filter(|&&at| pages[at].gold.is_none()).map(|&at| &pages[at].html) {
            let runs = text_runs(html).into_iter();
            let runs: HashSet<String> =
                runs.map(|run| words_of_markup(&html[run]).join(" ")).collect();
            runs.into_iter().for_each(|run| *counts.entry(run).or_default() += 1);
        }
        counts
    };
    hosts.par_iter().map(|(host, at)| (*host, count(at))).collect()
}

fn common_words(pages: &[InputPage], at: &[usize]) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for &at in at {
        let words: HashSet<String> = words(&page::title(&pages[at].html)).into_iter().collect();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    counts.into_iter().filter(|(_, count)| 2 * count >= at.len()).map(|(word, _)| word).collect()
}
