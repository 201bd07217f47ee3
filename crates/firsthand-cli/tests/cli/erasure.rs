//! Erasure: what somebody asked to have deleted is in no file and in no answer.

use super::online::FERRY;
use super::{Run, lines, run, run_with};
use serde_json::{Value, json};
use std::path::Path;

fn store(folder: &Path, args: &[&str]) -> Run {
    run(folder, &[&["store"], args, &["--store", "seen"]].concat())
}

fn stream(folder: &Path, names: &[&str]) -> Vec<Value> {
    let record = |name: &&str| {
        let url = format!("https://press.example/{name}.html");
        let title = format!("Headline of {name}");
        json!({ "id": name, "text": FERRY, "url": url, "title": title }).to_string() + "\n"
    };
    let input: String = names.iter().map(record).collect();
    let args = ["stream", "--store", "seen", "--profile", "feed", "-q"];
    lines(&run_with(folder, &args, input.as_bytes()).code(0).out)
}

/// The files below a folder that hold a text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|part| part == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn an_erased_document_is_nowhere_and_its_copies_get_originals_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["annabel", "bertrand", "clothilde", "dagobert"];
    stream(folder.path(), &names);
    for (number, name) in names[..3].iter().enumerate() {
        let next = names[number + 1];
        let told = store(folder.path(), &["delete", name]).code(0).out;
        assert!(told.contains(&format!("{next} is the original of its ")), "{told}");
        store(folder.path(), &["compact"]).code(0);
        assert_eq!(holding(&folder.path().join("seen"), name), [""; 0], "{name}");
        let export = store(folder.path(), &["export"]).code(0).out;
        assert!(!export.contains(name), "{export}");
        // Neither is it the original nor the cluster of what comes later.
        let later = &stream(folder.path(), &[&format!("later{number}")])[0];
        assert_eq!((&later["original"], &later["cluster"]), (&next.into(), &next.into()));
    }
}
