//! Panics that are caught and become the error of one document.
//!
//! A decoder may panic on unexpected input. Such a panic is reported like any other damage, so
//! panic hooks can ask here which panics not to print.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

thread_local! {
    /// The number of guards around the current code of this thread.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// The number of those around a library that is known to panic.
    static EXPECTED: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic on this thread would be caught and reported as the error of a document, so that
/// a panic hook need not print it.
pub fn is_panic_reported() -> bool {
    INSIDE.get() > 0
}

/// Whether a panic on this thread would come from a library that is known to panic on damaged
/// input, so that a fuzzer need not stop.
pub fn is_panic_expected() -> bool {
    EXPECTED.get() > 0
}

/// Runs a library that is known to panic on damaged input.
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(crate) fn expected<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    EXPECTED.set(EXPECTED.get() + 1);
    let result = caught(work);
    EXPECTED.set(EXPECTED.get() - 1);
    result
}

/// Runs `work` and returns a panic as an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(INSIDE.get() - 1);
    result
}

/// The message of a panic.
pub(crate) fn words_of(cause: &(dyn Any + Send)) -> String {
    let said = cause.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| cause.downcast_ref::<&str>().copied());
    format!("internal error: {}", said.unwrap_or("no reason given"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_a_guard_and_after_it() {
        assert!(!is_panic_reported());
        let failed = caught(|| {
            assert!(caught(is_panic_reported).unwrap());
            assert!(is_panic_reported());
            panic!("damage");
        });
        assert!(failed.is_err_and(|cause| cause.downcast_ref::<&str>() == Some(&"damage")));
        assert!(!is_panic_reported());
        let failed = expected(|| assert!(!is_panic_expected(), "damage"));
        assert!(failed.is_err());
        assert!(!is_panic_expected() && !is_panic_reported());
    }
}
