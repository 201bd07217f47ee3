//! A queue between two threads, bounded by the total weight of its items.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue that one thread fills and another empties.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// `push` waits while the items would weigh more than this.
    max_weight: usize,
}

#[derive(Debug)]
struct State<T> {
    items: VecDeque<(T, usize)>,
    weight: usize,
    /// The filling thread has ended.
    ended: bool,
    /// The taking thread wants no more.
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(max_weight: usize) -> Self {
        let state = State { items: VecDeque::new(), weight: 0, ended: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), max_weight }
    }

    /// Adds an item as soon as there is room; false if the queue is closed.
    pub(crate) fn push(&self, item: T, weight: usize) -> bool {
        let mut state = self.lock();
        // An empty queue takes an item of any weight.
        while !state.closed && !state.items.is_empty() && state.weight + weight > self.max_weight {
            state = self.wait(state);
        }
        if !state.closed {
            state.weight += weight;
            state.items.push_back((item, weight));
            self.changed.notify_all();
        }
        !state.closed
    }

    /// Ends the queue: no more items will come.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Closes the queue: no more items are wanted, and those in it are dropped.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.items.clear();
        state.weight = 0;
        self.changed.notify_all();
    }

    /// Waits for an item, then takes all that are ready: at most `max_items` and, unless it is a
    /// single item, at most `max_weight`. None once the queue has ended or is closed.
    pub(crate) fn take(&self, max_items: usize, max_weight: usize) -> Option<Vec<T>> {
        let mut state = self.lock();
        while state.items.is_empty() {
            if state.ended || state.closed {
                return None;
            }
            state = self.wait(state);
        }
        let (mut taken, mut sum) = (Vec::new(), 0);
        while let Some((_, next)) = state.items.front() {
            if !taken.is_empty() && (taken.len() >= max_items || sum + next > max_weight) {
                break;
            }
            sum += next;
            taken.extend(state.items.pop_front().map(|(item, _)| item));
        }
        state.weight -= sum;
        self.changed.notify_all();
        Some(taken)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a queue when the thread that fills it ends, even by a panic.
pub(crate) struct EndOnDrop<'a, T>(pub(crate) &'a Queue<T>);

impl<T> Drop for EndOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn items_come_out_in_order_and_within_the_bounds() {
        let queue = Arc::new(Queue::new(10));
        let filler = Arc::clone(&queue);
        let thread = std::thread::spawn(move || {
            for number in 0..1000usize {
                assert!(filler.push(number, number % 25));
            }
            filler.end();
        });
        let mut seen = Vec::new();
        while let Some(taken) = queue.take(7, 20) {
            assert!(!taken.is_empty() && taken.len() <= 7);
            let weight: usize = taken.iter().map(|number| number % 25).sum();
            assert!(weight <= 20 || taken.len() == 1, "{taken:?}");
            seen.extend(taken);
        }
        thread.join().unwrap();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn closing_a_queue_wakes_both_sides() {
        let queue = Arc::new(Queue::new(1));
        assert!(queue.push(1, 1));
        let filler = Arc::clone(&queue);
        let thread = std::thread::spawn(move || filler.push(2, 1));
        queue.close();
        assert!(!thread.join().unwrap());
        assert_eq!(queue.take(9, 9), None::<Vec<i32>>);
    }
}
