//! What a writer says that is never killed.

use anyhow::Result;
use firsthand::Detector;
use firsthand::online::{Arrival, Memory, Online};
use serde_json::Value;

use super::{config, documents::document};

/// Judges the same documents in memory, as far as they are asked for.
pub(super) struct Reference {
    seed: u64,
    detector: Detector,
    online: Online<Memory>,
    answers: Vec<Value>,
}

impl Reference {
    pub(super) fn new(seed: u64) -> Result<Self> {
        let detector = Detector::new(config()?)?;
        let online = Online::new(detector.clone(), Memory::new());
        Ok(Self { seed, detector, online, answers: Vec::new() })
    }

    /// Whether an answer says the same, apart from whether the document was there before.
    pub(super) fn agrees(&mut self, index: u64, answer: &Value) -> Result<bool> {
        while self.answers.len() as u64 <= index {
            let next = document(self.seed, self.answers.len() as u64);
            let arrival = self.detector.sign(&next, 0);
            for answer in self.online.add(std::slice::from_ref(&arrival))? {
                // Read back like those of the writer: figures may change by a bit on the way.
                self.answers.push(serde_json::from_str(&serde_json::to_string(&answer)?)?);
            }
        }
        let mut answer = answer.clone();
        answer["repeated"] = false.into();
        Ok(answer == self.answers[index as usize])
    }
}
