//! Archives with names that lead elsewhere, and with far too many members.

use super::make::compressed::gzip;
use super::make::zip::{Member, Zip};
use super::make::{tar, warc};
use super::{AFTER, BEFORE, Case, Stage, line, page};
use std::io::Write;

const OUTSIDE: [&str; 3] = ["../2.txt", "/etc/2.txt", "a/../../2.txt"];

#[test]
fn names_that_lead_out_of_a_zip_archive() {
    let mut members = vec![("1.txt", BEFORE.as_bytes())];
    members.extend(OUTSIDE.map(|name| (name, b"never read".as_slice())));
    members.push(("C:\\2.txt", b"never read"));
    members.push(("3.txt", AFTER.as_bytes()));
    let stage = Stage::with("m.zip", Zip::of(&members));
    let says = ["m.zip/../2.txt: its name leads out of the archive", "/etc/2.txt", "Skipped 4"];
    let name = "zip members named `../2.txt`, `/etc/2.txt`, `C:\\2.txt`";
    let done = "skipped";
    Case { name, done, says: &says, exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn names_that_lead_out_of_a_tar_archive() {
    let mut bytes = tar::member("1.txt", BEFORE);
    for name in OUTSIDE {
        bytes.extend(tar::member(name, "never read"));
    }
    bytes.extend(tar::header(b"link.txt", b'2', b"/etc/passwd", 0));
    bytes.extend(tar::header(b"hard.txt", b'1', b"../../a.txt", 0));
    bytes.extend(tar::header(b"pipe.txt", b'6', b"", 0));
    bytes.extend(tar::header(b"device.txt", b'3', b"", 0));
    bytes.extend(tar::member("3.txt", AFTER));
    bytes.extend(tar::END);
    let stage = Stage::with("m.tar", bytes);
    let says = ["m.tar/../2.txt: its name leads out of the archive"];
    let name = "tar members named `../2.txt` and `/etc/2.txt`, links, a pipe and a device";
    let done = "skipped";
    Case { name, done, says: &says, exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_comment_like_an_end_record() {
    let mut zip = Zip::of(&[("1.txt", BEFORE.as_bytes()), ("2.txt", AFTER.as_bytes())]);
    let mut fake = b"PK\x05\x06".to_vec();
    fake.resize(22, 0);
    let length = zip.len();
    zip[length - 2..].copy_from_slice(&22_u16.to_le_bytes());
    zip.extend(fake);
    let stage = Stage::with("m.zip", zip);
    let name = "a zip archive whose comment looks like the end record of an empty one";
    Case { name, done: "read", exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn padded_gzip() {
    let bytes = [gzip(line(BEFORE)), vec![0; 10_000], gzip(line(AFTER)), vec![0; 10_000]].concat();
    let stage = Stage::with("m.jsonl.gz", bytes);
    let name = "gzip members with zeros between and after them, as files from tape have";
    Case { name, done: "read", exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_million_empty_gzip_members() {
    let bytes = [gzip(line(BEFORE)), gzip("").repeat(1_000_000), gzip(line(AFTER))].concat();
    let stage = Stage::with("m.jsonl.gz", bytes);
    let name = "a million empty gzip members between two lines";
    let done = "read";
    Case { name, done, exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_million_empty_gzip_members_in_a_crawl() {
    let record = |number, text| gzip(warc::response(number, &page(text), "right"));
    let bytes = [record(1, BEFORE), gzip("").repeat(1_000_000), record(2, AFTER)].concat();
    let stage = Stage::with("m.warc.gz", bytes);
    let name = "a million empty gzip members between two WARC records";
    let done = "read";
    Case { name, done, exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_million_empty_tar_members() {
    let stage = Stage::new();
    let mut file = std::io::BufWriter::new(std::fs::File::create(stage.path("m.tar")).unwrap());
    file.write_all(&tar::member("1.txt", BEFORE)).unwrap();
    let empty = tar::header(b"2.txt", b'0', b"", 0);
    for _ in 0..1_000_000 {
        file.write_all(&empty).unwrap();
    }
    file.write_all(&tar::member("3.txt", AFTER)).unwrap();
    file.write_all(&tar::END).unwrap();
    file.into_inner().unwrap();
    let says = ["m.tar: members beyond the limit of 1000000 were not read", "--max-members"];
    let name = "a tar archive of a million empty members after a good one";
    let done = "read up to the limit";
    let (read, others, memory) = ((1, 0), 999_999, 2_048);
    Case { name, done, says: &says, read, others, memory, ..Case::default() }.check(&stage);
}

#[test]
fn a_million_empty_zip_members() {
    let mut zip = Zip::default();
    zip.add(&Member::plain("1.txt", BEFORE.as_bytes()));
    let names: Vec<String> = (0..1_000_000).map(|number| format!("2/{number}.txt")).collect();
    for name in &names {
        zip.add(&Member::plain(name, b""));
    }
    zip.add(&Member::plain("3.txt", AFTER.as_bytes()));
    let stage = Stage::with("m.zip", zip.finish());
    let name =
        "a zip archive of a million empty members between good ones, `--max-members 2000000`";
    let done = "read";
    let args = ["--max-members", "2000000"];
    let (read, others, memory) = ((1, 1), 1_000_000, 2_048);
    Case { name, done, exit: 0, read, others, args: &args, memory, ..Case::default() }
        .check(&stage);
}

#[test]
fn archives_that_are_cut_off() {
    let zip = Zip::of(&[("1.txt", BEFORE.as_bytes()), ("2.txt", AFTER.as_bytes())]);
    let stage = Stage::with("m.zip", &zip[..zip.len() / 2]);
    let name = "a zip archive without its second half";
    let says = ["m.zip: not a valid zip archive"];
    let done = "the first member is read";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
    let tar = [tar::member("1.txt", BEFORE), tar::member("2.txt", AFTER)].concat();
    let stage = Stage::with("m.tar", &tar[..tar.len() - 500]);
    let name = "a tar archive that ends in its second member";
    let says = ["m.tar"];
    let done = "the first member is read";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
}
