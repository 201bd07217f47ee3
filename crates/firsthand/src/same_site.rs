//! What is asked of pages of one site beyond the threshold.
//!
//! Pages of one site with different headlines are *siblings*. They are written to one pattern: a function is
//! described like its sisters. If two of them differ just where they tell their headlines, they are pages of one
//! form ([`telling`](crate::telling)): on a stream they are never near-duplicates, in a collection only with a high
//! similarity.
//!
//! A collection learns the forms of a site from all of its pages and sets them aside; a stream meets the first
//! pages of a site before it can know them. So on a stream, of the similarity of pages of one site only what
//! exceeds two fifths counts, and 0.7 counts as 0.5; for siblings that is done twice, and 0.82 counts as 0.5. A form
//! is short, however: siblings that share a story's worth of features are compared like pages of different sites,
//! where nothing is alike by habit.
//!
//! Pages that their addresses give the same [name](crate::address) are *versions* of one page: translations and
//! editions, whose headlines may differ. So are pages with one headline that have the same [anchors](crate::anchors),
//! where there are no addresses. With the same headline too, the threshold is enough; with another, they are
//! held to what pages with the same headline are held to, and to what siblings are if they swap what their headlines
//! say and share less than a story. Pages that have different anchors are different pages, and no near-duplicates
//! unless all of their features are equal. Anchors are not heard beside addresses: a generator may make them up anew
//! for each build of a page, but it seldom renames the page.
//!
//! Where a site is hardly known, on a stream or in a collection, a text that says little of its own headline
//! may not be the story at all, but what is around it. Siblings of which that is true of both are not compared,
//! unless they share a story's worth of features.

use crate::{
    anchors::{Anchors, ByAnchors},
    bytes::{Reader, Writer},
    hashed::BuildHashed,
    measure::Rule,
    telling::{Telling, Told, ToldPage, told},
    threshold::Threshold,
};
use std::collections::{HashMap, HashSet};

/// Pages that share this many features share more than a form.
const STORY: u64 = 300;

/// A feature of siblings with this many headlines belongs to the form of their pages.
const FAMILY: usize = 3;

/// The site and the headline of a page, by hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageHead {
    pub(crate) site: u64,
    /// The words of the title, ascending; empty if it is not known.
    pub(crate) headline: Vec<u64>,
    /// Hashes of which two spellings of one headline share one; 0 if they are not known.
    pub(crate) spellings: [u64; 2],
    /// A hash of the name that its address gives it; 0 if there is none.
    pub(crate) name: u64,
    /// Its own anchors, once its site is known, if it has no address.
    pub(crate) anchors: Anchors,
    /// Whether the text has at least half of these words, or the site is known well enough to do without.
    pub(crate) is_told: bool,
    /// Features that tell the headline.
    pub(crate) telling: Telling,
}

impl PageHead {
    pub(crate) fn new(site: u64, title: &[u64], is_told: bool) -> Self {
        let mut headline = title.to_vec();
        headline.sort_unstable();
        headline.dedup();
        Self { site, headline, is_told, ..Self::default() }
    }

    /// Whether something of it may speak against a pair that reaches the threshold.
    pub(crate) fn may_object(&self) -> bool {
        !self.is_told || !self.telling.is_empty() || !self.anchors.is_empty()
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.fixed(self.site);
        out.hashes(&self.headline);
        self.spellings.iter().for_each(|spelling| out.fixed(*spelling));
        out.fixed(self.name);
        self.anchors.write(out);
        out.byte(u8::from(self.is_told));
        out.short_hashes(&self.telling);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (site, headline) = (from.fixed()?, from.hashes()?);
        let (spellings, name) = ([from.fixed()?, from.fixed()?], from.fixed()?);
        let anchors = Anchors::read(from)?;
        let (is_told, telling) = (from.byte()? != 0, from.short_hashes()?);
        Some(Self { site, headline, spellings, name, anchors, is_told, telling })
    }

    /// What is known of a text that is on another page as well: nothing if that is on another site.
    pub(crate) fn shared_with(self, other: Option<&Self>) -> Option<Self> {
        let other = other.filter(|other| other.site == self.site)?;
        let is_told = self.is_told || other.is_told;
        let headline = if self.headline == other.headline { self.headline } else { Vec::new() };
        let name = if self.name == other.name { self.name } else { 0 };
        let anchors = self.anchors.shared_with(&other.anchors);
        Some(Self { headline, name, anchors, is_told, ..self })
    }
}

/// Whether two pages are known to be of one site, and their headlines are known.
pub(crate) fn are_of_one_site(a: Option<&PageHead>, b: Option<&PageHead>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    a.site == b.site && !a.headline.is_empty() && !b.headline.is_empty()
}

/// Whether two pages are known to be of one site and to have different headlines.
pub(crate) fn are_siblings(a: Option<&PageHead>, b: Option<&PageHead>) -> bool {
    are_of_one_site(a, b) && a.zip(b).is_some_and(|(a, b)| differ(a, b))
}

/// Whether two headlines differ in more than their spelling.
fn differ(a: &PageHead, b: &PageHead) -> bool {
    a.headline != b.headline && !are_spellings(a, b)
}

/// Whether the headlines of two pages are spellings of one.
fn are_spellings(a: &PageHead, b: &PageHead) -> bool {
    a.spellings.iter().zip(&b.spellings).any(|(a, b)| a == b && *a != 0)
}

/// Whether two pages of one site are versions of one page, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Their addresses give them the same name.
    SameName,
    /// They have one headline, and share nearly all of their own anchors.
    SameAnchors,
    /// They share too few of their own anchors, or have one headline and different anchors of it.
    OtherAnchors,
    /// Nothing is known, or they are not of one site.
    Unknown,
}

impl Identity {
    /// Only pages without an address have anchors here.
    pub(crate) fn of(a: Option<&PageHead>, b: Option<&PageHead>) -> Self {
        let Some((a, b)) = a.zip(b).filter(|(a, b)| a.site == b.site) else {
            return Self::Unknown;
        };
        let has_one_headline = !a.headline.is_empty() && !differ(a, b);
        match a.anchors.beside(&b.anchors) {
            _ if a.name == b.name && a.name != 0 => Self::SameName,
            ByAnchors::Other => Self::OtherAnchors,
            // A page that was written after another may still have its anchors; where they are made from the words
            // of a heading, another headline has another.
            _ if !has_one_headline => Self::Unknown,
            _ if a.anchors.has_other_heading(&b.anchors) => Self::OtherAnchors,
            ByAnchors::Same => Self::SameAnchors,
            ByAnchors::Unknown => Self::Unknown,
        }
    }

    pub(crate) fn is_version(self) -> bool {
        matches!(self, Self::SameName | Self::SameAnchors)
    }
}

/// Whether two pages of one site are known to be versions of one page.
pub(crate) fn are_versions(a: Option<&PageHead>, b: Option<&PageHead>) -> bool {
    Identity::of(a, b).is_version()
}

/// Whether two pages are different pages by their anchors, and their features are not all equal.
pub(crate) fn are_other_pages(a: SitePage<'_>, b: SitePage<'_>) -> bool {
    Identity::of(a.0, b.0) == Identity::OtherAnchors && a.1 != b.1
}

/// A page by its head, if it is known, and its features.
pub(crate) type SitePage<'a> = (Option<&'a PageHead>, &'a [u64]);

/// How siblings that share this many features tell what only one of their headlines says; `None` if they are no
/// siblings.
pub(crate) fn told_by_siblings<'a>(a: SitePage<'a>, b: SitePage<'a>, shared: u64) -> Option<Told> {
    let page = |(page, set): SitePage<'a>| {
        page.map(|page| ToldPage { headline: &page.headline, telling: &page.telling, set })
    };
    let pages = page(a).zip(page(b)).filter(|_| are_siblings(a.0, b.0));
    pages.map(|(a, b)| told(a, b, shared, !may_be_form(shared)))
}

/// Why pages of one site that reach the threshold are no near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objection {
    /// Neither text tells its headline: both may be furniture.
    Untold,
    /// They are pages of one form, and not alike enough for such.
    OneForm,
    /// They are different pages by their anchors, and not equal.
    OtherPage,
}

/// Why two pages of a collection that share this many features are no near-duplicates although they reach the
/// threshold, if there is a reason.
pub(crate) fn objection(
    rule: Rule,
    a: SitePage<'_>,
    b: SitePage<'_>,
    shared: u64,
) -> Option<Objection> {
    if tell_nothing(a.0, b.0) && may_be_form(shared) {
        return Some(Objection::Untold);
    }
    if are_other_pages(a, b) {
        return Some(Objection::OtherPage);
    }
    let sizes = (a.1.len() as u64, b.1.len() as u64);
    let are_alike = || rule_for_one_site(rule).holds(shared, sizes.0, sizes.1);
    let are_versions = are_versions(a.0, b.0) && !may_be_form(shared);
    let are_of_one_form = !are_versions && told_by_siblings(a, b, shared) == Some(Told::Swapped);
    (are_of_one_form && !are_alike()).then_some(Objection::OneForm)
}

/// Whether the text of neither sibling tells its headline, so that both may be furniture.
/// Pages that are no siblings always have something to tell.
pub(crate) fn tell_nothing(a: Option<&PageHead>, b: Option<&PageHead>) -> bool {
    let is_told = |page: Option<&PageHead>| page.is_none_or(|page| page.is_told);
    are_siblings(a, b) && !is_told(a) && !is_told(b)
}

/// Whether the number of features that siblings share may be that of a form.
pub(crate) fn may_be_form(shared: u64) -> bool {
    shared < STORY
}

/// The features of a page that siblings with several different headlines have as well, ascending: the form
/// of their pages, as far as these siblings tell.
pub(crate) fn form<'a>(
    (head, set): (Option<&PageHead>, &[u64]),
    others: impl Iterator<Item = (Option<&'a PageHead>, &'a [u64])>,
) -> Vec<u64> {
    let is_sibling = |other| are_siblings(head, other) && !are_versions(head, other);
    let siblings = others.filter(|(other, _)| is_sibling(*other));
    // Of several versions of a page, all features count once.
    let mut by_headline: HashMap<&[u64], HashSet<u64, BuildHashed>> = HashMap::new();
    for (other, set) in siblings {
        let headline = other.map(|other| other.headline.as_slice()).unwrap_or_default();
        by_headline.entry(headline).or_default().extend(set);
    }
    if by_headline.len() < FAMILY {
        return Vec::new();
    }
    let is_form = |feature: &u64| {
        by_headline.values().filter(|known| known.contains(feature)).count() >= FAMILY
    };
    set.iter().copied().filter(is_form).collect()
}

/// The rule for pages of one site that may share no more than a form: on a stream, and for pages of one form in
/// a collection.
pub(crate) fn rule_for_one_site(rule: Rule) -> Rule {
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    Rule { threshold: Threshold::ratio(3 * n + 2 * d, 5 * d), ..rule }
}

/// How much of their similarity counts, for showing.
pub(crate) fn score_on_one_site(score: f64) -> f64 {
    ((5.0 * score - 2.0) / 3.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;

    #[test]
    fn siblings_are_of_one_site_with_different_headlines() {
        let head = |site, title: &[u64]| Some(PageHead::new(site, title, true));
        for (a, b, expected) in [
            (head(1, &[5, 6]), head(1, &[5, 7]), true),
            (head(1, &[5, 6]), head(1, &[6, 5, 5]), false),
            (head(1, &[5, 6]), head(2, &[5, 7]), false),
            (head(1, &[5, 6]), head(1, &[]), false),
            (head(1, &[5, 6]), None, false),
            (None, None, false),
        ] {
            assert_eq!(are_siblings(a.as_ref(), b.as_ref()), expected, "{a:?} {b:?}");
            assert_eq!(are_siblings(b.as_ref(), a.as_ref()), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn texts_that_tell_neither_headline_tell_nothing() {
        let head = |site, word, is_told| Some(PageHead::new(site, &[word], is_told));
        for (a, b, expected) in [
            (head(1, 5, false), head(1, 6, false), true),
            (head(1, 5, true), head(1, 6, false), false),
            (head(1, 5, false), head(1, 5, false), false),
            (head(1, 5, false), head(2, 6, false), false),
            (head(1, 5, false), None, false),
        ] {
            assert_eq!(tell_nothing(a.as_ref(), b.as_ref()), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_text_on_several_sites_is_of_none() {
        let one = PageHead::new(1, &[5], true);
        assert_eq!(one.clone().shared_with(Some(&one)), Some(one.clone()));
        assert_eq!(one.clone().shared_with(Some(&PageHead::new(2, &[5], true))), None);
        assert_eq!(one.clone().shared_with(None), None);
        let unknown = PageHead::new(1, &[], true);
        assert_eq!(one.shared_with(Some(&PageHead::new(1, &[6], false))), Some(unknown));
    }

    #[test]
    fn a_form_is_what_siblings_with_three_headlines_have() {
        let own = PageHead::new(1, &[1], true);
        let page =
            |site, headline, set: &[u64]| (PageHead::new(site, &[headline], true), set.to_vec());
        let of = |others: &[(PageHead, Vec<u64>)]| {
            let others = others.iter().map(|(head, set)| (Some(head), set.as_slice()));
            form((Some(&own), &[10, 20, 30, 40]), others)
        };
        let family = [page(1, 2, &[10, 20]), page(1, 3, &[10, 20, 30]), page(1, 4, &[10, 30])];
        assert_eq!(of(&family), [10]);
        // Two headlines are a story that was published twice; versions of a page have one headline.
        assert_eq!(of(&family[..2]), Vec::<u64>::new());
        assert_eq!(
            of(&[family[0].clone(), family[1].clone(), page(1, 2, &[10, 30])]),
            Vec::<u64>::new()
        );
        // Pages of other sites, and versions of the page itself, say nothing of the form.
        let strange = [family[0].clone(), page(2, 3, &[10]), page(1, 1, &[10]), page(3, 5, &[10])];
        assert_eq!(of(&strange), Vec::<u64>::new());
    }

    #[test]
    fn what_is_shown_agrees_with_what_is_decided() {
        for (n, d) in [(21, 50), (1, 2), (4, 5), (1, 1), (1, 7)] {
            let rule = Rule { measure: Measure::Jaccard, threshold: Threshold::ratio(n, d) };
            for overlap in 0..=100 {
                let holds = rule_for_one_site(rule).holds(overlap, 100, 100);
                let score = score_on_one_site(Measure::Jaccard.score(overlap, 100, 100));
                // Doubles are a little off where the similarity is exactly on the threshold.
                let distance = score - rule.threshold.value();
                assert!(distance.abs() < 1e-9 || holds == (distance > 0.0), "{n}/{d} {overlap}");
            }
        }
    }
}
