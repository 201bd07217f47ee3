//! What one run of the program shares: its temporary files, and the signal that asks it to stop.

use firsthand_jobs::{Cancel, TempFiles};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// One run of the program. SIGINT and SIGTERM cancel a job that waits to be told; otherwise they remove
/// temporary files and end the program as the signal would have. The second signal always ends it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) cancel: Cancel,
    pub(crate) temp_files: TempFiles,
    /// The signal that cancelled the job; 0 if none did.
    signal: Arc<AtomicI32>,
}

impl Session {
    /// Starts to listen to signals.
    pub(crate) fn start() -> Self {
        let session = Self::default();
        session.on_signals();
        session
    }

    /// The exit code of a program that a signal has ended, if one cancelled the job.
    pub(crate) fn exit_code(&self) -> Option<ExitCode> {
        let signal = u8::try_from(self.signal.load(Ordering::SeqCst)).ok();
        signal.filter(|signal| *signal > 0).map(|signal| ExitCode::from(128 + signal))
    }

    #[cfg(unix)]
    fn on_signals(&self) {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        let (cancel, temp_files) = (self.cancel.clone(), self.temp_files.clone());
        let asked = Arc::clone(&self.signal);
        // A hang-up is left alone: `nohup` has it ignored, and that should stay so.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if cancel.is_awaited() {
                    asked.store(signal, Ordering::SeqCst);
                    cancel.cancel();
                } else {
                    temp_files.remove_all(|| {
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    });
                }
            }
        });
    }

    /// Elsewhere an interrupted run leaves files that start with `.firsthand-`.
    #[cfg(not(unix))]
    fn on_signals(&self) {}
}
