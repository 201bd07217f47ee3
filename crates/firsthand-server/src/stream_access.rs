//! The store of a stream as a review asks it.

use crate::store::StoreSource;
use firsthand::Settings;
use firsthand_jobs::review::{StreamAccess, Task};
use std::sync::Arc;

/// The store of the service.
#[derive(Debug)]
pub(crate) struct ServedStream(pub(crate) Arc<StoreSource>);

impl StreamAccess for ServedStream {
    fn run(&self, task: Task) -> bool {
        self.0.judge.enqueue(task)
    }

    fn changes(&self) -> u64 {
        self.0.revisions().changes
    }

    fn settings(&self) -> &Settings {
        &self.0.settings
    }

    fn decided(&self) {
        self.0.note_decisions();
    }

    fn decisions(&self) -> u64 {
        self.0.revisions().decisions
    }
}
