//! Runs loops over many numbers in the widest vectors of the processor.
//!
//! A portable program uses the vectors of the oldest processor it supports. Work passed in here is
//! also compiled for newer ones, and the right version is chosen at run time. Integers only, so the
//! result does not depend on the choice.

/// Runs the work; functions it calls benefit only if they are inlined.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
