//! Where firsthand keeps what it has seen: a folder by default, PostgreSQL when several processes
//! share it. Both give the answers that the store in memory gives.

mod embedded;
mod managed_store;
mod memory;
mod postgres;
mod settings;

pub use embedded::Embedded;
#[doc(hidden)]
pub use embedded::{CrashPoint, Faults, POINTS, Tuning};
pub use managed_store::{ManagedStore, OnOtherSettings, Verified, open};
pub use postgres::Postgres;
pub use settings::StoredSettings;
