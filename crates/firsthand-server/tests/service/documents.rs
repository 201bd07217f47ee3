//! Documents are judged as they arrive: in order, durable, whatever way they are sent.

use super::client::*;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

#[test]
fn every_line_has_its_answer_in_its_place() {
    let service = service();
    let body = [
        document(1).to_string(),
        copy_of(1, "copy").to_string(),
        String::new(),
        "broken".to_owned(),
        json!({ "text": "no id" }).to_string(),
        json!({ "id": "t", "text": "x", "time": "soon, secretly" }).to_string(),
        json!({ "id": "n" }).to_string(),
        document(2).to_string(),
    ];
    let response = service.post("/v1/documents", NDJSON, body.join("\n").as_bytes());
    assert_eq!((response.status, &*response.headers["content-type"]), (200, NDJSON));
    let answers = response.lines();
    let verdicts: Vec<_> = answers.iter().map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["original", "duplicate", "error", "error", "error", "error", "original"]);
    assert_eq!(answers[1]["original"], "d1");
    let problems = answers[2..6].iter().map(|it| {
        (it["status"].as_u64(), it["code"].as_str(), it["line"].as_u64(), it["field"].as_str())
    });
    assert_eq!(
        problems.collect::<Vec<_>>(),
        [
            (Some(400), Some("bad-json"), Some(4), None),
            (Some(422), Some("invalid"), Some(5), Some("id")),
            (Some(422), Some("invalid"), Some(6), Some("time")),
            (Some(422), Some("invalid"), Some(7), Some("text")),
        ]
    );
    // Nothing of a document is in a problem but its id.
    assert!(answers[4]["id"] == "t" && !answers[4].to_string().contains("secretly"));
}

#[test]
fn arrays_and_single_objects_are_documents_too() {
    let service = service();
    let array = format!("[{},\n {}]", document(1), copy_of(1, "copy"));
    let answers = service.post("/v1/documents", "application/json", array.as_bytes()).lines();
    assert_eq!(
        answers.iter().map(|it| &it["verdict"]).collect::<Vec<_>>(),
        ["original", "duplicate"]
    );
    let single = document(2).to_string();
    let kind = "application/json; charset=utf-8";
    assert_eq!(service.post("/v1/documents", kind, single.as_bytes()).lines()[0]["id"], "d2");
    let broken = service.post("/v1/documents", "application/json", b"[1, 2");
    assert_eq!(broken.lines().last().unwrap()["code"], "bad-json");
    let nonsense = service.post("/v1/documents", "application/json", b"nonsense");
    assert_eq!(nonsense.problem(), (400, "bad-json".to_owned()));
    assert_eq!(service.post("/v1/documents", "application/json", b"[]").status, 200);
}

#[test]
fn bodies_may_be_compressed() {
    let service = service();
    let plain = lines(&[document(1), document(2)]);
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&plain).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(&*plain, 1).unwrap();
    let head =
        "POST /v1/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson";
    for (encoding, body) in [("gzip", &gzip), ("zstd", &zstd), ("identity", &plain)] {
        let response = service.send(&format!("{head}\r\ncontent-encoding: {encoding}"), body);
        assert_eq!((response.status, response.lines().len()), (200, 2), "{encoding}");
    }
    let response = service.send(&format!("{head}\r\ncontent-encoding: br"), &plain);
    assert_eq!(response.problem(), (415, "media-type".to_owned()));
    for body in [&gzip[..gzip.len() - 9], &plain[..]] {
        let response = service.send(&format!("{head}\r\ncontent-encoding: gzip"), body);
        let last = response.text().lines().last().unwrap().to_owned();
        assert!(last.contains("\"bad-encoding\""), "{} {last}", response.status);
    }
}

#[test]
fn checking_stores_nothing() {
    let service = service();
    service.add(&[document(1)]);
    let body = lines(&[copy_of(1, "copy"), document(2), document(2)]);
    let answers = service.post("/v1/check", NDJSON, &body).lines();
    let verdicts: Vec<_> = answers.iter().map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["duplicate", "original", "original"]);
    assert_eq!(service.get("/v1/documents/d2").status, 404);
}

#[test]
fn a_line_is_answered_while_the_body_goes_on() {
    let service = service();
    let mut client = service.connect();
    client.begin(
        "POST /v1/documents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson",
    );
    for number in 0..5 {
        assert!(client.chunk(&lines(&[document(number)])));
        if number == 0 {
            assert_eq!(client.head().unwrap().0, 200);
        }
        let chunk = client.next_chunk().unwrap();
        assert!(String::from_utf8(chunk).unwrap().contains(&format!("\"d{number}\"")));
    }
    client.end();
    assert_eq!(client.next_chunk(), None);
}

/// Much more than the buffers of both sockets hold, in documents as well as in answers.
#[test]
fn a_client_may_send_everything_before_it_reads() {
    let limits = firsthand_server::Limits { answers: 64 << 10, disk: 1, ..Default::default() };
    let service = Setup { limits, ..Setup::default() }.start();
    let documents: Vec<_> = (0..60_000)
        .map(|number| json!({ "id": format!("{number:0>200}"), "text": format!("short {number}") }))
        .collect();
    let body = lines(&documents);
    let mut client = service.connect();
    client.request(
        "POST /v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson",
        &body,
    );
    let response = client.response();
    assert_eq!((response.status, response.lines().len()), (200, documents.len()));
    assert_eq!(response.lines().last().unwrap()["id"], documents.last().unwrap()["id"]);
    let metrics = service.get("/metrics").text();
    let spilled =
        metrics.lines().find(|line| line.starts_with("firsthand_answers_spilled_bytes_total "));
    assert_ne!(spilled.unwrap().split(' ').nth(1), Some("0"), "answers went to a file");
}

#[test]
fn a_client_that_never_reads_is_cut_off_and_others_are_served() {
    let limits = firsthand_server::Limits {
        write: std::time::Duration::from_millis(300),
        answers: 64 << 10,
        disk: 1,
        ..Default::default()
    };
    let service = Setup { limits, ..Setup::default() }.start();
    let documents: Vec<_> = (0..30_000)
        .map(|number| json!({ "id": format!("{number:0>300}"), "text": format!("short {number}") }))
        .collect();
    let mut client = service.connect();
    client.request(
        "POST /v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson",
        &lines(&documents),
    );
    let began = Instant::now();
    let is_cut_off = || {
        let text = service.get("/metrics").text();
        text.contains("firsthand_rejected_total{reason=\"unread\"} 1")
    };
    while !is_cut_off() {
        assert!(began.elapsed() < PATIENCE, "the client is still there");
        assert_eq!(service.add(&[document(1)])[0]["verdict"], "original");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_document_that_is_sent_again_gets_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let first = Setup { store: store.clone(), ..Setup::default() }.start();
    let answers = first.add(&[document(1), copy_of(1, "copy")]);
    first.end().unwrap();
    let second = Setup { store, ..Setup::default() }.start();
    let again = second.add(&[document(1), copy_of(1, "copy")]);
    for (answer, again) in answers.iter().zip(&again) {
        assert_eq!(
            (&answer["verdict"], &answer["original"]),
            (&again["verdict"], &again["original"])
        );
        assert_eq!((&answer["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
    }
}
