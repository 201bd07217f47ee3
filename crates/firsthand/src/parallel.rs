//! Parallel work outside the rayon pool.
//!
//! While a stream judges a round, the pool is busy signing the next documents, and a thread that waits
//! in it would be given that work first. So a round uses scoped threads, at most as many as the pool has.

use std::thread::scope;

/// Fewer items are left to the caller: starting threads would take longer.
const FEW: usize = 64;
/// The most threads that share the work.
const MOST_THREADS: usize = 4;

/// The results for all items, in order. Many items are shared among threads: at most four, and no more
/// than the current rayon pool has.
pub fn parallel_map<T: Sync, R: Send>(items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = rayon::current_num_threads().min(MOST_THREADS);
    if items.len() < FEW || threads == 1 {
        return items.iter().map(of).collect();
    }
    let mut parts = items.chunks(items.len().div_ceil(threads));
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
