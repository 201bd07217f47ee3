//! `firsthand extract`: the text, and why each block was kept or dropped.

use super::{FERRY, lines, run, write};

fn page() -> String {
    let menu: String = (0..9).map(|n| format!("<li><a href=/{n}>Section {n}</a></li>")).collect();
    format!(
        "<html><head><title>Ferry aground</title></head><body><ul class=menu>{menu}</ul>\
         <div class=article><h1>Ferry aground</h1><p>{FERRY}</p></div>\
         <div class=footer><p>All rights reserved.</p></div></body></html>"
    )
}

#[test]
fn the_text_of_a_page() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "page.html", page());
    let run = run(folder.path(), &["extract", "page.html"]).code(0);
    assert_eq!(run.out, format!("Ferry aground\n{FERRY}\n"));
    assert_eq!(run.err, "");
}

#[test]
fn every_block_has_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "page.html", page());
    let run = run(folder.path(), &["extract", "page.html", "--format", "json"]).code(0);
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let blocks = shown["blocks"].as_array().unwrap();
    let of = |start: &str| {
        let is = |b: &&serde_json::Value| b["text"].as_str().unwrap().starts_with(start);
        blocks.iter().find(is).unwrap_or_else(|| panic!("{start} is not in {}", run.out))
    };
    assert_eq!(of("The night ferry")["kept"], true);
    assert_eq!(of("Section 3")["kept"], false);
    assert_eq!(of("All rights")["kept"], false);
    assert!(blocks.iter().all(|block| !block["reason"].as_str().unwrap().is_empty()));
}

#[test]
fn mail_tells_quotes_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mail = format!(
        "From: a@b.example\nSubject: Re: x\n\nNo, never.\n\nAnn wrote:\n> {FERRY}\n\n-- \nBob\n"
    );
    write(folder.path(), "reply.eml", mail);
    let run_as = |format: &str| run(folder.path(), &["extract", "reply.eml", "--format", format]);
    assert_eq!(run_as("text").code(0).out.trim(), "No, never.");
    let shown: serde_json::Value = serde_json::from_str(&run_as("json").code(0).out).unwrap();
    let blocks = shown["blocks"].as_array().unwrap();
    assert!(blocks.iter().any(|block| block["kept"] == false
        && block["text"].as_str().unwrap().contains("The night ferry")));
}

#[test]
fn several_documents_and_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.txt", "one");
    write(folder.path(), "in/b.txt", "two");
    let text = run(folder.path(), &["extract", "in"]).code(0).out;
    assert_eq!(text, "==> in/a.txt <==\none\n\n==> in/b.txt <==\ntwo\n\n");
    let json = lines(&run(folder.path(), &["extract", "in", "--format", "jsonl"]).code(0).out);
    assert_eq!((&json[1]["id"], &json[1]["text"]), (&"in/b.txt".into(), &"two".into()));
    run(folder.path(), &["extract", "nowhere"]).code(2).says("nowhere: there is no such file");
}
