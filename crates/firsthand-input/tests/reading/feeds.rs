//! RSS and Atom: items become documents.

use firsthand::Document;
use firsthand::settings::Reading;
use firsthand_input::{Extract, ReadError, ReadOptions, read_bytes};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> (Vec<Document>, Vec<ReadError>) {
    let (mut documents, mut errors) = (Vec::new(), Vec::new());
    for item in read_bytes("feed.rss", bytes, &ReadOptions::default()) {
        match item {
            Ok(document) => documents.push(document),
            Err(error) => errors.push(error),
        }
    }
    (documents, errors)
}

fn documents(feed: &str) -> Vec<Document> {
    let (documents, errors) = read(feed.as_bytes());
    assert_eq!(errors, [], "{feed}");
    documents
}

const RSS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet href="feed.xsl"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Harbour &amp; Sea</title><link>https://news.example/</link>
<image><title>Logo</title></image>
<item><title>Ferry aground</title><link>https://news.example/1</link>
 <guid isPermaLink="false">n-1</guid><pubDate>Sun, 09 Sep 2001 01:46:40 GMT</pubDate>
 <description>Short.</description>
 <content:encoded><![CDATA[<p>The night ferry ran aground.</p><p>Nobody <b>was</b> hurt &amp; well.</p>]]></content:encoded>
</item>
<item><title><![CDATA[Tea & <i>cake</i>]]></title><guid>https://news.example/2</guid>
 <description>&lt;p&gt;Caf&amp;eacute; opens&amp;nbsp;late.&lt;/p&gt;</description></item>
</channel></rss>"#;

#[test]
fn what_an_item_of_rss_says() {
    let documents = documents(RSS);
    assert_eq!(documents.len(), 2);
    let first = &documents[0];
    assert_eq!(first.id, "n-1");
    assert_eq!(first.title.as_deref(), Some("Ferry aground"));
    assert_eq!(first.text, "The night ferry ran aground.\nNobody was hurt & well.");
    assert_eq!(first.url.as_deref(), Some("https://news.example/1"));
    assert_eq!(first.host.as_deref(), Some("news.example"));
    assert_eq!(first.source.as_deref(), Some("Harbour & Sea"));
    assert_eq!(first.time, Some(1_000_000_000_000));
    let second = &documents[1];
    assert_eq!(second.id, "https://news.example/2");
    assert_eq!(second.url.as_deref(), Some("https://news.example/2"));
    assert_eq!(second.title.as_deref(), Some("Tea & cake"));
    assert_eq!(second.text.replace('\u{A0}', " "), "Café opens late.");
}

#[test]
fn what_an_entry_of_atom_says() {
    let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Harbour</title>
<link rel="self" href="https://a.example/feed"/>
<entry><id>urn:1</id><title type="html">Tea &amp;amp; cake</title>
 <link rel="edit" href="https://a.example/edit"/><link href="https://a.example/1?a=1&amp;b=2"/>
 <updated>2001-09-09T01:46:41Z</updated><published>2001-09-09T01:46:40Z</published>
 <summary>Short.</summary>
 <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One<br/>two.</p><content>x</content></div></content>
</entry>
<entry><id>urn:2</id><updated>2001-09-09T01:46:40Z</updated>
 <content type="text">5 &lt; 6 &amp; so on</content><author><name>n</name><title>no</title></author></entry>
<entry><id>urn:3</id><content type="image/png">iVBORw0KGgo</content><summary>picture</summary></entry>
</feed>"#;
    let documents = documents(feed);
    assert_eq!(documents.len(), 3);
    assert_eq!(documents[0].url.as_deref(), Some("https://a.example/1?a=1&b=2"));
    assert_eq!(documents[0].title.as_deref(), Some("Tea & cake"));
    assert!(documents[0].text.starts_with("One"), "{}", documents[0].text);
    assert!(documents[0].text.contains("two."));
    assert_eq!(documents[0].time, Some(1_000_000_000_000));
    assert_eq!(documents[0].source.as_deref(), Some("Harbour"));
    assert_eq!(documents[1].text, "5 < 6 & so on");
    assert_eq!(documents[1].title, None);
    assert_eq!(documents[1].time, Some(1_000_000_000_000));
    assert_eq!(documents[2].text, "picture");
}

#[test]
fn older_and_other_feeds() {
    let cases = [
        // RSS 1.0: items beside the channel.
        "<rdf:RDF xmlns:rdf='x' xmlns='http://purl.org/rss/1.0/'><channel><title>C</title><items>\
         <rdf:Seq><rdf:li resource='a'/></rdf:Seq></items></channel><item rdf:about='a'>\
         <title>T</title><link>http://e.example/a</link><description>D</description>\
         <dc:date>2001-09-09T01:46:40Z</dc:date></item></rdf:RDF>",
        // RSS 0.91 with a document type.
        "<!DOCTYPE rss PUBLIC '-//Netscape//DTD RSS 0.91//EN' 'http://e.example/rss.dtd'>\
         <rss version='0.91'><channel><title>C</title><item><title>T</title>\
         <link>http://e.example/a</link><description>D</description>\
         <pubDate>Sun, 09 Sep 2001 01:46:40 GMT</pubDate></item></channel></rss>",
        // Atom under a prefix.
        "<atom:feed xmlns:atom='http://www.w3.org/2005/Atom'><atom:title>C</atom:title>\
         <atom:entry><atom:title>T</atom:title><atom:link href='http://e.example/a'/>\
         <atom:summary>D</atom:summary><atom:updated>2001-09-09T01:46:40Z</atom:updated>\
         </atom:entry></atom:feed>",
    ];
    for feed in cases {
        let documents = documents(feed);
        assert_eq!(documents.len(), 1, "{feed}");
        let document = &documents[0];
        assert_eq!(document.id, "http://e.example/a", "{feed}");
        assert_eq!(document.title.as_deref(), Some("T"));
        assert_eq!(document.text, "D");
        assert_eq!(document.time, Some(1_000_000_000_000), "{feed}");
        assert_eq!(document.source.as_deref(), Some("C"), "{feed}");
    }
}

#[test]
fn an_item_without_a_name_is_called_by_its_number() {
    let feed = "<rss><channel><item><description>a</description></item><item/></channel></rss>";
    let ids: Vec<String> = documents(feed).into_iter().map(|document| document.id).collect();
    assert_eq!(ids, ["feed.rss:1", "feed.rss:2"]);
}

#[test]
fn entities_are_never_expanded() {
    let mut feed = "<!DOCTYPE rss [<!ENTITY a 'lollollollol'>".to_owned();
    for (name, inner) in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d"), ("f", "e")] {
        feed.push_str(&format!("<!ENTITY {name} '{}'>", format!("&{inner};").repeat(10)));
    }
    feed.push_str("<!ENTITY file SYSTEM 'file:///etc/passwd'>]>");
    feed.push_str("<rss><channel><item><title>&f;</title>");
    feed.push_str("<description>x &file; &unknown; y</description></item></channel></rss>");
    let documents = documents(&feed);
    assert_eq!(documents[0].text, "x &file; &unknown; y");
    assert!(documents[0].title.as_ref().unwrap().len() < 10);
}

#[test]
fn a_broken_item_costs_only_itself() {
    let feed = "<rss><channel><item><guid>1</guid></item>\
        <item><guid>2</guid><description>no end\
        <item><guid>3</guid><description a='b>x</description></item>\
        <item><guid>4</guid><description>AT&T, 1 < 2</description></item>\
        <item><guid>5</guid><description><![CDATA[<item></item>]]></description></item>\
        <item><guid>6</guid><desc";
    let (documents, errors) = read(feed.as_bytes());
    let ids: Vec<&str> = documents.iter().map(|document| document.id.as_str()).collect();
    assert!(ids.contains(&"1") && ids.contains(&"5"), "{ids:?}");
    let places: Vec<String> = errors.iter().map(|error| error.place.to_string()).collect();
    assert_eq!(places.first().map(String::as_str), Some("feed.rss, item 2"));
    assert_eq!(places.last().map(String::as_str), Some("feed.rss, item 6"));
    assert!(errors.last().unwrap().to_string().contains("cut off"), "{errors:?}");
}

#[test]
fn what_is_no_feed_is_told() {
    for (text, words) in [
        ("<html><body>x</body></html>", "it has no <rss>"),
        ("", "it has no <rss>"),
        ("<rss><channel><title>x</title>", "it is cut off"),
    ] {
        let (documents, errors) = read(text.as_bytes());
        assert_eq!(documents, [], "{text}");
        assert!(errors[0].to_string().contains(words), "{text}: {}", errors[0]);
    }
    assert_eq!(documents("<rss><channel><title>x</title></channel></rss>"), []);
}

#[test]
fn character_sets_of_feeds() {
    let item = "<rss><channel><item><guid>1</guid><description>Fähre süß</description></item>\
                </channel></rss>";
    let latin: Vec<u8> = format!("<?xml version='1.0' encoding='iso-8859-1'?>{item}")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let utf16: Vec<u8> = format!("\u{FEFF}<?xml version='1.0' encoding='utf-16'?>{item}")
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    for bytes in [latin, utf16, item.as_bytes().to_vec()] {
        let (documents, errors) = read(&bytes);
        assert_eq!(errors, []);
        assert_eq!(documents[0].text, "Fähre süß");
    }
}

#[test]
fn markup_can_be_kept() {
    let options = ReadOptions {
        reading: Reading { extract: Extract::None, ..Reading::default() },
        ..ReadOptions::default()
    };
    let feed = "<rss><channel><item><description>&lt;b&gt;x&lt;/b&gt;</description></item>\
                </channel></rss>";
    let document = read_bytes("a.rss", feed.as_bytes(), &options).next().unwrap().unwrap();
    assert_eq!(document.text, "<b>x</b>");
}

#[test]
fn a_feed_that_was_cut_off_keeps_what_came_before() {
    let whole = documents(RSS);
    let mut before = 0;
    for length in 0..RSS.len() {
        let (documents, errors) = read(&RSS.as_bytes()[..length]);
        assert!(documents.len() >= before, "{length}");
        assert_eq!(documents, whole[..documents.len()], "{length}");
        assert_eq!(errors.len(), 1, "{length}");
        before = documents.len();
    }
    assert_eq!(before, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_give_documents_or_reasons(
        parts in prop::collection::vec(
            prop::sample::select(&[
                "<rss>", "<item>", "</item>", "<entry", "</entry>", "<feed>", "<![CDATA[", "]]>",
                "<!--", "-->", "<title>", "</title>", "<description>", "</description>", "&amp;",
                "&", "<", ">", "\"", "'", "<link href='", "<!DOCTYPE", "[", "]>", "<?", "?>", "x",
                "\u{0}", "é", "/>", "<content type='xhtml'>", "</content>", "&#0;", "&#x110000;",
            ][..]),
            0..60,
        ),
    ) {
        let (documents, _) = read(parts.concat().as_bytes());
        prop_assert!(documents.len() <= 60);
    }
}

#[test]
fn an_item_with_an_endless_start_tag_is_reported() {
    let long = "x".repeat(70 << 10);
    let feed = format!(
        "<rss><channel><item><title>a</title></item><item rdf:about=\"{long}\"><title>b</title>\
         </item><item><title>c</title></item></channel></rss>"
    );
    let items: Vec<_> = read_bytes("a.rss", feed.as_bytes(), &ReadOptions::default()).collect();
    let titles: Vec<Option<&str>> = items
        .iter()
        .map(|item| item.as_ref().ok().and_then(|document| document.title.as_deref()))
        .collect();
    assert_eq!(titles, [Some("a"), None, Some("c")]);
    let said = items[1].as_ref().unwrap_err().to_string();
    assert!(said.ends_with("the start tag of the item is longer than 64 KiB"), "{said}");
}
