//! `firsthand serve` from its start to its end, and mistakes in its arguments.

use super::*;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::Child;

fn serve(folder: &Path, more: &[&str]) -> (Child, String) {
    let args = ["serve", "--store", "seen", "--listen", "127.0.0.1:0", "--limit", "disk=1"];
    let mut command = command(folder, &[&args[..], more].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Listening on http://").map(str::to_owned);
    (child, address.unwrap_or_else(|| panic!("{line}")))
}

fn request(address: &str, request: &str) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

fn post(address: &str, body: &str) -> String {
    let head = "POST /v1/documents HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
                content-type: application/x-ndjson";
    request(address, &format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

fn end(child: Child, signal: &str) -> Run {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    Run::new(&child.wait_with_output().unwrap())
}

#[test]
fn a_service_answers_until_it_is_told_to_stop() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-TERM", "-INT"] {
        let (child, address) =
            serve(folder.path(), &["--profile", "archive", "--log-format", "json"]);
        let answer = post(&address, &three());
        assert!(
            answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\"original\":\"one\""),
            "{answer}"
        );
        // Others may read the store meanwhile, and not change it.
        run(folder.path(), &["store", "get", "two", "--store", "seen"]).code(0);
        let refused = run_with(folder.path(), &["stream", "--store", "seen"], three().as_bytes());
        assert!(refused.code == 2 && refused.err.contains("another process"), "{}", refused.err);
        let ended = end(child, signal).code(0);
        let log = lines(&ended.err);
        let logged = log.iter().find(|line| line["endpoint"] == "/v1/documents").unwrap();
        assert_eq!((&logged["status"], &logged["method"]), (&200.into(), &"POST".into()));
        assert!(!ended.err.contains("two"), "an id is in the log: {}", ended.err);
    }
    run(folder.path(), &["store", "verify", "--store", "seen"]).code(0);
}

#[test]
fn what_was_answered_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let (child, address) = serve(folder.path(), &["-q"]);
    post(&address, &three());
    assert_eq!(end(child, "-KILL").code, -1);
    let (child, address) = serve(folder.path(), &["-q"]);
    assert_eq!(post(&address, &three()).matches("\"repeated\":true").count(), 3);
    end(child, "-TERM").code(0);
}

#[test]
fn mistakes_in_arguments_are_told() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "keys", "desk read short");
    let cases: [(&[&str], &str); 6] = [
        (&["--listen", "0.0.0.0:0"], "--listen 0.0.0.0:0 could be reached by others: give keys"),
        (&["--limit", "speed=9"], "there is no limit \"speed\"; there are connections"),
        (&["--limit", "lines"], "--limit takes NAME=VALUE"),
        (&["--limit", "idle=9"], "the limit idle takes a time, such as 500ms or 10s"),
        (&["--keys", "keys"], "line 1 of the keys has a key of fewer than 16 letters"),
        (
            &["--keep-text", "--store", "memory:"],
            "the argument '--store <STORE>' cannot be used multiple",
        ),
    ];
    for (args, says) in cases {
        run(folder.path(), &[&["serve", "--store", "seen"][..], args].concat()).code(2).says(says);
    }
    let memory = ["serve", "--store", "memory:", "--keep-text", "--listen", "127.0.0.1:0"];
    run(folder.path(), &memory).code(2).says("a store in memory keeps no texts");
    assert_eq!(names(folder.path()), ["keys"]);
}

#[test]
fn a_stream_keeps_texts_if_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("seen/generation-1/texts");
    run_with(folder.path(), &["stream", "--store", "seen"], three().as_bytes()).code(0);
    assert!(!texts.exists());
    run_with(folder.path(), &["stream", "--store", "seen", "--keep-text"], three().as_bytes())
        .code(0);
    let size = || -> u64 {
        let files = std::fs::read_dir(&texts).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
    };
    let before = size();
    assert!(before > 0);
    run(folder.path(), &["store", "delete", "three", "--store", "seen"]).code(0);
    run(folder.path(), &["store", "compact", "--store", "seen"]).code(0);
    assert!(size() < before, "{} {before}", size());
}

#[test]
fn a_log_of_json_is_nothing_but_json() {
    let folder = tempfile::tempdir().unwrap();
    // Without a profile, a new store says which one it takes.
    let (child, _) = serve(folder.path(), &["--log-format", "json"]);
    let ended = end(child, "-TERM").code(0);
    let log = lines(&ended.err);
    assert!(
        log.iter().any(|line| line["message"].as_str().unwrap().contains("archive")),
        "{log:?}"
    );
}
