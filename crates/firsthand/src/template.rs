//! What a site teaches about its pages: lines that recur on them, and lines that are a page's own.
//!
//! Main-text extraction sees one page at a time. It leaves some page furniture, and leaves the same on
//! every page of a site; now and then it takes furniture for the text and drops the story. The pages of
//! a site correct both: lines that stand on pages with different stories are set aside, and where most
//! of what only this page shows was dropped, it is text after all.

mod site;

use crate::{
    anchors::Anchors,
    bytes::{Reader, Writer},
    features::BytesError,
    hashed::BuildHashed,
    lines::{self, Headline, LineFate, LinePart, OWN_WORDS, PageLine},
    sign::{PageLines, SignedPage},
};
use rayon::prelude::*;
use site::Site;
use std::collections::{HashMap, HashSet};

/// Hashes of words or lines.
pub(crate) type Hashes = HashSet<u64, BuildHashed>;

/// The part of a page that its site is learned from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageView<'a> {
    pub(crate) headline: &'a Headline,
    pub(crate) lines: &'a [PageLine],
}

impl<'a> From<&'a PageLines> for PageView<'a> {
    fn from(page: &'a PageLines) -> Self {
        Self { headline: &page.headline, lines: &page.lines }
    }
}

/// What is known of a site with at least two different pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SiteTemplate {
    /// Lines that stand on pages with different stories.
    furniture: Hashes,
    /// Lines that two or three pages show, but for those that only one headline has.
    on_few: Hashes,
    /// Lines that more pages show, with the same exception.
    on_many: Hashes,
    /// Words that half of the titles have.
    of_titles: Hashes,
    /// Features that pages with many different headlines have: the form of its pages, whatever they say.
    forms: Hashes,
    /// Anchors that many pages have.
    anchors: Hashes,
}

impl SiteTemplate {
    /// What the pages of a site teach; nothing if there are fewer than two.
    pub(crate) fn learn(pages: &[PageView<'_>]) -> Option<Self> {
        Site::new(pages).map(|site| site.template())
    }

    /// Learns what is form from the features that pages are compared by.
    fn learn_forms(&mut self, pages: &[&SignedPage]) {
        if pages.len() < FORM {
            return;
        }
        let mut seen: Vec<(u64, u64)> = Vec::new();
        for signed in pages {
            let Some(page) = signed.page() else { continue };
            let fates = self.fates(&page.lines, |line| self.is_furniture(line));
            // Where all titles are the same, pages with the same text have the same headline.
            let text = || lines::fingerprint(&page.lines, &fates) as u64;
            let headline = self.headline(&page.headline).unwrap_or_else(text);
            seen.extend(signed.compared(&fates).map(|feature| (feature, headline)));
        }
        seen.sort_unstable();
        seen.dedup();
        let forms = seen.chunk_by(|a, b| a.0 == b.0).filter(|seen| seen.len() >= FORM);
        self.forms = forms.map(|seen| seen[0].0).collect();
    }

    /// A headline as a number, without the words that half of the titles have; none if nothing is left.
    fn headline(&self, headline: &Headline) -> Option<u64> {
        let words = headline.words.iter().copied();
        let mut words: Vec<u64> = words.filter(|word| !self.of_titles.contains(word)).collect();
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then(|| lines::hash(&words))
    }

    /// Reduces a page to what it is compared by.
    pub(crate) fn settle(&self, signed: &mut SignedPage, fates: &[LineFate]) {
        let anchors = signed.page().map(|page| page.headline.anchors.clone()).unwrap_or_default();
        signed.settle(fates, anchors.without(&self.anchors), self.is_young());
        if !self.forms.is_empty() {
            signed.text.retain_features(|feature| !self.forms.contains(&feature));
        }
    }

    /// Whether no other page shows the line, but perhaps another version of the same page.
    fn is_own(&self, line: &PageLine) -> bool {
        line.part != LinePart::Named
            && !self.on_few.contains(&line.hash)
            && !self.on_many.contains(&line.hash)
    }

    /// Whether the text of a page lacks most of what only this page shows, has too little of it to be
    /// judged by, and has little else that is rare. Without the last condition, a story that a site
    /// published twice would be lost: its lines are on two pages, and anything else would count for more.
    fn lacks_text(&self, lines: &[PageLine]) -> bool {
        let words = |of: &dyn Fn(&PageLine) -> bool| -> u64 {
            lines.iter().filter(|line| of(line)).map(|line| u64::from(line.words)).sum()
        };
        let own = words(&|line| self.is_own(line));
        let is_text = |line: &PageLine| line.part == LinePart::Text;
        let kept = words(&|line| is_text(line) && self.is_own(line));
        let rare = words(&|line| is_text(line) && self.on_few.contains(&line.hash));
        let enough = u64::from(OWN_WORDS);
        // With that much text a page can be judged, unless it is a small part of the page's own.
        let is_little = kept < enough || LITTLE * kept < own;
        lines::may_hold_text(lines)
            && own >= enough
            && is_little
            && 2 * kept < own
            && own >= 2 * rare
    }

    /// What becomes of each line of a page; `is_furniture` may spare lines that are furniture here.
    pub(crate) fn fates(
        &self,
        lines: &[PageLine],
        is_furniture: impl Fn(u64) -> bool,
    ) -> Vec<LineFate> {
        let lacks_text = self.lacks_text(lines);
        let fate = |line: &PageLine| match line.part {
            LinePart::Text if is_furniture(line.hash) => LineFate::Furniture,
            LinePart::Text => LineFate::Text,
            LinePart::Rest if lacks_text && self.is_own(line) => LineFate::Rescued,
            LinePart::Rest | LinePart::Named => LineFate::Beside,
        };
        lines.iter().map(fate).collect()
    }

    /// Whether no line is known to be on more than a few pages.
    pub(crate) fn is_young(&self) -> bool {
        self.on_many.is_empty()
    }

    /// All lists, in the order of the encoding.
    fn lists(&self) -> [&Hashes; 6] {
        let Self { furniture, on_few, on_many, of_titles, forms, anchors } = self;
        [furniture, on_few, on_many, of_titles, forms, anchors]
    }

    /// Whether a line is furniture.
    pub(crate) fn is_furniture(&self, line: u64) -> bool {
        self.furniture.contains(&line)
    }
}

/// A text is a small part of what only its page shows if there is more than this many times as much of that.
const LITTLE: u64 = 4;

/// A feature of pages with at least this number of headlines belongs to the form of the site's pages.
const FORM: usize = 8;

/// The version of the encoding.
const VERSION: u8 = 3;

/// What sites teach about their pages: a value that is learned from pages, merged from parts, written
/// and read, and applied to pages.
///
/// The encoding, version 3: the byte 3, the number of sites, and then the sites in ascending order of
/// name. Each is the length of its name in bytes, its name in UTF-8, and six lists: lines that are
/// furniture, that are on few pages, and that are on many; words of most titles; features of the
/// site's forms; and anchors that many pages have, each of 32 bits, twice. A list is the number of its hashes, and each of them (8 bytes, little-endian) in ascending order. Lengths and numbers are
/// LEB128, as in [`Features`](crate::Features).
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
/// let templates = Templates::learn(&pages);
/// assert_eq!(templates.size(), (1, 1));
/// assert_eq!(Templates::from_bytes(&templates.to_bytes())?, templates);
/// let features = detector.apply(&templates, &pages[0]);
/// assert!(features.len() < detector.apply(&Templates::default(), &pages[0]).len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    sites: HashMap<String, SiteTemplate>,
}

impl Templates {
    /// Learns what each site teaches from its pages. Pages that show the same count once.
    pub fn learn<'a>(pages: impl IntoIterator<Item = &'a SignedPage>) -> Self {
        let mut sites: HashMap<&str, Vec<&SignedPage>> = HashMap::new();
        for signed in pages {
            if let Some(page) = signed.page() {
                sites.entry(&page.site).or_default().push(signed);
            }
        }
        let learn = |pages: &[&SignedPage]| {
            let lines = pages.iter().filter_map(|signed| signed.page()).map(PageView::from);
            let mut site = SiteTemplate::learn(&lines.collect::<Vec<_>>())?;
            site.learn_forms(pages);
            Some(site)
        };
        let sites = sites
            .into_par_iter()
            .filter_map(|(site, pages)| Some((site.to_owned(), learn(&pages)?)))
            .collect();
        Self { sites }
    }

    /// Adds templates that were learned from other pages. All pages of a site should be in the same
    /// part: of a site that is split, furniture is only found within each part.
    pub fn merge(&mut self, other: Self) {
        for (name, site) in other.sites {
            let known = self.sites.entry(name).or_default();
            known.furniture.extend(site.furniture);
            known.on_few.extend(site.on_few);
            known.on_many.extend(site.on_many);
            known.of_titles.extend(site.of_titles);
            known.forms.extend(site.forms);
            known.anchors.extend(site.anchors);
        }
    }

    /// Whether a line is furniture of the site.
    pub fn contains(&self, site: &str, line: u64) -> bool {
        self.sites.get(site).is_some_and(|site| site.is_furniture(line))
    }

    /// The number of sites with furniture, and the total number of lines that are furniture.
    pub fn size(&self) -> (usize, usize) {
        let sizes = self.sites.values().map(|site| site.furniture.len()).filter(|size| *size > 0);
        sizes.fold((0, 0), |(sites, lines), size| (sites + 1, lines + size))
    }

    /// What becomes of each visible line of a page.
    pub fn fates(&self, page: &PageLines) -> Vec<LineFate> {
        self.fates_where(page, |line| self.contains(page.site(), line))
    }

    /// The same where `is_furniture` tells furniture.
    pub(crate) fn fates_where(
        &self,
        page: &PageLines,
        is_furniture: impl Fn(u64) -> bool,
    ) -> Vec<LineFate> {
        match self.sites.get(page.site()) {
            Some(site) => site.fates(&page.lines, is_furniture),
            None => untouched(&page.lines),
        }
    }

    /// Reduces a page to the lines that it is compared by.
    pub(crate) fn settle(&self, signed: &mut SignedPage) {
        if let Some(page) = signed.page() {
            let fates = self.fates(page);
            self.settle_by(signed, &fates);
        }
    }

    /// The same, where the fates of its lines are known.
    pub(crate) fn settle_by(&self, signed: &mut SignedPage, fates: &[LineFate]) {
        match signed.page().and_then(|page| self.sites.get(page.site())) {
            Some(site) => site.settle(signed, fates),
            None => signed.settle(fates, Anchors::default(), true),
        }
    }

    /// Encodes the templates, with the same bytes on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(VERSION);
        out.number(self.sites.len() as u64);
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_unstable_by_key(|(name, _)| *name);
        for (name, site) in sites {
            out.text(name);
            for lines in site.lists() {
                let mut lines: Vec<u64> = lines.iter().copied().collect();
                lines.sort_unstable();
                out.hashes(&lines);
            }
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
            let name = from.text()?;
            let mut list = || Some(from.hashes()?.into_iter().collect());
            let site = SiteTemplate {
                furniture: list()?,
                on_few: list()?,
                on_many: list()?,
                of_titles: list()?,
                forms: list()?,
                anchors: list()?,
            };
            sites.insert(name, site);
        }
        (from.0.is_empty() && sites.len() as u64 == count).then_some(Self { sites })
    }
}

/// The fates of lines of a site of which nothing is known.
pub(crate) fn untouched(lines: &[PageLine]) -> Vec<LineFate> {
    let fate = |line: &PageLine| match line.part {
        LinePart::Text => LineFate::Text,
        LinePart::Rest | LinePart::Named => LineFate::Beside,
    };
    lines.iter().map(fate).collect()
}

#[cfg(test)]
mod tests;
