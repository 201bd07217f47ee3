//! The time after which work on a document is abandoned.

use std::time::{Duration, Instant};

use firsthand::settings::Limits;

/// When to stop working on a document; long loops check it from time to time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// This long from now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// The deadline of a document that is started now: [`Limits::seconds`] from now.
    pub(crate) fn for_document(limits: &Limits) -> Self {
        Self::after(Duration::from_secs(limits.seconds))
    }

    /// Never.
    pub fn never() -> Self {
        Self(None)
    }

    /// Whether the deadline has passed.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
