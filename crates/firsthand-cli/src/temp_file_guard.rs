//! Temporary files do not outlive the program, not even when a signal ends it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What has to go if a signal comes.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A promise that a file is removed if the program is interrupted while this lives.
#[derive(Debug)]
pub(crate) struct TempFileGuard(PathBuf);

impl TempFileGuard {
    /// Watches over something that may be there one day; an empty folder will do.
    pub(crate) fn new(path: &Path) -> Self {
        watch(&mut lock(), path)
    }

    /// Makes a file and watches over it. No signal comes between the two.
    pub(crate) fn make<T>(
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        let mut pending = lock();
        let made = make()?;
        let temp_file_guard = watch(&mut pending, path(&made));
        Ok((made, temp_file_guard))
    }
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(pending: &mut Vec<PathBuf>, path: &Path) -> TempFileGuard {
    pending.push(path.to_path_buf());
    TempFileGuard(path.to_path_buf())
}

impl Drop for TempFileGuard {
    fn drop(&mut self) {
        lock().retain(|path| *path != self.0);
    }
}

/// On SIGINT and SIGTERM: stop in order where that is possible, otherwise remove temporary files and
/// end as the signal would have.
#[cfg(unix)]
pub(crate) fn on_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    // A hang-up is left alone: `nohup` has it ignored, and that should stay so.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if crate::stop::asked(signal) {
                continue;
            }
            // Held to the end, so that nothing new is made. A folder comes before its files.
            let pending = lock();
            for path in pending.iter().rev() {
                let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

/// Elsewhere an interrupted run leaves files that start with `.firsthand-`.
#[cfg(not(unix))]
pub(crate) fn on_signals() {}
