//! What one run of the program shares: its temporary files, and the signal that asks it to stop.

#[cfg(unix)]
use crate::console::{CLEAR, tell};
use crate::exit_code::ExitCode;
#[cfg(unix)]
use crate::{visible::visible, words};
use firsthand_jobs::{Cancel, OutputError, TempFiles};
use std::ffi::OsString;
#[cfg(unix)]
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// One run of the program. SIGINT and SIGTERM cancel a job that waits to be told; otherwise they remove
/// temporary files and end the program as the signal would have. The second signal always ends it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) cancel: Cancel,
    pub(crate) temp_files: TempFiles,
    /// What starts the program once more.
    pub(crate) again: Vec<OsString>,
    /// The signal that cancelled the job; 0 if none did.
    signal: Arc<AtomicI32>,
    /// Whether results are on their way to standard output.
    prints: Arc<AtomicBool>,
}

impl Session {
    /// Starts to listen to signals.
    pub(crate) fn start(again: Vec<OsString>) -> Self {
        let session = Self { again, ..Self::default() };
        session.on_signals();
        session
    }

    /// The exit code of a program that a signal has ended, if one cancelled the job.
    pub(crate) fn exit_code(&self) -> Option<ExitCode> {
        let signal = u8::try_from(self.signal.load(Ordering::SeqCst)).ok();
        signal.filter(|signal| *signal > 0).map(|signal| ExitCode::from(128 + signal))
    }

    /// From here on, what was found is being printed.
    pub(crate) fn prints(&self) {
        self.prints.store(true, Ordering::SeqCst);
    }

    #[cfg(unix)]
    fn on_signals(&self) {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        let (cancel, temp_files) = (self.cancel.clone(), self.temp_files.clone());
        let (asked, prints) = (Arc::clone(&self.signal), Arc::clone(&self.prints));
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if cancel.is_awaited() {
                    asked.store(signal, Ordering::SeqCst);
                    cancel.cancel();
                } else {
                    temp_files.remove_all(|| {
                        // Held until the end, so that no line of progress follows.
                        let mut stderr = io::stderr().lock();
                        if signal == SIGINT && stderr.is_terminal() {
                            let partly = prints.load(Ordering::SeqCst);
                            let rest = if partly { "." } else { "; nothing was written." };
                            let _ = writeln!(stderr, "{CLEAR}Interrupted{rest}");
                        }
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    });
                }
            }
        });
    }

    /// Has a hang-up do something. Before, it ends the program, unless `nohup` has it ignored.
    #[cfg(unix)]
    pub(crate) fn on_hang_up(&self, act: impl Fn() -> Result<(), OutputError> + Send + 'static) {
        use signal_hook::{consts::SIGHUP, iterator::Signals};
        let Ok(mut signals) = Signals::new([SIGHUP]) else { return };
        let _ = std::thread::Builder::new().name("hang-ups".to_owned()).spawn(move || {
            for _ in signals.forever() {
                if let Err(error) = act() {
                    let error = words::shown(anyhow::Error::from(error).chain());
                    tell(&format!("firsthand: {}", visible(&error)));
                }
            }
        });
    }

    #[cfg(not(unix))]
    pub(crate) fn on_hang_up(&self, _: impl Fn() -> Result<(), OutputError> + Send + 'static) {}

    /// Elsewhere an interrupted run leaves files that start with `.firsthand-`.
    #[cfg(not(unix))]
    fn on_signals(&self) {}
}
