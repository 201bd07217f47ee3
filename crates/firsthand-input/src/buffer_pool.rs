//! Buffers that are used again: fresh memory costs a page fault for every four kilobytes.

use std::fmt;
use std::mem;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use crate::read_buffer::ReadBuffer;

/// Buffers that wait to be used again, at most.
const MOST: usize = 8;

/// Where buffers wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct BufferPool(Arc<Mutex<Vec<ReadBuffer>>>);

/// Bytes whose buffer goes back to its pool.
pub(crate) struct PooledBytes {
    bytes: ReadBuffer,
    pool: BufferPool,
}

impl BufferPool {
    /// An empty buffer.
    pub(crate) fn take(&self) -> ReadBuffer {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Bytes whose buffer comes back once nobody needs them.
    pub(crate) fn lend(&self, bytes: ReadBuffer) -> PooledBytes {
        PooledBytes { bytes, pool: self.clone() }
    }
}

impl Deref for PooledBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for PooledBytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.fmt(out)
    }
}

impl Drop for PooledBytes {
    fn drop(&mut self) {
        let mut waiting = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST {
            let mut bytes = mem::take(&mut self.bytes);
            bytes.clear();
            waiting.push(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_empty() {
        let pool = BufferPool::default();
        let lent = pool.lend(ReadBuffer::from(Vec::from(*b"some bytes")));
        assert_eq!(&*lent, b"some bytes");
        assert_eq!(pool.take().take().capacity(), 0);
        drop(lent);
        let mut again = pool.take();
        assert!(again.is_empty() && again.take().capacity() >= 10);
        let many: Vec<_> = (0..2 * MOST).map(|_| pool.lend(ReadBuffer::from(vec![0; 4]))).collect();
        drop(many);
        assert_eq!(pool.0.lock().unwrap().len(), MOST);
    }
}
