//! Small files that claim or hold a huge number of records.

use std::io::Write;

use firsthand_input::{Exceeded, Limit, ReadOptions, Reason, read_bytes};

use crate::archives::zip;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// The number of documents, and the reasons of what was not read.
fn found(name: &str, bytes: &[u8], options: &ReadOptions) -> (usize, Vec<Reason>) {
    let (mut documents, mut reasons) = (0, Vec::new());
    for item in read_bytes(name, bytes, options) {
        match item {
            Ok(_) => documents += 1,
            Err(error) => reasons.push(error.reason),
        }
    }
    (documents, reasons)
}

fn per_byte(value: u64) -> Reason {
    Reason::Beyond(Exceeded { limit: Limit::RecordsPerByte, value })
}

/// A table of eight million null rows in one page; the row group of its footer.
const START: &str = "504152311500151215122c1580c8d00715001506150600000500000080c8d00700\
    1502192c4804726f6f74150200150c25021804746578742500001680c8d00719";
const GROUP: &str =
    "191c26081c150c192500061918047465787415001680c8d007163a163a26080000163a1680c8d00700";
const END: &str = "28017800";

fn of_nulls(groups: usize) -> Vec<u8> {
    let list = format!("{groups:x}c");
    let mut table = from_hex(&[START, &list, &GROUP.repeat(groups), END].concat());
    let footer = table.len() as u32 - 33;
    table.extend(footer.to_le_bytes());
    table.extend(b"PAR1");
    table
}

#[test]
fn a_table_of_nulls_that_share_a_page_is_refused() {
    assert_eq!(of_nulls(1).len(), 119);
    for groups in [1, 3] {
        let (documents, reasons) = found("n.parquet", &of_nulls(groups), &ReadOptions::default());
        assert_eq!((documents, reasons), (0, vec![per_byte(1)]), "{groups}");
    }
    // Forty rows each, in numbers of the same length.
    let few = of_nulls(3).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let few = from_hex(&few.replace("80c8d007", "d0808000"));
    let (documents, reasons) = found("n.parquet", &few, &ReadOptions::default());
    assert_eq!(documents, 40);
    assert!(matches!(&reasons[..], [Reason::BadRecord { detail, .. }] if detail.contains("share")));
}

#[test]
fn packed_records_without_text_are_refused() {
    let lines = "{\"text\":\"\"}\n".repeat(500_000);
    let rows = format!("text\n{}", "a\n".repeat(500_000));
    let items = format!("<rss><channel>{}</channel></rss>", "<item/>".repeat(150_000));
    let array = format!("[{}]", ["{\"text\":\"\"}"; 150_000].join(","));
    let mails = "From a@b Sat Jan  3 01:05:34 1996\n\n".repeat(150_000);
    for (name, content) in [
        ("a.jsonl.gz", &lines),
        ("a.csv.gz", &rows),
        ("a.rss.gz", &items),
        ("a.json.gz", &array),
        ("a.mbox.gz", &mails),
    ] {
        let (documents, reasons) = found(name, &gzip(content.as_bytes()), &ReadOptions::default());
        assert!(documents <= 100_000, "{name}: {documents}");
        assert_eq!(reasons, [per_byte(1)], "{name}");
    }
}

#[test]
fn an_archive_of_them_is_reported_once() {
    let rows = format!("text\n{}", "a\n".repeat(60_000));
    let mut archive = tar::Builder::new(Vec::new());
    for name in ["a.csv", "b.csv", "c.csv", "d.csv"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(rows.len() as u64);
        archive.append_data(&mut header, name, rows.as_bytes()).unwrap();
    }
    let packed = gzip(&archive.into_inner().unwrap());
    let (documents, reasons) = found("a.tar.gz", &packed, &ReadOptions::default());
    assert_eq!((documents, reasons), (60_000, vec![per_byte(1)]));
}

#[test]
fn short_records_that_take_space_are_read() {
    let rows = format!("text\n{}", "a\n".repeat(150_000));
    assert_eq!(found("a.csv", rows.as_bytes(), &ReadOptions::default()), (150_000, vec![]));
}

#[test]
fn the_number_of_records_has_a_limit() {
    let mut options = ReadOptions { batch_bytes: 8, ..ReadOptions::default() };
    options.reading.limits.records = 10;
    let beyond = Reason::Beyond(Exceeded { limit: Limit::Records, value: 10 });
    let rows = format!("text\n{}", "a\n".repeat(20));
    let (documents, reasons) = found("a.csv", rows.as_bytes(), &options);
    assert!((7..=10).contains(&documents), "{documents}");
    assert_eq!(reasons, std::slice::from_ref(&beyond));
    let items = format!("<rss>{}</rss>", "<item><title>t</title></item>".repeat(20));
    assert_eq!(found("a.rss", items.as_bytes(), &options), (10, vec![beyond]));
    let few = format!("text\n{}", "a\n".repeat(10));
    assert_eq!(found("a.csv", few.as_bytes(), &options), (10, vec![]));
}

#[test]
fn a_column_with_more_children_than_there_are_columns_is_refused() {
    let table = from_hex(
        "504152311502192c4804726f6f7415feffffff0f00150c25021804746578742500001600190c2801780026000000\
         50415231",
    );
    let (_, reasons) = found("x.parquet", &table, &ReadOptions::default());
    let damaged =
        Reason::BadRecord { format: "Parquet table", detail: "its footer is damaged".to_owned() };
    assert_eq!(reasons, [damaged]);
}

#[test]
fn members_that_share_their_bytes_are_a_bomb() {
    let text = "word ".repeat(2_000);
    let packed = zip(&[("a.txt", text.as_bytes())]);
    let directory = packed.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let end = packed.windows(4).position(|four| four == b"PK\x05\x06").unwrap();
    let (entry, count) = (&packed[directory..end], 60_000_u16);
    let mut bomb = packed[..directory].to_vec();
    (0..count).for_each(|_| bomb.extend(entry));
    let mut last = packed[end..].to_vec();
    last[8..10].copy_from_slice(&count.to_le_bytes());
    last[10..12].copy_from_slice(&count.to_le_bytes());
    last[12..16].copy_from_slice(&(entry.len() as u32 * u32::from(count)).to_le_bytes());
    bomb.extend(last);
    // The entries themselves make the file large.
    let found = found("x.zip", &bomb, &ReadOptions::default());
    assert!(found.0 < 60_000);
    let reason = found.1.last().unwrap();
    assert!(reason.to_string().contains("share their bytes"), "{reason}");
}

#[test]
fn a_bomb_within_an_archive_is_stopped() {
    let zeros = vec![0; 80 << 20];
    let packed = zip(&[("a.jsonl", &zeros), ("b.txt", b"b")]);
    let found = found("x.zip", &packed, &ReadOptions::default());
    assert_eq!(found.0, 0);
    assert!(found.1.iter().any(|reason| {
        matches!(reason, Reason::Beyond(Exceeded { limit: Limit::Ratio, value: 500 }))
    }));
}
