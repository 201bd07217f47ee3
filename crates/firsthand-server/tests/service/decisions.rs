//! Decisions: taken down, obeyed, undone, listed; and clusters by what people have done with them.

use super::client::*;
use serde_json::{Value, json};

/// A document that begins as another does.
fn near(number: usize, id: &str) -> Value {
    let word = format!("word{} ", number * 40 + 1);
    let text = document(number)["text"].as_str().unwrap().replace(&word, "other ");
    json!({ "id": id, "text": text, "source": format!("Source {id}") })
}

fn decide(service: &Service, decisions: &[Value]) -> Vec<Value> {
    let response = service.post("/v1/decisions", NDJSON, &lines(decisions));
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.headers["content-type"], NDJSON);
    response.lines()
}

/// The originals and sizes of the clusters that a query finds.
fn clusters(service: &Service, query: &str) -> Vec<(String, u64)> {
    let page = service.get(&format!("/v1/clusters?min_size=1&{query}")).json();
    let list = page["clusters"].as_array().unwrap_or_else(|| panic!("{page}")).iter();
    list.map(|one| (one["original"].as_str().unwrap().to_owned(), one["size"].as_u64().unwrap()))
        .collect()
}

fn is(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|(id, size)| ((*id).to_owned(), *size)).collect()
}

#[test]
fn decisions_are_taken_down_obeyed_and_undone() {
    let service = service();
    service.add(&[document(1), copy_of(1, "a"), copy_of(1, "b"), document(2)]);
    let answers = decide(&service, &[json!({ "action": "not-a-copy", "documents": ["a"] })]);
    assert_eq!((&answers[0]["line"], &answers[0]["holds"]), (&json!(1), &json!(true)));
    // What was left out is the original of the cluster, with the text that it has.
    assert_eq!(answers[0]["others"][0]["id"], "d1");
    assert_eq!(answers[0]["others"][0]["text"].as_str().unwrap().len(), 16);
    assert_eq!(clusters(&service, "sort=size"), is(&[("d1", 2), ("a", 1), ("d2", 1)]));
    let found = service.get("/v1/documents/a").json();
    assert_eq!((&found["original"], &found["now"]["original"]), (&json!("d1"), &json!("a")));
    // A copy that comes later does not bring them together.
    let later = service.add(&[copy_of(1, "c")]).remove(0);
    assert_eq!(later["original"], "d1");
    let answers = decide(
        &service,
        &[
            json!({ "action": "keep", "documents": ["b"], "person": "Ada" }),
            json!({ "action": "merge", "documents": ["a"], "others": ["d2"] }),
            json!({ "action": "split", "documents": ["c"] }),
        ],
    );
    assert!(answers.iter().all(|answer| answer["line"].is_u64()), "{answers:?}");
    // What is split out goes to the cluster of another original with its text, if there is one.
    assert_eq!(clusters(&service, "sort=size"), is(&[("a", 3), ("b", 2)]));
    assert_eq!(service.get("/v1/clusters/d1").json()["original"], "b");
    let undone = decide(&service, &[json!({ "action": "undo" }), json!({ "action": "undo" })]);
    assert_eq!((&undone[0]["of"], &undone[1]["of"]), (&json!(4), &json!(3)));
    decide(&service, &[json!({ "action": "redo" })]);
    let history = service.get("/v1/decisions?limit=2").json();
    assert_eq!(history["decisions"].as_array().unwrap().len(), 2);
    assert_eq!(history["decisions"][1]["person"], "Ada");
    let next = history["next"].as_str().unwrap();
    let rest = service.get(&format!("/v1/decisions?cursor={next}")).json();
    assert_eq!(rest["decisions"].as_array().unwrap().len(), 5);
    assert_eq!((&rest["decisions"][0]["holds"], &rest["next"]), (&json!(true), &Value::Null));
    let of_c = service.get("/v1/decisions?document=c").json();
    assert!(of_c["decisions"].as_array().unwrap().iter().any(|one| one["action"] == "split"));
}

#[test]
fn a_decision_that_makes_no_sense_is_a_problem_in_its_place() {
    let service = service();
    service.add(&[document(1), copy_of(1, "a")]);
    let answers = decide(
        &service,
        &[
            json!({ "action": "undo" }),
            json!({ "action": "tag", "documents": ["d1"] }),
            json!({ "action": "keep", "documents": ["nobody"] }),
            json!({ "action": "burn", "documents": ["d1"] }),
            json!({ "action": "tag", "documents": ["d1"], "tags": ["war"] }),
            json!({ "action": "undo", "of": 7 }),
            json!({ "action": "label", "documents": ["d1", "a"], "grade": "yes" }),
        ],
    );
    let codes: Vec<(Value, Value)> =
        answers.iter().map(|it| (it["code"].clone(), it["line"].clone())).collect();
    let problem = |code: &str, line: u64| (json!(code), json!(line));
    assert_eq!(codes[0], problem("conflict", 1));
    assert_eq!(codes[1], problem("invalid", 2));
    assert_eq!(codes[2], problem("not-found", 3));
    assert_eq!(codes[3], problem("invalid", 4));
    assert_eq!(codes[4], (Value::Null, json!(1)));
    assert_eq!(codes[5], problem("conflict", 6));
    assert_eq!(codes[6], (Value::Null, json!(2)));
    // Nothing of what was sent is quoted.
    assert!(!answers[2].to_string().contains("nobody"));
    let array = service.post("/v1/decisions", "application/json", b"[{\"action\":\"burn\"}]");
    assert_eq!(array.problem(), (422, "invalid".to_owned()));
    let broken = service.post("/v1/decisions", "application/json", b"[");
    assert_eq!(broken.problem(), (400, "bad-json".to_owned()));
    let other = service.post("/v1/decisions", "text/plain", b"");
    assert_eq!(other.problem(), (415, "media-type".to_owned()));
    assert_eq!(service.get("/v1/decisions?limit=0").problem(), (422, "invalid".to_owned()));
    assert_eq!(service.get("/v1/decisions?cursor=x").problem(), (422, "invalid".to_owned()));
}

#[test]
fn clusters_by_tag_state_certainty_and_sources() {
    let service = service();
    let mut first = document(1);
    first["source"] = json!("Harbour Post");
    service.add(&[first, near(1, "x"), near(1, "y"), document(2), copy_of(2, "z"), document(3)]);
    assert_eq!(clusters(&service, "sort=certainty")[0].0, "d1");
    assert_eq!(clusters(&service, "sort=sources")[0].0, "d1");
    let line = service.get("/v1/clusters?sort=sources&limit=1").json()["clusters"][0].clone();
    assert_eq!((&line["source"], &line["sources"]), (&json!("Harbour Post"), &json!(3)));
    assert!(line["lowest"].as_f64().unwrap() < 1.0, "{line}");
    assert_eq!((&line["state"], &line["tags"]), (&json!("open"), &json!([])));
    assert_eq!(clusters(&service, "source=Source%20x"), is(&[("d1", 3)]));
    decide(
        &service,
        &[
            json!({ "action": "tag", "documents": ["x"], "tags": ["weather", "sea"] }),
            json!({ "action": "skip", "documents": ["d2"] }),
        ],
    );
    assert_eq!(clusters(&service, "tag=sea"), is(&[("d1", 3)]));
    assert!(clusters(&service, "tag=none").is_empty());
    assert_eq!(clusters(&service, "state=reviewed"), is(&[("d1", 3)]));
    assert_eq!(clusters(&service, "state=skipped"), is(&[("d2", 2)]));
    assert_eq!(clusters(&service, "state=open"), is(&[("d3", 1)]));
    decide(&service, &[json!({ "action": "untag", "documents": ["x"], "tags": ["sea"] })]);
    assert!(clusters(&service, "tag=sea").is_empty());
    // Pages of a list in every order, without gaps or repeats.
    for sort in ["size", "first", "last", "certainty", "sources"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/v1/clusters?min_size=1&limit=1&sort={sort}{cursor}");
            let page = service.get(&path).json();
            seen.push(page["clusters"][0]["cluster"].as_str().unwrap().to_owned());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        seen.sort();
        assert_eq!(seen, ["d1", "d2", "d3"], "{sort}");
    }
    let bad = service.get("/v1/clusters?state=half");
    assert_eq!(bad.problem(), (422, "invalid".to_owned()));
}

#[test]
fn decisions_outlive_the_service_and_go_with_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").to_str().unwrap().to_owned();
    let start = || Setup { store: address.clone(), ..Setup::default() }.start();
    let service = start();
    service.add(&[document(1), copy_of(1, "erased-771"), copy_of(1, "b")]);
    decide(&service, &[json!({ "action": "not-a-copy", "documents": ["erased-771"] })]);
    service.end().unwrap();
    let service = start();
    assert_eq!(clusters(&service, "sort=size"), is(&[("d1", 2), ("erased-771", 1)]));
    let deleted = service.send("DELETE /v1/documents/erased-771 HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(deleted.status, 200);
    let history = service.get("/v1/decisions");
    assert_eq!(history.json()["decisions"], json!([]));
    assert!(!history.text().contains("erased-771"));
}
