//! RSS and Atom feeds, cut into items that become documents.
//!
//! Cutting only looks for the start and end of items, so that a broken one does not affect others.
//! Links are not fetched, and entities defined by the feed are not expanded.

mod fields;
mod items;
mod xml;

use firsthand::Document;

use crate::build_document::{self, Made};
use crate::deadline::Deadline;
use crate::error::Reason;
use crate::html;
use crate::options::ReadOptions;
use crate::place::Place;
use crate::remarks::Remarks;
use crate::{blocks, host};
pub(crate) use fields::title;
use firsthand::settings::{Extract, Limit};
pub(crate) use items::Items;

use fields::{FeedValue, ItemFields, Markup};
use items::FeedError;

/// Separates the title of the feed from the item; not allowed in XML.
pub(crate) const BETWEEN: char = '\0';

pub(crate) fn bad(detail: &str) -> Reason {
    Reason::BadRecord { format: "feed", detail: detail.to_owned() }
}

/// The document of an item.
pub(crate) fn item(bytes: &[u8], place: &Place, options: &ReadOptions) -> Made {
    let piece = String::from_utf8_lossy(bytes);
    let (source, item) = piece.split_once(BETWEEN).unwrap_or(("", &piece));
    let fields = fields::read(item).ok_or_else(|| bad(FeedError::IllFormed.words()))?;
    // The feed was decoded before cutting, so undecodable characters are already replaced.
    let replaced = item.matches(char::REPLACEMENT_CHARACTER).count() as u64;
    let mut remarks = Remarks { replaced, ..Remarks::default() };
    let ItemFields { id, link, title, time, texts } = fields;
    let url = link.or_else(|| id.clone().filter(|id| id.contains("://")));
    let mut text = String::new();
    for value in texts {
        let found = plain(&value, options, &mut remarks)?;
        if found.len() > text.len() {
            text = found;
        }
    }
    let title = match title {
        Some(value) => Some(one_line(&plain(&value, options, &mut remarks)?)),
        None => None,
    };
    if text.len() as u64 > options.reading.limits.document {
        return Err(Reason::beyond(Limit::Document, &options.reading.limits));
    }
    let document = Document {
        id: id.or_else(|| url.clone()).unwrap_or_else(|| place.id()),
        text,
        title: title.filter(|title| !title.is_empty()),
        host: url.as_deref().and_then(host::of_url),
        url,
        source: Some(source.to_owned()).filter(|source| !source.is_empty()),
        time: build_document::when(time, &mut remarks),
        ..Document::default()
    };
    Ok((document, remarks))
}

/// A value without its tags. Unlike a page, an item has no furniture.
fn plain(
    value: &FeedValue,
    options: &ReadOptions,
    remarks: &mut Remarks,
) -> Result<String, Reason> {
    let may_be_html = match value.markup {
        Markup::Html => value.text.contains(['<', '&']),
        // Many feeds declare plain text that contains tags.
        Markup::Plain => value.text.contains("</") || value.text.contains("/>"),
    };
    if !may_be_html || options.reading.extract == Extract::None {
        return Ok(blocks::one_a_line(value.text.as_str().into()).trim().to_owned());
    }
    let limits = &options.reading.limits;
    let page = html::extract(&value.text, Extract::Text, limits, Deadline::for_document(limits));
    let page = page.map_err(|error| build_document::refused(error, limits))?;
    page.beyond.into_iter().for_each(|limit| remarks.beyond(limit));
    Ok(page.text.trim().to_owned())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
