//! Builds the visible text: one line per block, white space collapsed, words counted.

use htmlize::unescape;

/// Text under construction.
#[derive(Debug, Default)]
pub(super) struct TextBuilder {
    buffer: String,
    /// The start of the current line.
    line: usize,
    /// Whether white space followed the last character.
    gap: bool,
    /// The words of the current line, and those inside links.
    pub(super) words: u32,
    link_words: u32,
    /// The words inside links of earlier lines.
    earlier_link_words: u32,
    /// Whether an odd number of unspaced (CJK) characters has been read.
    wide: bool,
}

impl TextBuilder {
    /// Adds characters that may include entities.
    pub(super) fn add(&mut self, raw: &str, link: bool) {
        self.add_plain(&unescape(raw), link);
    }

    /// Adds characters without entities.
    pub(super) fn add_plain(&mut self, part: &str, link: bool) {
        let bytes = part.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            // Fast path for printable ASCII.
            while at < bytes.len() && bytes[at].is_ascii_graphic() {
                at += 1;
            }
            if at > start {
                self.add_word(&part[start..at], link);
                continue;
            }
            if bytes[at] < 0x80 {
                // White space and control characters.
                self.gap = true;
                at += 1;
                continue;
            }
            let Some(character) = part[at..].chars().next() else { break };
            let length = character.len_utf8();
            match character {
                // Invisible: soft hyphen, zero-width space, byte-order mark, word joiner.
                '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{2060}' => {}
                _ if character.is_whitespace() || character.is_control() => self.gap = true,
                _ => {
                    self.add_word(&part[at..at + length], link);
                    // Chinese and Japanese have no spaces: count two characters as one word.
                    if matches!(character, '\u{3040}'..='\u{9fff}' | '\u{f900}'..='\u{faff}') {
                        self.wide = !self.wide;
                        self.words += u32::from(self.wide);
                        self.link_words += u32::from(self.wide && link);
                    }
                }
            }
            at += length;
        }
    }

    /// Adds characters without white space.
    fn add_word(&mut self, word: &str, link: bool) {
        let fresh = self.buffer.len() == self.line;
        if fresh || self.gap {
            if !fresh {
                self.buffer.push(' ');
            }
            self.gap = false;
            self.words += 1;
            self.link_words += u32::from(link);
        }
        self.buffer.push_str(word);
    }

    /// The words inside links so far.
    pub(super) fn all_link_words(&self) -> u32 {
        self.earlier_link_words + self.link_words
    }

    /// Records white space.
    pub(super) fn space(&mut self) {
        self.gap = true;
    }

    /// Drops a line without words.
    pub(super) fn drop_line(&mut self) {
        self.buffer.truncate(self.line);
        self.gap = false;
    }

    /// Ends the line and returns its range, its words and its words in links.
    pub(super) fn end_line(&mut self) -> (usize, usize, u32, u32) {
        let done = (self.line, self.buffer.len(), self.words, self.link_words);
        self.buffer.push('\n');
        self.line = self.buffer.len();
        self.gap = false;
        self.words = 0;
        self.earlier_link_words += self.link_words;
        self.link_words = 0;
        done
    }

    /// All lines.
    pub(super) fn finish(self) -> String {
        self.buffer
    }
}
