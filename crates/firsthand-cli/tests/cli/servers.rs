//! PostgreSQL as it is in the field: encrypted, silent, and busy with the rounds of others.

use super::online::{FERRY, Talk, line};
use super::postgres_server::Server;
use super::{Run, command, lines, run_with};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes, and shorter than for ever.
const HANGS: Duration = Duration::from_secs(20);

/// Waits for the end, or fails if there is none.
fn end(mut child: Child) -> Run {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > HANGS {
            child.kill().unwrap();
            panic!("it hangs: {:?}", Run::new(&child.wait_with_output().unwrap()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Run::new(&child.wait_with_output().unwrap())
}

fn start(folder: &Path, args: &[&str]) -> Child {
    command(folder, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The answer of the server to a statement.
fn sql(server: &Server, sql: &str) -> String {
    let mut psql = Command::new("psql");
    psql.args(["--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"]);
    let done = psql.args(["--dbname", &server.address, "--command", sql]).output().unwrap();
    assert!(done.status.success(), "{sql}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_store_can_be_reached_over_tls_alone() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let certificate = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
        -batch -keyout server.key -out server.crt -subj /CN=localhost; chmod 600 server.key";
    sql(&server, &format!("COPY (SELECT 1) TO PROGRAM '{certificate}'"));
    let admitted = "unnest(ARRAY['local all all trust', 'hostssl all all all scram-sha-256'])";
    sql(&server, &format!("COPY (SELECT {admitted}) TO PROGRAM 'cat > pg_hba.conf'"));
    sql(&server, "ALTER USER postgres PASSWORD 'secret'");
    sql(&server, "ALTER SYSTEM SET ssl = on");
    sql(&server, "SELECT pg_reload_conf(); SELECT pg_sleep(0.5)");
    let port = server.address.rsplit_once("port=").unwrap().1;
    let stream = |mode: &str| {
        let address =
            format!("postgres://postgres:secret@127.0.0.1:{port}/postgres?sslmode={mode}");
        let args = ["stream", "--store", &address, "--profile", "feed"];
        run_with(folder.path(), &args, line("a", FERRY).as_bytes())
    };
    assert_eq!(lines(&stream("require").code(0).out)[0]["verdict"], "original");
    assert_eq!(lines(&stream("prefer").code(0).out)[0]["repeated"], true);
    stream("disable").code(2).says("no encryption");
    stream("verify-full").code(2);
}

/// A server that takes connections and says nothing.
#[test]
fn a_silent_server_is_given_up_and_a_signal_is_heard() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = nobody.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let address = |seconds: u32| {
        format!("postgres://me@127.0.0.1:{port}/db?sslmode=disable&connect_timeout={seconds}")
    };
    let info = start(folder.path(), &["store", "info", "--store", &address(1)]);
    end(info).code(2).says("no answer for 1 s");
    let waiting = start(folder.path(), &["stream", "--store", &address(600)]);
    // The connection is there, so that the signal meets one who waits.
    drop(nobody.accept().unwrap());
    let silent = nobody.accept().unwrap();
    let id = waiting.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let run = end(waiting);
    assert!([-1, 143].contains(&run.code), "{run:?}");
    drop(silent);
}

/// The process of the server stands still in the midst of a stream.
#[test]
fn a_signal_ends_a_stream_whose_server_has_stopped() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let args = ["stream", "--store", &server.address, "--profile", "feed"];
    let mut talk = Talk::new(folder.path(), &args);
    assert_eq!(talk.ask(&line("a", FERRY))["verdict"], "original");
    let backend =
        sql(&server, "SELECT pid FROM pg_stat_activity WHERE application_name = 'firsthand'");
    let signal = |name: &str| Command::new("kill").args([name, &backend]).status().unwrap();
    assert!(signal("-STOP").success());
    talk.send(&line("b", FERRY));
    talk.signal("-TERM");
    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| end(talk.child)));
    // The server cannot end while one of its processes is stopped.
    assert!(signal("-CONT").success());
    // If its round was begun and could not be finished, that is an error; otherwise it has nothing to do.
    let run = run.unwrap();
    assert!([2, 143].contains(&run.code), "{run:?}");
    run.says("stopped while waiting for an answer");
}

/// A round that takes long: whoever comes later waits, says so, and gets its turn.
#[test]
fn documents_are_deleted_beside_a_stream_in_a_long_round() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let args = ["stream", "--store", &server.address, "--profile", "feed", "-q"];
    let mut talk = Talk::new(folder.path(), &args);
    for number in 0..11 {
        talk.ask(&line(&format!("old{number}"), &format!("{number} {FERRY}")));
    }
    // Somebody holds the table, and with it the round of the stream.
    let mut psql = Command::new("psql");
    psql.args(["--no-psqlrc", "--quiet", "--dbname", &server.address]);
    let mut holder = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut typed = holder.stdin.take().unwrap();
    let lock = "BEGIN; LOCK TABLE firsthand.documents IN ACCESS EXCLUSIVE MODE; \\echo held\n";
    typed.write_all(lock.as_bytes()).unwrap();
    let mut held = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut held).unwrap();
    assert_eq!(held, "held\n");
    talk.send(&line("new", FERRY));
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'firsthand.documents'::regclass \
        AND NOT granted";
    while sql(&server, waits) == "0" {}

    let mut deletes: Vec<Child> = (0..11)
        .map(|number| {
            let id = format!("old{number}");
            start(folder.path(), &["store", "delete", &id, "--store", &server.address])
        })
        .collect();
    let said: Vec<String> = deletes
        .iter_mut()
        .map(|delete| {
            let mut said = String::new();
            BufReader::new(delete.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
            said
        })
        .collect();
    drop(typed);
    holder.wait().unwrap();
    let ends: Vec<Run> = deletes.into_iter().map(end).collect();
    for (said, run) in said.iter().zip(ends) {
        assert!(said.starts_with("Waiting for another process"), "{said} {run:?}");
        assert!(run.code(0).out.starts_with("Deleted old"), "{said}");
    }
    assert_eq!(talk.hear()["id"], "new");
    talk.end().code(0);
}
