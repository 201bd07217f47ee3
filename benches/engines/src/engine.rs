//! What the workload asks of an engine.

use anyhow::Result;

/// A document: its hour, the keys that lead to it, and its payload.
pub struct Item {
    pub seq: u64,
    pub bucket: i64,
    pub time: i64,
    pub keys: Vec<u64>,
    pub payload: Vec<u8>,
}

/// A store that can run the workload.
pub trait Engine {
    /// Looks up every key of every document, then stores the documents. Durable when it returns.
    /// Returns the number of earlier documents that share a key with one of these.
    fn round(&mut self, items: Vec<Item>) -> Result<u64>;

    /// Returns the number of documents under any of these keys, and the size of the first one's payload.
    fn look_up(&mut self, keys: &[u64]) -> Result<(usize, usize)>;

    /// Forgets an hour. Durable when it returns.
    fn forget(&mut self, bucket: i64) -> Result<()>;
}
