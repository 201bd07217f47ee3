//! What the words alone do not show: capitals, and links in plain text.

use crate::hashed::BuildHashed;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// What is seen of a text before it is made into words.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    /// How often each word is written with a capital.
    capitals: HashMap<u64, u32, BuildHashed>,
    /// For each line, percent of its stretches that are addresses.
    pub(crate) links: Vec<u8>,
    /// For each line, whether it is quoted.
    pub(crate) quoted: Vec<bool>,
    spare: String,
}

impl Surface {
    /// Looks at another text in place of this one; the memory is used again.
    pub(crate) fn read(&mut self, text: &str) {
        self.capitals.clear();
        self.links.clear();
        self.quoted.clear();
        for line in text.split('\n') {
            let (mut all, mut links) = (0usize, 0usize);
            for stretch in line.split_ascii_whitespace() {
                all += 1;
                if is_address(stretch) {
                    links += 1;
                } else {
                    self.look(stretch);
                }
            }
            self.quoted.push(is_quoted(line));
            self.links.push((links * 100 / all.max(1)) as u8);
        }
    }

    /// Counts the words of a stretch that begin with a capital.
    fn look(&mut self, stretch: &str) {
        if !stretch.bytes().any(|byte| byte.is_ascii_uppercase() || byte >= 0x80) {
            return;
        }
        for word in stretch.split(|c: char| !c.is_alphanumeric() && c != '\'') {
            if !word.starts_with(char::is_uppercase) {
                continue;
            }
            self.spare.clear();
            self.spare.extend(word.trim_end_matches('\'').chars().flat_map(char::to_lowercase));
            *self.capitals.entry(xxh3_64(self.spare.as_bytes())).or_default() += 1;
        }
    }

    /// How often a word is written with a capital.
    pub(crate) fn capitals(&self, word: u64) -> u32 {
        self.capitals.get(&word).copied().unwrap_or(0)
    }
}

/// Whether a line begins with a mark of quotation, perhaps behind the initials of who is quoted.
fn is_quoted(line: &str) -> bool {
    let line = line.trim_start();
    let mark = line.find(['>', '|']).filter(|&at| at <= 3);
    mark.is_some_and(|at| line.as_bytes()[..at].iter().all(u8::is_ascii_uppercase))
}

/// Whether a stretch of text is an address of a page or a mailbox.
fn is_address(stretch: &str) -> bool {
    let starts = |prefix: &str| {
        stretch.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    stretch.contains("://") || starts("www.") || starts("mailto:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_and_links_are_seen() {
        let mut surface = Surface::default();
        surface.read("The Ferry (the FERRY's) sails\n\nsee http://a.example/B and www.b.example");
        let capitals = |word: &str| surface.capitals(xxh3_64(word.as_bytes()));
        assert_eq!((capitals("the"), capitals("ferry"), capitals("ferry's")), (1, 1, 1));
        assert_eq!((capitals("sails"), capitals("b")), (0, 0));
        assert_eq!(surface.links, [0, 0, 50]);
        surface.read("Éclair");
        assert_eq!(surface.capitals(xxh3_64("éclair".as_bytes())), 1);
        assert_eq!(surface.capitals(xxh3_64(b"the")), 0);
    }
}
