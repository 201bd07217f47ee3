//! The anchors of a page: the names that its author gave to parts of it, by which a site refers to them.
//!
//! `<h1 id="hd_id701641581066778">` and `<a name="bm_id871641583188415">` stay what they are in every edition and
//! translation of a page, and other pages of the site have others. Those that many pages have, such as `nav` and
//! `content`, belong to the site; what is left are a page's *own*. Pages of one site that share nearly all of their own
//! anchors are versions of one page, and pages that share too few are different pages. A manual may build its pages from
//! common sections, with their anchors; then that of the main heading still differs.

use crate::{
    bytes::{Reader, Writer},
    hashed::BuildHashed,
};
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// The most anchors of a page that are kept: those with the lowest hashes, which are the same on all pages that have
/// them. With what tells that some are missing, that is at most 522 bytes as they are written.
const MOST: usize = 128;

/// Anchors that are collected before those that are too many are dropped.
const ROOM: usize = 4 * MOST;

/// With fewer of their own, pages are not known by their anchors.
const LEAST: usize = 3;

/// Versions of a page share at least this share of the own anchors of both.
const SAME: (usize, usize) = (9, 10);

/// Different pages share less than this.
const OTHER: (usize, usize) = (7, 10);

/// An anchor on more pages is common, and so is one on more than an eighth of them.
const VERSIONS: usize = 12;
const PART: usize = 8;

/// A number with at most this many letters before it is no name.
const LETTERS: usize = 4;

/// Hashes of anchors.
type Hashes = HashSet<u64, BuildHashed>;

/// The names that a page gives to its parts, by hashes.
///
/// ```
/// use firsthand::{Document, pages::Anchors};
///
/// let anchors: Anchors = ["nav", "hd_id701641581066778", "nav"].into_iter().collect();
/// assert_eq!(anchors.len(), 2);
/// let document = Document { anchors, ..Document::new("a", "The Find Bar") };
/// assert!(!document.anchors.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchors {
    /// Ascending once they are complete.
    hashes: Vec<u32>,
    /// Of the anchors with a hash up to this one, none is missing.
    until: u32,
    /// That of the main heading; 0 if it has none.
    heading: u32,
}

impl Default for Anchors {
    fn default() -> Self {
        Self { hashes: Vec::new(), until: u32::MAX, heading: 0 }
    }
}

impl<'a> FromIterator<&'a str> for Anchors {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut collector = AnchorCollector::default();
        names.into_iter().for_each(|name| collector.add(name));
        collector.finish()
    }
}

/// Collects anchors from a page that has any number of them, in bounded memory.
///
/// ```
/// use firsthand::pages::AnchorCollector;
///
/// let mut collector = AnchorCollector::default();
/// (0..1_000_000).for_each(|n| collector.add(&format!("section{n}")));
/// assert_eq!(collector.finish().len(), 128);
/// ```
#[derive(Debug, Default)]
pub struct AnchorCollector(Anchors);

impl AnchorCollector {
    /// Adds a name that the page gives to its main heading, or to a place in it. The first counts.
    pub fn add_heading(&mut self, name: &str) {
        if self.0.heading == 0 && !name.is_empty() && !is_counter(name) {
            self.0.heading = hash(name).max(1);
        }
    }

    /// Adds a name that the page gives to any of its parts.
    pub fn add(&mut self, name: &str) {
        if name.is_empty() || is_counter(name) {
            return;
        }
        let anchor = hash(name);
        if anchor <= self.0.until {
            self.0.hashes.push(anchor);
            if self.0.hashes.len() >= ROOM {
                self.0.complete();
            }
        }
    }

    /// The anchors.
    pub fn finish(mut self) -> Anchors {
        self.0.complete();
        self.0
    }
}

/// Whether pages are the same by their anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByAnchors {
    Same,
    Other,
    Unknown,
}

impl Anchors {
    /// The number of anchors that are kept.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are none, not even that of a heading.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty() && self.heading == 0
    }

    /// Whether a page may be known by them.
    pub(crate) fn tell(&self) -> bool {
        self.len() >= LEAST || self.heading != 0
    }

    fn complete(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        if self.hashes.len() > MOST {
            self.hashes.truncate(MOST);
            self.until = self.hashes[MOST - 1];
        }
    }

    /// Keeps what is not common.
    pub(crate) fn without(mut self, common: &Hashes) -> Self {
        self.hashes.retain(|anchor| !common.contains(&wide(*anchor)));
        self.hashes.shrink_to_fit();
        self
    }

    /// The anchors of both.
    pub(crate) fn shared_with(mut self, other: &Self) -> Self {
        self.hashes.retain(|anchor| other.hashes.binary_search(anchor).is_ok());
        let heading = if self.heading == other.heading { self.heading } else { 0 };
        Self { until: self.until.min(other.until), heading, ..self }
    }

    /// Whether two pages of one site with these own anchors are the same.
    pub(crate) fn beside(&self, other: &Self) -> ByAnchors {
        let (mut shared, sizes) = (0, self.counted(other));
        let (mut a, mut b) = (&self.hashes[..sizes.0], &other.hashes[..sizes.1]);
        while let ([x, rest_of_a @ ..], [y, rest_of_b @ ..]) = (a, b) {
            shared += usize::from(x == y);
            (a, b) = (if x <= y { rest_of_a } else { a }, if y <= x { rest_of_b } else { b });
        }
        let all = sizes.0 + sizes.1 - shared;
        if sizes.0.min(sizes.1) < LEAST {
            ByAnchors::Unknown
        } else if SAME.1 * shared >= SAME.0 * all {
            ByAnchors::Same
        } else if OTHER.1 * shared < OTHER.0 * all {
            ByAnchors::Other
        } else {
            ByAnchors::Unknown
        }
    }

    /// Whether the headings of both pages have anchors, and different ones.
    pub(crate) fn has_other_heading(&self, other: &Self) -> bool {
        self.heading != other.heading && self.heading != 0 && other.heading != 0
    }

    /// How many anchors of both can be compared: those up to where none is missing on either.
    fn counted(&self, other: &Self) -> (usize, usize) {
        let until = self.until.min(other.until);
        let count = |anchors: &Self| anchors.hashes.partition_point(|anchor| *anchor <= until);
        (count(self), count(other))
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.short_hashes(&self.hashes);
        out.number(u64::from(u32::MAX - self.until));
        out.number(u64::from(self.heading));
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let hashes = from.short_hashes()?;
        let until = u32::MAX - u32::try_from(from.number()?).ok()?;
        let heading = u32::try_from(from.number()?).ok()?;
        hashes.is_sorted_by(|a, b| a < b).then_some(Self { hashes, until, heading })
    }
}

/// The anchors that many of some pages have: more than versions of one page can be, or more than an eighth. Where
/// there are few pages, that is all that they have, so that nothing is said too early.
pub(crate) fn common<'a>(pages: impl ExactSizeIterator<Item = &'a Anchors>) -> Hashes {
    let most = VERSIONS.min(pages.len() / PART);
    let mut all: Vec<u32> = pages.flat_map(|page| page.hashes.iter().copied()).collect();
    all.sort_unstable();
    let runs = all.chunk_by(|a, b| a == b).filter(|run| run.len() > most);
    runs.map(|run| wide(run[0])).collect()
}

/// An anchor as a hash of 64 bits.
fn wide(anchor: u32) -> u64 {
    u64::from(anchor) << 32 | u64::from(anchor)
}

fn hash(name: &str) -> u32 {
    xxh3_64(name.as_bytes()) as u32
}

/// Whether a name is no more than a number with a few letters before it: that of a line or a footnote, or one that
/// DocBook makes up anew whenever a page is built, such as `l00183`, `fn3`, `idm140`, `ftn.idp31` and `id-1.11.7.5`.
fn is_counter(name: &str) -> bool {
    let name = name.strip_prefix("ftn.").unwrap_or(name);
    let number = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    name.len() - number.len() <= LETTERS
        && number.bytes().any(|byte| byte.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(names: impl IntoIterator<Item = u32>) -> Anchors {
        let names: Vec<String> = names.into_iter().map(|n| format!("section{n}")).collect();
        names.iter().map(String::as_str).collect()
    }

    #[test]
    fn pages_are_known_by_what_they_share() {
        for (a, b, expected) in [
            (anchors(0..10), anchors(0..10), ByAnchors::Same),
            (anchors(0..10), anchors(0..11), ByAnchors::Same),
            (anchors(0..10), anchors(1..11), ByAnchors::Unknown),
            (anchors(0..10), anchors(0..14), ByAnchors::Unknown),
            (anchors(0..10), anchors(0..15), ByAnchors::Other),
            (anchors(0..10), anchors(10..20), ByAnchors::Other),
            (anchors(0..3), anchors(3..6), ByAnchors::Other),
            (anchors(0..2), anchors(0..20), ByAnchors::Unknown),
            (anchors(0..2), anchors(10..20), ByAnchors::Unknown),
            (anchors([]), anchors([]), ByAnchors::Unknown),
        ] {
            assert_eq!(a.beside(&b), expected, "{a:?} {b:?}");
            assert_eq!(b.beside(&a), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn of_many_anchors_the_same_are_kept_on_all_pages() {
        let (few, many) = (anchors(0..100), anchors(0..1_000));
        assert_eq!((few.len(), many.len()), (100, MOST));
        assert_eq!(few.beside(&many), ByAnchors::Other);
        assert_eq!(many.beside(&anchors(0..1_010)), ByAnchors::Same);
        // As many are kept of a page of 129 parts as of one of 128, and are others.
        assert_eq!(anchors(0..MOST as u32).beside(&anchors(0..MOST as u32 + 1)), ByAnchors::Same);
        assert_eq!(many.beside(&anchors(1_000..2_000)), ByAnchors::Other);
        // The order, and how often each is named, do not matter.
        assert_eq!(anchors((0..1_000).rev().chain(0..500)), many);
    }

    #[test]
    fn what_many_pages_have_is_common() {
        // 40 pages with a menu of two parts; pages 2n and 2n + 1 are versions.
        let page = |n: u32| anchors([1_000, 1_001].into_iter().chain(n / 2 * 10..n / 2 * 10 + 4));
        let pages: Vec<Anchors> = (0..40).map(page).collect();
        let common_here = common(pages.iter());
        assert_eq!(common_here.len(), 2);
        let own: Vec<Anchors> = pages.iter().map(|p| p.clone().without(&common_here)).collect();
        assert_eq!(own[6].beside(&own[7]), ByAnchors::Same);
        assert_eq!(own[6].beside(&own[8]), ByAnchors::Other);
        // Of seven pages nothing can be known.
        let common_here = common(pages[..7].iter());
        assert!(pages[..7].iter().all(|p| p.clone().without(&common_here).is_empty()));
    }

    #[test]
    fn counters_are_no_anchors() {
        let names = ["id2587", "idm140291", "ftn.idp31", "id-1.11.7", "l00183", "fn-3", "12", ""];
        assert!(names.into_iter().collect::<Anchors>().is_empty());
        let names = ["id", "idm", "ident", "id1a", "par_id31", "index12", "-", "l12-l13"];
        assert_eq!(names.into_iter().collect::<Anchors>().len(), names.len());
    }

    #[test]
    fn what_is_written_is_read_back() {
        for count in [0, 3, MOST as u32, 1_000] {
            let mut out = Writer::default();
            anchors(0..count).write(&mut out);
            let bytes = out.finish();
            assert_eq!(Anchors::read(&mut Reader(&bytes)), Some(anchors(0..count)));
            assert_eq!(Anchors::read(&mut Reader(&bytes[..bytes.len() - 1])), None);
        }
        let unsorted = [2, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0];
        assert_eq!(Anchors::read(&mut Reader(&unsorted)), None);
    }
}
