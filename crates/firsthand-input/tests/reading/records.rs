//! The fields of JSONL records.

use firsthand::settings::Reading;
use firsthand_input::{Exceeded, Fields, Limit, ReadOptions, Reason};

use crate::{Folder, only, only_error, read_all};

#[test]
fn fields_have_sensible_names() {
    let cases = [
        (r#"{"id":"a","text":"t"}"#, "a"),
        (r#"{"_id":"b","text":"t"}"#, "b"),
        (r#"{"doc_id":"c","text":"t"}"#, "c"),
        (r#"{"uuid":"d","text":"t"}"#, "d"),
        (r#"{"uuid":"d","id":"a","text":"t"}"#, "a"),
        (r#"{"id":null,"uuid":"d","text":"t"}"#, "d"),
        (r#"{"id":17,"text":"t"}"#, "17"),
        (r#"{"id":-3,"text":"t"}"#, "-3"),
        (r#"{"id":1.5,"text":"t"}"#, "1.5"),
        (r#"{"id":true,"text":"t"}"#, "true"),
        (r#"{"id":18446744073709551615,"text":"t"}"#, "18446744073709551615"),
        (r#"{"id":"a\"\u00e9","text":"t"}"#, "a\"é"),
        (r#"{"i\u0064":"a","text":"t"}"#, "a"),
    ];
    for (line, id) in cases {
        assert_eq!(only(line, &ReadOptions::default()).id, id, "{line}");
    }
}

#[test]
fn everything_a_record_can_say() {
    let line = r#"{"content":"Text.","headline":" Ferry late ","link":"https://News.example.com:80/a",
        "site":"wire","published":"2001-09-09T01:46:40Z","label":3,"other":{"id":"no"},"id":"x"}"#;
    let document = only(&line.replace('\n', " "), &ReadOptions::default());
    assert_eq!(document.id, "x");
    assert_eq!(document.text, "Text.");
    assert_eq!(document.title.as_deref(), Some("Ferry late"));
    assert_eq!(document.url.as_deref(), Some("https://News.example.com:80/a"));
    assert_eq!(document.host.as_deref(), Some("news.example.com"));
    assert_eq!(document.source.as_deref(), Some("wire"));
    assert_eq!(document.time, Some(1_000_000_000_000));
    assert_eq!(document.cluster.as_deref(), Some("3"));
}

#[test]
fn a_named_field_is_the_only_one_looked_at() {
    let fields = Fields { text: vec!["story".into()], ..Fields::default() };
    let options =
        ReadOptions { reading: Reading { fields, ..Reading::default() }, ..ReadOptions::default() };
    let document = only(r#"{"text":"teaser","story":"whole"}"#, &options);
    assert_eq!(document.text, "whole");
    let folder = Folder::new();
    let path = folder.write("a.jsonl", r#"{"text":"teaser"}"#);
    let (_, errors) = read_all(&[path], &options);
    assert!(errors[0].to_string().contains("fields story, html"), "{}", errors[0]);
}

#[test]
fn plain_text_counts_before_the_page() {
    let options = ReadOptions::default();
    let both = only(r#"{"text":"plain","html":"<p>page</p>"}"#, &options);
    assert_eq!(both.text.trim(), "plain");
    let blank = only(r#"{"text":" \n","html":"<p>page</p>"}"#, &options);
    assert_eq!(blank.text.trim(), "page");
    let page = only(r#"{"html":"<p>page</p>"}"#, &options);
    assert_eq!(page.text.trim(), "page");
    let empty = only(r#"{"text":"","html":null}"#, &options);
    assert_eq!(empty.text, "");
}

#[test]
fn a_record_without_an_id_is_named_after_its_line() {
    let folder = Folder::new();
    let path = folder.write("a.jsonl", "\n{\"text\":\"t\"}\n\n{\"id\":\" \",\"text\":\"u\"}");
    let (documents, _) = read_all(&[path], &ReadOptions::default());
    let ids: Vec<String> = documents.iter().map(|document| folder.short(&document.id)).collect();
    assert_eq!(ids, ["a.jsonl:2", "a.jsonl:4"]);
}

#[test]
fn repeated_ids_are_told_apart() {
    let folder = Folder::new();
    let line = "{\"id\":\"a\",\"text\":\"t\"}\n";
    let paths = [folder.write("a.jsonl", line.repeat(2)), folder.write("b.jsonl", line)];
    let mut reader = firsthand_input::read(&paths, &ReadOptions::default()).unwrap();
    let ids: Vec<String> = reader.by_ref().map(|item| item.unwrap().id).collect();
    assert_eq!(ids, ["a", "a#2", "a#3"]);
    assert_eq!(reader.renamed(), 2);
}

#[test]
fn a_host_field_counts_before_the_url() {
    let line = r#"{"text":"t","url":"http://a.example/x","host":"B.example"}"#;
    assert_eq!(only(line, &ReadOptions::default()).host.as_deref(), Some("b.example"));
}

#[test]
fn the_site_is_told_by_the_surest_clue() {
    let links = "<a href=https://l.example.com/1>a</a>".repeat(3);
    let files = "<script src=a.js></script><script src=b.js></script>";
    let base = "<base href=https://b.example.com/~anna/>";
    let canonical = "<link rel=canonical href=https://m.c.example.com/x>";
    let cases = [
        (
            r#""host":"WWW.r.example.com","url":"http://a.example.com/x","#,
            "",
            "r.example.com record",
        ),
        (
            r#""host":"a.example.com","url":"http://a.example.com/~x/y","#,
            "",
            "a.example.com/~x address",
        ),
        (
            r#""url":"http://www.a.example.com/blogs/x/y.html","#,
            canonical,
            "a.example.com/blogs/x address",
        ),
        ("", &[base, canonical, &links, files].concat(), "c.example.com canonical"),
        ("", &[base, &links, files].concat(), "b.example.com/~anna base"),
        ("", &links, "l.example.com links"),
        ("", files, "assets:* assets"),
        ("", "", "-"),
    ];
    for (fields, head, expected) in cases {
        let page = format!("{head}<p>The ferry is late.</p>");
        let html = page.replace('"', "'");
        let line = format!(r#"{{{fields}"id":"1","html":"{html}"}}"#);
        let document = only(&line, &ReadOptions::default());
        let site = document.known_site.as_ref();
        let found = site.map_or("-".to_owned(), |site| {
            let name = if site.name.starts_with("assets:") { "assets:*" } else { &site.name };
            format!("{name} {}", site.clue.label())
        });
        assert_eq!(found, expected, "{line}");
        assert_eq!(document.site(), site.map(|site| site.name.as_str()), "{line}");
    }
}

#[test]
fn a_time_that_is_none_is_no_failure() {
    assert_eq!(only(r#"{"text":"t","time":"soon"}"#, &ReadOptions::default()).time, None);
    assert_eq!(only(r#"{"text":"t","time":1.5}"#, &ReadOptions::default()).time, Some(1_500));
    assert_eq!(only(r#"{"text":"t","time":{"at":1}}"#, &ReadOptions::default()).time, None);
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let folder = Folder::new();
    let path =
        folder.write("a.jsonl", b"\xEF\xBB\xBF{\"id\":\"a\",\"text\":\"caf\xE9\\u0000\"}\r\n");
    let (documents, errors) = read_all(&[path], &ReadOptions::default());
    assert_eq!(errors, []);
    assert_eq!(documents[0].text, "caf\u{FFFD}\u{0}");
    let half = only(r#"{"id":"a","text":"caf\udce9"}"#, &ReadOptions::default());
    assert_eq!(half.text, "caf\u{FFFD}");
}

#[test]
fn a_field_that_is_named_as_the_text_is_the_text() {
    for field in ["id", "title", "url", "time"] {
        let mut options = ReadOptions::default();
        options.reading.fields.text = vec![field.to_owned()];
        let line = format!(r#"{{"{field}":"the ferry sails"}}"#);
        assert_eq!(only(&line, &options).text, "the ferry sails", "{field}");
    }
}

#[test]
fn what_is_wrong_with_a_line() {
    let cases = [
        ("{", "not valid JSON: it ends in the middle of an object"),
        (r#"{"text":"t"} x"#, "not valid JSON: something follows the end (column 14)"),
        (r#"{"text":"t}"#, "not valid JSON: it ends in the middle of"),
        (r#"{"text":"\x"}"#, "not valid JSON: a backslash before"),
        ("hello", "not valid JSON: a value is missing"),
        ("[1]", "a JSON array where"),
        ("\"text\"", "a JSON string where"),
        ("12", "a JSON number where"),
        ("null", "not valid JSON: "),
        ("{}", "no text: none of the fields text, content, body, html is present"),
        ("{\"text\":null}", "no text: the field text holds null"),
        ("{\"text\":[\"x\"]}", "no text: the field text holds an array"),
        ("{\"body\":{\"a\":1}}", "no text: the field body holds an object"),
        ("{\"html\":null,\"id\":7}", "no text: the field html holds null"),
        (
            "{\"id\":\"\\ud800\",\"text\":\"t\"}",
            "its id holds half of a surrogate pair, which is not a character",
        ),
        (r#"{"text":null}"#, "no text: "),
        (r#"{"text":["a"]}"#, "no text: "),
    ];
    for (line, start) in cases {
        let reason = only_error(line);
        assert!(reason.starts_with(start), "{line}: {reason}");
    }
}

#[test]
fn deep_json_does_no_harm() {
    let deep = "[".repeat(1_000_000);
    only_error(&format!(r#"{{"text":{deep}"#));
    only_error(&format!(r#"{{"other":{deep}"#));
    for (depth, is_read) in [(100, true), (1_000_000, false)] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let folder = Folder::new();
        let path = folder.write("a.jsonl", format!(r#"{{"other":{open}{close},"text":"t"}}"#));
        let (documents, errors) = read_all(&[path], &ReadOptions::default());
        assert_eq!((documents.len(), errors.is_empty()), (usize::from(is_read), is_read));
        for error in errors {
            assert_eq!(
                error.reason,
                Reason::Beyond(Exceeded { limit: Limit::JsonDepth, value: 128 })
            );
        }
    }
}
