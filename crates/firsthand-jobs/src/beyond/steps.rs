//! The steps of a run that goes beyond memory: how far each is, and what it cost.

use super::scratch::Scratch;
use crate::observer::{Notice, Observer, Phase};
use crate::process_memory::memory_now;
use std::io;
use std::time::Instant;

/// A step of a run. It ends when this is dropped, and the observer hears what it cost.
pub(crate) struct Step<'a> {
    observer: &'a dyn Observer,
    scratch: &'a Scratch,
    name: &'static str,
    started: Instant,
    written: u64,
}

impl<'a> Step<'a> {
    /// Begins a step.
    pub(crate) fn new(
        observer: &'a dyn Observer,
        scratch: &'a Scratch,
        name: &'static str,
    ) -> io::Result<Self> {
        observer.phase(Phase::Step(name));
        let written = scratch.bytes().0;
        let step = Self { observer, scratch, name, started: Instant::now(), written };
        step.share(0.0)?;
        Ok(step)
    }

    /// Says how far it is, from 0 to 1.
    ///
    /// # Errors
    ///
    /// If the job was cancelled.
    pub(crate) fn share(&self, share: f64) -> io::Result<()> {
        self.observer.matched(share);
        if self.observer.is_cancelled() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "cancelled"));
        }
        Ok(())
    }
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.observer.notice(Notice::StepDone {
            name: self.name,
            took: self.started.elapsed(),
            memory: memory_now(),
            written: self.scratch.bytes().0 - self.written,
            held: self.scratch.held(),
        });
    }
}
