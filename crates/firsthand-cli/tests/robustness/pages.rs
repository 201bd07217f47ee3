//! Pages made to be costly: deep, wide, unclosed.

use super::{AFTER, Case, Stage, page};

/// A page in the middle of which something stands before its text.
fn hostile(before: &str) -> Stage {
    Stage::with("m.html", page(AFTER).replace("<p>", &format!("{before}<p>")))
}

/// All of these are read, the text after the hostile part too.
fn read<'a>(name: &'a str, says: &'a [&'a str]) -> Case<'a> {
    Case { name, done: "read", says, exit: 0, read: (0, 1), ..Case::default() }
}

#[test]
fn nested_blocks() {
    let says = ["m.html: elements nested deeper than the limit of 512", "--max-html-depth"];
    let done = "read; deep elements are not distinguished";
    let case = read("200,000 nested `<div>`", &says);
    Case { done, ..case }.check(&hostile(&"<div>".repeat(200_000)));
}

#[test]
fn nested_inline_tags() {
    let stage = hostile(&"<b><i><a href=x><font>".repeat(50_000));
    read("200,000 nested inline tags", &[]).check(&stage);
}

#[test]
fn nested_tables() {
    let says = ["m.html: elements nested deeper than the limit of 512"];
    let done = "read; deep elements are not distinguished";
    let stage = hostile(&"<table><tr><td>".repeat(100_000));
    Case { done, ..read("100,000 nested tables", &says) }.check(&stage);
}

#[test]
fn attributes() {
    let many: String = (0..1_000_000).map(|number| format!(" a{number}=\"{number}\"")).collect();
    let says = ["m.html: attributes of a tag beyond the limit of 256", "--max-html-attributes"];
    let done = "read; the first 256 are examined";
    let case = read("a tag with a million attributes", &says);
    Case { done, ..case }.check(&hostile(&format!("<div{many}></div>")));
}

#[test]
fn attributes_that_never_end() {
    let stage = hostile(&"<a href=\"".repeat(200_000));
    read("200,000 tags with an open quote", &[]).check(&stage);
}

#[test]
fn entities() {
    let flood = "&amp;&#x26;&#38;&notin;&nosuch;&#xFFFFFFFFFF;&".repeat(200_000);
    let stage = hostile(&format!("<p>{flood}</p>"));
    read("a flood of 1.4 million entities", &[]).check(&stage);
}

#[test]
fn comments_that_never_end() {
    let stage = hostile(&"<!-- <![CDATA[ <? ".repeat(100_000));
    let case = read("300,000 comments and similar constructs that are never closed", &[]);
    Case { read: (0, 0), others: 1, ..case }.check(&stage);
}

#[test]
fn angle_brackets() {
    read("a million `<`", &[]).check(&hostile(&"<".repeat(1_000_000)));
}

#[test]
fn end_tags() {
    let stage = hostile(&"</p></div></table></b>".repeat(100_000));
    read("400,000 end tags without a start", &[]).check(&stage);
}

#[test]
fn blocks() {
    let says = ["m.html: blocks of text beyond the limit of 100000", "--max-html-blocks"];
    let done = "read; the first 100,000 are distinguished";
    let case = read("a million paragraphs of one word", &says);
    let stage = hostile(&"<p>word".repeat(1_000_000));
    Case { done, ..case }.check(&stage);
}

#[test]
fn a_page_that_is_too_large() {
    let stage = hostile(&"<p>word</p>".repeat(7_000_000));
    let says = ["m.html: larger than the limit of 64 MiB", "--max-file"];
    let case = read("a page of 77 MB", &says);
    Case { done: "refused", exit: 3, read: (0, 0), ..case }.check(&stage);
}

#[test]
fn a_text_that_is_too_long() {
    let stage = Stage::with("m.txt", "never ending words ".repeat(1_000_000));
    let says = ["m.txt: its text is longer than the limit of 16 MiB", "--max-document"];
    let case = read("a text of 19 MB", &says);
    Case { done: "refused", exit: 3, read: (0, 0), ..case }.check(&stage);
}
