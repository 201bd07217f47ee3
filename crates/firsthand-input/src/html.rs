//! HTML to text: the title and the main text of a page, without navigation, adverts and scripts.
//!
//! A page is read once, by a scanner that follows the HTML standard where text depends on it
//! (`scan`, `attributes`, `entities`), into blocks of text and the elements around them
//! (`outline`). What the elements hold is summed up (`elements`), the rules that apply to each block
//! are noticed (`notice`) and weighed (`reason`), and the block is kept or left out for a reason
//! that can be told (`choose`). Nothing recurses, and no step costs more than linear time: depth,
//! attributes and blocks are bounded, whatever the page.

mod attributes;
mod choose;
mod cues;
mod elements;
mod entities;
mod entity_names;
mod hints;
mod meta;
mod notice;
mod outline;
mod reason;
mod scan;
mod shape;
mod tags;
#[cfg(test)]
mod tests;
mod text;

use std::panic::catch_unwind;

use serde::{Deserialize, Serialize};

use meta::Meta;
use outline::Builder;
use scan::{Scanner, Token};
use tags::Tag;

/// How much of an HTML page becomes text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extract {
    /// The main text, without navigation, adverts and the like.
    #[default]
    Main,
    /// All visible text.
    Text,
    /// The page as it is, markup and all.
    None,
}

/// Bounds on what a page may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HtmlLimits {
    /// The longest page that is read, in bytes.
    pub bytes: usize,
    /// How deep elements are told apart; the text of deeper ones is kept, their tags are not.
    pub depth: usize,
    /// How many attributes of a tag are looked at.
    pub attributes: usize,
    /// How many blocks, and how many elements around them, are told apart.
    pub blocks: usize,
}

impl Default for HtmlLimits {
    fn default() -> Self {
        Self { bytes: 32 << 20, depth: 512, attributes: 256, blocks: 100_000 }
    }
}

/// What was found in a page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Page {
    /// The title, or the first top heading where there is none.
    pub title: Option<String>,
    /// A block (paragraph, heading, list item, table row) a line; white space collapsed.
    pub text: String,
    /// The address the page gives for itself, if it is an absolute one.
    pub url: Option<String>,
    /// When the page says it was published, as written there.
    pub time: Option<String>,
}

/// Why a page gave no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HtmlError {
    /// The page is longer than the limit.
    #[error(
        "the page has {bytes} bytes, more than the limit of {limit}; raise the limit to read it"
    )]
    TooLong {
        /// The length of the page.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
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
/// If the page is longer than the limit, or reading it failed unexpectedly.
pub fn extract(html: &str, mode: Extract, limits: &HtmlLimits) -> Result<Page, HtmlError> {
    if html.len() > limits.bytes {
        return Err(HtmlError::TooLong { bytes: html.len(), limit: limits.bytes });
    }
    if mode == Extract::None {
        return Ok(Page { text: html.to_owned(), ..Page::default() });
    }
    // One strange page must not end a run over millions.
    catch_unwind(|| read(html, mode, limits)).map_err(|cause| {
        let reason = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| cause.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        HtmlError::Failed { reason: reason.to_owned() }
    })
}

fn read(html: &str, mode: Extract, limits: &HtmlLimits) -> Page {
    let mut meta = Meta::default();
    let mut builder = Builder::new(limits.depth, limits.blocks);
    for token in Scanner::new(html, limits.attributes) {
        match token {
            Token::Text(text) => builder.characters(text),
            Token::Open(tag, attributes) => {
                meta.see(tag, &attributes);
                builder.open(tag, &attributes);
            }
            Token::Close(tag) => builder.close(tag),
            Token::Raw(Tag::Xmp | Tag::Plaintext, raw) => builder.characters(raw),
            Token::Raw(tag, raw) => meta.see_raw(tag, raw),
        }
    }
    let outline = builder.finish();
    if let Some(heading) = outline.first_heading() {
        meta.see_heading(heading);
    }
    let text = match mode {
        Extract::Main => choose::main_text(&outline, meta.title()),
        Extract::Text | Extract::None => choose::all_text(&outline),
    };
    let (title, url, time) = meta.finish();
    Page { title, text, url, time }
}
