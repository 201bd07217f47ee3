//! What the work asks of an engine.

use anyhow::Result;

/// A document: its hour, its keys and what is kept of it.
pub struct Item {
    pub seq: u64,
    pub bucket: i64,
    pub time: i64,
    pub keys: Vec<u64>,
    pub payload: Vec<u8>,
}

/// An engine, with whatever tables or files it needs.
pub trait Engine {
    /// The documents under any of the keys, for each item; then all items are kept, durably.
    fn round(&mut self, items: Vec<Item>) -> Result<u64>;

    /// Documents under any of these keys, and the payload of the first.
    fn look_up(&mut self, keys: &[u64]) -> Result<(usize, usize)>;

    /// Forgets an hour, durably.
    fn forget(&mut self, bucket: i64) -> Result<()>;
}
