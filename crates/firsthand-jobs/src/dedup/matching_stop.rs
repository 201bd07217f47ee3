//! The end of the search for pairs after a time.

use crate::report::Stopped;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Ends the search for pairs in time.
pub(super) struct MatchingStop {
    started: Instant,
    after: Option<Duration>,
    /// The share that was done then, in millionths and plus one; 0 if it was not stopped.
    share: AtomicU32,
}

impl MatchingStop {
    pub(super) fn new(after: Option<Duration>) -> Self {
        Self { started: Instant::now(), after, share: AtomicU32::new(0) }
    }

    pub(super) fn go_on(&self, share: f64) -> bool {
        let go_on = self.after.is_none_or(|after| self.started.elapsed() < after);
        if !go_on {
            let share = (share * 1e6) as u32 + 1;
            let _ = self.share.compare_exchange(0, share, Ordering::Relaxed, Ordering::Relaxed);
        }
        go_on
    }

    pub(super) fn stopped(&self) -> Option<Stopped> {
        let share = self.share.load(Ordering::Relaxed).checked_sub(1)?;
        let share = f64::from(share) / 1e6;
        Some(Stopped { after_seconds: self.started.elapsed().as_secs_f64(), share })
    }
}
