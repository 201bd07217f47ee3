//! Small pages and their text.

mod frames;
mod hostile;
mod kinds;
mod meta;
mod verdicts;
mod xhtml;

use super::{Extract, Page, extract};
use crate::deadline::Deadline;
use firsthand::settings::Limits;

fn page(html: &str, mode: Extract) -> Page {
    extract(html, mode, &Limits::default(), Deadline::never()).unwrap()
}

fn blocks(html: &str) -> Vec<String> {
    page(html, Extract::Text).text.lines().map(str::to_owned).collect()
}

#[test]
fn pages_give_their_visible_blocks() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("nothing", "", &[]),
        ("only markup", "<p><div><br></div>", &[]),
        ("plain text", "one  two\n three", &["one two three"]),
        ("paragraphs", "<p>one</p><p>two</p>", &["one", "two"]),
        ("unclosed paragraphs", "<p>one<p>two<div>three", &["one", "two", "three"]),
        ("inline markup is no break", "<p>o<b>n</b>e <i>t</i>wo</p>", &["one two"]),
        ("unclosed list items", "<ul><li>one<li>two</ul>three", &["one", "two", "three"]),
        ("nested lists", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", &["a", "b", "c", "d"]),
        ("definitions", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", &["a", "b", "c", "d"]),
        ("one line break", "one<br>two", &["one two"]),
        ("two line breaks", "one<br>\n<br/>two<br>three", &["one", "two three"]),
        ("headings", "<h1>one</h1>two<h2>three</h2>", &["one", "two", "three"]),
        ("rows", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", &["a b", "c d"]),
        ("rules", "one<hr>two", &["one", "two"]),
        ("preformatted", "<pre>one\ntwo\n \nthree</pre>", &["one two", "three"]),
        ("comments", "on<!-- > <p> -->e <!-->two<!--->, <!-- - -- --!>three", &["one two, three"]),
        ("unclosed comment", "one<!-- two <p>three", &["one"]),
        ("declarations", "<!doctype html><?php x ?>one<![CDATA[x]]>", &["one"]),
        ("scripts", "a<script>if (a < b) '<p>x</p>'</script>b<style>p{}</style>c", &["abc"]),
        ("script in script", "a<script><!-- '<script>x</script>' --></script>b", &["ab"]),
        ("unclosed script", "one<script>two", &["one"]),
        ("raw text", "a<noscript>x</noscript><iframe>x</iframe><textarea>x</textarea>b", &["ab"]),
        ("controls", "a <select><option>x</select><button>y</button> b", &["a b"]),
        ("drawings", "<svg><title>x</title><text>y</text></svg>one", &["one"]),
        ("left drawing", "<div><svg><g>x<p>one</p></div>two", &["one", "two"]),
        ("hidden", "<div hidden>a</div><p style='Display: none'>x</p>one", &["one"]),
        ("not read aloud", "<div aria-hidden=true>x</div><b aria-hidden=true>o</b>ne", &["one"]),
        ("hidden nests", "<div style='display:none'><div>x</div>y</div>one", &["one"]),
        ("quoted attributes", "<a title='a > b' href=\">\">one</a>", &["one"]),
        ("bare attributes", "<td width=10 nowrap =x / a=b/>one", &["one"]),
        ("stray signs", "1 < 2 <3 & 4 > 3 </ p>x<>", &["1 < 2 <3 & 4 > 3 x<>"]),
        ("upper case", "<P>one</P><SCRIPT>x</SCRIPT><P>two", &["one", "two"]),
        ("tag cut off", "one<a href=\"x", &["one"]),
        (
            "crossed tags",
            "<b><p>one</b> two</p><span><div>a</span> b</div>c",
            &["one two", "a b", "c"],
        ),
        ("end without start", "</div></p></td>one</li></ul>two", &["one", "two"]),
        (
            "end does not leave a cell",
            "<div><table><tr><td>a</div>b</table>c</div>d",
            &["a", "b", "c", "d"],
        ),
        ("words of Chinese", "<p>你好</p><p>世界</p>", &["你好", "世界"]),
        ("own elements", "<my-story><p>one</p></my-story><p>two</p>", &["one", "two"]),
    ];
    for (name, html, expected) in cases {
        assert_eq!(blocks(html), *expected, "{name}: {html}");
    }
}

#[test]
fn references_are_decoded() {
    let cases = [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("caf&eacute; caf&#233; caf&#xE9; caf&#XE9;", "café café café café"),
        ("&copy 2020 &ampx &eacutex", "© 2020 &x éx"),
        ("&#150;&#x93;&#147", "\u{2013}\u{201c}\u{201c}"),
        ("a&nbsp;&nbsp;b&ensp;c", "a b c"),
        ("co&shy;op&#8203;erate", "cooperate"),
        ("&unknown; &; & &#; &#x; &half", "&unknown; &; & &#; &#x; &half"),
        ("&#0;&#xd800;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}"),
        ("&hellip;&mdash;&euro;&Scaron;", "…—€Š"),
        ("&amp;lt;", "&lt;"),
        ("&frac13; &numero;1 of&filig;ce &notit;", "⅓ №1 of\u{fb01}ce ¬it;"),
    ];
    for (html, expected) in cases {
        assert_eq!(blocks(html), [expected], "{html}");
    }
}

/// A page of an invented newspaper with typical furniture.
const STORY: &str = r#"<!doctype html><html><head><title>Harbour bridge reopens | Coast Courier</title>
</head><body class="single sidebar-right"><header class="site-header"><a href="/">Coast Courier</a>
<nav><ul><li><a href="/n">News</a></li><li><a href="/s">Sport</a></li><li><a href="/w">Weather</a></li>
<li><a href="/j">Jobs</a></li></ul></nav></header>
<div class="cookie-banner">We use cookies to improve your visit. <a href="/c">Read our policy</a>.</div>
<main><article class="story"><h1>Harbour bridge reopens after repairs</h1>
<div class="share-tools"><a href="/f">Share</a> <a href="/t">Tweet</a> <a href="/m">Email</a></div>
<div class="story-body"><p>The harbour bridge was opened to traffic again on Monday, three weeks after
a barge had struck one of its piers, and the first lorries crossed it before sunrise.</p>
<p>Engineers had replaced two of the steel girders, checked every weld, and tested the deck with
loaded wagons over the weekend, the harbour office said in a statement.</p>
<aside class="related"><h3>More stories</h3><ul><li><a href="/1">Barge captain fined</a></li>
<li><a href="/2">Ferry timetable changes</a></li></ul></aside>
<p>Shopkeepers on the north bank, who had complained of empty streets, said that they were relieved;
some of them had lost half of their customers while the bridge was closed.</p></div></article></main>
<aside class="sidebar"><h3>Most read</h3><ol><li><a href="/3">Council votes on tram line</a></li>
<li><a href="/4">School wins prize</a></li></ol><div class="ad">Buy a boat today! <a href="/b">Offers</a></div></aside>
<footer class="site-footer"><p>Copyright 2024 Coast Courier. All rights reserved.</p>
<a href="/p">Privacy</a> <a href="/i">Imprint</a></footer></body></html>"#;

#[test]
fn the_main_text_is_the_story() {
    let found = page(STORY, Extract::Main);
    let lines: Vec<&str> = found.text.lines().collect();
    let paragraph = |start: &str| lines.iter().any(|line| line.starts_with(start));
    assert!(paragraph("The harbour bridge was opened") && paragraph("Engineers had replaced"));
    assert!(paragraph("Shopkeepers on the north bank"), "{lines:#?}");
    for furniture in
        ["Weather", "cookies", "Tweet", "Barge captain", "tram line", "boat", "Imprint"]
    {
        assert!(!found.text.contains(furniture), "{furniture} in {lines:#?}");
    }
    let all = page(STORY, Extract::Text).text;
    for visible in ["Weather", "cookies", "Tweet", "Barge captain", "tram line", "boat", "Imprint"]
    {
        assert!(all.contains(visible), "{visible}");
    }
}

/// A paragraph of a story.
const PROSE: &str = "<p>The harbour bridge was opened to traffic again on Monday, three weeks after
    a barge had struck one of its piers, and the first lorries crossed it before sunrise.</p>";

#[test]
fn a_story_that_only_script_shows_is_found() {
    let rules = "<p>Comments are read before they appear. Please be polite, keep to the subject,
        and do not write in capitals; nobody likes to be shouted at.</p>";
    let story = PROSE.repeat(4);
    let html = format!("<div id=story style='visibility: hidden'>{story}</div>{rules}");
    assert!(page(&html, Extract::Main).text.starts_with("The harbour bridge was opened"));
    let html = format!("<div id=story>{story}</div><div style='display:none'>{rules}</div>");
    let found = page(&html, Extract::Main).text;
    assert!(found.starts_with("The harbour bridge") && !found.contains("polite"), "{found}");
}

#[test]
fn names_are_not_believed_of_what_holds_the_story() {
    let html = format!("<div class='sidebar comments footer'>{}</div>", PROSE.repeat(4));
    assert_eq!(page(&html, Extract::Main).text.lines().count(), 4);
}

#[test]
fn what_stands_alone_between_kept_blocks_is_kept() {
    let story = PROSE.repeat(3);
    let html =
        format!("<div><nav><a href=x>Home</a></nav><div>{story}* * * |||{story}</div></div>");
    assert!(page(&html, Extract::Main).text.contains("* * *"));
}

#[test]
fn a_page_with_little_text_keeps_it() {
    let found = page("<div class=nav><a href=x>Home</a></div><p>Closed today.</p>", Extract::Main);
    assert_eq!(found.text, "Home\nClosed today.");
}

#[test]
fn none_gives_the_page_as_it_is() {
    assert_eq!(page("<p>a &amp; b", Extract::None).text, "<p>a &amp; b");
}
