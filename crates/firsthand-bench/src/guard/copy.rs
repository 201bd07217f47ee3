//! The copies of a page, each with the changes of its kind.

use std::ops::Range;

use rayon::prelude::*;

use super::page::{inside, replaced, title, without_tags, words};
use super::site::{Sites, host};
use super::{CopyKind, PageCopy};
use crate::rng::Rng;

/// One word in fifty is edited, and at least [`LEAST_EDITS`].
const EDITED: usize = 50;
const LEAST_EDITS: usize = 3;

/// Up to one word in eight is in a line that is dropped, and again in one that is replaced.
const IN_LINES: usize = 8;

/// Words of links, and words of one link.
pub(super) const LINK_WORDS: (usize, usize) = (64, 120);
const ONE_LINK: (usize, usize) = (4, 9);

/// The random stream of the changes.
const STREAM: u64 = 22;

/// A copy of each of the originals.
pub(super) fn make(
    sites: &Sites<'_>,
    kind: CopyKind,
    originals: &[usize],
    seed: u64,
) -> Vec<PageCopy> {
    let one = |(number, &original): (usize, &usize)| {
        let rng = Rng::new(seed, &[STREAM, kind as u64, number as u64]);
        let mut copy = Copying { sites, original, number, rng };
        let html = match kind {
            CopyKind::Edits => copy.edited(Vec::new()),
            CopyKind::Headline => copy.with_headline(),
            CopyKind::Links => copy.with_links(),
            CopyKind::Lines => copy.with_other_lines(),
        };
        let url = &sites.pages[original].url;
        let scheme = url.split("//").next().unwrap_or_default();
        PageCopy {
            id: format!("copy-{number}"),
            url: format!("{scheme}//{}/copies/{number}.html", host(url)),
            html,
            original,
        }
    };
    originals.par_iter().enumerate().map(one).collect()
}

/// A copy in the making.
struct Copying<'a> {
    sites: &'a Sites<'a>,
    original: usize,
    number: usize,
    rng: Rng,
}

impl<'a> Copying<'a> {
    fn html(&self) -> &'a str {
        &self.sites.pages[self.original].html
    }

    fn story(&self) -> &'a [Range<usize>] {
        &self.sites.stories[self.original]
    }

    /// Words of a story of another site.
    fn foreign_words(&mut self) -> Vec<String> {
        let other = self.sites.elsewhere(self.original, &mut self.rng);
        self.sites.lines(other).iter().flat_map(|line| words(line)).collect()
    }

    /// The page with small edits in its story, beside other edits outside of it.
    fn edited(&mut self, mut edits: Vec<(Range<usize>, String)>) -> String {
        let html = self.html();
        let runs = self.story().iter();
        let mut places: Vec<Range<usize>> =
            runs.flat_map(|run| plain_words(html, run.clone())).collect();
        let count = LEAST_EDITS.max(places.len() / EDITED).min(places.len() / 2);
        self.rng.shuffle(&mut places);
        let foreign = self.foreign_words();
        for place in places.into_iter().take(count) {
            let other = &foreign[self.rng.below(foreign.len())];
            let text = match self.rng.below(4) {
                0 => String::new(),
                1 => format!("{} {other}", &html[place.clone()]),
                _ => other.clone(),
            };
            edits.push((place, text));
        }
        replaced(html, edits)
    }

    /// The headline is in the title, in what is said of the page to other sites, and above the story.
    fn with_headline(&mut self) -> String {
        let other = self.sites.elsewhere(self.original, &mut self.rng);
        let headline = self.sites.headline(other, &mut self.rng);
        let written = escaped(&headline);
        let mut html = self.edited(Vec::new());
        if let Some(place) = inside(&html, "title", 0) {
            let old = title(&html);
            let of_site = |part: &&str| {
                !words(part).is_empty() && self.sites.belongs_to_site(self.original, part)
            };
            let kept: Vec<&str> = old.split(' ').filter(of_site).collect();
            let gap = if kept.is_empty() { "" } else { " - " };
            let text = format!("{written}{gap}{}", escaped(&kept.join(" ")));
            html = replaced(&html, vec![(place, text)]);
        }
        html = replaced(&html, told_titles(&html, &written));
        let mut from = 0;
        while let Some(place) = inside(&html, "h1", from) {
            from = place.end;
            let text = without_tags(&html[place.clone()]);
            if !self.sites.belongs_to_site(self.original, &text) {
                return replaced(&html, vec![(place, written)]);
            }
        }
        html
    }

    /// Links after the story in every other copy, at the end of the page in the others.
    fn with_links(&mut self) -> String {
        let wanted = self.rng.between(LINK_WORDS.0, LINK_WORDS.1);
        let (mut items, mut count) = (String::new(), 0);
        while count < wanted {
            let foreign = self.foreign_words();
            let length = self.rng.between(ONE_LINK.0, ONE_LINK.1).min(wanted - count);
            let length = length.min(foreign.len());
            let start = self.rng.below(foreign.len() - length + 1);
            let text = foreign[start..start + length].join(" ");
            let (number, at) = (self.number, count);
            items += &format!("<li><a href=\"/copies/{number}-{at}.html\">{text}</a></li>");
            count += length;
        }
        let html = self.html();
        let lower = html.to_ascii_lowercase();
        let after_story =
            self.story().last().filter(|_| self.number.is_multiple_of(2)).and_then(|last| {
                let ends =
                    ["</p>", "</div>", "</td>", "</section>", "</article>", "</pre>", "</ul>"];
                let end = |tag: &&str| Some(last.end + lower[last.end..].find(*tag)? + tag.len());
                ends.iter().filter_map(end).min()
            });
        let at = after_story.or_else(|| lower.rfind("</body")).unwrap_or(html.len());
        self.edited(vec![(at..at, format!("<div><ul>{items}</ul></div>"))])
    }

    fn with_other_lines(&mut self) -> String {
        let (html, story) = (self.html(), self.story());
        let mut texts: Vec<String> = story.iter().map(|run| html[run.clone()].to_owned()).collect();
        let sizes = self.sites.line_words(self.original);
        let most = sizes.iter().sum::<usize>() / IN_LINES;
        let mut order: Vec<usize> = (0..texts.len()).collect();
        self.rng.shuffle(&mut order);
        for is_dropped in [true, false] {
            let mut left = most;
            order.retain(|&line| {
                let fits = sizes[line] <= left;
                if fits {
                    left -= sizes[line];
                    texts[line] = match is_dropped {
                        true => " ".to_owned(),
                        false => {
                            let foreign = self.foreign_words();
                            let text = foreign.iter().cycle().take(sizes[line]);
                            text.cloned().collect::<Vec<_>>().join(" ")
                        }
                    };
                }
                !fits
            });
        }
        let first = self.rng.below(texts.len() - 1);
        texts.swap(first, first + 1);
        replaced(html, story.iter().cloned().zip(texts).collect())
    }
}

/// The words of a run that are plain letters: not in character references, whose change would show.
fn plain_words(html: &str, run: Range<usize>) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut at = run.start;
    for part in html[run].split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let before = html[..at].chars().next_back();
        let in_reference = matches!(before, Some('&' | '#'));
        if word.chars().count() >= 2 && word.chars().all(char::is_alphabetic) && !in_reference {
            places.push(at..at + word.len());
        }
        at += part.len();
    }
    places
}

/// The titles that a page tells other sites.
fn told_titles(html: &str, written: &str) -> Vec<(Range<usize>, String)> {
    let lower = html.to_ascii_lowercase();
    let mut edits = Vec::new();
    for (start, _) in lower.match_indices("<meta") {
        let Some(length) = lower[start..].find('>') else { break };
        let tag = &lower[start..start + length];
        if !tag.contains("og:title") && !tag.contains("twitter:title") {
            continue;
        }
        for quote in ['"', '\''] {
            let name = format!("content={quote}");
            if let Some(value) = tag.find(&name).map(|at| at + name.len())
                && let Some(length) = tag[value..].find(quote)
            {
                edits.push((start + value..start + value + length, written.to_owned()));
            }
        }
    }
    edits
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
