//! Thousands of connections that do nothing, or next to nothing, beside a client that wants something.

use super::client::*;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;

/// As many as there are file descriptors for, both ends of a connection in this process.
fn affordable(wanted: usize) -> usize {
    let most = std::fs::read_to_string("/proc/self/limits").ok().and_then(|limits| {
        let line = limits.lines().find(|line| line.starts_with("Max open files"))?.to_owned();
        line.split_whitespace().nth(3)?.parse::<usize>().ok()
    });
    wanted.min(most.unwrap_or(1024).saturating_sub(300) / 4)
}

#[test]
fn idle_and_dribbling_connections_do_not_keep_others_waiting() {
    let service = service();
    let count = affordable(2000);
    let connect = || TcpStream::connect(service.address).unwrap();
    let _idle: Vec<TcpStream> = (0..count).map(|_| connect()).collect();
    let mut dribbling: Vec<TcpStream> = (0..count).map(|_| connect()).collect();
    let head = b"POST /v1/check HTTP/1.1\r\nhost: localhost\r\nx-slow: ";
    for step in 0..20 {
        for socket in &mut dribbling {
            // Those that took too long are closed, as they should be.
            match socket.write(&head[step..=step]) {
                Ok(_) => {}
                Err(error) => assert!(
                    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset),
                    "{error}"
                ),
            }
        }
        let answers = service.add(&[document(step)]);
        assert_eq!(answers[0]["verdict"], "original", "{count} idle, {count} dribbling");
    }
}
