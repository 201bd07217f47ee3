//! Finds the start and end of the items of a feed.

use memchr::{memchr, memmem};

/// What is wrong with a feed or an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeedError {
    /// The next item begins before this one ends.
    Unclosed,
    /// The feed ends inside the item.
    CutOff,
    /// The feed lacks its end tag.
    NoEnd,
    /// It is not a feed.
    NoFeed,
    /// The item is not XML.
    IllFormed,
    /// The start tag of the item has no end, or is too long.
    LongTag,
}

impl FeedError {
    pub(crate) fn words(self) -> &'static str {
        match self {
            FeedError::Unclosed => "the item does not end before the next begins",
            FeedError::CutOff => "it is cut off in the middle of this item",
            FeedError::NoEnd => "it is cut off, or its last tag is missing",
            FeedError::NoFeed => "it has no <rss>, <rdf:RDF> or <feed>",
            FeedError::IllFormed => "the item is not well-formed XML",
            FeedError::LongTag => "the start tag of the item is longer than 64 KiB",
        }
    }
}

/// The items of a feed.
pub(crate) struct Items<'a> {
    text: &'a str,
    position: usize,
    /// The name of the outermost element.
    root: Option<&'a str>,
    /// Whether the outermost element ended.
    closed: bool,
    /// The start tag of the next item, if already read.
    waiting: Option<XmlTag<'a>>,
    /// The start of the first item.
    first: usize,
    cut_off: bool,
}

#[derive(Clone, Copy, Debug)]
struct XmlTag<'a> {
    name: &'a str,
    start: usize,
    end: usize,
    shape: TagShape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagShape {
    Open,
    Close,
    Empty,
    /// Its end is not within [`LONGEST_TAG`].
    TooLong,
}

impl<'a> Items<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut items = Self {
            text,
            position: 0,
            root: None,
            closed: false,
            waiting: None,
            first: text.len(),
            cut_off: false,
        };
        items.waiting = items.next_start();
        items.first = items.waiting.map_or(text.len(), |tag| tag.start);
        items
    }

    /// The text before the first item.
    pub(crate) fn before(&self) -> &'a str {
        &self.text[..self.first]
    }

    /// The next item, from its start tag to its end tag.
    pub(crate) fn next(&mut self) -> Option<Result<&'a str, FeedError>> {
        let start = self.waiting.take()?;
        if matches!(start.shape, TagShape::Empty | TagShape::TooLong) {
            self.waiting = self.next_start();
            return Some(match start.shape {
                TagShape::TooLong => Err(FeedError::LongTag),
                _ => Ok(&self.text[start.start..start.end]),
            });
        }
        while let Some(tag) = self.next_tag() {
            if tag.name == start.name && tag.shape == TagShape::Close {
                self.waiting = self.next_start();
                return Some(Ok(&self.text[start.start..tag.end]));
            }
            if tag.name == start.name && tag.shape == TagShape::Open {
                self.waiting = Some(tag);
                return Some(Err(FeedError::Unclosed));
            }
        }
        self.cut_off = true;
        Some(Err(FeedError::CutOff))
    }

    /// Whether the feed ended properly.
    pub(crate) fn end(&self) -> Result<(), FeedError> {
        match self.root {
            _ if self.cut_off || self.closed => Ok(()),
            Some(_) => Err(FeedError::NoEnd),
            None => Err(FeedError::NoFeed),
        }
    }

    fn next_start(&mut self) -> Option<XmlTag<'a>> {
        while let Some(tag) = self.next_tag() {
            let local = tag.name.rsplit(':').next().unwrap_or_default();
            match (self.root, tag.shape) {
                (None, TagShape::Open | TagShape::Empty) => {
                    if !["rss", "feed", "RDF"].contains(&local) {
                        return None;
                    }
                    self.root = Some(tag.name);
                    self.closed = tag.shape == TagShape::Empty;
                }
                (Some(root), TagShape::Close) if tag.name == root => self.closed = true,
                (Some(root), TagShape::Open | TagShape::Empty | TagShape::TooLong) => {
                    // Items have no prefix, or that of the feed.
                    let prefix = tag.name.strip_suffix(local).unwrap_or_default();
                    let is_own = prefix.is_empty() || root.starts_with(prefix);
                    if is_own && ["item", "entry"].contains(&local) {
                        return Some(tag);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The next tag outside of comments, CDATA and the like.
    fn next_tag(&mut self) -> Option<XmlTag<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.position + memchr(b'<', &bytes[self.position..])?;
            let rest = &bytes[start..];
            let after = |opening: usize, end: &str| {
                let at = memmem::find(rest.get(opening..)?, end.as_bytes())?;
                Some(start + opening + at + end.len())
            };
            let passed = if rest.starts_with(b"<![CDATA[") {
                after(9, "]]>")
            } else if rest.starts_with(b"<!--") {
                after(4, "-->")
            } else if rest.starts_with(b"<?") {
                after(2, "?>")
            } else if rest.starts_with(b"<!") {
                Some(declaration_end(bytes, start))
            } else if let Some(tag) = self.tag(start) {
                self.position = tag.end;
                return Some(tag);
            } else {
                Some(start + 1)
            };
            // An unclosed construct extends to the end of the text.
            self.position = passed.unwrap_or(bytes.len());
        }
    }

    fn tag(&self, start: usize) -> Option<XmlTag<'a>> {
        let bytes = self.text.as_bytes();
        let is_close = bytes.get(start + 1) == Some(&b'/');
        let from = start + 1 + usize::from(is_close);
        let is_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || b":-_.".contains(byte) || *byte >= 128;
        let length = bytes[from..].iter().take_while(|byte| is_name(byte)).count();
        let name = self.text.get(from..from + length).filter(|name| !name.is_empty())?;
        let end = match tag_end(bytes, from + length) {
            Ok(end) => end,
            Err(NoTagEnd::TooLong) if !is_close => {
                return Some(XmlTag { name, start, end: from + length, shape: TagShape::TooLong });
            }
            Err(_) => return None,
        };
        let shape = match bytes.get(end - 2) {
            _ if is_close => TagShape::Close,
            Some(b'/') => TagShape::Empty,
            _ => TagShape::Open,
        };
        Some(XmlTag { name, start, end, shape })
    }
}

/// The longest tag; in a longer one, a quote was left open.
const LONGEST_TAG: usize = 64 << 10;

/// Why a tag has no end.
enum NoTagEnd {
    /// Another tag or the end of the text comes first.
    Interrupted,
    TooLong,
}

/// The position after the `>` of a tag, ignoring those in quotes.
fn tag_end(bytes: &[u8], from: usize) -> Result<usize, NoTagEnd> {
    let mut quote = None;
    let until = bytes.len().min(from + LONGEST_TAG);
    for (at, byte) in bytes[from..until].iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Ok(from + at + 1),
            (None, b'<') => return Err(NoTagEnd::Interrupted),
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), close) if open == *close => quote = None,
            _ => {}
        }
    }
    Err(if until < bytes.len() { NoTagEnd::TooLong } else { NoTagEnd::Interrupted })
}

/// The position after a document type and its definitions.
fn declaration_end(bytes: &[u8], start: usize) -> usize {
    let end = memchr(b'>', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
    if memchr(b'[', &bytes[start..end]).is_none() {
        return end;
    }
    let inner = memmem::find(&bytes[start..], b"]>").map(|at| start + at + 2);
    inner.unwrap_or(bytes.len())
}
