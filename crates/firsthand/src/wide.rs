//! Loops over many numbers, in the widest vectors that the processor has.
//!
//! A program for any processor of a kind uses the vectors of the oldest. What runs in here is
//! compiled for newer ones as well, and the right one is taken at run time. Integers only: the
//! result is the same whichever it is.

/// Runs the work; what it calls takes part only if it is inlined.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
