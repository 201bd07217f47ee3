//! Panics that are caught and become the failure of one document.
//!
//! A decoder may panic on what it does not expect. Such a panic is reported like any other damage,
//! so a program that prints panics can ask here which of them to leave out.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

thread_local! {
    /// How many guards the current thread is inside of.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// How many of them are around a library that is known to panic.
    static EXPECTED: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic on this thread would be caught and reported as the failure of a document: what a
/// panic hook may keep quiet about.
pub fn is_panic_reported() -> bool {
    INSIDE.get() > 0
}

/// Whether a panic on this thread would be that of a library which is known to panic on damage: no
/// mistake of ours, and nothing for a fuzzer to stop at.
pub fn is_panic_expected() -> bool {
    EXPECTED.get() > 0
}

/// Runs a library that is known to panic on damage.
pub(crate) fn expected<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    EXPECTED.set(EXPECTED.get() + 1);
    let result = caught(work);
    EXPECTED.set(EXPECTED.get() - 1);
    result
}

/// Runs the work; a panic of it is an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(INSIDE.get() - 1);
    result
}

/// What a panic said.
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
