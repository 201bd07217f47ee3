//! Extracts the title and main text of an HTML page, without navigation, adverts and scripts.
//!
//! A scanner that follows the HTML standard where text depends on it (`scan`, `attributes`,
//! `xhtml`) reads the page once, into blocks of text and the elements around them
//! (`outline`). Elements are summed up (`elements`), the rules that apply to each block are found
//! (`notice`, `comment_sections`) and weighed (`reason`), and each block is kept or dropped for a
//! reason that is reported (`choose`). Title, URL and time are collected on the way (`meta`,
//! `times`), and clues to the site (`site_clues`); the declared character set is found beforehand (`prescan`).
//!
//! Nothing recurses and every step takes linear time: depth, attributes and blocks are bounded, and
//! the deadline is checked regularly.

mod anchors;
mod attributes;
mod choose;
mod comment_sections;
mod elements;
mod furniture_words;
mod hints;
mod meta;
mod notice;
mod outline;
mod prescan;
mod reason;
mod scan;
mod shape;
mod site_clues;
mod tags;
#[cfg(test)]
mod tests;
mod text;
mod times;
mod xhtml;

use serde::Serialize;

use crate::caught::caught;
use crate::deadline::Deadline;
use firsthand::pages::{Anchors, Rest};
use firsthand::settings::{Extract, Limit, Limits};

pub(crate) use prescan::declared_charset;
pub use site_clues::SiteClues;

use anchors::AnchorFinder;
use choose::LinkedLines;
use meta::Meta;
use outline::{Builder, Outline};
use scan::{TagScanner, Token};
use site_clues::Addresses;

/// The text and metadata of a page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Page {
    /// The title, or else the first top-level heading.
    pub title: Option<String>,
    /// One block (paragraph, heading, list item, table row) per line, with collapsed white space.
    pub text: String,
    /// For each line of the text, the percentage of its words that are in links.
    pub links: Vec<u8>,
    /// What else is visible, beside the main text.
    pub rest: Rest,
    /// Whether the main text may not be what the page is about: more running text was left out of it.
    pub doubtful: bool,
    /// The names that it gives to its parts: every `id`, and the `name` of every `a`.
    pub anchors: Anchors,
    /// What tells the site if the page gives no URL for itself.
    pub clues: SiteClues,
    /// The URL that the page gives for itself, if absolute.
    pub url: Option<String>,
    /// The time of publication, as written in the page.
    pub time: Option<String>,
    /// Limits that were exceeded; the text was kept.
    pub beyond: Vec<Limit>,
}

/// A block of a page, and whether and why it was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Its text, with collapsed white space.
    pub text: String,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why it was kept or dropped.
    pub reason: &'static str,
    /// The name of the element that holds it, such as `p`, `h1`, `li` or `td`.
    pub tag: &'static str,
    /// The number of words.
    pub words: u32,
    /// The number of words inside links.
    pub link_words: u32,
    /// Whether a browser would not show it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// Why a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HtmlError {
    /// The page exceeded the limit on size or time.
    #[error("the page was not read: {}", .0.label())]
    Beyond(Limit),
    /// An internal error.
    #[error("internal error while reading the page: {reason}")]
    Failed {
        /// The message of the panic.
        reason: String,
    },
}

/// Extracts the text and metadata of a page.
///
/// # Errors
/// If the page is too long, the deadline passes, or an internal error occurs.
///
/// ```
/// use firsthand_input::{Deadline, Extract, Limits, extract};
///
/// let html = "<title>News</title><p>The ferry is late.</p>";
/// let page = extract(html, Extract::Text, &Limits::default(), Deadline::never())?;
/// assert_eq!((page.title.as_deref(), &*page.text), (Some("News"), "The ferry is late."));
/// # Ok::<(), firsthand_input::HtmlError>(())
/// ```
pub fn extract(
    html: &str,
    mode: Extract,
    limits: &Limits,
    deadline: Deadline,
) -> Result<Page, HtmlError> {
    guarded(html, limits, || {
        if mode == Extract::None {
            return Ok(Page { text: html.to_owned(), ..Page::default() });
        }
        let (outline, meta, marks) = read(html, limits, deadline)?;
        let (text, doubtful) = match mode {
            Extract::Main => {
                let choice = choose::choose(&outline, meta.title());
                in_time(deadline)?;
                (choose::main_text(&outline, &choice.verdicts), choice.doubtful)
            }
            Extract::Text | Extract::None => (choose::all_text(&outline), false),
        };
        Ok(page((text, doubtful), outline, meta, marks))
    })
}

/// Extracts the main text of a page, and all its blocks in page order, including hidden ones.
///
/// The kept blocks form the text, one per line; short cells of a row share a line.
///
/// # Errors
/// As [`extract`].
pub fn blocks(
    html: &str,
    limits: &Limits,
    deadline: Deadline,
) -> Result<(Page, Vec<Block>), HtmlError> {
    guarded(html, limits, || {
        let (outline, meta, marks) = read(html, limits, deadline)?;
        let choice = choose::choose(&outline, meta.title());
        in_time(deadline)?;
        let text = choose::main_text(&outline, &choice.verdicts);
        let blocks = outline.blocks.iter().zip(&choice.verdicts);
        let blocks = blocks.map(|(block, verdict)| Block {
            text: outline.text[block.start..block.end].to_owned(),
            kept: verdict.kept,
            reason: verdict.reason.words(),
            tag: outline.tag(block).shown(),
            words: block.words,
            link_words: block.link_words,
            hidden: block.hidden,
        });
        let blocks = blocks.collect();
        Ok((page((text, choice.doubtful), outline, meta, marks), blocks))
    })
}

/// Runs `work` unless the page is too long. A panic becomes an error: one page must not end a run
/// over millions.
fn guarded<T>(
    html: &str,
    limits: &Limits,
    work: impl FnOnce() -> Result<T, HtmlError>,
) -> Result<T, HtmlError> {
    if html.len() as u64 > limits.file {
        return Err(HtmlError::Beyond(Limit::File));
    }
    caught(work).unwrap_or_else(|cause| {
        let reason = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| cause.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Err(HtmlError::Failed { reason: reason.to_owned() })
    })
}

fn in_time(deadline: Deadline) -> Result<(), HtmlError> {
    if deadline.is_over() { Err(HtmlError::Beyond(Limit::Seconds)) } else { Ok(()) }
}

/// The number of tokens between checks of the deadline.
const TOKENS: usize = 512;

/// What tells the site of a page, and which page of it it is.
type Marks = (SiteClues, Anchors);

/// The outline of a page, what it says of itself, and how it is known.
fn read(
    html: &str,
    limits: &Limits,
    deadline: Deadline,
) -> Result<(Outline, Meta, Marks), HtmlError> {
    let (mut meta, mut addresses) = (Meta::default(), Addresses::default());
    let mut anchors = AnchorFinder::default();
    let mut builder = Builder::new(limits);
    let mut scanner = TagScanner::new(html, limits);
    let mut i = 0;
    while let Some(token) = scanner.next() {
        if i % TOKENS == 0 {
            in_time(deadline)?;
        }
        match token {
            Token::Text(text) => builder.characters(text),
            Token::Verbatim(text) => builder.verbatim(text),
            Token::Open(tag) => {
                let attributes = scanner.attributes();
                meta.see(tag, attributes);
                addresses.see(tag, attributes);
                anchors.see(tag, attributes);
                builder.open(tag, attributes);
            }
            Token::Close(tag) => {
                anchors.see_end(tag);
                builder.close(tag);
            }
            Token::Raw(tag, raw) => meta.see_raw(tag, raw),
        }
        i += 1;
    }
    in_time(deadline)?;
    let outline = builder.finish();
    if let Some(heading) = outline.first_heading() {
        meta.see_heading(heading);
    }
    in_time(deadline)?;
    Ok((outline, meta, (addresses.finish(), anchors.finish())))
}

fn page(
    (lines, doubtful): (LinkedLines, bool),
    outline: Outline,
    meta: Meta,
    (clues, anchors): Marks,
) -> Page {
    let (title, url, time) = meta.finish();
    let LinkedLines { text, links, rest } = lines;
    let beyond = outline.beyond;
    Page { title, text, links, rest, doubtful, anchors, clues, url, time, beyond }
}
