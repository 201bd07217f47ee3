//! The child elements of an item, in any order and however badly closed.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// A child element of an item.
pub(super) struct ItemElement<'a> {
    start: BytesStart<'a>,
    /// Its text, with markup if it contains elements.
    pub(super) text: Cow<'a, str>,
    pub(super) has_elements: bool,
}

/// Prefixes of the feed's own elements.
const OWN: [&str; 3] = ["atom:", "rss:", "a:"];

impl ItemElement<'_> {
    /// Its name without a prefix of the feed's own elements.
    pub(super) fn name(&self) -> &str {
        let length = self.start.name().0.len();
        let name = self.start.get(..length).unwrap_or_default();
        OWN.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let found = attributes.find(|attribute| attribute.key.0 == name)?;
        Some(references(&found.value).trim().to_owned())
    }
}

/// Visits the children of the outermost element; `None` if it is not XML, after visiting those
/// before the error.
pub(super) fn each_element<'a>(xml: &'a str, mut found: impl FnMut(ItemElement<'a>)) -> Option<()> {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    // End tags are matched here, since HTML in feeds often omits them.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut outside = true;
    let mut open: Option<OpenXmlElement<'a>> = None;
    loop {
        let before = usize::try_from(reader.buffer_position()).ok()?;
        match (reader.read_event().ok()?, &mut open) {
            (Event::Eof, None) => return Some(()),
            (Event::Eof, Some(_)) => return None,
            (Event::Start(_), None) if outside => outside = false,
            (Event::Start(start), None) => {
                let body = usize::try_from(reader.buffer_position()).ok()?;
                open = Some(OpenXmlElement::new(start, body));
            }
            (Event::Start(start), Some(open)) => {
                open.elements = true;
                open.within += usize::from(start.name() == open.start.name());
            }
            (Event::Empty(start), None) if !outside => {
                found(OpenXmlElement::new(start, before).element(""));
            }
            (Event::Empty(_), Some(open)) => open.elements = true,
            (Event::End(end), Some(was)) if end.name() == was.start.name() => {
                if was.within > 0 {
                    was.within -= 1;
                } else if let Some(open) = open.take() {
                    let inner = xml.get(open.body..before)?;
                    found(open.element(inner));
                }
            }
            (Event::Text(text), Some(open)) => open.text.push_str(&text),
            (Event::CData(text), Some(open)) => open.text.push_str(&text),
            (Event::GeneralRef(reference), Some(open)) => push(&mut open.text, &reference),
            _ => {}
        }
    }
}

/// An element that has not ended.
struct OpenXmlElement<'a> {
    start: BytesStart<'a>,
    /// The start of its content.
    body: usize,
    text: String,
    /// The number of open elements of the same name inside it.
    within: usize,
    elements: bool,
}

impl<'a> OpenXmlElement<'a> {
    fn new(start: BytesStart<'a>, body: usize) -> Self {
        Self { start, body, text: String::new(), within: 0, elements: false }
    }

    fn element(self, inner: &'a str) -> ItemElement<'a> {
        let text = match self.elements {
            true => Cow::Borrowed(inner),
            false => Cow::Owned(self.text),
        };
        ItemElement { start: self.start, text, has_elements: self.elements }
    }
}

/// Appends the character of a reference. An unknown one stays as it is and may be resolved as HTML
/// later.
fn push(text: &mut String, reference: &BytesRef<'_>) {
    let name: &str = reference;
    match character(name) {
        Some(character) => text.push(character),
        None => {
            text.push('&');
            text.push_str(name);
            text.push(';');
        }
    }
}

fn character(name: &str) -> Option<char> {
    let number = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        },
        None => None,
    };
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => number.and_then(char::from_u32).filter(|c| *c != '\0'),
    }
}

/// The value of an attribute with its references replaced.
fn references(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let end = after.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&after[..end])?, end))) {
            Some((character, end)) => {
                text.push(character);
                rest = &after[end + 1..];
            }
            None => {
                text.push('&');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}
