//! Web archives that are cut off or say the wrong length.

use super::make::compressed::{gzip, gzip_of_zeros};
use super::make::warc::{coded, response};
use super::{AFTER, BEFORE, Case, Stage, page};

/// A good record, a page of another length than its record says, and a good record.
fn wrong(said: &str) -> Stage {
    let records = [
        response(1, &page(BEFORE), "right"),
        response(2, &page("A page in a record that says the wrong length."), said),
        response(3, &page(AFTER), "right"),
    ];
    Stage::with("m.warc", records.concat())
}

fn bad<'a>(name: &'a str, done: &'a str, says: &'a [&'a str]) -> Case<'a> {
    Case { name, done, says, read: (1, 1), ..Case::default() }
}

#[test]
fn a_length_that_is_too_small() {
    let says = ["m.warc, record 2", "Content-Length"];
    let done = "the record is refused, the next is read";
    bad("WARC: a Content-Length that is too small", done, &says).check(&wrong("70"));
}

#[test]
fn a_length_that_is_too_large() {
    let says = ["m.warc, record 2"];
    let done = "the record is refused, the next is read";
    bad("WARC: a Content-Length that is too large", done, &says).check(&wrong("100000"));
}

#[test]
fn a_length_that_is_negative() {
    let says = ["m.warc, record 2", "Content-Length"];
    let done = "the record is refused, the next is read";
    bad("WARC: a negative Content-Length", done, &says).check(&wrong("-1"));
}

#[test]
fn a_length_beyond_all_numbers() {
    let says = ["m.warc, record 2", "Content-Length"];
    let done = "the record is refused, the next is read";
    bad("WARC: a Content-Length of 30 digits", done, &says).check(&wrong(&"9".repeat(30)));
}

#[test]
fn no_length_at_all() {
    let says = ["m.warc, record 2", "Content-Length"];
    let done = "the record is refused, the next is read";
    bad("WARC: no Content-Length", done, &says).check(&wrong("absent"));
}

#[test]
fn a_crawl_that_is_cut_off() {
    let records = response(1, &page(BEFORE), "right") + &response(2, &page(AFTER), "right");
    let stage = Stage::with("m.warc", &records[..records.len() - 50]);
    let says = ["m.warc, record 2"];
    let case = bad("WARC: cut off in its last record", "the record is refused", &says);
    Case { read: (1, 0), ..case }.check(&stage);
}

#[test]
fn a_compressed_crawl_that_is_cut_off() {
    let records = [BEFORE, AFTER].map(|text| gzip(response(1, &page(text), "right"))).concat();
    let stage = Stage::with("m.warc.gz", &records[..records.len() - 50]);
    let says = ["m.warc.gz, record 2"];
    let case = bad("WARC in gzip: cut off in its last record", "the record is refused", &says);
    Case { read: (1, 0), ..case }.check(&stage);
}

#[test]
fn a_damaged_member() {
    let records = [BEFORE, "A page that is damaged.", AFTER];
    let mut records = records.map(|text| gzip(response(1, &page(text), "right")));
    for byte in &mut records[1][40..60] {
        *byte ^= 0x55;
    }
    let stage = Stage::with("m.warc.gz", records.concat());
    let says = ["m.warc.gz, record 2", "damaged"];
    let done = "the record is refused, the next member is found";
    bad("WARC in gzip: bytes damaged in a record", done, &says).check(&stage);
}

#[test]
fn rubbish_between_records() {
    let record = |number, text| response(number, &page(text), "right");
    let bytes =
        [record(1, BEFORE).into_bytes(), vec![0xA5; 1_000_000], record(2, AFTER).into_bytes()];
    let stage = Stage::with("m.warc", bytes.concat());
    let says = ["m.warc"];
    let done = "reported, the next record is found";
    bad("WARC: 1 MB of garbage between records", done, &says).check(&stage);
}

#[test]
fn endless_headers() {
    let flood = format!("WARC/1.0\r\nWARC-Type: response\r\n{}", "x: y\r\n".repeat(2_000_000));
    let record = |number, text| response(number, &page(text), "right");
    let stage = Stage::with("m.warc", record(1, BEFORE) + &flood + "\r\n" + &record(2, AFTER));
    let says = ["m.warc, record 2"];
    let done = "the record is refused, the next is found";
    bad("WARC: a record with two million headers", done, &says).check(&stage);
}

#[test]
fn a_page_that_was_sent_as_a_bomb() {
    let good = |number, text| response(number, &page(text), "right").into_bytes();
    let hostile = coded(2, &gzip_of_zeros(1_000), "gzip");
    let stage = Stage::with("m.warc", [good(1, BEFORE), hostile, good(3, AFTER)].concat());
    let says = ["m.warc, record 2", "--max-"];
    let done = "the record is refused, the next is read";
    bad("WARC: a page that was sent as 1 GB in 1 MB of gzip", done, &says).check(&stage);
}

#[test]
fn a_page_that_is_visited_again_and_again() {
    let words: Vec<String> = (0..750_000_u32).map(|n| format!("w{:06}", n % 99_991)).collect();
    let text = words.join(" ");
    let visit = |number: u32| {
        format!(
            "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://b.example/{number}\r\n\
             WARC-Date: 2024-03-05T06:30:00Z\r\nWARC-Record-ID: <urn:again:{number}>\r\n\
             WARC-Refers-To: <urn:page>\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
    };
    let page = page(&text);
    let first = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://b.example/\r\n\
         WARC-Date: 2024-03-05T06:30:00Z\r\nWARC-Record-ID: <urn:page>\r\n\
         Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
        page.len()
    );
    let stage = Stage::with("m.warc", first + &(0..100).map(visit).collect::<String>());
    let (name, done) =
        ("WARC: a page of 6 MB and 100 revisits of it", "read; copies share features");
    // Before copies shared what is kept of them it was 1.4 GB. How many pages are in memory at once depends on
    // how threads are scheduled.
    let (exit, others, memory) = (0, 101, 512);
    Case { name, done, exit, others, memory, ..Case::default() }.check(&stage);
}

#[test]
fn a_page_in_a_thousand_codings() {
    let good = |number, text| response(number, &page(text), "right").into_bytes();
    let codings = vec!["gzip"; 1_000].join(", ");
    let hostile = coded(2, &gzip(page("A page.")), &codings);
    let stage = Stage::with("m.warc", [good(1, BEFORE), hostile, good(3, AFTER)].concat());
    let says = ["m.warc, record 2"];
    let done = "the record is refused, the next is read";
    bad("WARC: a page declared as compressed 1,000 times", done, &says).check(&stage);
}
