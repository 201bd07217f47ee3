//! What is worth telling about a document that was read all the same.

use crate::exceeded::Exceeded;
use crate::html::Block;
use firsthand::settings::{Limit, Limits};

/// Oddities of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// How many characters could not be decoded and stand as U+FFFD.
    pub replaced: u64,
    /// The text gives a time that could not be read as one.
    pub bad_time: bool,
    /// Limits that something went beyond; the rest was read.
    pub beyond: Vec<Limit>,
    /// What became of every block, if [`ReadOptions::blocks`](crate::ReadOptions::blocks) asks for it.
    pub blocks: Vec<Block>,
}

/// One remark in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A few words without particulars, to count by.
    pub label: &'static str,
    /// A sentence.
    pub sentence: String,
    /// The limit that was exceeded, if that is what the note is about.
    pub limit: Option<Limit>,
}

impl Remarks {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.replaced == 0 && !self.bad_time && self.beyond.is_empty()
    }

    /// Each remark in words; `limits` are those that were read with.
    pub fn notes(&self, limits: &Limits) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.replaced > 0 {
            let sentence = match self.replaced {
                1 => "1 character could not be decoded and was replaced".to_owned(),
                many => format!("{many} characters could not be decoded and were replaced"),
            };
            notes.push(Note { label: "replaced characters", sentence, limit: None });
        }
        if self.bad_time {
            let sentence = "its time could not be understood".to_owned();
            notes.push(Note { label: "time not understood", sentence, limit: None });
        }
        notes.extend(self.beyond.iter().map(|&limit| Note {
            label: limit.label(),
            sentence: Exceeded::new(limit, limits).to_string(),
            limit: Some(limit),
        }));
        notes
    }

    /// Notes that something went beyond a limit.
    pub(crate) fn beyond(&mut self, limit: Limit) {
        if !self.beyond.contains(&limit) {
            self.beyond.push(limit);
        }
    }
}
