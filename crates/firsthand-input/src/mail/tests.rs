//! Whole messages: parts, alternatives, character sets, damage.

use proptest::prelude::*;

use super::*;
use firsthand::settings::Limit;

/// The text between tags.
fn strip(html: &str) -> String {
    html.split('<').map(|piece| piece.split_once('>').map_or(piece, |pair| pair.1)).collect()
}

fn read_with(bytes: &[u8], limits: &Limits) -> Message {
    read(bytes, limits, Deadline::never(), &mut |html| strip(html))
}

fn text(message: &str) -> String {
    kept(&read_with(message.as_bytes(), &Limits::default()).blocks()).trim().to_owned()
}

/// A multipart of parts with their headers.
fn multipart(kind: &str, boundary: &str, parts: &[&str]) -> String {
    let mut message =
        format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\n\npreamble\n");
    for part in parts {
        message += &format!("--{boundary}\n{part}\n");
    }
    message + &format!("--{boundary}--\nepilogue\n")
}

const PLAIN: &str = "Content-Type: text/plain\n\nplain text";
const HTML: &str = "Content-Type: text/html\n\n<p>text of the page</p>";

#[test]
fn headers() {
    let message = read_with(
        b"Received: from a by b;\n\tMon, 3 May 2004 10:12:00 +0200\n\
          Subject: =?utf-8?q?F=C3=A4hre?=\n zu =?utf-8?q?sp=C3=A4t?=\n\
          From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>\nMessage-ID: <1@example.org>\n\
          List-Id: Ferry talk <ferry.example.org>\n\nHello\n",
        &Limits::default(),
    );
    assert_eq!(message.subject.as_deref(), Some("Fähre zu spät"));
    assert_eq!(message.from.as_deref(), Some("joerg@example.org"));
    assert_eq!(message.id.as_deref(), Some("1@example.org"));
    assert_eq!(message.list.as_deref(), Some("ferry.example.org"));
    assert_eq!(message.time.as_deref(), Some("Mon, 3 May 2004 10:12:00 +0200"));
    assert_eq!(kept(&message.blocks()), "Hello");
    assert!(message.remarks.is_empty());
    let news = read_with(
        b"Newsgroups: rec.boats,rec.travel\nDate: 3 May 93 10:12 GMT\nReceived: x; 4 May 1993\n\nHello",
        &Limits::default(),
    );
    assert_eq!(news.list.as_deref(), Some("rec.boats,rec.travel"));
    assert_eq!(news.time.as_deref(), Some("3 May 93 10:12 GMT"));
    let none = read_with(b"", &Limits::default());
    assert_eq!((none.subject, none.from, none.id, none.time, none.list), Default::default());
}

#[test]
fn dates_as_they_are_written_can_be_read() {
    let dates = [
        "Mon, 3 May 2004 10:12:00 +0200",
        "Mon,  3 May 2004 10:12:00 +0200 (CEST)",
        "3 May 04 10:12 +0200",
        "Mon May  3 08:12:00 2004",
        "Mon, 03 May 2004 08:12:00 GMT",
        "Mon, 3 May 2004 04:12:00 EDT",
        "Monday, 03-May-04 08:12:00 GMT",
    ];
    for date in dates {
        let message = format!("Date: {date}\nFrom: a@example.org\n\nHello");
        let time = read_with(message.as_bytes(), &Limits::default()).time.unwrap();
        assert_eq!(crate::time::parse(&time), Some(1_083_571_920_000), "{date}");
    }
}

#[test]
fn the_part_that_is_read() {
    let long =
        format!("Content-Type: text/html\n\n<p>{}</p>", "many words of the page ".repeat(40));
    let attached =
        "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nattached";
    let named = "Content-Type: text/plain; name=log.txt\n\na log";
    let forwarded = "Content-Type: message/rfc822\n\nSubject: inner\n\ninner text";
    let image = "Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\nR0lGODlh";
    let blank = "Content-Type: text/plain\n\n \n";
    let stub = "Content-Type: text/plain\n\nYour mail client does not support HTML.";
    let nested = multipart("related", "in", &[HTML, image]);
    let inner = multipart("alternative", "in", &[PLAIN, HTML]);
    let cases = [
        (multipart("mixed", "b", &[PLAIN, image]), "plain text"),
        (multipart("mixed", "b", &["\nfirst", "\nsecond"]), "first\n\nsecond"),
        (multipart("mixed", "b", &[PLAIN, attached]), "plain text"),
        (multipart("mixed", "b", &[PLAIN, named]), "plain text"),
        (multipart("mixed", "b", &[named]), "a log"),
        (multipart("mixed", "b", &[PLAIN, forwarded]), "plain text"),
        (multipart("mixed", "b", &[forwarded, image]), "inner text"),
        (multipart("mixed", "b", &[attached, forwarded]), "inner text"),
        (multipart("digest", "b", &["\nSubject: a\n\nfirst", "\nSubject: b\n\nsecond"]), "first"),
        (multipart("alternative", "b", &[PLAIN, HTML]), "plain text"),
        (multipart("alternative", "b", &[HTML, PLAIN]), "plain text"),
        (multipart("alternative", "b", &[blank, HTML]), "text of the page"),
        (multipart("alternative", "b", &[stub, HTML]), "text of the page"),
        (multipart("alternative", "b", &[PLAIN, &nested]), "plain text"),
        (multipart("alternative", "b", &[blank, &nested]), "text of the page"),
        (multipart("mixed", "b", &[&inner, "\nlist footer"]), "plain text\n\nlist footer"),
        (multipart("related", "b", &[HTML, "\nstyle"]), "text of the page"),
        (
            multipart("signed", "b", &[PLAIN, "Content-Type: application/pgp-signature\n\nx"]),
            "plain text",
        ),
        (HTML.to_owned(), "text of the page"),
        (PLAIN.to_owned(), "plain text"),
        (attached.to_owned(), "attached"),
        ("Content-Type: text/x-poem\n\nverse".to_owned(), "verse"),
        ("Content-Type: nonsense\n\nwords".to_owned(), "words"),
        ("Content-Type: image/gif\n\nR0lGODlh".to_owned(), ""),
        (forwarded.to_owned(), "inner text"),
    ];
    for (message, expected) in cases {
        assert_eq!(text(&message), expected, "{message}");
    }
    let short = multipart("alternative", "b", &[PLAIN, &long]);
    assert!(text(&short).starts_with("many words of the page"));
}

#[test]
fn broken_multiparts() {
    let cases = [
        ("Content-Type: multipart/mixed\n\nno boundary named", "no boundary named"),
        ("Content-Type: multipart/mixed; boundary=b\n\nnever comes", "never comes"),
        ("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnever closed", "never closed"),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nX: no blank line\n--b\n\nsecond\n--b--",
            "second",
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ninner\n--b\n\nouter\n--b--",
            "inner\n\nouter",
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--bc\n--b\n\ntext\n--bc\nmore\n--b--",
            "text\n--bc\nmore",
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nlines\r\n--b  \r\n\r\nend\r\n--b--\r\n",
            "lines\n\nend",
        ),
        ("Content-Type: multipart/mixed; boundary=\"\"\n\n--\n\ntext", "--\n\ntext"),
        ("no headers at all\n\nbut text", "no headers at all\n\nbut text"),
        ("\nonly a body", "only a body"),
        ("Subject: only headers", ""),
    ];
    for (message, expected) in cases {
        assert_eq!(text(message), expected, "{message}");
    }
}

#[test]
fn encodings() {
    let cases: [(&[u8], &str); 9] = [
        (b"Content-Transfer-Encoding: base64\n\nSGVs\nbG8=\n", "Hello"),
        (b"Content-Transfer-Encoding: BASE64\n\nThis is not base64 at all.", "This is not base64 at all."),
        (b"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n\ncaf=C3=A9 =\nnoir=zz", "café noir=zz"),
        (b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9", "café"),
        (b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$3$s$K$A$O\x1b(B", "こんにちは"),
        (b"Content-Type: text/plain; charset=no-such\n\ncaf\xe9 de la nuit", "café de la nuit"),
        (b"Content-Type: text/plain; format=flowed\n\nthe ferry \nis late\n", "the ferry is late"),
        (b"Content-Type: text/plain; format=flowed; delsp=yes\n\nthe fer \nry is late\n", "the ferry is late"),
        (b"A: b\n\na\0b", "a\0b"),
    ];
    for (message, expected) in cases {
        let found = read_with(message, &Limits::default());
        assert_eq!(kept(&found.blocks()).trim(), expected, "{}", String::from_utf8_lossy(message));
    }
    let broken = [
        b"Content-Type: text/plain; charset=utf-8\n\n",
        "é".repeat(20).as_bytes(),
        b"\xff\xfe\xfd",
    ]
    .concat();
    assert_eq!(read_with(&broken, &Limits::default()).remarks.replaced, 3);
    let raw = read_with(b"Subject: caf\xe9 de nuit\n\nx", &Limits::default());
    assert_eq!(raw.subject.as_deref(), Some("café de nuit"));
}

#[test]
fn quotes_are_set_apart() {
    let message = "Subject: Re: ferry\nContent-Type: text/html\n\n<p>At nine.</p>\n\
                   <blockquote type=\"cite\">\n<p>When?</p>\n</blockquote>";
    let found = read_with(message.as_bytes(), &Limits::default());
    assert_eq!(kept(&found.blocks()).trim(), "At nine.");
    assert!(found.blocks().iter().any(|block| block.text == "> When?" && !block.kept));
    // A reply by its header, not its subject.
    let message = "Subject: ferry\nIn-Reply-To: <1@example.org>\n\n| When?\n| Today?\nAt nine.";
    assert_eq!(text(message), "At nine.");
    assert_eq!(text(&message.replace("In-Reply-To", "X")).lines().count(), 3);
}

#[test]
fn limits_on_parts_and_depth() {
    let limits = Limits { mime_parts: 3, mime_depth: 2, ..Limits::default() };
    let parts = multipart("mixed", "b", &["\none", "\ntwo", "\nthree", "\nfour"]);
    let found = read_with(parts.as_bytes(), &limits);
    assert_eq!(kept(&found.blocks()), "one\n\ntwo");
    assert_eq!(found.remarks.beyond, [Limit::MimeParts]);
    let innermost = multipart("mixed", "c", &["\ndeep"]);
    let inner = multipart("mixed", "b", &[&innermost, "\nless deep"]);
    let found = read_with(multipart("mixed", "a", &[&inner]).as_bytes(), &limits);
    assert_eq!(found.remarks.beyond, [Limit::MimeDepth, Limit::MimeParts]);
    let limits = Limits { mime_depth: 2, ..Limits::default() };
    let found = read_with(multipart("mixed", "a", &[&inner]).as_bytes(), &limits);
    assert_eq!(kept(&found.blocks()), "less deep");
    assert_eq!(found.remarks.beyond, [Limit::MimeDepth]);
    let over = Deadline::after(std::time::Duration::ZERO);
    let found = read(parts.as_bytes(), &Limits::default(), over, &mut |html| strip(html));
    assert_eq!(found.remarks.beyond, [Limit::Seconds]);
}

/// Each would take minutes or overflow the stack if any step were not linear or recursed.
#[test]
fn hostile_messages() {
    let open = |boundary: usize| {
        format!("Content-Type: multipart/mixed; boundary=b{boundary}\n\n--b{boundary}\n")
    };
    let deep: String = (0..10_000).map(open).collect();
    let close: String = (0..10_000).rev().map(|boundary| format!("--b{boundary}--\n")).collect();
    let never: String = (0..40_000)
        .map(|part| format!("--b0\nContent-Type: multipart/mixed; boundary=c{part}\n\nx\n"))
        .collect();
    let messages = [
        format!("{deep}\ntext\n{close}"),
        format!("{deep}\ntext\n"),
        format!("{}{never}", open(0)),
        format!("{}\ntext", "Content-Type: message/rfc822\n\n".repeat(200_000)),
        open(0) + &"--b0\n\nx\n".repeat(200_000),
        open(0) + &"--b0\n".repeat(200_000),
        open(0) + &"--b0--\n".repeat(200_000),
        open(0) + &"--b\n".repeat(200_000),
        format!("Subject: {}\n\ntext", "x".repeat(300_000)),
        format!("Subject: a\n{}\ntext", " b\n".repeat(300_000)),
        format!("{}\ntext", "A: b\n".repeat(300_000)),
        format!("Subject: {}\n\ntext", "=?utf-8?q?".repeat(300_000)),
        format!("From: {}\n\ntext", "(<\"".repeat(300_000)),
        format!("Content-Type: a{}\n\ntext", "; b=\"c\\\"".repeat(300_000)),
        format!("Content-Transfer-Encoding: quoted-printable\n\n{}", "= ".repeat(300_000)),
        format!("Content-Transfer-Encoding: base64\n\n{}", "====".repeat(300_000)),
        format!("Content-Type: text/html\n\n{}", "<blockquote type=cite>".repeat(200_000)),
        format!("Content-Type: text/plain; format=flowed\n\n{}", "> \n".repeat(300_000)),
        "\0".repeat(300_000),
        "\n".repeat(300_000),
    ];
    for message in messages {
        let found = read_with(message.as_bytes(), &Limits::default());
        assert!(found.remarks.beyond.len() <= 2);
    }
}

/// Lines that matter for splitting, and others.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let fixed = |text: &'static str| Just(text.as_bytes().to_vec());
    prop_oneof![
        fixed(""),
        fixed("--b"),
        fixed("--b--"),
        fixed("--c"),
        fixed("Content-Type: multipart/mixed; boundary=b"),
        fixed("Content-Type: multipart/alternative; boundary=c"),
        fixed("Content-Type: message/rfc822"),
        fixed("Content-Type: text/html; charset=utf-16"),
        fixed("Content-Transfer-Encoding: base64"),
        fixed("Content-Transfer-Encoding: quoted-printable"),
        fixed("Content-Disposition: attachment"),
        fixed("Subject: =?utf-8?b?w?="),
        fixed(" folded"),
        prop::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        read_with(&bytes, &Limits::default());
        looks_like_mail(&bytes);
        looks_like_mbox(&bytes);
        mbox::message(&bytes);
    }

    #[test]
    fn any_lines(lines in prop::collection::vec(line(), 0..40), parts in 0_u64..6, depth in 0_u64..4) {
        let limits = Limits { mime_parts: parts, mime_depth: depth, ..Limits::default() };
        read_with(&lines.join(&b'\n'), &limits);
    }
}
