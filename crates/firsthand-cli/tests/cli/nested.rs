//! Fields inside of other fields, by path.

use super::{COUNCIL, FERRY, lines, read, run, write};

#[test]
fn fields_are_found_by_path() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, text: &str| {
        serde_json::json!({
            "meta": { "id": id, "body": text, "page": { "title": "T", "at": "2026-01-02T03:04:05Z", "url": "http://a.example/" } },
            "text": "not this one",
        })
    };
    let records = [record("a", FERRY), record("b", FERRY), record("c", COUNCIL)];
    write(
        folder.path(),
        "in.jsonl",
        records.each_ref().map(|record| record.to_string()).join("\n"),
    );
    let second = records[0].to_string().len() + 1;
    let args = [
        "dedup",
        "in.jsonl",
        "-o",
        "out",
        "--text-field",
        "meta.body",
        "--id-field",
        "meta.id",
        "--title-field",
        "meta.page.title",
        "--time-field",
        "meta.page.at",
        "--url-field",
        "meta.page.url",
    ];
    run(folder.path(), &args).code(0);
    let clusters = lines(&read(folder.path(), "out/clusters.jsonl"));
    assert_eq!(clusters.len(), 1);
    let member = &clusters[0]["members"][1];
    let expected = serde_json::json!({
        "id": "b", "score": 1.0, "exact": true, "time": "2026-01-02T03:04:05Z", "title": "T",
        "url": "http://a.example/", "source": "a.example", "text": member["text"], "place": { "path": "in.jsonl", "number": 2, "byte": second },
    });
    assert_eq!(*member, expected);
    assert_eq!(member["text"], clusters[0]["members"][0]["text"]);
}

#[test]
fn a_field_whose_own_name_has_a_dot_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: &str, own: &str, inner: &str| {
        format!("{{\"id\":\"{id}\",\"meta\":{{\"body\":\"{inner}\"}},\"meta.body\":\"{own}\"}}\n")
    };
    write(folder.path(), "in.jsonl", line("a", FERRY, COUNCIL) + &line("b", FERRY, "other"));
    let args = ["dedup", "in.jsonl", "--text-field", "meta.body", "--emit", "pairs"];
    assert_eq!(run(folder.path(), &args).code(0).out, "exact\ta\tb\n");
    let row = |id: &str| format!("{id},\"{FERRY}\"\n");
    write(folder.path(), "in.csv", format!("id,meta.body\n{}{}", row("a"), row("b")));
    let args = ["dedup", "in.csv", "--text-field", "meta.body", "--emit", "pairs"];
    assert_eq!(run(folder.path(), &args).code(0).out, "exact\ta\tb\n");
}

#[test]
fn a_path_that_leads_nowhere_says_so() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "in.jsonl",
        "{\"id\":1,\"meta\":\"x\"}\n{\"id\":2,\"meta\":{\"body\":[]}}\n",
    );
    let run = run(folder.path(), &["dedup", "in.jsonl", "--text-field", "meta.body"]).code(2);
    run.says("none of the fields meta.body").says("the field meta.body holds an array");
}
