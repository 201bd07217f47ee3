//! Work on many items at once, in threads of its own: the pool that signs documents is busy with the
//! next ones, and who waits there is given that work to do first.

use std::{
    sync::LazyLock,
    thread::{available_parallelism, scope},
};

/// Fewer are done where they are: to hand them over would take longer.
const FEW: usize = 64;
/// Threads that share the work.
static PARTS: LazyLock<usize> =
    LazyLock::new(|| available_parallelism().map_or(1, |count| count.get().min(4)));

/// The result for each item; many are shared out among the processors.
pub fn parallel_map<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < FEW || *PARTS == 1 {
        return items.iter().map(of).collect();
    }
    let mut parts = items.chunks(items.len().div_ceil(*PARTS));
    let first = parts.next().unwrap_or_default();
    scope(|scope| {
        let of = &of;
        let others: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(of).collect())).collect();
        let mut results: Vec<R> = first.iter().map(of).collect();
        for other in others {
            let part: Vec<R> =
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            results.extend(part);
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(parallel_map(&items, |item| item * 2), expected);
        }
    }
}
