//! Signals for commands that do not take a session yet.

use firsthand_jobs::Cancel;
use std::process::ExitCode;
use std::sync::LazyLock;

pub(crate) static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);

pub(crate) fn listen(listener: impl Fn() + Send + 'static) {
    CANCEL.on_cancel(listener);
}

pub(crate) fn is_asked() -> bool {
    CANCEL.is_cancelled()
}

pub(crate) fn exit_code() -> Option<ExitCode> {
    is_asked().then(|| ExitCode::from(130))
}
