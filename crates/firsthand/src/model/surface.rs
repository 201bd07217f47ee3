//! What the words alone do not show: links in plain text, and quoted lines.

use crate::tokenized::TokenizedDocument;
use memchr::{memchr, memmem};
use std::{iter::Peekable, sync::LazyLock};

/// What is known about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineSurface {
    /// The percentage of its words that are links.
    pub(super) links: u8,
    pub(super) quoted: bool,
    /// Whether the reader of the document marked it as quoted.
    pub(super) aside: bool,
}

/// The lines of a document before tokenisation, one after another.
pub(super) struct Surface<'a> {
    reading: &'a TokenizedDocument<'a>,
    /// The positions of the addresses not passed yet.
    addresses: Peekable<memmem::FindIter<'a, 'static>>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(reading: &'a TokenizedDocument<'a>) -> Self {
        static ADDRESS: LazyLock<memmem::Finder<'static>> =
            LazyLock::new(|| memmem::Finder::new("://"));
        // Links known from reading the document need not be searched for in its text.
        let text = if reading.document.links.is_empty() { reading.plain } else { "" };
        Self { reading, addresses: ADDRESS.find_iter(text.as_bytes()).peekable() }
    }

    /// What is known about the line of a block; blocks must be asked for in order.
    pub(super) fn line(&mut self, block: usize) -> LineSurface {
        let TokenizedDocument { document, plain, tokens, .. } = *self.reading;
        let (number, start) = tokens.block_lines()[block];
        let (number, start) = (number as usize, start as usize);
        let rest = &plain[start..];
        let mut links = document.links.get(number).copied().unwrap_or(0);
        let next = tokens.block_lines().get(block + 1).map_or(plain.len(), |line| line.1 as usize);
        while self.addresses.next_if(|&address| address < start).is_some() {}
        // Between this block and the next there may be lines without words.
        if self.addresses.peek().is_some_and(|&address| address < next) {
            links = links_of(&rest[..memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())]);
        }
        let aside = document.quoted_lines.get(number).copied().unwrap_or(false);
        LineSurface { links, quoted: is_quoted(rest), aside }
    }
}

/// The percentage of a line's stretches that are addresses.
fn links_of(line: &str) -> u8 {
    let (mut all, mut links) = (0usize, 0usize);
    for stretch in line.split_ascii_whitespace() {
        all += 1;
        links += usize::from(stretch.contains("://"));
    }
    (links * 100 / all.max(1)) as u8
}

/// Whether a line begins with a quotation mark, possibly after the initials of the person quoted.
fn is_quoted(line: &str) -> bool {
    let bytes = line.trim_ascii_start().as_bytes();
    let initials = bytes.iter().take(3).take_while(|byte| byte.is_ascii_uppercase()).count();
    matches!(bytes.get(initials), Some(b'>' | b'|'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::Document,
        tokens::{Folding, Tokens},
    };

    #[test]
    fn links_and_quotes_are_seen() {
        let seen = |text: &str| -> Vec<(u8, bool)> {
            let (document, tokens) = (Document::new("a", text), Tokens::new(text));
            let (folding, plain) = Folding::of(text, false);
            let reading =
                TokenizedDocument { document: &document, plain: &plain, folding, tokens: &tokens };
            let mut surface = Surface::new(&reading);
            let line = |block: usize| surface.line(block);
            (0..tokens.block_ends().len()).map(line).map(|line| (line.links, line.quoted)).collect()
        };
        let text = "The ferry\n\n > see http://a.example/B and https://b.example\nJS> no\nxy > z";
        assert_eq!(seen(text), [(0, false), (40, true), (0, true), (0, false)]);
        assert_eq!(seen("one: two"), [(0, false)]);
        assert_eq!(seen("  > one: two"), [(0, true)]);
    }
}
