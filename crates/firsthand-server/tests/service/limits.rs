//! Every limit holds, and says its name.

use super::client::*;
use firsthand_server::Limits;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

const POST: &str =
    "POST /v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson";

fn limited(change: impl FnOnce(&mut Limits)) -> Service {
    let mut limits = Limits { disk: 1, ..Limits::default() };
    change(&mut limits);
    Setup { limits, ..Setup::default() }.start()
}

/// The last line or the whole of a response, as a problem: status, code and limit.
fn refusal(response: &Response) -> (u64, String, String) {
    let text = response.text();
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let word = |name: &str| last[name].as_str().unwrap_or("").to_owned();
    (last["status"].as_u64().unwrap(), word("code"), word("limit"))
}

#[test]
fn a_body_has_a_limit_before_and_after_decompression() {
    let service = limited(|limits| (limits.body, limits.decompressed) = (100_000, 150_000));
    let too_large = |limit: &str| (413, "too-large".to_owned(), limit.to_owned());
    let whole = service.send(POST, &vec![b' '; 100_001]);
    assert_eq!((whole.status, refusal(&whole)), (413, too_large("body")));
    let mut client = service.connect();
    client.begin(POST);
    for number in 0..1000 {
        if !client.chunk(&lines(&[document(number)])) {
            break;
        }
    }
    client.end();
    assert_eq!(refusal(&client.response()), too_large("body"));
    let bomb = zstd::encode_all(&*vec![b' '; 1 << 20], 1).unwrap();
    let response = service.send(&format!("{POST}\r\ncontent-encoding: zstd"), &bomb);
    assert_eq!((response.status, refusal(&response)), (413, too_large("decompressed")));
}

#[test]
fn bombs_are_noticed_by_their_ratio() {
    let service = limited(|limits| limits.ratio = 100);
    let (mut gzip, zeros) =
        (flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()), [0; 1 << 16]);
    for _ in 0..4096 {
        gzip.write_all(&zeros).unwrap();
    }
    let response =
        service.send(&format!("{POST}\r\ncontent-encoding: gzip"), &gzip.finish().unwrap());
    assert_eq!(
        (response.status, refusal(&response)),
        (413, (413, "too-large".to_owned(), "ratio".to_owned()))
    );
    let compare = "POST /v1/compare HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
    let bomb = zstd::encode_all(&*vec![b' '; 80 << 20], 1).unwrap();
    let response = service.send(&format!("{compare}\r\ncontent-encoding: zstd"), &bomb);
    assert_eq!(response.problem(), (413, "too-large".to_owned()));
}

/// A client that would send ten gigabytes is told at the limit, not after them.
#[test]
fn ten_gigabytes_are_refused_at_the_limit() {
    let service = limited(|limits| limits.body = 4 << 20);
    let mut client = service.connect();
    client.begin(POST);
    let (part, mut sent) = (vec![b'x'; 1 << 20], 0u64);
    while sent < 10 << 30 && client.chunk(&part) {
        sent += part.len() as u64;
    }
    assert!(sent < 256 << 20, "the service has taken {sent} bytes");
    let response = client.response();
    assert!(response.status == 413 || response.status == 0, "{}", response.status);
    assert_eq!(service.get("/livez").status, 200);
}

#[test]
fn lines_are_limited_in_length_number_and_depth() {
    let service = limited(|limits| (limits.line, limits.lines, limits.json_depth) = (1000, 10, 20));
    let long = json!({ "id": "long", "text": "x".repeat(2000) });
    let deep = format!(
        "{{\"id\": \"deep\", \"text\": \"x\", \"y\": {}{}}}",
        "[".repeat(50),
        "]".repeat(50)
    );
    let body = format!("{long}\n{deep}\n{}\n", document(1));
    let answers = service.send(POST, body.as_bytes()).lines();
    let problem = |at: usize| {
        (answers[at]["status"].as_u64().unwrap_or(0), answers[at]["limit"].as_str().unwrap_or(""))
    };
    assert_eq!((problem(0), problem(1)), ((413, "line"), (413, "json-depth")), "{answers:?}");
    assert_eq!((&answers[0]["id"], &answers[2]["verdict"]), (&json!("long"), &json!("original")));
    let many: Vec<_> = (0..11).map(document).collect();
    let response = service.send(POST, &lines(&many));
    assert_eq!(refusal(&response), (413, "too-large".to_owned(), "lines".to_owned()));
    assert_eq!(service.send(POST, &lines(&many[..10])).lines().len(), 10);
}

#[test]
fn heads_are_limited_in_size_and_time() {
    let service =
        limited(|limits| (limits.header, limits.head) = (16 << 10, Duration::from_millis(200)));
    let response = service
        .send(&format!("GET /livez HTTP/1.1\r\nhost: localhost\r\nx: {}", "y".repeat(40_000)), b"");
    assert_eq!(response.problem(), (431, "head-too-large".to_owned()));
    let nonsense = service.send("NONSENSE", b"");
    assert_eq!(nonsense.problem(), (400, "bad-request".to_owned()));
    let mut client = service.connect();
    client.socket.write_all(b"GET /livez HTTP/1.1\r\nhost: loc").unwrap();
    let began = Instant::now();
    let response = client.response();
    assert!(matches!(response.status, 0 | 408), "{}", response.status);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn silent_idle_and_slow_connections_are_closed() {
    let time = Duration::from_millis(200);
    let service = limited(|limits| {
        (limits.first_byte, limits.idle, limits.body_idle) = (time, time, time);
    });
    assert_eq!(service.connect().line(), None, "a silent one");
    let mut idle = service.connect();
    idle.request("GET /livez HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!((idle.response().status, idle.line()), (200, None), "an idle one");
    let mut slow = service.connect();
    slow.begin(POST);
    slow.chunk(b"{");
    assert_eq!(slow.response().problem(), (408, "timeout".to_owned()));
    let metrics = service.get("/metrics").text();
    for reason in ["silent", "idle"] {
        assert!(
            metrics.contains(&format!("firsthand_rejected_total{{reason=\"{reason}\"}} 1")),
            "{metrics}"
        );
    }
}

#[test]
fn there_is_a_limit_on_connections_and_requests_at_once() {
    let service = limited(|limits| limits.connections = 3);
    let (a, b) = (service.connect(), service.connect());
    let mut client = service.connect();
    client.request("GET /livez HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(client.response().status, 200);
    let refused = service.connect().response();
    assert_eq!(refused.problem(), (503, "unavailable".to_owned()));
    assert_eq!(&*refused.headers["retry-after"], "1");
    assert_eq!(refused.json()["limit"], "connections");
    drop((a, b));

    for (limit, status) in [("in-flight", 503), ("uploads", 503), ("per-client", 429)] {
        let service = limited(|limits| limits.set(limit, "1").unwrap());
        let mut first = service.connect();
        first.begin(POST);
        assert!(first.chunk(&lines(&[document(1)])));
        assert_eq!(first.head().unwrap().0, 200);
        let refused = service.send(POST, &lines(&[document(2)]));
        assert_eq!((refused.status, &refused.json()["limit"]), (status, &json!(limit)));
        assert_eq!(refused.headers["retry-after"], "1");
        assert_eq!(service.get("/livez").status, 200, "probes are always let in");
        first.end();
        while first.next_chunk().is_some() {}
        let began = Instant::now();
        while service.send(POST, &lines(&[document(2)])).status != 200 {
            assert!(began.elapsed() < PATIENCE, "the place is not given back");
        }
    }
}

#[test]
fn a_full_disk_refuses_documents_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let first = Setup { store: store.clone(), ..Setup::default() }.start();
    first.add(&[document(1)]);
    first.end().unwrap();
    // No disk has that much room.
    let limits = Limits { disk: u64::MAX, ..Limits::default() };
    let service = Setup { store, limits, ..Setup::default() }.start();
    let refused = service.post("/v1/documents", NDJSON, &lines(&[document(2)]));
    assert_eq!(refused.problem(), (507, "disk-full".to_owned()));
    let skip = json!({ "action": "skip", "cluster": 1, "documents": ["d1"] }).to_string();
    for path in ["/v1/review/actions", "/v1/review/undo"] {
        let refused = service.post(path, "application/json", skip.as_bytes());
        assert_eq!(refused.problem(), (507, "disk-full".to_owned()), "{path}");
    }
    let checked = service.send(POST, &lines(&[copy_of(1, "copy")])).lines();
    assert_eq!(checked[0]["verdict"], "duplicate");
    assert_eq!(
        (service.get("/v1/documents/d1").status, service.get("/v1/export").status),
        (200, 200)
    );
}

#[test]
fn types_that_are_not_read_are_refused() {
    let service = service();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let response = service.post("/v1/documents", kind, b"{}");
        assert_eq!(response.problem(), (415, "media-type".to_owned()), "{kind}");
    }
}
