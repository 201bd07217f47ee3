//! The threads that work. Those of a parent process do not exist in a child that was forked off, so a child
//! gets threads of its own.

use crate::errors::FirsthandError;
use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The process that made the threads, their number as it was asked for, and the threads.
type Made = (u32, usize, Arc<ThreadPool>);

static POOL: Mutex<Option<Made>> = Mutex::new(None);

/// A pool of this number of threads; of as many as there are cores by default.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let (process, threads) = (std::process::id(), threads.unwrap_or(0));
    let mut made = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*made {
        Some((of, size, pool)) if (*of, *size) == (process, threads) => {
            return Ok(Arc::clone(pool));
        }
        _ => {}
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        FirsthandError::new_err(format!("cannot start the threads: {error}; try threads=1"))
    })?;
    let pool = Arc::new(pool);
    let before = made.replace((process, threads, Arc::clone(&pool)));
    if let Some((of, ..)) = &before
        && *of != process
    {
        // Its threads are in another process: nobody would hear that they should end.
        std::mem::forget(before);
    }
    Ok(pool)
}
