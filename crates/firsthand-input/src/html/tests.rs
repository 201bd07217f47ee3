//! Small pages and what they give; hostile pages and that they give anything at all.

use super::choose;
use super::outline::Builder;
use super::reason::{RULES, Reason};
use super::scan::{Scanner, Token};
use super::{Extract, HtmlError, HtmlLimits, Page, extract};

fn page(html: &str, mode: Extract) -> Page {
    extract(html, mode, &HtmlLimits::default()).unwrap()
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
        ("hidden", "<div hidden>a</div><p style='Display: none'>x</p>one", &["a", "one"]),
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
    ];
    for (html, expected) in cases {
        assert_eq!(blocks(html), [expected], "{html}");
    }
}

#[test]
fn entity_names_can_be_searched() {
    assert!(super::entity_names::NAMED.is_sorted_by(|a, b| a.0 < b.0));
}

#[test]
fn pages_speak_about_themselves() {
    let html = r#"<html><head><title> A &amp; B
        </title><title>other</title>
        <meta property="og:title" content="not this">
        <meta property="og:url" content="https://example.org/og">
        <link rel="canonical" href="https://example.org/a?b=1&amp;c=2">
        <meta name="date" content="2020-01-02">
        <script type="application/ld+json">{"datePublished" : "2020-01-03T04:05:06Z"}</script>
        <meta property="article:published_time" content="2020-01-04">
        </head><body><time datetime="2020-01-05">x</time>"#;
    let found = page(html, Extract::Text);
    assert_eq!(found.title.as_deref(), Some("A & B"));
    assert_eq!(found.url.as_deref(), Some("https://example.org/a?b=1&c=2"));
    assert_eq!(found.time.as_deref(), Some("2020-01-04"));
    assert_eq!(found.text, "x");
}

#[test]
fn lesser_sources_stand_in() {
    let found = page("<link rel=canonical href=/a><h1>One <i>two</i></h1>", Extract::Main);
    assert_eq!((found.title.as_deref(), found.url), (Some("One two"), None));
    let found =
        page("<meta itemprop=datePublished content=2020><time datetime=2021>", Extract::Main);
    assert_eq!(found.time.as_deref(), Some("2020"));
    let found =
        page(r#"<script>{"datePublished":"2022"}</script><time datetime=2021>"#, Extract::Main);
    assert_eq!(found.time.as_deref(), Some("2022"));
    let found = page("<meta property=og:url content=HTTP://example.org/x>", Extract::Main);
    assert_eq!(found.url.as_deref(), Some("HTTP://example.org/x"));
    let found = page("<title>one<p>two", Extract::Text);
    assert_eq!((found.title.as_deref(), found.text.as_str()), (Some("one"), "two"));
}

/// A page of a made-up paper, with everything around the story that such pages have.
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

/// The reasons for the blocks of a page.
fn reasons(html: &str) -> Vec<(bool, Reason)> {
    let mut builder = Builder::new(512, 1000);
    for token in Scanner::new(html, 256) {
        match token {
            Token::Text(text) | Token::Raw(_, text) => builder.characters(text),
            Token::Open(tag, attributes) => builder.open(tag, &attributes),
            Token::Close(tag) => builder.close(tag),
        }
    }
    let verdicts = choose::verdicts(&builder.finish(), Some("Harbour bridge reopens"));
    verdicts.iter().map(|verdict| (verdict.kept, verdict.reason)).collect()
}

/// A paragraph of a story.
const PROSE: &str = "<p>The harbour bridge was opened to traffic again on Monday, three weeks after
    a barge had struck one of its piers, and the first lorries crossed it before sunrise.</p>";

#[test]
fn blocks_are_kept_or_dropped_for_a_reason() {
    let links = "<a href=1>One thing</a> <a href=2>Another thing</a> <a href=3>A third thing</a>";
    let text = "Eleven people said that they had not seen anything like it in the whole of March.";
    let cases: Vec<(&str, String, bool, Reason)> = vec![
        ("prose", format!("<p>{text}</p>"), true, Reason::BesideProse),
        ("title", "<h1>Harbour bridge reopens</h1>".into(), true, Reason::Title),
        ("heading", "<h2>A long wait</h2>".into(), true, Reason::Heading),
        ("links", format!("<ul><li>{links}<li>{links}</ul>"), false, Reason::MostlyLinks),
        ("footer", format!("<footer><p>{text}</p></footer>"), false, Reason::Foot),
        ("comments", format!("<div id=comments><p>{text}</p></div>"), false, Reason::Comment),
        ("copyright", "<div>© 2020 Coast Courier</div>".into(), false, Reason::Label),
        ("hidden", format!("<div style='display:none'>{text}</div>"), false, Reason::Hidden),
        ("body", format!("<div class=share>{text}</div>"), false, Reason::OutsideBody),
    ];
    for (name, block, kept, reason) in cases {
        let story = PROSE.repeat(3);
        let menu = format!("<nav>{links}</nav>");
        let (html, at) = match name {
            "body" => (format!("<div class=story-body>{story}</div>{block}"), 3),
            "footer" | "comments" | "copyright" => {
                (format!("{menu}<div><div>{story}</div></div>{menu}{block}"), 5)
            }
            _ => (format!("{menu}<div>{story}{block}{PROSE}</div>"), 4),
        };
        let found = reasons(&html);
        assert_eq!(found[at], (kept, reason), "{name}: {found:?}");
    }
}

#[test]
fn every_rule_is_listed_once_and_has_words() {
    for (i, (rule, weight, words)) in RULES.iter().enumerate() {
        assert!(RULES[..i].iter().all(|other| other.0 != *rule), "{rule:?} is listed twice");
        assert!(*weight != 0 && rule.words() == *words && !words.is_empty(), "{rule:?}");
    }
    for reason in [Reason::Hidden, Reason::AmongKept, Reason::LeadsToKept, Reason::TooMany] {
        assert!(!reason.words().is_empty(), "{reason:?}");
    }
}

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

#[test]
fn hostile_pages_keep_their_text() {
    let many = 200_000;
    let last = "<p>the end</p>";
    let cases: Vec<(&str, String)> = vec![
        ("divs", "<div>".repeat(many)),
        ("divs with text", "<div>a ".repeat(many)),
        ("closed divs", "<div>".repeat(many) + &"</div>".repeat(many)),
        ("spans", "<span>".repeat(many)),
        ("bold", "<b>".repeat(many)),
        ("bold in paragraphs", "<p><b>a".repeat(many)),
        ("links", "<a href=x>".repeat(many)),
        ("fonts", "<font size=1>a".repeat(many)),
        ("crossed formatting", "<b><p></b>".repeat(many)),
        ("tables", "<table><tr><td>".repeat(many)),
        ("lists", "<ul><li>".repeat(many)),
        ("own elements", "<x-y>".repeat(many)),
        ("end tags", "</div></b></x-y>".repeat(many)),
        ("spans and end tags", "<span>".repeat(600) + &"<div></span>".repeat(many)),
        ("attributes", format!("<p{}>", " a=b".repeat(1_000_000))),
        ("bare attributes", format!("<p{}>", " a".repeat(1_000_000))),
        ("attribute slashes", format!("<p{}>", "/".repeat(1_000_000))),
        ("long attribute", format!("<p class='{}'>", "nav ".repeat(1_000_000))),
        ("references", "&amp;".repeat(1_000_000)),
        ("wrong references", "&".repeat(1_000_000)),
        ("long references", format!("&#{};", "9".repeat(1_000_000))),
        ("comments", "<!---->".repeat(many)),
        ("dashes", format!("<!--{}-->", "- --".repeat(1_000_000))),
        ("less-than signs", "<".repeat(1_000_000)),
        ("titles", "<title>".repeat(many)),
        ("line breaks", "<br>".repeat(many)),
        ("blocks", "<p>a".repeat(many)),
        ("empty lines", format!("<pre>{}</pre>", "a\n\n".repeat(many))),
        ("styles", "<p style='display:block'>".repeat(many)),
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
    for start in ["<!--", "<script>", "<style>", "<textarea>", "<p title='", "<p "] {
        let html = format!("one{}", start.repeat(many));
        assert!(page(&html, Extract::Main).text.starts_with("one"), "{start}");
    }
}

#[test]
fn depth_is_bounded_and_text_beyond_it_kept() {
    let limits = HtmlLimits { depth: 4, ..HtmlLimits::default() };
    let html = "<div>a<div>b<div>c<div>d<div>e</div>f</div>g</div>h</div>i</div>j";
    let found = extract(html, Extract::Text, &limits).unwrap();
    assert_eq!(found.text.lines().collect::<String>(), "abcdefghij");
}

#[test]
fn blocks_are_bounded_and_text_beyond_kept() {
    let limits = HtmlLimits { blocks: 2, ..HtmlLimits::default() };
    let found = extract("<p>a<p>b<p>c<p>d", Extract::Text, &limits).unwrap();
    assert_eq!(found.text, "a\nb\nc d");
}

#[test]
fn attributes_beyond_the_limit_are_not_read() {
    let limits = HtmlLimits { attributes: 2, ..HtmlLimits::default() };
    let read = |html| extract(html, Extract::Text, &limits).unwrap().text;
    assert_eq!(read("<p a b style='display:none'>one"), "one");
    assert_eq!(read("<p a style='display:none' b>one"), "");
}

#[test]
fn too_long_a_page_is_refused() {
    let limits = HtmlLimits { bytes: 3, ..HtmlLimits::default() };
    let refused = extract("four", Extract::Main, &limits);
    assert_eq!(refused, Err(HtmlError::TooLong { bytes: 4, limit: 3 }));
    assert!(extract("one", Extract::Main, &limits).is_ok());
}
