//! The fields of a feed item.

use super::xml::{self, ItemElement};

/// A value of the feed, with one level of escaping removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeedValue {
    pub(super) text: String,
    pub(super) markup: Markup,
}

/// The markup of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    Html,
    Plain,
}

/// The fields of an item.
#[derive(Debug, Default)]
pub(super) struct ItemFields {
    pub(super) id: Option<String>,
    pub(super) link: Option<String>,
    pub(super) title: Option<FeedValue>,
    pub(super) time: Option<String>,
    /// Candidates for the text: a teaser, the full text.
    pub(super) texts: Vec<FeedValue>,
}

/// Reads an item; `None` if it is not XML.
pub(super) fn read(item: &str) -> Option<ItemFields> {
    let mut fields = ItemFields::default();
    let mut ranks = Ranks::default();
    xml::each_element(item, |element| fields.offer(&element, &mut ranks))?;
    Some(fields)
}

/// The title of a feed, from the text before its first item.
pub(crate) fn title(before: &str) -> String {
    let mut title = None;
    // The channel is a child of the outermost element, except in Atom.
    let channel = before.find("<channel").map_or(before, |at| &before[at..]);
    let channel = channel.find("<feed").map_or(channel, |at| &channel[at..]);
    xml::each_element(channel, |element| {
        if element.name() == "title" && title.is_none() {
            title = Some(element.text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    });
    title.unwrap_or_default()
}

/// The ranks of the link and time found so far; lower is better.
#[derive(Debug, Default)]
struct Ranks {
    link: Option<u8>,
    time: Option<u8>,
}

impl ItemFields {
    fn offer(&mut self, element: &ItemElement<'_>, ranks: &mut Ranks) {
        let word = || Some(element.text.trim().to_owned()).filter(|text| !text.is_empty());
        match element.name() {
            "guid" | "id" | "dc:identifier" => self.id = self.id.take().or_else(word),
            "link" => {
                let (link, rank) = match (word(), element.attribute("rel").as_deref()) {
                    (Some(link), _) => (Some(link), 0),
                    (None, None | Some("alternate")) => (element.attribute("href"), 0),
                    (None, Some("self")) => (element.attribute("href"), 1),
                    (None, Some(_)) => (None, 1),
                };
                better(&mut self.link, link, &mut ranks.link, rank);
            }
            "title" => {
                self.title = self.title.take().or_else(|| value(element));
            }
            "pubDate" | "published" | "issued" => {
                better(&mut self.time, word(), &mut ranks.time, 0);
            }
            "dc:date" | "dcterms:created" | "created" | "date" => {
                better(&mut self.time, word(), &mut ranks.time, 1);
            }
            "updated" | "modified" | "dcterms:modified" => {
                better(&mut self.time, word(), &mut ranks.time, 2);
            }
            "description" | "content:encoded" | "encoded" | "summary" | "itunes:summary"
            | "content" | "xhtml:body" | "body" | "fullitem" => {
                self.texts.extend(value(element));
            }
            _ => {}
        }
    }
}

fn value(element: &ItemElement<'_>) -> Option<FeedValue> {
    let markup = match element.attribute("type").as_deref() {
        Some("text" | "text/plain" | "plain") if !element.has_elements => Markup::Plain,
        None | Some("text" | "plain" | "html" | "xhtml") => Markup::Html,
        Some(other) if other.starts_with("text/") || other.ends_with("xml") => Markup::Html,
        // A picture or a program.
        Some(_) => return None,
    };
    let text = element.text.trim().to_owned();
    (!text.is_empty()).then_some(FeedValue { text, markup })
}

fn better(slot: &mut Option<String>, value: Option<String>, best: &mut Option<u8>, rank: u8) {
    if value.is_some() && best.is_none_or(|best| rank < best) {
        (*slot, *best) = (value, Some(rank));
    }
}
