//! One document at a time: a verdict for each as it arrives, with the past in a store.

mod answer;
mod detect;
mod memory;
mod settings;
mod store;

pub use answer::{Answer, Verdict};
pub use detect::{Arrival, Deleted, Exported, Forgotten, Holdings, Online};
pub use memory::Memory;
pub use settings::{
    ClockSource, Collisions, Index, Naming, Numbers, OnlineSettings, Policy, Window,
};
pub use store::{Bucket, Changes, Entry, Found, Head, Hit, Probe, Seq, Store, StoreError, Stored};
