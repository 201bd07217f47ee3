//! A real server for tests: the one that `scripts/test` has started, or one of their own.

mod own;

pub(crate) use own::Server;

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering},
};

/// The address of a server for tests that do it no harm.
pub(crate) fn address() -> String {
    static OWN: OnceLock<Server> = OnceLock::new();
    match std::env::var("FIRSTHAND_TEST_POSTGRES") {
        Ok(address) => address,
        Err(_) => OWN.get_or_init(|| Server::start(&["fsync=off"])).address.clone(),
    }
}

/// The address of an unused schema.
pub(crate) fn fresh() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let address = address();
    let and = if address.contains('?') { '&' } else { '?' };
    format!("{address}{and}schema=test_{}_{count}", std::process::id())
}

/// A connection that bypasses the store, to inspect or damage its tables.
pub(crate) fn client(address: &str) -> postgres::Client {
    let (address, schema) = address.rsplit_once("schema=").unwrap_or((address, "public"));
    let address = address.trim_end_matches(['?', '&']);
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    client.batch_execute(&format!("SET search_path = {schema}")).unwrap();
    client
}
