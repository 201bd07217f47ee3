//! Pages that are XML, or claim to be.

use super::blocks;
use firsthand::settings::Extract;

const STRICT: &str = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">";
const NAMESPACE: &str = "<html xmlns=\"http://www.w3.org/1999/xhtml\">";

#[test]
fn a_self_closed_script_does_not_swallow_an_xhtml_page() {
    let page = "<head><script src='x'/><style/><title/></head><p>one</p><textarea/><p>two</p>";
    for start in ["<?xml version='1.0'?>", "\u{feff}\n<?xml?>", STRICT, NAMESPACE] {
        assert_eq!(blocks(&format!("{start}{page}")), ["one", "two"], "{start}");
    }
    // In HTML it does, as in browsers, except for titles.
    assert!(blocks(page).is_empty());
    assert_eq!(blocks("<title/><p>one"), ["one"]);
}

#[test]
fn self_closed_elements_are_empty_in_xml() {
    let cases: &[(&str, &[&str])] = &[
        ("<p>one<br/>two</p>", &["one two"]),
        ("one<p/>two<div/>three", &["one", "two", "three"]),
        ("<div style='display:none'/>one", &["one"]),
        ("<svg/>one <select/>two", &["one two"]),
        ("<table><tr><td/><td>a</td></tr></table>b", &["a", "b"]),
        ("a <![CDATA[<p> &amp; ]]]>b", &["a <p> &amp; ]b"]),
        ("<script>//<![CDATA[\nx()//]]></script>one", &["one"]),
        ("one<![CDATA[ two", &["one two"]),
        ("<?pi x?>one<?pi y?>", &["one"]),
    ];
    for (html, expected) in cases {
        assert_eq!(blocks(&format!("<?xml version='1.0'?>{html}")), *expected, "{html}");
    }
}

#[test]
fn a_self_closed_link_ends_at_once_in_xml() {
    let html = "<?xml?><p><a href='x'/>Not a link at all.</p>";
    let (_, blocks) = super::verdicts::blocks(html);
    assert_eq!((blocks[0].words, blocks[0].link_words), (5, 0));
    assert_eq!(super::page(html, Extract::Text).text, "Not a link at all.");
}
