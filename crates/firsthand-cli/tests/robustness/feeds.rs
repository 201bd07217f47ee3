//! Feeds whose entities explode.

use super::{AFTER, BEFORE, Case, Stage};

fn item(text: &str) -> String {
    format!("<item><description>{text}</description></item>")
}

fn feed(before: &str, middle: &str) -> Stage {
    let items = [item(BEFORE), middle.to_owned(), item(AFTER)].concat();
    let feed = format!("<?xml version=\"1.0\"?>{before}<rss><channel>{items}</channel></rss>");
    Stage::with("m.rss", feed)
}

#[test]
fn a_billion_laughs() {
    let mut laughs = "<!DOCTYPE rss [<!ENTITY l0 \"ha\">".to_owned();
    for level in 1..=10 {
        let ten = format!("&l{};", level - 1).repeat(10);
        laughs.push_str(&format!("<!ENTITY l{level} \"{ten}\">"));
    }
    laughs.push_str("<!ENTITY file SYSTEM \"file:///etc/passwd\">]>");
    let stage = feed(&laughs, &item("&l10; &file;"));
    let name = "a feed whose entities expand to ten billion letters, and to a file";
    let done = "read; such entities expand to nothing";
    let (exit, read, others) = (0, (1, 1), 1);
    Case { name, done, exit, read, others, ..Case::default() }.check(&stage);
}

#[test]
fn an_endless_tag() {
    let stage = feed("", &format!("<item about=\"{}\"></item>", "x".repeat(70 << 10)));
    let says = ["m.rss, item 2", "the start tag of the item is longer than 64 KiB"];
    let name = "a feed with an item whose start tag has 70 KB";
    let done = "the item is refused, the next is read";
    Case { name, done, says: &says, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn deep_elements() {
    let stage = feed("", &"<x>".repeat(1_000_000));
    let name = "a feed with a million nested elements";
    Case { name, done: "read", exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}
