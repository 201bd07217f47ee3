//! The metadata of a page: title, URL and time of publication.

use super::attributes::Attributes;
use super::tags::Tag;
use super::times;
use htmlize::{Context, unescape_in};

const LINKED_DATA: &str = "application/ld+json";
/// Added to the rank of a time that cannot be parsed, so that any other time is preferred.
const UNREADABLE: u8 = 100;

/// The best value of each so far: the lowest rank, then the first.
#[derive(Debug, Default)]
pub(super) struct Meta {
    title: Option<(u8, String)>,
    url: Option<(u8, String)>,
    time: Option<(u8, String)>,
    /// Whether the script opened last is linked data.
    linked: bool,
}

fn offer(slot: &mut Option<(u8, String)>, rank: u8, raw: &str, context: Context) {
    if slot.as_ref().is_some_and(|(best, _)| *best <= rank) {
        return;
    }
    let value = decoded_line(raw, context);
    if !value.is_empty() {
        *slot = Some((rank, value));
    }
}

/// Text with character references decoded and white space collapsed. In attributes `&copy=` is part
/// of an address, not a sign.
fn decoded_line(raw: &str, context: Context) -> String {
    let decoded = unescape_in(raw, context);
    decoded.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Meta {
    /// Examines a start tag.
    pub(super) fn see(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        match tag {
            Tag::Link if attributes.rel.eq_ignore_ascii_case("canonical") => {
                self.offer_url(0, attributes.href);
            }
            Tag::Meta => self.see_meta(attributes),
            Tag::Time => {
                let rank = times::named(attributes.itemprop).unwrap_or(times::ELEMENT);
                self.offer_time(rank, attributes.datetime);
            }
            Tag::Script => self.linked = holds_linked_data(attributes.kind),
            _ => {}
        }
    }

    fn see_meta(&mut self, attributes: &Attributes<'_>) {
        let names =
            [attributes.property, attributes.name, attributes.itemprop, attributes.http_equiv];
        let Some(name) = names.into_iter().find(|name| !name.is_empty()) else { return };
        let content = attributes.content;
        if name.eq_ignore_ascii_case("og:title") {
            offer(&mut self.title, 1, content, Context::Attribute);
        } else if name.eq_ignore_ascii_case("og:url") {
            self.offer_url(1, content);
        } else if let Some(rank) = times::named(name) {
            self.offer_time(rank, content);
        }
    }

    /// Examines raw content: a title, or linked data in a script.
    pub(super) fn see_raw(&mut self, tag: Tag, raw: &str) {
        match tag {
            Tag::Title => offer(&mut self.title, 0, raw, Context::General),
            Tag::Script => {
                if let Some((rank, time)) = times::in_script(raw, self.linked) {
                    self.offer_time(rank, &time);
                }
            }
            _ => {}
        }
    }

    /// Uses a top-level heading as the title if there is none.
    pub(super) fn see_heading(&mut self, text: &str) {
        if self.title.is_none() {
            self.title = Some((2, text.to_owned()));
        }
    }

    fn offer_time(&mut self, rank: times::Rank, raw: &str) {
        let readable = self.time.as_ref().is_some_and(|(best, _)| *best <= rank)
            || is_readable(&decoded_line(raw, Context::Attribute));
        let rank = if readable { rank } else { rank + UNREADABLE };
        offer(&mut self.time, rank, raw, Context::Attribute);
    }

    fn offer_url(&mut self, rank: u8, raw: &str) {
        let raw = raw.trim();
        let absolute = ["http://", "https://"].iter().any(|scheme| {
            raw.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        if absolute {
            offer(&mut self.url, rank, raw, Context::Attribute);
        }
    }

    /// Title, URL and time.
    pub(super) fn finish(self) -> (Option<String>, Option<String>, Option<String>) {
        let value = |slot: Option<(u8, String)>| slot.map(|(_, value)| value);
        (value(self.title), value(self.url), value(self.time))
    }

    /// The title so far.
    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_ref().map(|(_, title)| title.as_str())
    }
}

/// Whether a script of this type is linked data.
fn holds_linked_data(kind: &str) -> bool {
    let kind = kind.trim();
    kind.get(..LINKED_DATA.len()).is_some_and(|start| start.eq_ignore_ascii_case(LINKED_DATA))
}

/// Whether a time can be parsed and is not a number too short for a date.
fn is_readable(time: &str) -> bool {
    let short = time.len() < 8 && time.bytes().all(|byte| byte.is_ascii_digit());
    !short && crate::time::parse(time).is_some()
}
