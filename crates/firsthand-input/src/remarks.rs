//! Remarks on a document that was read despite irregularities.

use crate::exceeded::Exceeded;
use crate::found_fields::FoundFields;
use crate::html::Block;
use firsthand::settings::{Limit, Limits};

/// Irregularities of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// The number of characters that could not be decoded and became U+FFFD.
    pub replaced: u64,
    /// The document gives a time that could not be parsed.
    pub bad_time: bool,
    /// The text may not be what the page is about: more running text was left out of it.
    pub doubtful: bool,
    /// Limits that were exceeded; the rest was read.
    pub beyond: Vec<Limit>,
    /// All blocks, kept or not, if [`ReadOptions::blocks`](crate::ReadOptions::blocks) is set.
    pub blocks: Vec<Block>,
    /// The fields that its record has.
    pub fields: FoundFields,
}

/// One remark as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A short label without details, for counting.
    pub label: &'static str,
    /// The remark in full.
    pub sentence: String,
    /// The limit that was exceeded, if any.
    pub limit: Option<Limit>,
}

impl Remarks {
    /// Whether there are no remarks.
    pub fn is_empty(&self) -> bool {
        self.replaced == 0 && !self.bad_time && !self.doubtful && self.beyond.is_empty()
    }

    /// Each remark as a sentence; `limits` are those used for reading.
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
        if self.doubtful {
            let sentence = "its main text is doubtful: more running text was left out".to_owned();
            notes.push(Note { label: "doubtful main text", sentence, limit: None });
        }
        notes.extend(self.beyond.iter().map(|&limit| Note {
            label: limit.label(),
            sentence: Exceeded::new(limit, limits).to_string(),
            limit: Some(limit),
        }));
        notes
    }

    /// Records that a limit was exceeded.
    pub(crate) fn beyond(&mut self, limit: Limit) {
        if !self.beyond.contains(&limit) {
            self.beyond.push(limit);
        }
    }
}
