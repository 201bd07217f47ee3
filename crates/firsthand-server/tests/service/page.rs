//! The page on a store: the same as on results, with decisions that the stream obeys.

use super::client::*;
use super::postgres;
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

/// Two services on one store in PostgreSQL: what is decided at one is on the page of the other with the next
/// request after a tenth of a second, and so are documents that came by the other.
#[test]
fn decisions_of_another_process_are_on_the_page() {
    let store = postgres::fresh();
    let start = || Setup { store: store.clone(), keep_text: true, ..Setup::default() }.start();
    let (one, other) = (start(), start());
    let mut first = document(1);
    first["title"] = json!("Told to one");
    one.add(&[first, copy_of(1, "copy")]);
    let wait = || std::thread::sleep(std::time::Duration::from_millis(150));
    let listed = |service: &Service, word: &str| html(&service.get("/")).contains(word);
    assert!(listed(&one, "Told to one") && listed(&other, "Told to one"));
    let tag = json!({ "action": "tag", "cluster": 1, "documents": ["d1"], "tags": ["of-one"] });
    assert_eq!(act(&one, "", &tag).status, 200);
    wait();
    assert!(html(&other.get("/history")).contains("of-one"));
    let page = html(&other.get("/clusters/1"));
    assert!(page.contains("of-one"), "{page}");
    let listed_tags = other.get("/v1/clusters?tag=of-one").json();
    assert_eq!(listed_tags["total"], 1, "{listed_tags}");
    // And back: the other undoes it.
    assert_eq!(other.post("/v1/review/undo", "application/json", b"{}").status, 200);
    wait();
    assert_eq!(one.get("/v1/clusters?tag=of-one").json()["total"], 0);
    // Documents, too; a list that took long to make is used ten times as long.
    one.add(&[document(2), copy_of(2, "another")]);
    let began = std::time::Instant::now();
    while other.get("/v1/clusters").json()["total"] != 2 {
        assert!(began.elapsed() < PATIENCE, "a cluster of the other process is never listed");
        wait();
    }
}

#[test]
fn pairs_of_a_store_can_be_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(true, &folder);
    // Half of the words of this one are those of the first, which is below the threshold.
    let text = document(1)["text"].as_str().unwrap().to_owned();
    let words: Vec<&str> = text.split(' ').collect();
    let half = words.iter().enumerate().map(|(at, word)| match at * 4 < words.len() * 3 {
        true => (*word).to_owned(),
        false => format!("other{at}"),
    });
    let half: Vec<String> = half.collect();
    service.add(&[json!({ "id": "half", "text": half.join(" ") })]);
    let field = |page: &str, name: &str| {
        let (_, rest) = page.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("{page}"));
        rest.split_once('"').unwrap().0.to_owned()
    };
    // One at a time; the score is told once there is an answer.
    let mut seen = Vec::new();
    loop {
        let page = html(&service.get("/label"));
        assert!(!page.contains("cannot be shown"), "{page}");
        if page.contains("no more pairs") {
            break;
        }
        assert_eq!(page.contains("the score of that pair is"), !seen.is_empty(), "{page}");
        let pair = [field(&page, "data-a"), field(&page, "data-b")];
        let label = json!({ "action": "label", "cluster": 1, "documents": pair, "grade": "yes" });
        let labelled = act(&service, "", &label);
        assert_eq!(labelled.status, 200, "{}", labelled.text());
        seen.push(pair);
    }
    assert!(seen.iter().any(|pair| pair.contains(&"half".to_owned())), "{seen:?}");
    assert!(seen.iter().any(|pair| pair.contains(&"copy".to_owned())), "{seen:?}");
    let table = service.get("/export/labels.tsv").text();
    assert_eq!(table.lines().filter(|line| line.ends_with("\ty")).count(), seen.len(), "{table}");
    // What comes later is offered once all are answered.
    service.add(&[document(7), copy_of(7, "late")]);
    assert!(html(&service.get("/label")).contains("late"));
}

#[test]
fn labelling_without_texts_says_why_it_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(false, &folder);
    let page = html(&service.get("/label"));
    assert!(page.contains("keeps no texts") && page.contains("--keep-text"), "{page}");
}

#[test]
fn a_store_has_texts_and_no_pages() {
    let folder = tempfile::tempdir().unwrap();
    let service = started(true, &folder);
    let page = html(&service.get("/clusters/1?m=copy&show=page"));
    assert!(page.contains("no page to show") && page.contains("changed"), "{page}");
    assert!(!page.contains("<iframe"));
    assert_eq!(service.get("/clusters/1/page?m=copy").status, 422);
}
