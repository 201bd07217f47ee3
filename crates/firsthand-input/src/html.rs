//! HTML to text: the title and the main text of a page, without navigation, adverts and scripts.
//!
//! A page is read once, by a scanner that follows the HTML standard where text depends on it
//! (`scan`, `attributes`, `xhtml`), into blocks of text and the elements around them
//! (`outline`). What the elements hold is summed up (`elements`), the rules that apply to each
//! block are noticed (`notice`, `comment_sections`) and weighed (`reason`), and the block is kept or left out
//! for a reason that can be told (`choose`). What the page says about itself is gathered on the way
//! (`meta`, `times`); which character set it declares is asked before all this (`prescan`).
//!
//! Nothing recurses, and no step costs more than linear time: depth, attributes and blocks are
//! bounded, whatever the page, and the deadline is asked on the way.

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
mod tags;
#[cfg(test)]
mod tests;
mod text;
mod times;
mod xhtml;

use serde::Serialize;

use crate::caught::caught;
use crate::deadline::Deadline;
use firsthand::settings::{Extract, Limit, Limits};

pub(crate) use prescan::declared_charset;

use choose::Lines;
use meta::Meta;
use outline::{Builder, Outline};
use scan::{Scanner, Token};

/// What was found in a page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Page {
    /// The title, or the first top heading where there is none.
    pub title: Option<String>,
    /// A block (paragraph, heading, list item, table row) a line; white space collapsed.
    pub text: String,
    /// For each line of the text, percent of its words that are in links.
    pub links: Vec<u8>,
    /// The address the page gives for itself, if it is an absolute one.
    pub url: Option<String>,
    /// When the page says it was published, as written there.
    pub time: Option<String>,
    /// Limits that something went beyond; its text was kept all the same.
    pub beyond: Vec<Limit>,
}

/// A block of a page and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Its text, white space collapsed.
    pub text: String,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// What decided that, in plain words.
    pub reason: &'static str,
    /// The name of the element that holds it, such as `p`, `h1`, `li` or `td`.
    pub tag: &'static str,
    /// How many words it has.
    pub words: u32,
    /// How many of them are inside links.
    pub link_words: u32,
}

/// Why a page gave no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HtmlError {
    /// The page is longer, or took longer, than the limit.
    #[error("the page was not read: {}", .0.label())]
    Beyond(Limit),
    /// Reading the page failed in a way that it never should.
    #[error("the page could not be read as HTML (this is a mistake in the program): {reason}")]
    Failed {
        /// What the failure said.
        reason: String,
    },
}

/// Reads a page and gives its text.
///
/// # Errors
/// If the page is longer than the limit, took longer than the deadline allows, or failed to be
/// read in a way that it never should.
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
        let (outline, meta) = read(html, limits, deadline)?;
        let text = match mode {
            Extract::Main => {
                let verdicts = choose::verdicts(&outline, meta.title());
                in_time(deadline)?;
                choose::main_text(&outline, &verdicts)
            }
            Extract::Text | Extract::None => choose::all_text(&outline),
        };
        Ok(page(text, outline, meta))
    })
}

/// Reads a page and gives its main text, and all its blocks in the order of the page, hidden ones
/// too, with what became of each and why.
///
/// The blocks that are kept make the text, a line each; short cells of a row share a line.
///
/// # Errors
/// As [`extract`].
pub fn blocks(
    html: &str,
    limits: &Limits,
    deadline: Deadline,
) -> Result<(Page, Vec<Block>), HtmlError> {
    guarded(html, limits, || {
        let (outline, meta) = read(html, limits, deadline)?;
        let verdicts = choose::verdicts(&outline, meta.title());
        in_time(deadline)?;
        let text = choose::main_text(&outline, &verdicts);
        let blocks = outline.blocks.iter().zip(&verdicts);
        let blocks = blocks.map(|(block, verdict)| Block {
            text: outline.text[block.start..block.end].to_owned(),
            kept: verdict.kept,
            reason: verdict.reason.words(),
            tag: outline.tag(block).shown(),
            words: block.words,
            link_words: block.link_words,
        });
        let blocks = blocks.collect();
        Ok((page(text, outline, meta), blocks))
    })
}

/// Does some work on a page that is not too long. One strange page must not end a run over
/// millions, so a panic is an error like others.
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

/// The deadline is asked once in so many tokens.
const TOKENS: usize = 512;

fn read(html: &str, limits: &Limits, deadline: Deadline) -> Result<(Outline, Meta), HtmlError> {
    let mut meta = Meta::default();
    let mut builder = Builder::new(limits);
    for (i, token) in Scanner::new(html, limits).enumerate() {
        if i % TOKENS == 0 {
            in_time(deadline)?;
        }
        match token {
            Token::Text(text) => builder.characters(text),
            Token::Verbatim(text) => builder.verbatim(text),
            Token::Open(tag, attributes) => {
                meta.see(tag, &attributes);
                builder.open(tag, &attributes);
            }
            Token::Close(tag) => builder.close(tag),
            Token::Raw(tag, raw) => meta.see_raw(tag, raw),
        }
    }
    in_time(deadline)?;
    let outline = builder.finish();
    if let Some(heading) = outline.first_heading() {
        meta.see_heading(heading);
    }
    in_time(deadline)?;
    Ok((outline, meta))
}

fn page(lines: Lines, outline: Outline, meta: Meta) -> Page {
    let (title, url, time) = meta.finish();
    let Lines { text, links } = lines;
    Page { title, text, links, url, time, beyond: outline.beyond }
}
