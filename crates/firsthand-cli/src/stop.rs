//! A signal as a request: commands that run for long end what they are at, say it, and go.

use std::process::ExitCode;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

type Listener = Box<dyn Fn() + Send>;

/// What to do on the first signal; nothing, for commands that are ended as they are.
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

/// The signal that came.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// From now on, the first signal calls this instead of ending the program; the second ends it.
pub(crate) fn listen(listener: impl Fn() + Send + 'static) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(listener));
}

/// Whether a signal was handed on as a request.
pub(crate) fn asked(signal: i32) -> bool {
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).take();
    match listener {
        Some(listener) => {
            SIGNAL.store(signal, Ordering::SeqCst);
            listener();
            true
        }
        None => false,
    }
}

/// Whether a signal has come.
pub(crate) fn is_asked() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// What a shell says of a program that a signal has ended, if one came.
pub(crate) fn exit_code() -> Option<ExitCode> {
    let signal = SIGNAL.load(Ordering::SeqCst);
    u8::try_from(signal)
        .ok()
        .filter(|signal| *signal > 0)
        .map(|signal| ExitCode::from(128 + signal))
}
