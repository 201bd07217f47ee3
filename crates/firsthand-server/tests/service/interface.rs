//! The description of the interface: as it is committed, and every example in it.

use super::client::*;
use serde_json::Value;

/// Where the description is kept, for readers and for clients that are generated from it.
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_description_is_the_one_that_is_committed() {
    let made = firsthand_server::openapi_json().unwrap();
    if std::env::var_os("FIRSTHAND_WRITE_OPENAPI").is_some() {
        std::fs::write(COMMITTED, &made).unwrap();
    }
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(
        made == committed,
        "run this test with FIRSTHAND_WRITE_OPENAPI=1, and look at the difference"
    );
    let description: Value = serde_json::from_str(&made).unwrap();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
}

/// The example of a parameter or body.
fn example(of: &Value) -> Option<String> {
    let example = of.get("example").or_else(|| of["schema"].get("example"))?;
    Some(example.as_str().map_or_else(|| example.to_string(), str::to_owned))
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

#[test]
fn every_example_of_the_description_does_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("seen").display().to_string();
    let service = Setup { store, keep_text: true, ..Setup::default() }.start();
    let description = service.get("/openapi.json").json();
    let mut run = 0;
    // What stores documents comes first, and what deletes them last.
    let mut operations = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let order = match (&**method, &**path) {
                ("post", "/v1/documents") => 0,
                // There is something to redo only once something was undone.
                ("delete", _) | (_, "/v1/review/redo") => 2,
                _ => 1,
            };
            operations.push((order, path, method, operation));
        }
    }
    operations.sort_by_key(|(order, path, ..)| (*order, path.to_string()));
    for (_, path, method, operation) in operations {
        let (mut path, mut query) = (path.clone(), Vec::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let Some(value) = example(parameter) else {
                assert_ne!(parameter["required"], true, "{path} {name} has no example");
                continue;
            };
            match parameter["in"].as_str().unwrap() {
                "path" => path = path.replace(&format!("{{{name}}}"), &encoded(&value)),
                _ => query.push(format!("{name}={}", encoded(&value))),
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let head = format!("{} {path} HTTP/1.1\r\nhost: localhost", method.to_uppercase());
        let bodies: Vec<(String, String)> = operation["requestBody"]["content"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(kind, body)| Some((kind.clone(), example(body)?)))
            .collect();
        let requests = match bodies.is_empty() {
            true => vec![(head, String::new())],
            false => bodies
                .into_iter()
                .map(|(kind, body)| (format!("{head}\r\ncontent-type: {kind}"), body))
                .collect(),
        };
        for (head, body) in requests {
            let response = service.send(&head, body.as_bytes());
            assert_eq!(response.status, 200, "{head}\n{body}\n{}", response.text());
            run += 1;
        }
    }
    assert!(run >= 20, "{run} examples");
}
