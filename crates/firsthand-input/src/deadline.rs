//! A point in time after which work on a document is given up.

use std::time::{Duration, Instant};

use firsthand::settings::Limits;

/// When to stop; loops over a document ask from time to time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// This long from now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// For a document that is begun now: [`Limits::seconds`] from now.
    pub(crate) fn for_document(limits: &Limits) -> Self {
        Self::after(Duration::from_secs(limits.seconds))
    }

    /// Never.
    pub fn never() -> Self {
        Self(None)
    }

    /// Whether it is time to give up.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
