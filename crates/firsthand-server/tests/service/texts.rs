//! Texts that are kept: differences, explanations, and their end.

use super::client::*;
use super::postgres;
use serde_json::{Value, json};

const STORY: &str = "The ferry to the island will not sail today, because of the storm that has come over \
    the coast in the night, said the captain of the ferry at the harbour this morning.";

fn stories() -> [Value; 2] {
    let other = STORY.replace("captain", "master").replace("morning", "evening");
    [
        json!({ "id": "first", "text": STORY, "title": "Ferry" }),
        json!({ "id": "second", "text": other }),
    ]
}

fn kept(store: &str) -> Service {
    Setup { store: store.to_owned(), keep_text: true, ..Setup::default() }.start()
}

#[test]
fn members_are_compared_word_by_word_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let service = kept(&store);
    assert_eq!(service.add(&stories())[1]["verdict"], "duplicate");
    service.end().unwrap();
    let service = kept(&store);
    let diff = service.get("/v1/clusters/first/diff").json();
    assert_eq!((&diff["original"], &diff["member"]), (&json!("first"), &json!("second")));
    let side = |side: &str| -> Vec<Value> {
        let changes = diff["changes"].as_array().unwrap().iter();
        changes.filter(|it| it["side"] == side).map(|it| it["text"].clone()).collect()
    };
    assert_eq!(
        (side("first"), side("second")),
        (vec![json!("captain"), json!("morning.")], vec![json!("master"), json!("evening.")])
    );
    let explained = service.get("/v1/explain?a=first&b=second").json();
    assert_eq!(explained["verdict"], "near-duplicate", "{explained}");
    assert!(explained["shared"].as_array().is_some_and(|shared| !shared.is_empty()));
    assert_eq!(service.get("/v1/explain?a=first&b=none").problem().0, 404);
    assert_eq!(service.get("/v1/explain?a=first").problem().0, 422);
}

#[test]
fn texts_go_with_their_documents() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let service = kept(&store);
    service.add(&stories());
    let deleted = service.send("DELETE /v1/documents/second HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(deleted.status, 200);
    assert_eq!(service.get("/v1/explain?a=first&b=second").problem().0, 404);
    service.end().unwrap();
    firsthand_jobs::store::compact(&store, Default::default()).unwrap();
    let texts = folder.path().join("seen/generation-1/texts");
    let bytes: Vec<u8> = std::fs::read_dir(&texts)
        .unwrap()
        .flat_map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    let has = |word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
    assert!(has("first") && !has("second"), "the id of the deleted document is still on the disk");
}

#[test]
fn without_texts_the_reason_is_said() {
    let service = service();
    service.add(&stories());
    assert_eq!(service.get("/v1/clusters/first/diff").problem(), (409, "no-text".to_owned()));
    assert_eq!(service.get("/v1/explain?a=first&b=second").problem(), (409, "no-text".to_owned()));
    // They were kept only later: the document has to be sent again.
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let before = Setup { store: store.clone(), ..Setup::default() }.start();
    before.add(&stories());
    before.end().unwrap();
    let service = kept(&store);
    assert_eq!(service.get("/v1/explain?a=first&b=second").problem(), (409, "no-text".to_owned()));
    service.add(&stories());
    assert_eq!(service.get("/v1/explain?a=first&b=second").status, 200);
}

#[test]
fn a_store_in_memory_keeps_no_texts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let request = firsthand_jobs::store::StoreRequest {
        address: "memory:".to_owned(),
        writable: true,
        ..Default::default()
    };
    let store =
        firsthand_jobs::store::open(request, &firsthand_jobs::Unobserved::default()).unwrap();
    let settings = firsthand_server::ServerSettings {
        content: firsthand_server::Content::Store { store, keep_text: true },
        limits: Default::default(),
        keys: Default::default(),
        hosts: Vec::new(),
        tls: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused =
        runtime.block_on(firsthand_server::run(listener, settings, async {})).unwrap_err();
    assert!(refused.to_string().contains("a store in memory keeps no texts"), "{refused}");
}

/// With PostgreSQL, texts are kept by whoever stores a document, and go with it for everybody.
#[test]
fn texts_are_kept_in_postgresql() {
    let store = postgres::fresh();
    let (service, other) = (kept(&store), kept(&store));
    let [first, second] = stories();
    service.add(&[first]);
    assert_eq!(other.add(&[second])[0]["original"], "first");
    for service in [&service, &other] {
        let diff = service.get("/v1/clusters/first/diff").json();
        assert_eq!(diff["member"], "second", "{diff}");
        assert_eq!(service.get("/v1/explain?a=first&b=second").json()["verdict"], "near-duplicate");
    }
    let deleted = other.send("DELETE /v1/documents/second HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(deleted.status, 200, "{}", deleted.text());
    assert_eq!(service.get("/v1/explain?a=first&b=second").problem().0, 404);
    let left = postgres::client(&store).query_one("SELECT count(*) FROM texts", &[]).unwrap();
    assert_eq!(left.get::<_, i64>(0), 1);
}
