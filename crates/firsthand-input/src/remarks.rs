//! What is worth telling about a document that was read all the same.

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

impl Remarks {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.replaced == 0 && !self.bad_time && self.beyond.is_empty()
    }

    /// Each remark as a few words to count by, and as a sentence.
    pub fn notes(&self, limits: &Limits) -> Vec<(&'static str, String)> {
        let mut notes = Vec::new();
        if self.replaced > 0 {
            let sentence = match self.replaced {
                1 => "1 character could not be decoded and was replaced".to_owned(),
                many => format!("{many} characters could not be decoded and were replaced"),
            };
            notes.push(("replaced characters", sentence));
        }
        if self.bad_time {
            notes.push(("time not understood", "its time could not be understood".to_owned()));
        }
        for limit in &self.beyond {
            let (sentence, flag) =
                (limit.sentence(limits.get(*limit)), format!("--max-{}", limit.key()));
            notes.push((limit.label(), format!("{sentence}; {flag} sets the limit")));
        }
        notes
    }

    /// Notes that something went beyond a limit.
    pub(crate) fn beyond(&mut self, limit: Limit) {
        if !self.beyond.contains(&limit) {
            self.beyond.push(limit);
        }
    }
}
