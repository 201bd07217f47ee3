//! A request to stop, which any thread can make and every job checks.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Wake = Box<dyn Fn() + Send>;

/// A request to stop that is shared by all its clones.
///
/// ```
/// let cancel = firsthand_jobs::Cancel::default();
/// let elsewhere = cancel.clone();
/// assert!(!cancel.is_cancelled());
/// elsewhere.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    /// What wakes the threads that wait for something else.
    wakes: Mutex<Vec<Wake>>,
}

impl Cancel {
    /// Asks all jobs that hold this token to stop, and wakes those that wait. A second call does
    /// nothing.
    pub fn cancel(&self) {
        if !self.0.cancelled.swap(true, Ordering::SeqCst) {
            let wakes = std::mem::take(&mut *self.wakes());
            wakes.iter().for_each(|wake| wake());
        }
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Calls `wake` when somebody asks to stop; at once if that has happened.
    pub fn on_cancel(&self, wake: impl Fn() + Send + 'static) {
        let mut wakes = self.wakes();
        if self.is_cancelled() {
            drop(wakes);
            wake();
        } else {
            wakes.push(Box::new(wake));
        }
    }

    /// Whether a job waits to be told: it will stop in order. Other jobs only look now and then.
    pub fn is_awaited(&self) -> bool {
        !self.wakes().is_empty()
    }

    fn wakes(&self) -> std::sync::MutexGuard<'_, Vec<Wake>> {
        self.0.wakes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Cancel({})", self.is_cancelled())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn whoever_waits_is_woken_once() {
        let cancel = Cancel::default();
        let (sender, woken) = channel();
        let early = sender.clone();
        cancel.on_cancel(move || early.send("early").unwrap());
        assert!(cancel.is_awaited());
        cancel.cancel();
        cancel.cancel();
        cancel.on_cancel(move || sender.send("late").unwrap());
        assert_eq!(woken.try_iter().collect::<Vec<_>>(), ["early", "late"]);
    }
}
