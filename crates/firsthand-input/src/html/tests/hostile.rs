//! Hostile pages still give their text, and report exceeded limits.

use std::time::Duration;

use super::page;
use crate::deadline::Deadline;
use crate::html::{Extract, HtmlError, Page, extract};
use firsthand::settings::{Limit, Limits};

#[test]
fn hostile_pages_keep_their_text() {
    let many = 200_000;
    let million = 1_000_000;
    let last = "<p>the end</p>";
    let cases: Vec<(&str, String)> = vec![
        ("divs", "<div>".repeat(many)),
        ("divs with text", "<div>a ".repeat(many)),
        ("closed divs", "<div>".repeat(many) + &"</div>".repeat(many)),
        ("divs with names", "<div class='nav main story'>".repeat(many)),
        ("divs side by side", "<div></div>".repeat(many)),
        ("spans", "<span>".repeat(many)),
        ("spans with names", "<span class=nav>a".repeat(many)),
        ("bold", "<b>".repeat(many)),
        ("bold in paragraphs", "<p><b>a".repeat(many)),
        ("links", "<a href=x>".repeat(many)),
        ("links with text", "<a href=x>a".repeat(many)),
        ("fonts", "<font size=1>a".repeat(many)),
        ("all inline", "<b><a href=x><font><span>".repeat(many)),
        ("crossed formatting", "<b><p></b>".repeat(many)),
        ("tables", "<table>".repeat(many)),
        ("tables with cells", "<table><tr><td>".repeat(many)),
        ("cells", format!("<table>{}</table>", "<td>a".repeat(many))),
        ("lists", "<ul><li>".repeat(many)),
        ("lists without items", "<ul>".repeat(many)),
        ("options", "<select><option>".repeat(many)),
        ("buttons", "<div>".to_owned() + &"<button>".repeat(many) + "</div>"),
        ("drawings", "<svg>".repeat(many)),
        ("drawings and formulas", "<svg><math>".repeat(many)),
        ("own elements", "<x-y>".repeat(many)),
        ("end tags", "</div></b></x-y>".repeat(many)),
        ("spans and end tags", "<span>".repeat(600) + &"<div></span>".repeat(many)),
        ("attributes", format!("<p{}>", " a=b".repeat(million))),
        ("different attributes", {
            let attributes: String = (0..million).map(|i| format!(" a{i}=b")).collect();
            format!("<p{attributes}>")
        }),
        ("bare attributes", format!("<p{}>", " a".repeat(million))),
        ("attribute slashes", format!("<p{}>", "/".repeat(million))),
        ("attribute signs", format!("<p{}>", "=".repeat(million))),
        ("long attribute", format!("<p class='{}'>", "nav ".repeat(million))),
        ("long attribute name", format!("<p {}>", "a".repeat(million))),
        ("long tag name", format!("<{}>", "a".repeat(million))),
        ("long own tag name", format!("<{}>", "a-".repeat(million))),
        ("references", "&amp;".repeat(million)),
        ("wrong references", "&".repeat(million)),
        ("unfinished references", "&aaaa".repeat(million)),
        ("long name", format!("&{};", "a".repeat(million))),
        ("numbers", "&#xFFFFFFFFF;".repeat(many)),
        ("long number", format!("&#{};", "9".repeat(million))),
        ("long hexadecimal", format!("&#x{};", "F".repeat(million))),
        ("comments", "<!---->".repeat(many)),
        ("declarations", "<!a><?b>".repeat(many)),
        ("dashes", format!("<!--{}-->", "- --".repeat(million))),
        ("less-than signs", "<".repeat(million)),
        ("less-than and slash", "</".repeat(million)),
        ("titles", "<title>".repeat(many)),
        ("times", "<time datetime=x>".repeat(many)),
        ("dates in a script", format!("<script>{}</script>", "\"datePublished\":{".repeat(many))),
        ("scripts", "<script>\"datePublished\":</script>".repeat(many)),
        ("line breaks", "<br>".repeat(many)),
        ("blocks", "<p>a".repeat(many)),
        ("empty lines", format!("<pre>{}</pre>", "a\n\n".repeat(many))),
        ("empty lines alone", format!("<pre>{}</pre>", "\n\n".repeat(many))),
        ("styles", "<p style='display:block'>".repeat(many)),
        ("zeros", "\0".repeat(million)),
        ("zeros in tags", "<\0p\0><p \0=\0>\0</p\0>".repeat(many)),
        ("sections", format!("<?xml?>{}", "<![CDATA[]]>".repeat(many))),
        ("closed at once", format!("<?xml?>{}", "<div/><script/><title/>".repeat(many))),
    ];
    for (name, start) in cases {
        for mode in [Extract::Main, Extract::Text] {
            let found = page(&format!("{start}{last}"), mode);
            let end = found.text.get(found.text.len().saturating_sub(7)..);
            assert_eq!(end, Some("the end"), "{name}, {mode:?}");
        }
    }
}

#[test]
fn hostile_pages_that_hide_the_rest_end() {
    let many = 300_000;
    let starts = [
        "<!--",
        "<!-- --",
        "<script>",
        "<script><!--",
        "<style>",
        "<textarea>",
        "<iframe>",
        "<xmp>",
        "<p title='",
        "<p title=\"",
        "<p ",
        "<p a=",
        "<p/",
        "<template>",
        "<![CDATA[",
        "<!",
        "<?",
        "</",
        "</p",
        "<a",
        "&#",
        "<noscript>",
        "<plaintext>",
        "<video>",
    ];
    for start in starts {
        for first in ["", "<?xml?>"] {
            let html = format!("{first}one {}", start.repeat(many));
            assert!(page(&html, Extract::Main).text.starts_with("one"), "{start}");
        }
    }
}

fn limited(html: &str, set: Limit, to: u64) -> Page {
    let mut limits = Limits::default();
    limits.set(set, to);
    extract(html, Extract::Text, &limits, Deadline::never()).unwrap()
}

#[test]
fn depth_is_bounded_and_text_beyond_it_kept() {
    let html = "<div>a<div>b<div>c<div>d<div>e</div>f</div>g</div>h</div>i</div>j";
    let found = limited(html, Limit::HtmlDepth, 4);
    assert_eq!(found.text.lines().collect::<String>(), "abcdefghij");
    assert_eq!(found.beyond, [Limit::HtmlDepth]);
    assert_eq!(limited(html, Limit::HtmlDepth, 6).beyond, []);
}

#[test]
fn after_too_deep_a_part_elements_are_told_apart_again() {
    let deep = "<div>".repeat(9);
    let html = format!("<ul><li>{deep}<p>a<p>b<li style='display:none'>c<li>d</ul><p>e");
    let found = limited(&html, Limit::HtmlDepth, 5);
    assert_eq!(found.text, "a\nb\nd\ne");
    assert_eq!(found.beyond, [Limit::HtmlDepth]);
}

#[test]
fn blocks_are_bounded_and_text_beyond_kept() {
    let html = "<p>a<p>b<p>c<p>d";
    let found = limited(html, Limit::HtmlBlocks, 2);
    assert_eq!((found.text.as_str(), &*found.beyond), ("a\nb\nc d", &[Limit::HtmlBlocks][..]));
    assert_eq!(limited(html, Limit::HtmlBlocks, 5).beyond, []);
    let found = limited("<div></div><div></div><p>a", Limit::HtmlBlocks, 2);
    assert_eq!((found.text.as_str(), &*found.beyond), ("a", &[Limit::HtmlBlocks][..]));
}

#[test]
fn attributes_beyond_the_limit_are_not_read() {
    let read = |html| {
        let found = limited(html, Limit::HtmlAttributes, 2);
        (found.text, found.beyond)
    };
    assert_eq!(
        read("<p a b style='display:none'>one"),
        ("one".into(), vec![Limit::HtmlAttributes])
    );
    assert_eq!(read("<p a style='display:none' b>one"), ("".into(), vec![Limit::HtmlAttributes]));
    assert_eq!(read("<p a style='display:none'>one"), ("".into(), vec![]));
    assert_eq!(read("<i a b c>one"), ("one".into(), vec![Limit::HtmlAttributes]));
}

#[test]
fn too_long_a_page_is_refused() {
    let limits = Limits { file: 3, ..Limits::default() };
    let read = |html| extract(html, Extract::Main, &limits, Deadline::never());
    let refused = read("four").unwrap_err();
    assert_eq!(refused, HtmlError::Beyond(Limit::File));
    assert!(refused.to_string().contains("file too large"), "{refused}");
    assert!(read("one").is_ok());
}

#[test]
fn work_ends_at_the_deadline() {
    let limits = Limits::default();
    for html in ["", "one", &"<p>one".repeat(10_000)] {
        let over = Deadline::after(Duration::ZERO);
        let refused = Err(HtmlError::Beyond(Limit::Seconds));
        assert_eq!(extract(html, Extract::Text, &limits, over), refused);
        assert_eq!(extract(html, Extract::Main, &limits, over), refused);
        assert!(crate::html::blocks(html, &limits, over).is_err());
        assert!(extract(html, Extract::Main, &limits, Deadline::after(Duration::MAX)).is_ok());
    }
}

#[test]
fn a_million_anchors_are_a_few() {
    let html: String = (0..1_000_000).map(|n| format!("<a name=place{n}>")).collect();
    let anchors = page(&html, Extract::Text).anchors;
    assert_eq!(anchors.len(), 128);
    let one = "<a ".to_owned() + &"id=one ".repeat(1_000_000) + ">text";
    assert_eq!(page(&one, Extract::Text).anchors.len(), 1);
}
