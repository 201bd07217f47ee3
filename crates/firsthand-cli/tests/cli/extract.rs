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

const FRAME: &str = "The Harbour Courier is read in every house on the coast, and those who have it \
    sent to them by post pay no more for it than for a cup of tea a week, said the editor, who has \
    been with us for the whole of these forty years and knows them all.";

/// Pages of a site whose notice looks like a story, and whose stories look like links.
fn site(folder: &std::path::Path) {
    let towns = ["Alder", "Birch", "Cedar", "Dorset"];
    for (at, town) in towns.iter().enumerate() {
        let story: String = (0..9)
            .map(|n| {
                let place = format!("{town} {}", at * 100 + n);
                format!(
                    "<li><a href=/{at}/{n}>In {place} a cow was found at the door of number {n} and \
                     taken to {town} by train</a></li>"
                )
            })
            .collect();
        let page = format!(
            "<html><head><title>The cows of {town}</title>\
             <link rel=canonical href=\"https://courier.example/{at}\"></head><body>\
             <div class=content><p>{FRAME}</p></div><ul>{story}</ul>\
             <p style=\"display:none\">An error has occurred.</p></body></html>"
        );
        write(folder, &format!("pages/{at}.html"), page);
    }
}

#[test]
fn the_site_of_a_page_corrects_its_text() {
    let folder = tempfile::tempdir().unwrap();
    site(folder.path());
    let text = |args: &[&str]| run(folder.path(), &[&["extract"], args].concat()).code(0).out;
    let alone = text(&["pages/0.html"]);
    assert_eq!(alone.trim(), FRAME);
    let among = text(&["pages/0.html", "--in", "pages"]);
    assert!(!among.contains(FRAME) && among.starts_with("In Alder 0 a cow was"), "{among}");
    assert_eq!(among.lines().count(), 9);
    // A page that is not in the collection is one of its site as well.
    std::fs::rename(folder.path().join("pages/0.html"), folder.path().join("new.html")).unwrap();
    assert_eq!(text(&["new.html", "--in", "pages"]), among);

    let shown = text(&["new.html", "--in", "pages", "--format", "json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["text"], among.trim());
    let blocks = shown["blocks"].as_array().unwrap();
    let of = |start: &str| {
        let is = |b: &&serde_json::Value| b["text"].as_str().unwrap().starts_with(start);
        let block = blocks.iter().find(is).unwrap_or_else(|| panic!("{start}: {shown}"));
        (block["kept"] == true, block["fate"].as_str().unwrap(), block["why"].as_str())
    };
    let furniture = Some("pages of the site that tell different stories have it");
    assert_eq!(of("The Harbour"), (true, "furniture", furniture));
    let rescued = Some("no other page of the site has it");
    assert_eq!(of("In Alder 8"), (false, "rescued", rescued));
    assert_eq!(of("An error"), (false, "beside", None));
    assert!(blocks.iter().all(|block| !block["reason"].as_str().unwrap().is_empty()));

    // The same is said of pairs and of the whole collection.
    let pair = ["explain", "pages/1.html", "pages/2.html", "--in", "pages"];
    let why = run(folder.path(), &pair).code(0).out;
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading = "Taken as text, because no other page of the site has it: 9 in a, 9 in b";
    assert!(why.contains(heading), "{why}");
    run(folder.path(), &["dedup", "pages", "-o", "out"])
        .code(0)
        .says("Completed the text of 3 pages");
    let report: serde_json::Value =
        serde_json::from_str(&super::read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["counts"]["rescued_pages"], 3);
}

#[test]
fn documents_of_a_collection_by_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, story: &str| {
        let url = format!("https://courier.example/{id}");
        serde_json::json!({"id": id, "url": url, "title": id, "text": format!("{FRAME}\n{story}")})
            .to_string()
    };
    let records = [
        record("a", FERRY),
        record("b", super::COUNCIL),
        record("a", "One more story of the day."),
    ];
    write(folder.path(), "news.jsonl", records.join("\n"));
    let told = |args: &[&str]| run(folder.path(), &[&["extract"], args].concat());
    assert_eq!(told(&["a", "--in", "news.jsonl"]).code(0).out.trim(), FERRY);
    let second = told(&["a#2", "--in", "news.jsonl"]).code(0).out;
    assert_eq!(second.trim(), "One more story of the day.");
    let both = told(&["b", "a", "--in", "news.jsonl"]).code(0).out;
    assert_eq!(both, format!("==> b <==\n{}\n\n==> a <==\n{FERRY}\n\n", super::COUNCIL));

    told(&["c", "--in", "news.jsonl"]).code(2).says("no document of --in has the id \"c\"");
    told(&["a", "--in", "nowhere"]).code(2).says("nowhere: there is no such file or folder");
    told(&["a"]).code(2).says("a: there is no such file");
}

#[test]
fn the_site_and_how_it_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let html = |head: &str| page().replace("<title>", &format!("{head}<title>"));
    write(
        folder.path(),
        "in/a.html",
        html("<link rel=canonical href=https://m.news.example.com/1>"),
    );
    write(folder.path(), "in/b.html", html("<base href=https://uni.example.com/~anna/>"));
    write(folder.path(), "in/c.html", page());
    let run = run(folder.path(), &["extract", "in", "--format", "json"]).code(0);
    let shown = serde_json::Deserializer::from_str(&run.out).into_iter::<serde_json::Value>();
    let sites: Vec<(String, String)> = shown
        .map(|shown| shown.unwrap())
        .map(|shown| (shown["site"].to_string(), shown["site_known_by"].to_string()))
        .collect();
    let known = |site: &str, by: &str| (format!("{site:?}"), format!("{by:?}"));
    let none = ("null".to_owned(), "null".to_owned());
    let expected =
        [known("news.example.com", "canonical"), known("uni.example.com/~anna", "base"), none];
    assert_eq!(sites, expected);
    super::run(folder.path(), &["dedup", "in", "-o", "out"]).code(0);
    let report = std::fs::read_to_string(folder.path().join("out/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["sites_known_by"], serde_json::json!({"base": 1, "canonical": 1, "none": 1}));
}
