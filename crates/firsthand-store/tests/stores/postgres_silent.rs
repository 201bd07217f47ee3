//! A server that does not answer: a wait ends after the time that the address names, or soon after the
//! program is to stop.

use super::server;
use firsthand::{
    Settings,
    online::{Changes, Store},
};
use firsthand_store::{ManagedStore, OnOtherSettings, Postgres, StopCheck, StoredSettings, open};
use std::{
    net::TcpListener,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

fn store(address: &str) -> Postgres {
    let settings = StoredSettings::new(&Settings::default()).unwrap();
    Postgres::open(address, Some(&settings), OnOtherSettings::Refuse).unwrap()
}

fn psql(address: &str, sql: &str) -> String {
    let out = Command::new("psql")
        .args(["--no-psqlrc", "--tuples-only", "--no-align", "--dbname", address, "--command", sql])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

/// The process of the server that serves the store.
struct Backend(String);

impl Backend {
    fn of_the_store(address: &str) -> Self {
        let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'firsthand'";
        Self(psql(address, sql))
    }

    fn signal(&self, signal: &str) {
        let pid = self.0.trim();
        assert!(pid.parse::<u32>().is_ok(), "one connection, not {pid:?}");
        assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // The server cannot end while one of its processes is stopped.
        let _ = Command::new("kill").args(["-CONT", self.0.trim()]).status();
    }
}

#[test]
fn server_that_accepts_and_says_nothing_is_given_up() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = nobody.local_addr().unwrap().port();
    for mode in ["disable", "prefer", "require"] {
        let address = format!("postgres://me@127.0.0.1:{port}/db?connect_timeout=1&sslmode={mode}");
        let Err(error) = open(&address, None, OnOtherSettings::Refuse) else {
            panic!("nobody answers at {address}")
        };
        assert!(error.to_string().contains("no answer for 1 s"), "{error}");
    }
}

#[test]
fn stopped_backend_is_given_up_and_the_next_round_has_another() {
    let server = server::Server::start(&["fsync=off"]);
    let mut store = store(&format!("{}&response_timeout=1", server.address));
    store.begin().unwrap();
    store.commit(Changes::default()).unwrap();
    let backend = Backend::of_the_store(&server.address);
    backend.signal("-STOP");
    let error = store.begin().unwrap_err().to_string();
    assert!(error.contains("no answer for 1 s") && error.contains("nothing of this"), "{error}");

    // It held no lock, so another connection can go on while it is stopped.
    store.abandon();
    assert_eq!(store.begin().unwrap().next, 1);
    store.abandon();
}

#[test]
fn wait_for_a_stopped_backend_ends_when_the_program_does() {
    let server = server::Server::start(&["fsync=off"]);
    let mut store = store(&format!("{}&response_timeout=0", server.address));
    store.stop_when(StopCheck::new(|| true));
    assert_eq!(store.begin().unwrap().next, 1, "a server that answers is heard to the end");
    store.abandon();
    let backend = Backend::of_the_store(&server.address);
    backend.signal("-STOP");
    let error = store.begin().unwrap_err().to_string();
    assert!(error.contains("stopped while waiting"), "{error}");
}

#[test]
fn one_that_waits_gets_its_turn_beside_busy_streams() {
    let address = format!("{}&lock_timeout=1", server::fresh());
    let mut store = store(&address);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let opened: Vec<_> = (0..5).map(|_| self::store(&address)).collect();
        for mut stream in opened {
            let done = &done;
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    stream.begin().unwrap();
                    std::thread::sleep(Duration::from_millis(400));
                    stream.commit(Changes::default()).unwrap();
                }
            });
        }
        // Five rounds of 400 ms each are before it in the queue; it waits for 1 s, then for 2 s, then 4.
        let turn = (store.begin(), store.abandon());
        // Opening waits for nobody.
        let late = open(&address, None, OnOtherSettings::Refuse).map(|_| ());
        done.store(true, Ordering::Relaxed);
        assert!(turn.0.is_ok() && late.is_ok(), "{turn:?} {late:?}");
    });

    // One who hangs in a round is waited for once.
    let mut hanging = self::store(&address);
    hanging.begin().unwrap();
    let error = store.begin().unwrap_err().to_string();
    assert!(error.contains("another process holds the store"), "{error}");
}
