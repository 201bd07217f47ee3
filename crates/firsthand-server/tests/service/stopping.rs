//! An orderly end: what is in flight is finished, and everything that was answered is there.

use super::client::*;
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn requests_in_flight_are_finished_and_no_others_begun() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let mut service = Setup { store: store.clone(), ..Setup::default() }.start();
    let mut client = service.connect();
    client.begin(
        "POST /v1/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson",
    );
    assert!(client.chunk(&lines(&[document(0)])));
    assert_eq!(client.head().unwrap().0, 200);
    assert!(client.next_chunk().is_some());
    let mut waiting = service.connect();
    waiting.request("GET /readyz HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(waiting.response().status, 200);
    service.stop();
    let began = Instant::now();
    while TcpStream::connect(service.address).is_ok() {
        assert!(began.elapsed() < PATIENCE, "connections are still accepted");
        std::thread::sleep(Duration::from_millis(10));
    }
    // The connection without a request is closed, and the one with a request is not.
    assert_eq!(waiting.line(), None);
    for number in 1..50 {
        assert!(client.chunk(&lines(&[document(number)])));
    }
    client.end();
    let mut answers = Vec::new();
    while let Some(chunk) = client.next_chunk() {
        answers.extend(chunk);
    }
    assert_eq!(String::from_utf8(answers).unwrap().lines().count(), 49);
    service.end().unwrap();
    let service = Setup { store, ..Setup::default() }.start();
    let again = service.add(&(0..50).map(document).collect::<Vec<_>>());
    assert!(again.iter().all(|answer| answer["repeated"] == true));
}

#[test]
fn a_client_that_does_not_end_is_cut_off_after_the_limit() {
    let limits = firsthand_server::Limits {
        drain: Duration::from_millis(300),
        disk: 1,
        ..Default::default()
    };
    let service = Setup { limits, ..Setup::default() }.start();
    let mut client = service.connect();
    client
        .begin("POST /v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson");
    assert!(client.chunk(&lines(&[document(0)])));
    assert_eq!(client.head().unwrap().0, 200);
    let began = Instant::now();
    service.end().unwrap();
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// Whoever reads that the service listens may stop it at once: it ends in order, not as the signal would end it.
#[test]
fn a_request_to_stop_is_heard_from_the_announcement_on() {
    let cancel = firsthand_jobs::Cancel::default();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = firsthand_server::ServerSettings {
        content: content("memory:".to_owned(), false),
        limits: Default::default(),
        keys: Default::default(),
        hosts: Vec::new(),
        tls: None,
    };
    firsthand_server::run_until_cancelled(listener, settings, &cancel, || {
        assert!(cancel.is_awaited());
        cancel.cancel();
        Ok(())
    })
    .unwrap();
}
