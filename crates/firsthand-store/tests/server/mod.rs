//! A real server for tests: the one that `scripts/test` has started, or one of their own.

#![allow(dead_code)]

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

/// A server of the test's own. It ends with the process that started it, however that ends.
pub(crate) struct Server {
    child: Child,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(settings: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("firsthand-pg-").tempdir().unwrap();
        let mut child = script("run", folder.path())
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        assert!(
            address.starts_with("postgres://"),
            "no PostgreSQL server could be started; scripts/test installs one"
        );
        Self { child, folder, address }
    }

    /// Kills the server as a crash of the machine would, and starts it again.
    pub(crate) fn crash(&self) {
        for command in ["kill", "start"] {
            let done = script(command, self.folder.path()).stdout(Stdio::null()).status().unwrap();
            assert!(done.success());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

fn script(command: &str, folder: &Path) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
    let mut script = Command::new(path);
    script.arg(command).arg(folder);
    script
}

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
