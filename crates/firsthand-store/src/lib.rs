//! Where firsthand keeps what it has seen: a folder by default, PostgreSQL when several processes
//! share it. Both give the answers that the store in memory gives.

mod opened;
mod postgres;
mod settings;

pub use opened::{OnOtherSettings, Opened, Verified, open};
pub use postgres::Postgres;
pub use settings::Settings;
