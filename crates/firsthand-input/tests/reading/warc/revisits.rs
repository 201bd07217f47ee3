//! Records that only refer to an earlier one.

use super::*;

fn revisit(name: &str, headers: &str) -> Vec<u8> {
    let head = format!(
        "WARC-Target-URI: {}\r\nWARC-Date: 2015-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:{name}>\r\n\
         Content-Type: application/http; msgtype=response\r\n{headers}",
        uri(name)
    );
    record("revisit", &head, b"HTTP/1.1 304 Not Modified\r\n\r\n")
}

#[test]
fn revisits_have_the_text_of_their_original() {
    let by_visit = format!(
        "WARC-Refers-To-Target-URI: {}\r\nWARC-Refers-To-Date: 2014-03-02T10:20:30Z\r\n",
        uri("two")
    );
    let records = [
        text("one"),
        text("two"),
        revisit("id", "WARC-Refers-To: <urn:one>\r\n"),
        revisit("visit", &by_visit),
        revisit("digest", "WARC-Payload-Digest: sha1:one\r\n"),
        revisit("wrong-id", "WARC-Refers-To: <urn:gone>\r\nWARC-Payload-Digest: sha1:two\r\n"),
        revisit("chain", "WARC-Refers-To: <urn:visit>\r\n"),
        revisit("gone", "WARC-Refers-To: <urn:later>\r\n"),
        text("later"),
    ];
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let folder = Folder::new();
    let cases = [
        folder.write("plain.warc", records.concat()),
        folder.write("one-by-one.warc.gz", members.concat()),
        folder.write("whole.warc.gz", gzip(&records.concat())),
    ];
    let (one, two) = ("The text of one.", "The text of two.");
    let expected = [one, two, one, two, one, two, two, "The text of later."];
    for path in cases {
        let (documents, errors) = read_all(&[path], &ReadOptions::default());
        assert_eq!(texts(&documents), expected);
        assert_eq!(
            (documents[6].id.clone(), documents[6].url.clone()),
            (uri("chain"), Some(uri("chain")))
        );
        assert_eq!(documents[6].time, parse_time("2015-01-01T00:00:00Z"));
        let reasons: Vec<Reason> = errors.into_iter().map(|error| error.reason).collect();
        assert_eq!(reasons, [Reason::Revisit(uri("gone"))]);
    }
    // In another file, or not readable again.
    let first = folder.write("x/1.warc.gz", gzip(&text("one")));
    let second = folder.write("x/2.warc", revisit("id", "WARC-Refers-To: <urn:one>\r\n"));
    let (documents, errors) = read_all(&[first, second], &ReadOptions::default());
    assert_eq!((texts(&documents), said(&errors)), (vec![one, one], vec![]));
    let packed =
        folder.write("packed.warc.zst", zstd::encode_all(&records.concat()[..], 1).unwrap());
    let (documents, errors) = read_all(&[packed], &ReadOptions::default());
    assert_eq!((documents.len(), errors.len()), (3, 6));
    assert!(errors.iter().all(ReadError::is_skip));
}

#[test]
fn revisits_far_into_compressed_data_are_not_followed() {
    let noise: String = (0..300_000_u64)
        .map(|n| format!("{:x} ", n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40))
        .collect();
    let large = response("large", "Content-Type: text/plain\r\n", noise.as_bytes());
    let records = [large, text("far"), revisit("r", "WARC-Refers-To: <urn:far>\r\n")].concat();
    let (documents, errors) = read("a.warc.gz", &gzip(&records));
    assert_eq!((documents.len(), errors.len()), (2, 1));
    assert_eq!(errors[0].reason, Reason::Revisit(uri("r")));
    assert_eq!(read("a.warc", &records).0.len(), 3);
}

#[test]
fn many_revisits_of_a_large_page_are_a_bomb() {
    let mut bytes =
        response("big", "Content-Type: text/plain\r\n", &b"Many words. ".repeat(20_000));
    let again = revisit("r", "WARC-Refers-To: <urn:big>\r\n");
    bytes.extend(again.repeat(400));
    let mut options = ReadOptions::default();
    options.reading.limits.set(Limit::Ratio, 1);
    let (documents, errors) = read_with("a.warc", &bytes, &options);
    assert!(documents.len() > 100 && errors.len() > 50, "{} {}", documents.len(), errors.len());
    assert!(errors[0].to_string().contains("times its size"), "{}", errors[0]);
}
