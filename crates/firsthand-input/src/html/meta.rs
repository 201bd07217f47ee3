//! What a page says about itself: title, address and time of publication.

use super::attributes::Attributes;
use super::entities::decode_line;
use super::tags::Tag;

/// The best of each so far; a lower rank wins, then the first.
#[derive(Debug, Default)]
pub(super) struct Meta {
    title: Option<(u8, String)>,
    url: Option<(u8, String)>,
    time: Option<(u8, String)>,
}

fn offer(slot: &mut Option<(u8, String)>, rank: u8, raw: &str) {
    if slot.as_ref().is_some_and(|(best, _)| *best <= rank) {
        return;
    }
    let value = decode_line(raw);
    if !value.is_empty() {
        *slot = Some((rank, value));
    }
}

impl Meta {
    /// Looks at a start tag.
    pub(super) fn see(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        match tag {
            Tag::Link if attributes.rel.eq_ignore_ascii_case("canonical") => {
                self.offer_url(0, attributes.href);
            }
            Tag::Meta => self.see_meta(attributes),
            Tag::Time => {
                let published = attributes.itemprop.eq_ignore_ascii_case("datePublished");
                offer(&mut self.time, if published { 2 } else { 4 }, attributes.datetime);
            }
            _ => {}
        }
    }

    fn see_meta(&mut self, attributes: &Attributes<'_>) {
        let names = [attributes.property, attributes.name, attributes.itemprop];
        let Some(name) = names.into_iter().find(|name| !name.is_empty()) else { return };
        let content = attributes.content;
        match name.to_ascii_lowercase().as_str() {
            "og:title" => offer(&mut self.title, 1, content),
            "og:url" => self.offer_url(1, content),
            "article:published_time" | "og:article:published_time" => {
                offer(&mut self.time, 0, content);
            }
            "datepublished" => offer(&mut self.time, 2, content),
            "date"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.date"
            | "dcterms.created"
            | "publish-date"
            | "publish_date"
            | "publishdate"
            | "pubdate"
            | "sailthru.date"
            | "parsely-pub-date"
            | "article.published"
            | "originalpublicationdate" => {
                offer(&mut self.time, 3, content);
            }
            _ => {}
        }
    }

    /// Looks at raw content: a title, or linked data in a script.
    pub(super) fn see_raw(&mut self, tag: Tag, raw: &str) {
        match tag {
            Tag::Title => offer(&mut self.title, 0, raw),
            Tag::Script => {
                if let Some(time) = linked_time(raw) {
                    offer(&mut self.time, 1, time);
                }
            }
            _ => {}
        }
    }

    /// A top heading stands in for a title where there is none.
    pub(super) fn see_heading(&mut self, text: &str) {
        if self.title.is_none() {
            self.title = Some((2, text.to_owned()));
        }
    }

    fn offer_url(&mut self, rank: u8, raw: &str) {
        let raw = raw.trim();
        let absolute = ["http://", "https://"].iter().any(|scheme| {
            raw.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        if absolute {
            offer(&mut self.url, rank, raw);
        }
    }

    /// Title, address and time.
    pub(super) fn finish(self) -> (Option<String>, Option<String>, Option<String>) {
        let value = |slot: Option<(u8, String)>| slot.map(|(_, value)| value);
        (value(self.title), value(self.url), value(self.time))
    }

    /// The title so far.
    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_ref().map(|(_, title)| title.as_str())
    }
}

/// The string after `"datePublished":` in a script, if there is one.
fn linked_time(script: &str) -> Option<&str> {
    const KEY: &str = "\"datePublished\"";
    let at = memchr::memmem::find(script.as_bytes(), KEY.as_bytes())?;
    let rest = script[at + KEY.len()..].trim_start().strip_prefix(':')?.trim_start();
    let value = rest.strip_prefix('"')?;
    value.find('"').map(|end| &value[..end])
}
