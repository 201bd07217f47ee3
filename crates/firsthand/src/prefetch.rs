//! Memory is asked for before it is needed, where the processor cannot foresee which comes next.

/// Steps of a loop after which what is asked for is there.
pub(crate) const AHEAD: usize = 16;
/// Lines of the cache that are asked for of many items: the processor foresees further ones.
const LINES: usize = 8;
/// The bytes of a line.
const LINE: usize = 64;

/// Asks for the first of some items.
#[inline]
pub(crate) fn prefetch_first<T>(items: &[T]) {
    let in_line = (LINE / size_of::<T>().max(1)).max(1);
    (0..items.len()).step_by(in_line).take(LINES).for_each(|at| prefetch(items, at));
}

/// Asks for the item at a place, which need not exist.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(sse) = pulp::core_arch::x86::Sse::try_new() {
        use std::arch::x86_64::_MM_HINT_T0;
        sse._mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast());
    }
    // Elsewhere it is only slower.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
