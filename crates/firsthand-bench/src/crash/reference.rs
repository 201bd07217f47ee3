//! The answers of a writer that is never killed.

use anyhow::Result;
use firsthand::online::{Memory, Online, StreamDetector};
use serde_json::Value;

use super::{config, documents::document};

/// Judges the same documents in memory, on demand.
pub(super) struct Reference {
    seed: u64,
    detector: StreamDetector,
    online: Online<Memory>,
    answers: Vec<Value>,
}

impl Reference {
    pub(super) fn new(seed: u64) -> Result<Self> {
        let detector = StreamDetector::new(config()?)?;
        let online = Online::new(detector.clone(), Memory::new());
        Ok(Self { seed, detector, online, answers: Vec::new() })
    }

    /// Whether an answer agrees, apart from whether the document was already stored.
    pub(super) fn agrees(&mut self, index: u64, answer: &Value) -> Result<bool> {
        while self.answers.len() as u64 <= index {
            let next = document(self.seed, self.answers.len() as u64);
            let arrival = self.detector.sign(&next, i64::MAX);
            for answer in self.online.add(std::slice::from_ref(&arrival))? {
                // Read back like the writer's: floats may change by a bit on the way.
                self.answers.push(serde_json::from_str(&serde_json::to_string(&answer)?)?);
            }
        }
        let mut answer = answer.clone();
        answer["repeated"] = false.into();
        Ok(answer == self.answers[index as usize])
    }
}
