//! Several processes on one PostgreSQL database, and a server that goes away.

use super::online::{FERRY, Talk, line};
use super::postgres_server::Server;
use super::{Run, lines, run, run_with};
use std::collections::HashMap;

#[test]
fn two_processes_agree_and_a_crash_of_the_server_is_waited_out() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--store", &server.address, "--profile", "feed"];
    let stream = [&["stream"], &flags[..]].concat();

    // The same texts in two processes at once: each has one original.
    let text = |number: usize| format!("Story {number} of {} parts. {FERRY}", number * number);
    let distinct = |number: usize| text(number).replace(' ', &format!(" w{number} "));
    let feed = |name: &str| -> String {
        (0..200).map(|number| line(&format!("{name}{number}"), &distinct(number))).collect()
    };
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let (stream, folder) = (&stream, folder.path());
        let start = |name: &str| {
            let input = feed(name);
            scope.spawn(move || run_with(folder, stream, input.as_bytes()))
        };
        let started = [start("a"), start("b")];
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut originals: HashMap<String, usize> = HashMap::new();
    for run in runs {
        for answer in lines(&run.code(0).out) {
            let number = answer["id"].as_str().unwrap()[1..].to_owned();
            let original = usize::from(answer["verdict"] == "original");
            *originals.entry(number).or_default() += original;
        }
    }
    assert_eq!(originals.len(), 200);
    assert!(originals.values().all(|count| *count == 1), "{originals:?}");

    // The server crashes under a stream.
    let mut talk = Talk::new(folder.path(), &stream);
    assert_eq!(talk.ask(&line("x", FERRY))["verdict"], "original");
    server.crash();
    assert_eq!(talk.ask(&line("y", FERRY))["original"], "x");
    talk.end().code(0);

    // What there is to know of it, and no password.
    let info = run(folder.path(), &[&["store", "info"], &flags[..2]].concat()).code(0);
    assert!(info.out.starts_with("Store in PostgreSQL\n"), "{}", info.out);
    run(folder.path(), &[&["store", "verify"], &flags[..2]].concat()).code(0);
    let other = ["stream", "--store", &server.address, "--profile", "alert"];
    run(folder.path(), &other).code(2).says("other settings");
}

#[test]
fn a_server_that_is_not_there_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "postgres://someone:hunter2@127.0.0.1:1/nowhere";
    let refused = run(folder.path(), &["stream", "--store", secret]).code(2);
    assert!(!refused.err.contains("hunter2"), "{}", refused.err);
    assert!(refused.err.contains("127.0.0.1"), "{}", refused.err);
}
