//! The documents as lists of word numbers, equal exactly when the lower-cased words are equal.

use std::collections::HashMap;
use std::io::BufRead;
use std::ops::Range;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The fields read from a line.
#[derive(Deserialize)]
struct TextLine {
    id: String,
    text: String,
}

/// All documents of a file, in its order.
#[derive(Default)]
pub(crate) struct NumberedDocuments {
    ids: Vec<String>,
    /// Where each document's words end.
    ends: Vec<usize>,
    words: Vec<u32>,
    /// Words are numbered from 1: 0 means "no word" in a packed shingle.
    numbers: HashMap<String, u32>,
}

impl NumberedDocuments {
    /// Reads JSON lines with `id` and `text`.
    pub(crate) fn read(mut input: impl BufRead) -> Result<Self> {
        let mut documents = Self::default();
        let mut buffer = String::new();
        for number in 1.. {
            buffer.clear();
            let context = || format!("line {number} is not a document");
            if input.read_line(&mut buffer).with_context(context)? == 0 {
                break;
            }
            if buffer.trim().is_empty() {
                continue;
            }
            let line: TextLine = serde_json::from_str(&buffer).with_context(context)?;
            documents.add(line.id, &line.text)?;
        }
        Ok(documents)
    }

    /// Adds a document at the end.
    pub(crate) fn add(&mut self, id: String, text: &str) -> Result<()> {
        for word in text.to_lowercase().split_whitespace() {
            let number = match self.numbers.get(word) {
                Some(&number) => number,
                None => {
                    let next = u32::try_from(self.numbers.len() + 1).context("too many words")?;
                    self.numbers.insert(word.to_owned(), next);
                    next
                }
            };
            self.words.push(number);
        }
        self.ids.push(id);
        self.ends.push(self.words.len());
        Ok(())
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The id of a document.
    pub(crate) fn id(&self, document: u32) -> &str {
        &self.ids[document as usize]
    }

    /// The highest word number.
    pub(crate) fn vocabulary(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// The number of words in all documents together.
    pub(crate) fn total_words(&self) -> usize {
        self.words.len()
    }

    /// The words of each document, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|document| &self.words[self.range(document)])
    }

    fn range(&self, document: usize) -> Range<usize> {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        start..self.ends[document]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_have_equal_numbers_whatever_their_case() {
        let mut documents = NumberedDocuments::default();
        documents.add("a".into(), " Red\tgreen red\n").expect("few words");
        documents.add("b".into(), "").expect("few words");
        documents.add("c".into(), "GREEN blue").expect("few words");
        let words: Vec<&[u32]> = documents.iter().collect();
        assert_eq!(words, [&[1, 2, 1][..], &[], &[2, 3]]);
        assert_eq!(documents.vocabulary(), 3);
    }

    #[test]
    fn a_bad_line_is_reported() {
        let jsonl = "{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\"}\n";
        let error = NumberedDocuments::read(jsonl.as_bytes()).err().expect("the text is missing");
        assert!(format!("{error:#}").contains("line 2"), "{error:#}");
    }
}
