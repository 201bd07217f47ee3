//! What the words alone do not show: links in plain text, and lines that are quoted.

use crate::document::Document;

/// What is seen of the lines of a text before it is made into words.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    /// For each line, percent of its stretches that are addresses.
    pub(crate) links: Vec<u8>,
    /// For each line, whether it is quoted.
    pub(crate) quoted: Vec<bool>,
}

/// What is known of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) quoted: bool,
    pub(crate) aside: bool,
}

impl Surface {
    /// What is known of a line of a document, by its number.
    pub(crate) fn line(&self, number: u32, document: &Document) -> Line {
        let known = |flags: &[bool]| flags.get(number as usize).copied().unwrap_or(false);
        Line { quoted: known(&self.quoted), aside: known(&document.aside) }
    }

    /// Looks at another text in place of this one; the memory is used again.
    pub(crate) fn read(&mut self, text: &str) {
        self.links.clear();
        self.quoted.clear();
        // Most texts have no address at all.
        let linked = text.contains("://");
        for line in text.split('\n') {
            self.quoted.push(is_quoted(line));
            self.links.push(if linked && is_address(line) { links(line) } else { 0 });
        }
    }
}

/// Percent of the stretches of a line that are addresses.
fn links(line: &str) -> u8 {
    let (mut all, mut links) = (0usize, 0usize);
    for stretch in line.split_ascii_whitespace() {
        all += 1;
        links += usize::from(is_address(stretch));
    }
    (links * 100 / all.max(1)) as u8
}

/// Whether a stretch of text is or has the address of a page.
fn is_address(stretch: &str) -> bool {
    stretch.contains("://")
}

/// Whether a line begins with a mark of quotation, perhaps behind the initials of who is quoted.
fn is_quoted(line: &str) -> bool {
    let bytes = line.trim_ascii_start().as_bytes();
    let initials = bytes.iter().take(3).take_while(|byte| byte.is_ascii_uppercase()).count();
    matches!(bytes.get(initials), Some(b'>' | b'|'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_quotes_are_seen() {
        let mut surface = Surface::default();
        surface
            .read("The ferry\n\n > see http://a.example/B and https://b.example\nJS> no\nxy > z");
        assert_eq!(surface.links, [0, 0, 40, 0, 0]);
        assert_eq!(surface.quoted, [false, false, true, true, false]);
        surface.read("one: two");
        assert_eq!((surface.links, surface.quoted), (vec![0], vec![false]));
    }
}
