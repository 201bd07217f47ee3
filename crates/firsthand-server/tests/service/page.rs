//! The page on a store: the same as on results, with decisions that the stream obeys.

use super::client::*;
use serde_json::json;

fn act(service: &Service, key: &str, body: &serde_json::Value) -> Response {
    let head = format!(
        "POST /v1/review/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json{key}"
    );
    service.send(&head, body.to_string().as_bytes())
}

fn html(response: &Response) -> String {
    assert_eq!(response.status, 200, "{}", response.text());
    assert!(response.headers["content-type"].starts_with("text/html"));
    assert!(response.headers["content-security-policy"].contains("default-src 'self'"));
    response.text()
}

fn started(keep_text: bool, folder: &tempfile::TempDir) -> Service {
    let store = folder.path().join("store").display().to_string();
    let service = Setup { store, keep_text, ..Setup::default() }.start();
    let mut first = document(1);
    first["title"] = json!("The ferry & the <storm>");
    let text = first["text"].as_str().unwrap().replace("word41 ", "changed ");
    service.add(&[first, json!({ "id": "copy", "text": text }), copy_of(1, "same"), document(2)]);
    service
}

#[test]
fn the_page_shows_the_clusters_of_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(true, &folder);
    let list = html(&service.get("/"));
    assert!(list.contains("The ferry &amp; the &lt;storm&gt;") && !list.contains("d2"), "{list}");
    let cluster = html(&service.get("/clusters/1?m=copy"));
    assert!(cluster.contains("copy") && cluster.contains("changed"), "{cluster}");
    assert_eq!(service.get("/clusters/99").status, 404);
    let history = html(&service.get("/history"));
    assert!(!history.contains("not-a-copy"));
}

#[test]
fn without_texts_it_shows_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(false, &folder);
    let cluster = html(&service.get("/clusters/1?m=copy"));
    assert!(cluster.contains("was not kept"), "{cluster}");
    assert!(cluster.contains("The ferry &amp; the &lt;storm&gt;"));
}

#[test]
fn what_is_decided_on_the_page_is_what_the_stream_obeys() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(true, &folder);
    html(&service.get("/"));
    let action =
        json!({ "action": "not-a-copy", "cluster": 1, "documents": ["copy"], "person": "Ada" });
    let acted = act(&service, "", &action);
    assert_eq!(acted.status, 200, "{}", acted.text());
    let taken = service.get("/v1/decisions").json();
    assert_eq!(taken["decisions"][0]["person"], "Ada");
    assert_eq!(service.get("/v1/documents/copy").json()["now"]["original"], "copy");
    let later = service.add(&[copy_of(1, "later")]).remove(0);
    assert_eq!(later["original"], "d1");
    // What comes by another way is on the page, too, and undone there by its number.
    let tag = json!([{ "action": "tag", "documents": ["d1"], "tags": ["seen-elsewhere"] }]);
    service.post("/v1/decisions", "application/json", tag.to_string().as_bytes());
    assert!(html(&service.get("/history")).contains("seen-elsewhere"));
    let undone = service.post("/v1/review/undo", "application/json", b"{}");
    assert_eq!(undone.status, 200, "{}", undone.text());
    let taken = service.get("/v1/decisions").json();
    let holds: Vec<bool> = taken["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["holds"].as_bool().unwrap())
        .collect();
    assert_eq!(holds, [true, false, false]);
}

#[test]
fn reading_and_acting_need_their_scopes() {
    let keys = "desk read reader-key-0123456789\nada read,review reviewer-key-0123456789\ncrawler write writer-key-0123456789";
    let service = Setup { keys: keys.to_owned(), ..Setup::default() }.start();
    let get = |key: &str| {
        let head = format!("GET / HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}");
        service.send(&head, b"").status
    };
    assert_eq!(
        (service.get("/").status, get("writer-key-0123456789"), get("reader-key-0123456789")),
        (401, 403, 200)
    );
    let action = json!({ "action": "skip", "cluster": 1, "documents": ["x"] });
    let status =
        |key: &str| act(&service, &format!("\r\nauthorization: Bearer {key}"), &action).status;
    assert_eq!(status("reader-key-0123456789"), 403);
    // There is no such cluster, but the key would do.
    assert_eq!(status("reviewer-key-0123456789"), 404);
    let decide = |key: &str| {
        let head = format!(
            "POST /v1/decisions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             authorization: Bearer {key}"
        );
        service.send(&head, b"[]").status
    };
    assert_eq!(
        (
            decide("reader-key-0123456789"),
            decide("writer-key-0123456789"),
            decide("reviewer-key-0123456789")
        ),
        (403, 403, 200)
    );
}
