//! The metadata of pages.

use super::page;
use crate::html::SiteClues;
use firsthand::pages::AnchorCollector;
use firsthand::settings::Extract;

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
    let found = page("<link rel=canonical href='https://example.org/?a=1&copy=2'>", Extract::Main);
    assert_eq!(found.url.as_deref(), Some("https://example.org/?a=1&copy=2"));
    let found = page("<meta property=og:url content=HTTP://example.org/x>", Extract::Main);
    assert_eq!(found.url.as_deref(), Some("HTTP://example.org/x"));
    let found = page("<title>one<p>two", Extract::Text);
    assert_eq!((found.title.as_deref(), found.text.as_str()), (Some("one"), "two"));
}

#[test]
fn times_of_publication_are_found() {
    let linked = |json: &str| format!("<script type=\"application/ld+json\">{json}</script>");
    let cases: Vec<(&str, String, Option<&str>)> = vec![
        ("none", "<time>today</time>".into(), None),
        (
            "open graph",
            "<meta property=article:published_time content=2020-01-02>".into(),
            Some("2020-01-02"),
        ),
        (
            "name for property",
            "<meta name='Article:Published_Time' content='2020-01-02T03:04Z'>".into(),
            Some("2020-01-02T03:04Z"),
        ),
        ("white space", linked("{\n \"datePublished\" :\n\t\"2020-01-02\" }"), Some("2020-01-02")),
        ("array", linked(r#"{"datePublished":["2020-01-02","2021-01-02"]}"#), Some("2020-01-02")),
        (
            "graph",
            linked(r#"{"@graph":[{"name":"x"},{"datePublished":"2020-01-02"}]}"#),
            Some("2020-01-02"),
        ),
        (
            "typed",
            linked(r#"{"datePublished":{"@type":"Date","@value":"2020-01-02"}}"#),
            Some("2020-01-02"),
        ),
        (
            "escaped",
            linked(r#"{"datePublished":"2020-01-02T03:04:05\u002B01:00"}"#),
            Some("2020-01-02T03:04:05+01:00"),
        ),
        (
            "no value at first",
            linked(r#"{"datePublished":null,"x":{"datePublished":"2020-01-02"}}"#),
            Some("2020-01-02"),
        ),
        (
            "named in a text",
            linked(r#"{"x":"no \"datePublished\" here","datePublished":"2020-01-02"}"#),
            Some("2020-01-02"),
        ),
        ("longer key", linked(r#"{"xdatePublished":"2021-01-02"}"#), None),
        (
            "created",
            linked(r#"{"dateModified":"2021-01-02","dateCreated":"2020-01-02"}"#),
            Some("2020-01-02"),
        ),
        ("uploaded", linked(r#"{"uploadDate":"2020-01-02"}"#), Some("2020-01-02")),
        ("modified", linked(r#"{"dateModified":"2020-01-02"}"#), Some("2020-01-02")),
        (
            "in any script",
            r#"<script>x = {"datePublished":"2020-01-02"}</script>"#.into(),
            Some("2020-01-02"),
        ),
        (
            "linked data first",
            r#"<script>x={"datePublished":"2021-01-02"}</script>"#.to_owned()
                + &linked(r#"{"datePublished":"2020-01-02"}"#),
            Some("2020-01-02"),
        ),
        ("element", "<time datetime='2020-01-02 03:04'>x</time>".into(), Some("2020-01-02 03:04")),
        (
            "first element",
            "<time datetime=2020-01-02></time><time datetime=2021-01-02>".into(),
            Some("2020-01-02"),
        ),
        (
            "published element",
            "<time datetime=2021-01-02></time>
            <time itemprop=datePublished datetime=2020-01-02>"
                .into(),
            Some("2020-01-02"),
        ),
        (
            "modified element",
            "<time itemprop=dateModified datetime=2021-01-02></time>
            <time datetime=2020-01-02>"
                .into(),
            Some("2020-01-02"),
        ),
        (
            "property of an item",
            "<meta itemprop=datePublished content=2020-01-02>
            <meta name=date content=2021-01-02>"
                .into(),
            Some("2020-01-02"),
        ),
        ("Dublin Core", "<meta name=DC.date.issued content=2020-01-02>".into(), Some("2020-01-02")),
        (
            "published before modified",
            "<meta property=article:modified_time content=2021-01-02>
            <time datetime=2020-01-02>"
                .into(),
            Some("2020-01-02"),
        ),
        (
            "modified before served",
            "<meta http-equiv=last-modified content=2021-01-02>
            <meta property=og:updated_time content=2020-01-02>"
                .into(),
            Some("2020-01-02"),
        ),
        (
            "served",
            "<meta http-equiv=Last-Modified content='Thu, 02 Jan 2020 03:04:05 GMT'>".into(),
            Some("Thu, 02 Jan 2020 03:04:05 GMT"),
        ),
        (
            "no date but a length",
            "<time datetime=PT5M></time><time datetime=2020-01-02>".into(),
            Some("2020-01-02"),
        ),
        (
            "no date but a number",
            "<meta name=date content=12><time datetime=2020-01-02>".into(),
            Some("2020-01-02"),
        ),
        ("unreadable", "<meta name=date content='{{ date }}'>".into(), Some("{{ date }}")),
    ];
    for (name, html, expected) in cases {
        assert_eq!(page(&html, Extract::Text).time.as_deref(), expected, "{name}: {html}");
    }
}

#[test]
fn links_and_files_tell_the_site() {
    let clues = |html: &str| page(html, Extract::Main).clues;
    let own = "<a href=https://A.example/1>1</a><a href='//a.example/2'>2</a>
        <a href=HTTP://a.example?3>3</a>";
    let other = "<a href=https://b.example/>b</a><a href=https://c.example/>c</a>";
    let linked = |html: &str| clues(html).linked;
    assert_eq!(linked(&format!("{own}{other}")).as_deref(), Some("a.example"));
    // Two are too few, so is half of them, and those of a page whose own links are relative.
    assert_eq!(linked("<a href=https://a.example/1>1</a><a href=https://a.example/2>2</a>"), None);
    assert_eq!(linked(&format!("{own}{other}<a href=https://d.example/>d</a>")), None);
    let relative = "<a href=/n>n</a><a href=p/q.html>q</a><a href='?x'>x</a>";
    assert_eq!(linked(&format!("{own}{relative}")), None);
    let elsewhere = "<a href=#top>t</a><a href=mailto:a@b>m</a><a href='javascript:x()'>j</a>";
    assert_eq!(linked(&format!("{own}{elsewhere}")).as_deref(), Some("a.example"));

    // Pictures and style sheets stand in, not scripts and frames.
    let shown = "<img src=//i.example/1><link href=//i.example/2><img src=//i.example/3>";
    assert_eq!(linked(&format!("{shown}{relative}")).as_deref(), Some("i.example"));
    assert_eq!(linked(&format!("{shown}{own}")).as_deref(), Some("a.example"));
    assert_eq!(linked(&"<script src=//x.example/1></script>".repeat(5)), None);

    assert_eq!(
        clues("<base href='https://a.example/x/'>").base.as_deref(),
        Some("https://a.example/x/")
    );
    assert_eq!(clues("<base href=/x/><base href=https://a.example/>").base, None);

    let files = |html: &str| clues(html).files;
    let page = "<link rel=stylesheet href=/css/main.css?v=3><script src=../js/menu.js></script>";
    let deeper = "<script src=../../js/menu.js#x></script><link rel=StyleSheet href=main.css>";
    assert!(files(page).is_some());
    assert_eq!(files(page), files(deeper));
    assert_eq!(files("<link rel=stylesheet href=main.css>"), None);
    assert_ne!(files(page), files(&format!("{page}<script src=more.js></script>")));
    assert_eq!(clues("<p>one</p>"), SiteClues::default());
}

#[test]
fn parts_are_named_by_ids_and_by_anchors() {
    let of = |html: &str| page(html, Extract::Text).anchors;
    let expected = |names: &[&str], heading: &str| {
        let mut anchors = AnchorCollector::default();
        names.iter().for_each(|name| anchors.add(name));
        anchors.add_heading(heading);
        anchors.finish()
    };
    let html =
        "<h2 ID=one>a</h2><a name='two'>b</a><p id=\"one\" name=three>c</p><input name=four>";
    assert_eq!(of(html), expected(&["two", "one"], ""));
    // The heading is known by the first anchor in it, and by none after it.
    for (html, heading) in [
        ("<p id=x>a</p><h1>b <a name=y></a></h1>", "y"),
        ("<h1 id=y>b <a name=x></a></h1><h1 id=x>c</h1>", "y"),
        ("<h1>b</h1><a name=x></a><a id=y></a>", ""),
    ] {
        assert_eq!(of(html), expected(&["x", "y"], heading), "{html}");
    }
    assert!(of("<p id=''>a</p><a name>b</a><!-- <p id=one> --><p id=idm14>c").is_empty());
}
