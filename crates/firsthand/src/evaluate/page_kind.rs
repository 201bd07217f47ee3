//! The kind of a page, by the shape of its lines: a text, a list, or a form that is filled in.
//!
//! It is told without a word of any language, and without the markup: only by how long lines are, how
//! much of them is links, and which words the pages of the same site have in common.

use crate::{document::Document, hashed::BuildHashed, tokens::Tokens};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;

/// A page with fewer words is short: its lines are too few to have a shape.
const SHORT: usize = 30;

/// A line with fewer words is an entry or a heading; hard-wrapped text has more on most lines.
const ENTRY: usize = 10;

/// A word that this many pages of a site have, and one in [`COMMON`] of them, is common there.
const LEAST_COMMON: usize = 3;
const COMMON: usize = 10;

/// The line of a form has at least this many common words, and they are half of it or more.
const FIXED: usize = 3;

/// A form is on at least this many pages.
const PAGES: usize = 4;

/// The kind of a page, by the shape of its lines.
///
/// ```
/// use firsthand::{Document, evaluate::{PageKind, page_kinds}};
///
/// let story = "The ferry to the island did not sail on Monday because of the storm. ".repeat(5);
/// let titles = "Ferry stays in harbour\nNew mayor for the town\nSnow in the hills\n".repeat(5);
/// let documents = [Document::new("a", story), Document::new("b", titles), Document::new("c", "404")];
/// assert_eq!(page_kinds(&documents), [PageKind::Article, PageKind::List, PageKind::Short]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// Most words are in running text: lines of ten words or more that are not mostly links.
    Article,
    /// Most words are in short lines or in links: titles, names, figures.
    List,
    /// Half of the words or more are in lines that at least four pages of the site have, but for the
    /// words that differ from page to page.
    Form,
    /// There are fewer than thirty words.
    Short,
}

impl PageKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 4] = [Self::Article, Self::List, Self::Form, Self::Short];
}

/// A page as lines of hashed words.
struct PageLines {
    lines: Vec<(Vec<u64>, bool)>,
    words: usize,
}

impl PageLines {
    fn new(document: &Document) -> Self {
        let tokens = Tokens::new(&document.text);
        let mut start = 0;
        let ends = tokens.block_ends().iter().zip(tokens.block_lines());
        let lines = ends.map(|(&end, &(line, _))| {
            let words = &tokens.hashes()[start..end as usize];
            start = end as usize;
            let links = document.links.get(line as usize).copied().unwrap_or(0);
            (words.to_vec(), links >= 50)
        });
        Self { lines: lines.collect(), words: tokens.len() }
    }

    /// The words of the lines that satisfy a condition.
    fn words_where(&self, mut is: impl FnMut(&[u64], bool) -> bool) -> usize {
        let lines = self.lines.iter().filter(|(words, links)| is(words, *links));
        lines.map(|(words, _)| words.len()).sum()
    }
}

/// What the pages of one site have in common.
#[derive(Default)]
struct SiteForms {
    /// The number of pages that have a word.
    words: HashMap<u64, u32, BuildHashed>,
    /// The number of pages that have a form.
    forms: HashMap<u64, u32, BuildHashed>,
    /// The number of pages from which on a word of them is common.
    common: u32,
}

impl SiteForms {
    fn new(pages: &[&PageLines]) -> Self {
        let common = LEAST_COMMON.max(pages.len().div_ceil(COMMON)) as u32;
        let mut site = Self { common, ..Self::default() };
        if pages.len() < PAGES {
            return site;
        }
        let each = |counts: &mut HashMap<u64, u32, BuildHashed>, mut all: Vec<u64>| {
            all.sort_unstable();
            all.dedup();
            all.into_iter().for_each(|one| *counts.entry(one).or_default() += 1);
        };
        for page in pages {
            let words = page.lines.iter().flat_map(|(words, _)| words.iter().copied());
            each(&mut site.words, words.collect());
        }
        for page in pages {
            let forms = page.lines.iter().filter_map(|(words, _)| site.form(words)).collect();
            each(&mut site.forms, forms);
        }
        site
    }

    /// A line with blanks in place of what is not common on the site; `None` if little else is left.
    fn form(&self, words: &[u64]) -> Option<u64> {
        let is_common = |word: &u64| self.words.get(word).is_some_and(|&n| n >= self.common);
        let fixed = words.iter().filter(|word| is_common(word)).count();
        if fixed < FIXED || 2 * fixed < words.len() {
            return None;
        }
        let mut form: Vec<u64> =
            words.iter().map(|word| if is_common(word) { *word } else { 0 }).collect();
        // A blank holds one word or several.
        form.dedup_by(|next, before| *next == 0 && *before == 0);
        let bytes: Vec<u8> = form.iter().flat_map(|word| word.to_le_bytes()).collect();
        Some(xxhash_rust::xxh3::xxh3_64(&bytes))
    }

    fn kind(&self, page: &PageLines) -> PageKind {
        if page.words < SHORT {
            return PageKind::Short;
        }
        let is_known = |form: u64| self.forms.get(&form).is_some_and(|&n| n as usize >= PAGES);
        let in_forms = page.words_where(|words, _| self.form(words).is_some_and(is_known));
        let in_entries = page.words_where(|words, links| links || words.len() < ENTRY);
        if 2 * in_forms >= page.words {
            PageKind::Form
        } else if 2 * in_entries > page.words {
            PageKind::List
        } else {
            PageKind::Article
        }
    }
}

/// The kind of each page; pages without a site are never of a form.
pub fn page_kinds(documents: &[Document]) -> Vec<PageKind> {
    let pages: Vec<PageLines> = documents.par_iter().map(PageLines::new).collect();
    let mut sites: HashMap<&str, Vec<&PageLines>> = HashMap::new();
    for (document, page) in documents.iter().zip(&pages) {
        if let Some(site) = document.site() {
            sites.entry(site).or_default().push(page);
        }
    }
    let sites: HashMap<&str, SiteForms> =
        sites.into_par_iter().map(|(site, pages)| (site, SiteForms::new(&pages))).collect();
    let none = SiteForms::default();
    let site = |document: &Document| document.site().and_then(|site| sites.get(site));
    let each = documents.par_iter().zip(&pages);
    each.map(|(document, page)| site(document).unwrap_or(&none).kind(page)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve words that no other seed has.
    fn sentence(seed: usize) -> String {
        let word = |at: usize| format!("word{seed}x{at}");
        (0..12).map(word).collect::<Vec<_>>().join(" ")
    }

    fn page(site: &str, at: usize, lines: &[String]) -> Document {
        let host = (!site.is_empty()).then(|| site.to_owned());
        Document { host, ..Document::new(format!("{site}{at}"), lines.join("\n")) }
    }

    #[test]
    fn a_form_is_known_by_the_other_pages_of_its_site() {
        let weather = |site: &str, at: usize| {
            let lines: Vec<String> = (0..4)
                .map(|day| format!("the high of day {day} is {at}{day} degrees with little wind"))
                .collect();
            page(site, at, &lines)
        };
        let mut documents: Vec<Document> = (0..5).map(|at| weather("w.example", at)).collect();
        documents.extend((0..5).map(|at| weather("", at)));
        documents.extend((0..3).map(|at| weather("few.example", at)));
        let kinds = page_kinds(&documents);
        assert_eq!(kinds[..5], [PageKind::Form; 5]);
        assert_eq!(kinds[5..], [PageKind::Article; 8]);
    }

    #[test]
    fn pages_of_a_site_with_their_own_text_are_no_form() {
        let story = |at: usize| {
            let own = (0..4).map(|line| sentence(10 * at + line));
            let common = ["all rights of this site are reserved".to_owned()];
            page("n.example", at, &own.chain(common).collect::<Vec<_>>())
        };
        let documents: Vec<Document> = (0..8).map(story).collect();
        assert_eq!(page_kinds(&documents), [PageKind::Article; 8]);
    }

    #[test]
    fn long_lines_of_links_are_a_list() {
        let mut documents = [page("", 0, &[sentence(1), sentence(2), sentence(3)])];
        assert_eq!(page_kinds(&documents), [PageKind::Article]);
        documents[0].links = vec![80, 60, 0];
        assert_eq!(page_kinds(&documents), [PageKind::List]);
    }
}
