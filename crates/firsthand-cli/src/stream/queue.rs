//! A queue between two threads that is bounded by what its items weigh.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue that one thread fills and another empties.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// The one who fills it waits while it weighs more than this.
    most: usize,
}

#[derive(Debug)]
struct State<T> {
    items: VecDeque<(T, usize)>,
    weight: usize,
    /// No more will come.
    ended: bool,
    /// No more is wanted.
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(most: usize) -> Self {
        let state = State { items: VecDeque::new(), weight: 0, ended: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most }
    }

    /// Adds an item, once there is room; false if nobody wants it any more.
    pub(crate) fn push(&self, item: T, weight: usize) -> bool {
        let mut state = self.lock();
        // A single item goes in, whatever it weighs.
        while !state.closed && !state.items.is_empty() && state.weight + weight > self.most {
            state = self.wait(state);
        }
        if !state.closed {
            state.weight += weight;
            state.items.push_back((item, weight));
            self.changed.notify_all();
        }
        !state.closed
    }

    /// Says that no more will come.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Says that no more is wanted, and drops what is there.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.items.clear();
        state.weight = 0;
        self.changed.notify_all();
    }

    /// What is there, waiting for the first: so many items at most and, unless it is a single one,
    /// no more than this weight. None when no more will come.
    pub(crate) fn take(&self, items: usize, weight: usize) -> Option<Vec<T>> {
        let mut state = self.lock();
        while state.items.is_empty() {
            if state.ended || state.closed {
                return None;
            }
            state = self.wait(state);
        }
        let (mut taken, mut sum) = (Vec::new(), 0);
        while let Some((_, next)) = state.items.front() {
            if !taken.is_empty() && (taken.len() >= items || sum + next > weight) {
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

/// Ends a queue when the thread that fills it ends, however it does.
pub(crate) struct Ending<'a, T>(pub(crate) &'a Queue<T>);

impl<T> Drop for Ending<'_, T> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_goes_in_comes_out_in_order_and_bounded() {
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
    fn a_closed_queue_lets_both_sides_go() {
        let queue = Arc::new(Queue::new(1));
        assert!(queue.push(1, 1));
        let filler = Arc::clone(&queue);
        let thread = std::thread::spawn(move || filler.push(2, 1));
        queue.close();
        assert!(!thread.join().unwrap());
        assert_eq!(queue.take(9, 9), None::<Vec<i32>>);
    }
}
