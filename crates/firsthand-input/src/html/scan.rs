//! Scans a page in one pass for text, start tags and end tags.
//!
//! This is the tokenizer of the HTML standard, reduced to what text needs. Searches that failed up
//! to the end of the page are remembered, so that a million unclosed constructs take linear time.

use memchr::{memchr, memchr2, memmem};

use super::attributes::{self, Attributes};
use super::tags::Tag;
use super::xhtml::{Dialect, dialect};
use firsthand::settings::Limits;

const CDATA: &str = "<![CDATA[";

/// A token of a page.
#[derive(Debug)]
pub(super) enum Token<'a> {
    /// Characters outside tags, entities not yet decoded.
    Text(&'a str),
    /// A start tag; [`TagScanner::attributes`] has its attributes until the next token is read.
    Open(Tag),
    /// An end tag.
    Close(Tag),
    /// Characters without entities.
    Verbatim(&'a str),
    /// The whole raw content of an element such as `title` or `script`.
    Raw(Tag, &'a str),
}

/// The reading position in a page.
pub(super) struct TagScanner<'a> {
    page: &'a str,
    at: usize,
    max_attributes: u64,
    dialect: Dialect,
    pending: Option<Pending>,
    /// Those of the last tag. They stay here, because they are large and tags are many.
    attributes: Attributes<'a>,
    /// Raw elements that have no further end tag in the page.
    unclosed: u64,
}

/// The token due after a start tag.
enum Pending {
    /// The content of a raw element.
    Raw(Tag),
    /// The end of an element closed in its start tag.
    Close(Tag),
}

impl<'a> TagScanner<'a> {
    pub(super) fn new(page: &'a str, limits: &Limits) -> Self {
        let max_attributes = limits.html_attributes;
        Self {
            page,
            at: 0,
            max_attributes,
            dialect: dialect(page),
            pending: None,
            attributes: Attributes::default(),
            unclosed: 0,
        }
    }

    /// The relevant attributes of the last tag.
    pub(super) fn attributes(&self) -> &Attributes<'a> {
        &self.attributes
    }

    /// Skips a comment that starts at the current position, or the rest if it is unclosed.
    fn skip_comment(&mut self) {
        let bytes = self.page.as_bytes();
        let start = self.at + 4;
        let rest = bytes.get(start..).unwrap_or_default();
        if rest.starts_with(b">") {
            self.at = start + 1;
            return;
        }
        if rest.starts_with(b"->") {
            self.at = start + 2;
            return;
        }
        let mut from = start;
        while let Some(i) = memchr(b'>', &bytes[from..]) {
            let end = from + i;
            let body = &bytes[start..end];
            from = end + 1;
            if body.ends_with(b"--") || body.ends_with(b"--!") {
                self.at = from;
                return;
            }
        }
        self.at = bytes.len();
    }

    /// The content of a CDATA section that starts at the current position.
    fn character_data(&mut self) -> &'a str {
        let content = &self.page[self.at + CDATA.len()..];
        match memmem::find(content.as_bytes(), b"]]>") {
            Some(end) => {
                self.at += CDATA.len() + end + 3;
                &content[..end]
            }
            None => {
                self.at = self.page.len();
                content
            }
        }
    }

    /// Skips `<!doctype ...>`, `<?...>` and other markup that ends at the next `>`.
    fn skip_declaration(&mut self) {
        let bytes = self.page.as_bytes();
        self.at = memchr(b'>', &bytes[self.at..]).map_or(bytes.len(), |i| self.at + i + 1);
    }

    /// Reads a start or end tag; `None` if the page ends inside it.
    fn tag(&mut self) -> Option<Token<'a>> {
        let bytes = self.page.as_bytes();
        let closing = bytes[self.at + 1] == b'/';
        let start = self.at + 1 + usize::from(closing);
        let name_end = bytes[start..]
            .iter()
            .position(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'/' | b'>'))
            .map_or(bytes.len(), |i| start + i);
        let tag = Tag::from_name(&bytes[start..name_end]);
        let (attributes, max) = (&mut self.attributes, self.max_attributes);
        let end = attributes::read(self.page, name_end, max, attributes);
        self.at = end.unwrap_or(bytes.len());
        end?;
        if closing {
            return Some(Token::Close(tag));
        }
        self.pending = match self.dialect {
            Dialect::Xml if attributes.closed && tag != Tag::Br => Some(Pending::Close(tag)),
            Dialect::Xhtml if attributes.closed => None,
            _ => tag.is_raw().then_some(Pending::Raw(tag)),
        };
        Some(Token::Open(tag))
    }

    /// The raw content that follows a start tag such as `<script>`, up to its end tag.
    fn raw(&mut self, tag: Tag) -> &'a str {
        let start = self.at;
        let bit = 1u64 << (tag as u32 % 64);
        let end = if self.unclosed & bit == 0 { find_raw_end(self.page, start, tag) } else { None };
        match end {
            Some((end, after)) => {
                self.at = after;
                &self.page[start..end]
            }
            // An unclosed title would hide the page, so it ends at the next tag.
            None if tag == Tag::Title => {
                self.unclosed |= bit;
                let rest = &self.page.as_bytes()[start..];
                self.at = memchr(b'<', rest).map_or(self.page.len(), |i| start + i);
                &self.page[start..self.at]
            }
            None => {
                self.at = self.page.len();
                &self.page[start..]
            }
        }
    }
}

/// The end of the content of a raw element, and of its end tag.
fn find_raw_end(page: &str, start: usize, tag: Tag) -> Option<(usize, usize)> {
    let bytes = page.as_bytes();
    let name = tag.name().as_bytes();
    let ends_name = |at: usize| {
        matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'/' | b'>'))
    };
    let named = |at: usize| {
        bytes.get(at..at + name.len()).is_some_and(|b| b.eq_ignore_ascii_case(name))
            && ends_name(at + name.len())
    };
    // A script inside a comment inside a script does not end the outer one.
    let (mut comment, mut inner) = (false, false);
    let mut at = start;
    while let Some(i) = memchr2(b'<', b'-', &bytes[at..]) {
        at += i;
        let rest = &bytes[at..];
        if rest.starts_with(b"-->") {
            (comment, inner) = (false, false);
        } else if tag == Tag::Script && rest.starts_with(b"<!--") {
            comment = true;
        } else if comment && rest[0] == b'<' && named(at + 1) {
            inner = true;
        } else if rest.starts_with(b"</") && named(at + 2) {
            if !inner {
                let after = at + 2 + name.len();
                let end = memchr(b'>', &bytes[after..]).map_or(bytes.len(), |i| after + i + 1);
                return Some((at, end));
            }
            inner = false;
        }
        at += 1;
    }
    None
}

impl<'a> Iterator for TagScanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        match self.pending.take() {
            Some(Pending::Raw(tag @ (Tag::Xmp | Tag::Plaintext))) => {
                return Some(Token::Verbatim(self.raw(tag)));
            }
            Some(Pending::Raw(tag)) => return Some(Token::Raw(tag, self.raw(tag))),
            Some(Pending::Close(tag)) => return Some(Token::Close(tag)),
            None => {}
        }
        let bytes = self.page.as_bytes();
        let start = self.at;
        // The end of the text that starts here.
        let mut search = start;
        loop {
            let Some(i) = memchr(b'<', &bytes[search..]) else {
                self.at = bytes.len();
                return (start < bytes.len()).then(|| Token::Text(&self.page[start..]));
            };
            let at = search + i;
            let markup = match bytes.get(at + 1) {
                Some(b'!' | b'?') => true,
                Some(b'/') => bytes.get(at + 2).is_some_and(|b| *b != b'<'),
                Some(b) => b.is_ascii_alphabetic(),
                None => false,
            };
            if !markup {
                search = at + 1;
                continue;
            }
            if at > start {
                self.at = at;
                return Some(Token::Text(&self.page[start..at]));
            }
            break;
        }
        let rest = &bytes[self.at..];
        if rest.starts_with(b"<!--") {
            self.skip_comment();
            return self.next_after_markup();
        }
        if self.dialect == Dialect::Xml && rest.starts_with(CDATA.as_bytes()) {
            return Some(Token::Verbatim(self.character_data()));
        }
        let tag_like = rest[1].is_ascii_alphabetic()
            || (rest[1] == b'/' && rest.get(2).is_some_and(u8::is_ascii_alphabetic));
        if !tag_like {
            self.skip_declaration();
            return self.next_after_markup();
        }
        self.tag()
    }
}

impl<'a> TagScanner<'a> {
    /// Continues after skipped markup with an empty text, so that runs of comments need no recursion.
    fn next_after_markup(&self) -> Option<Token<'a>> {
        Some(Token::Text(&self.page[self.at..self.at]))
    }
}
