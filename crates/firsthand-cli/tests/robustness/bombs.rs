//! Small files that decompress to huge ones: the limit counts what comes out.

use super::make::compressed::{
    BZIP2_OF_ZEROS, deflate_of_zeros, gzip, gzip_of_zeros, zstd, zstd_of_zeros,
};
use super::make::zip::{Member, Zip};
use super::make::{tar, warc};
use super::{AFTER, BEFORE, Case, Stage, line, page};

const RATIO: [&str; 2] = ["more than 500 times its size, like a decompression bomb", "--max-ratio"];

/// What every bomb that is refused has to say.
fn bomb<'a>(says: &'a [&'a str]) -> Case<'a> {
    Case { done: "refused once it has grown 500 times", says, read: (1, 0), ..Case::default() }
}

#[test]
fn in_gzip() {
    let bytes = [gzip(line(BEFORE)), gzip_of_zeros(100).repeat(100)].concat();
    let stage = Stage::with("m.jsonl.gz", bytes);
    let says = ["m.jsonl.gz, line 2", RATIO[0], RATIO[1]];
    Case { name: "gzip: 10 GB in 10 MB, after a good line", ..bomb(&says) }.check(&stage);
}

#[test]
fn in_zstd() {
    let bytes = [zstd(line(BEFORE).as_bytes()), zstd_of_zeros(10_000)].concat();
    let stage = Stage::with("m.jsonl.zst", bytes);
    let says = ["m.jsonl.zst, line 2", RATIO[0], RATIO[1]];
    Case { name: "Zstandard: 10 GB in 320 KB, after a good line", ..bomb(&says) }.check(&stage);
}

#[test]
fn in_bzip2() {
    let stage = Stage::with("m.jsonl.bz2", BZIP2_OF_ZEROS.repeat(223));
    let says = ["m.jsonl.bz2", RATIO[0], RATIO[1]];
    Case { name: "bzip2: 10 GB in 11 KB", read: (0, 0), ..bomb(&says) }.check(&stage);
}

#[test]
fn gzip_in_gzip() {
    let bytes = gzip(gzip(gzip_of_zeros(100).repeat(100)));
    let stage = Stage::with("m.jsonl.gz", bytes);
    let says = ["m.jsonl.gz", RATIO[0], RATIO[1]];
    let name = "gzip in gzip in gzip: 10 GB in less than 1 KB";
    Case { name, read: (0, 0), ..bomb(&says) }.check(&stage);
}

#[test]
fn many_layers_of_gzip() {
    let bytes = (0..100).fold(line(BEFORE).into_bytes(), |bytes, _| gzip(bytes));
    let stage = Stage::with("m.jsonl.gz", bytes);
    let says = ["m.jsonl.gz", "nested deeper than the limit of 4", "--max-layers"];
    let case = Case { name: "100 layers of gzip around a good line", says: &says, ..bomb(&says) };
    Case { done: "refused", read: (0, 0), ..case }.check(&stage);
}

/// A Parquet table of 119 bytes: eight million null rows in one page.
const NULLS: &str = "504152311500151215122c1580c8d00715001506150600000500000080c8d007001502192c48\
    04726f6f74150200150c25021804746578742500001680c8d007191c191c26081c150c1925000619180474657874\
    15001680c8d007163a163a26080000163a1680c8d00700280178004e00000050415231";

/// A Parquet table of 50 bytes: a column that claims two billion children.
const CHILDREN: &str = "504152311502192c4804726f6f7415feffffff0f00150c2502180474657874250000\
    1600190c280178002600000050415231";

fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// Records without text are refused, in little memory.
fn without_text<'a>(name: &'a str, says: &'a [&'a str]) -> Case<'a> {
    let done = "refused once there are more records than bytes, beyond 100,000";
    Case { name, done, says, memory: 128, ..Case::default() }
}

const PER_BYTE: [&str; 2] =
    ["more records for each of its bytes than the limit of 1", "--max-records-per-byte"];

#[test]
fn rows_that_are_only_claimed() {
    let stage = Stage::with("m.parquet", from_hex(NULLS));
    let says = ["m.parquet", PER_BYTE[0], PER_BYTE[1]];
    without_text("Parquet: eight million null rows in 119 bytes", &says).check(&stage);
    let stage = Stage::with("m.parquet", from_hex(CHILDREN));
    let says = ["m.parquet: not a valid Parquet table: its footer is damaged"];
    let name = "Parquet: a column that claims two billion children, in 50 bytes";
    Case { done: "refused", ..without_text(name, &says) }.check(&stage);
}

/// Packed records, each of them next to nothing; every call is a row of the table.
#[track_caller]
fn packed(name: &str, file: &str, content: String, others: usize) {
    let stage = Stage::with(file, gzip(content));
    let says = [file, PER_BYTE[0], PER_BYTE[1]];
    Case { others, ..without_text(name, &says) }.check(&stage);
}

#[test]
fn rows_of_next_to_nothing() {
    let rows = "text\n".to_owned() + &"a\n".repeat(8_000_000);
    packed("CSV: eight million rows in 16 KB of gzip", "m.csv.gz", rows, 0);
}

#[test]
fn lines_without_text() {
    let lines = "{\"text\":\"\"}\n".repeat(4_000_000);
    packed("JSONL: four million empty lines in 93 KB of gzip", "m.jsonl.gz", lines, 87_380);
}

#[test]
fn items_without_text() {
    let items = format!("<rss><channel>{}</channel></rss>", "<item/>".repeat(4_000_000));
    packed("a feed: four million empty items in 41 KB of gzip", "m.rss.gz", items, 100_000);
}

#[test]
fn a_page() {
    let stage = Stage::with("m.html.gz", gzip_of_zeros(100).repeat(100));
    let says = ["m.html.gz", RATIO[0], RATIO[1]];
    let name = "a page: 10 GB in 10 MB of gzip";
    Case { name, read: (0, 0), ..bomb(&says) }.check(&stage);
}

#[test]
fn a_member_of_a_zip_archive() {
    let stored = deflate_of_zeros(1_000);
    let mut zip = Zip::default();
    zip.add(&Member::plain("1.txt", BEFORE.as_bytes()));
    let (size, checksum) = (1_000_000_000, 0);
    zip.add(&Member { name: b"2.txt", method: 8, stored: &stored, size, checksum });
    zip.add(&Member::plain("3.txt", AFTER.as_bytes()));
    let stage = Stage::with("m.zip", zip.finish());
    let says = ["m.zip/2.txt: decompresses", "m.zip: decompresses", RATIO[0], RATIO[1]];
    let name = "a zip member: 1 GB in 1 MB, between good ones";
    let done = "the member is refused, and the rest of the archive";
    Case { name, done, ..bomb(&says) }.check(&stage);
}

#[test]
fn members_that_overlap() {
    // One heap of compressed lines, to which the list at the end points a thousand times.
    let stored = deflate_of_zeros(1_000);
    let heap =
        Member { name: b"2.jsonl", method: 8, stored: &stored, size: 1_000_000_000, checksum: 0 };
    let mut zip = Zip::default();
    zip.add(&Member::plain("1.txt", BEFORE.as_bytes()));
    let at = zip.add(&heap);
    for _ in 0..1_000 {
        zip.point(&heap, at);
    }
    let stage = Stage::with("m.zip", zip.finish());
    let says = ["m.zip", RATIO[0], RATIO[1]];
    let name = "a zip archive of 1,000 members that share the same bytes: 1 TB in 1 MB";
    Case { name, ..bomb(&says) }.check(&stage);
}

#[test]
fn zip_in_zip() {
    let inner = (0..20).fold(BEFORE.as_bytes().to_vec(), |bytes, depth| match depth {
        0 => Zip::of(&[("text.txt", &bytes)]),
        _ => Zip::of(&[("inner.zip", &bytes)]),
    });
    let around = [("1.txt", BEFORE.as_bytes()), ("2.zip", &inner), ("3.txt", AFTER.as_bytes())];
    let stage = Stage::with("m.zip", Zip::of(&around));
    let says = ["m.zip/2.zip/inner.zip", "nested deeper than the limit of 4", "--max-layers"];
    let name = "zip in zip, 20 deep, between good members";
    let done = "what is too deep is refused, the next member is read";
    Case { name, done, says: &says, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_tar_archive() {
    let head = [tar::member("1.txt", BEFORE), tar::header(b"2.txt", b'0', b"", 1_000_000_000)];
    let bytes = [gzip(head.concat()), gzip_of_zeros(100).repeat(10)].concat();
    let bytes = [bytes, gzip([tar::member("3.txt", AFTER), tar::END.to_vec()].concat())].concat();
    let stage = Stage::with("m.tar.gz", bytes);
    let says = ["m.tar.gz/2.txt", RATIO[0], RATIO[1]];
    let name = "a tar member of 1 GB in 1 MB of gzip, between good ones";
    let done = "the member is refused, and with it the rest of the archive";
    Case { name, done, ..bomb(&says) }.check(&stage);
}

#[test]
fn a_record_of_a_crawl() {
    let head = warc::response(2, "", "1000000000");
    let hostile = [gzip(head), gzip_of_zeros(100).repeat(10)].concat();
    let good = |number, text| gzip(warc::response(number, &page(text), "right"));
    let stage = Stage::with("m.warc.gz", [good(1, BEFORE), hostile, good(3, AFTER)].concat());
    let says = ["m.warc.gz, record 2", RATIO[0], RATIO[1]];
    let name = "a WARC record of 1 GB in 1 MB of gzip, between good ones";
    let done = "the record is refused, the next is found";
    Case { name, done, read: (1, 1), ..bomb(&says) }.check(&stage);
}
