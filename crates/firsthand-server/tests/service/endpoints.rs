//! Looking up, listing, comparing, exporting; and problems where there is nothing.

use super::client::*;
use serde_json::{Value, json};

#[test]
fn a_document_is_found_by_its_id_and_its_url() {
    let service = service();
    let mut original = document(1);
    original["url"] = json!("https://news.example/a?b=c");
    original["title"] = json!("A title");
    service.add(&[original, copy_of(1, "a copy/with slash")]);
    let found = service.get("/v1/documents/d1").json();
    assert_eq!(
        (&found["verdict"], &found["copies"]),
        (&json!("original"), &json!(["a copy/with slash"]))
    );
    let copy = service.get("/v1/documents/a%20copy%2Fwith%20slash").json();
    assert_eq!((&copy["verdict"], &copy["original"]), (&json!("duplicate"), &json!("d1")));
    let by_url = service.get("/v1/documents?url=https%3A%2F%2Fnews.example%2Fa%3Fb%3Dc").json();
    assert_eq!((&by_url["id"], &by_url["title"]), (&json!("d1"), &json!("A title")));
    assert_eq!(service.get("/v1/documents/none").problem(), (404, "not-found".to_owned()));
    assert_eq!(service.get("/v1/documents?url=none").problem(), (404, "not-found".to_owned()));
    assert_eq!(service.get("/v1/documents").problem(), (422, "invalid".to_owned()));
    assert_eq!(service.get("/v1/documents/%ff").problem(), (400, "bad-request".to_owned()));
}

#[test]
fn a_deleted_document_is_gone() {
    let service = service();
    service.add(&[document(1), copy_of(1, "copy")]);
    let delete = |id: &str| {
        service.send(&format!("DELETE /v1/documents/{id} HTTP/1.1\r\nhost: localhost"), b"")
    };
    let deleted = delete("d1");
    assert_eq!((deleted.status, &deleted.json()["promoted"]), (200, &json!("copy")));
    assert_eq!((service.get("/v1/documents/d1").status, delete("d1").status), (404, 404));
    assert_eq!(service.get("/v1/documents/copy").json()["verdict"], "original");
}

fn several_clusters(service: &Service) {
    let mut documents = Vec::new();
    for number in 0..30 {
        let mut original = document(number);
        original["title"] = json!(format!("Title {number}"));
        original["url"] = json!(format!("https://www.site{}.example/{number}", number % 3));
        original["time"] = json!(format!("2024-05-01T{:02}:{:02}:00Z", number / 6, number % 6));
        documents.push(original.clone());
        for copy in 0..number % 5 {
            let mut copied = original.clone();
            copied["id"] = json!(format!("c{number}-{copy}"));
            documents.push(copied);
        }
    }
    service.add(&documents);
}

fn names(page: &Value) -> Vec<String> {
    let clusters = page["clusters"].as_array().unwrap().iter();
    clusters.map(|cluster| cluster["cluster"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn clusters_are_listed_in_pages_without_gaps() {
    let folder = tempfile::tempdir().unwrap();
    for store in ["memory:".to_owned(), folder.path().join("seen").display().to_string()] {
        let service = Setup { store, ..Setup::default() }.start();
        several_clusters(&service);
        for sort in ["size", "first", "last"] {
            let all = service.get(&format!("/v1/clusters?sort={sort}&limit=1000")).json();
            assert_eq!((all["total"].as_u64(), &all["next"]), (Some(24), &Value::Null));
            let (mut seen, mut cursor) = (Vec::new(), String::new());
            for _ in 0..10 {
                let page = service.get(&format!("/v1/clusters?sort={sort}&limit=7{cursor}")).json();
                seen.extend(names(&page));
                match page["next"].as_str() {
                    Some(next) => cursor = format!("&cursor={next}"),
                    None => break,
                }
            }
            assert_eq!(seen, names(&all), "{sort}");
        }
        let sizes = service.get("/v1/clusters").json();
        let sizes =
            sizes["clusters"].as_array().unwrap().iter().map(|it| it["size"].as_u64().unwrap());
        assert!(sizes.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn clusters_are_filtered() {
    let service = service();
    several_clusters(&service);
    let total = |query: &str| {
        service.get(&format!("/v1/clusters?{query}")).json()["total"].as_u64().unwrap()
    };
    assert_eq!(
        (total("min_size=1"), total("min_size=5"), total("min_size=2&max_size=2")),
        (30, 6, 6)
    );
    assert_eq!(
        (total("min_size=1&source=site1.example"), total("min_size=1&source=ite1.example")),
        (10, 0)
    );
    assert_eq!(total("min_size=1&from=2024-05-01T04:00:00Z"), 6);
    assert_eq!(total("min_size=1&to=2024-05-01T00:59:00Z"), 6);
    assert_eq!((total("min_size=1&text=TITLE%207"), total("min_size=1&text=site2")), (1, 10));
    for bad in
        ["sort=best", "from=soon", "limit=0", "limit=1001", "cursor=zz", "size=3", "min_size=-1"]
    {
        assert_eq!(
            service.get(&format!("/v1/clusters?{bad}")).problem(),
            (422, "invalid".to_owned()),
            "{bad}"
        );
    }
}

#[test]
fn a_cluster_has_its_members_by_whatever_name() {
    let service = service();
    let copies: Vec<Value> = (0..7).map(|copy| copy_of(1, &format!("c{copy}"))).collect();
    service.add(&[document(1)]);
    service.add(&copies);
    for id in ["d1", "c3"] {
        let cluster = service.get(&format!("/v1/clusters/{id}?limit=5")).json();
        assert_eq!((&cluster["original"], &cluster["size"]), (&json!("d1"), &json!(8)));
        let first: Vec<_> =
            cluster["members"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        assert_eq!(first, ["d1", "c0", "c1", "c2", "c3"]);
        let next = cluster["next"].as_str().unwrap();
        let rest = service.get(&format!("/v1/clusters/{id}?limit=5&cursor={next}")).json();
        let rest: Vec<_> =
            rest["members"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        assert_eq!(rest, ["c4", "c5", "c6"]);
    }
    assert_eq!(service.get("/v1/clusters/none").problem(), (404, "not-found".to_owned()));
}

#[test]
fn everything_is_exported_in_three_formats() {
    let folder = tempfile::tempdir().unwrap();
    for store in ["memory:".to_owned(), folder.path().join("seen").display().to_string()] {
        let service = Setup { store, ..Setup::default() }.start();
        let mut hostile = document(5000);
        hostile["title"] = json!("=cmd|' /C calc'!A0");
        service.add(&[hostile]);
        service.add(&(0..2500).map(document).collect::<Vec<_>>());
        let lines = service.get("/v1/export").lines();
        assert_eq!(
            (lines.len(), &lines[0]["id"], &lines[2500]["id"]),
            (2501, &json!("d5000"), &json!("d2499"))
        );
        let csv = service.get("/v1/export?format=csv");
        assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
        assert_eq!(csv.text().lines().count(), 2502);
        assert!(
            !csv.text().contains(",=cmd") && csv.text().contains("=cmd"),
            "formulas are defused"
        );
        let parquet = service.get("/v1/export?format=parquet");
        assert!(parquet.body.starts_with(b"PAR1") && parquet.body.ends_with(b"PAR1"));
        assert_eq!(service.get("/v1/export?format=xls").problem(), (422, "invalid".to_owned()));
    }
}

#[test]
fn texts_are_compared_and_extracted_without_being_stored() {
    let service = service();
    service.add(&[document(1)]);
    let text = document(1)["text"].clone();
    let compare =
        |body: Value| service.post("/v1/compare", "application/json", body.to_string().as_bytes());
    let two = compare(json!({ "a": { "text": text }, "b": { "text": text } })).json();
    assert_eq!(
        (&two["verdict"], two["score"].as_f64()),
        (&json!("exact-copy"), Some(1.0)),
        "{two}"
    );
    let stored = compare(json!({ "id": "d1", "b": { "text": text } })).json();
    assert_eq!(
        (&stored["verdict"], &stored["exact"]),
        (&json!("duplicate"), &json!(true)),
        "{stored}"
    );
    assert_eq!(compare(json!({ "id": "none", "b": { "text": "x" } })).problem().0, 404);
    assert_eq!(compare(json!({ "b": { "text": "x" } })).problem().0, 422);
    assert_eq!(compare(json!({ "a": 1, "b": { "text": "x" } })).problem().0, 422);
    assert_eq!(
        service.post("/v1/compare", "application/json", b"{").problem(),
        (400, "bad-json".to_owned())
    );
    assert_eq!(service.post("/v1/compare", "text/plain", b"{}").problem().0, 415);
    let page = b"<html><title>Ferry</title><nav>Home</nav><p>The ferry to the island will not sail today.</p>";
    let extracted = service.post("/v1/extract", "text/html", page).json();
    assert_eq!(extracted["title"], "Ferry");
    assert!(
        extracted["text"].as_str().unwrap().contains("will not sail")
            && extracted["blocks"].is_array()
    );
    assert_eq!(service.post("/v1/extract", "image/png", b"x").problem().0, 415);
    assert_eq!(service.get("/v1/documents/b").status, 404);
}

#[test]
fn the_service_tells_about_itself() {
    let service = service();
    assert_eq!(service.get("/livez").text(), "ok\n");
    assert_eq!(service.get("/readyz").text(), "ok\n");
    assert_eq!(service.get("/v1/version").json()["name"], "firsthand");
    let settings = service.get("/v1/settings").json();
    assert_eq!(
        (&settings["settings"]["stream"]["salt"], &settings["limits"]["lines"]),
        (&Value::Null, &json!("1000000"))
    );
    service.add(&[document(1), copy_of(1, "copy")]);
    let metrics = service.get("/metrics").text();
    for line in [
        "firsthand_documents_total{verdict=\"original\"} 1",
        "firsthand_documents_total{verdict=\"duplicate\"} 1",
        "firsthand_store_documents 2",
        "firsthand_candidates_total 1",
        "firsthand_requests_total{endpoint=\"/v1/documents\",status=\"200\"} 1",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    assert_eq!(service.get("/nowhere").problem(), (404, "not-found".to_owned()));
    let wrong = service.send("PUT /v1/documents HTTP/1.1\r\nhost: localhost", b"");
    assert_eq!(wrong.problem(), (405, "method".to_owned()));
}
