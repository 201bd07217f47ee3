//! Laws of finding records, for any layout and any portions.

use std::io::{self, Read, Write};
use std::sync::Arc;

use proptest::prelude::*;

use super::members::Members;
use super::raw::PositionedStream;
use super::records::{Records, Role, WarcEntry};
use super::window::{RecordWindow, WindowSource};
use super::{ArchiveFormat, START};
use crate::stream::Budget;
use firsthand::settings::Limits;

/// Returns a fixed number of bytes per read.
struct Dribble<R>(R, usize);

impl<R: Read> Read for Dribble<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(data).unwrap();
    out.finish().unwrap()
}

fn record(kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

fn records_of<R: Read + Send>(
    stream: R,
    gzip: bool,
    limits: &Limits,
    mut visit: impl FnMut(WarcEntry),
) {
    let budget = Budget::new(limits, Arc::default());
    let stream = budget.count(stream);
    let source = match gzip {
        true => WindowSource::Gzip(Box::new(Members::new(
            PositionedStream::new(Box::new(stream), 0),
            budget,
            ArchiveFormat::Warc,
        ))),
        false => WindowSource::Plain(Box::new(stream)),
    };
    let mut records = Records::new(RecordWindow::new(source, 0, ArchiveFormat::Warc), limits, true);
    while let Some(found) = records.next() {
        visit(found);
    }
}

/// The bodies of the records, or the reasons of errors.
fn bodies(bytes: &[u8], step: usize, limits: &Limits) -> Vec<Result<Vec<u8>, String>> {
    let mut bodies = Vec::new();
    records_of(Dribble(bytes, step), is_gzip(bytes), limits, |found| {
        bodies.push(match found {
            WarcEntry::WarcRecord(record) => Ok(record.bytes[record.head..record.end].to_vec()),
            WarcEntry::Large(_) => Err("large".to_owned()),
            WarcEntry::Bad { reason, .. } => Err(reason.to_string()),
        });
    });
    bodies
}

/// The same records in different layouts.
fn layouts(records: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let one_by_one: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let all = records.concat();
    let (first, second) = all.split_at(all.len() / 3);
    let pairs = records.chunks(2).map(|pair| gzip(&pair.concat()));
    vec![
        all.clone(),
        one_by_one.concat(),
        gzip(&all),
        // Members unrelated to records.
        [gzip(first), gzip(b""), gzip(second)].concat(),
        pairs.collect::<Vec<_>>().concat(),
    ]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        Just(b"\r\n\r\n".to_vec()),
        Just(b"WARC/".to_vec()),
        Just(b"\nWARC/1.0\r\n".to_vec()),
        Just(b"\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc".to_vec()),
        Just(vec![0x1f, 0x8b, 8, 0]),
        Just(vec![b'x'; 3000]),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(
        written in prop::collection::vec(body(), 1..8),
        step in 1..5000_usize,
    ) {
        let records: Vec<Vec<u8>> = written.iter().map(|body| record("response", body)).collect();
        let expected: Vec<Result<Vec<u8>, String>> = written.into_iter().map(Ok).collect();
        // A member that begins with a record ends the one before it, in a body too.
        let all = records.concat();
        let is_ambiguous = all[all.len() / 3..].starts_with(START);
        for (layout, bytes) in layouts(&records).iter().enumerate() {
            if layout != 3 || !is_ambiguous {
                prop_assert_eq!(&bodies(bytes, step, &Limits::default()), &expected, "{}", layout);
            }
        }
    }

    #[test]
    fn any_bytes_come_to_an_end(
        mut written in prop::collection::vec(body(), 1..6),
        wrong in any::<prop::sample::Index>(),
        value in any::<u8>(),
        step in 1..500_usize,
    ) {
        let records: Vec<Vec<u8>> = written.drain(..).map(|body| record("resource", &body)).collect();
        let limits = Limits { file: 2000, ..Limits::default() };
        for mut bytes in layouts(&records) {
            let at = wrong.index(bytes.len());
            bytes[at] = value;
            let found = bodies(&bytes, step, &limits);
            // The portions do not matter.
            prop_assert_eq!(found, bodies(&bytes, 1 << 20, &limits));
        }
    }
}

#[test]
fn places_are_those_on_the_disk() {
    let records: Vec<Vec<u8>> = (0..4_usize).map(|n| record("response", &vec![b'a'; n])).collect();
    let places = |bytes: &[u8]| {
        let mut places = Vec::new();
        records_of(bytes, is_gzip(bytes), &Limits::default(), |found| match found {
            WarcEntry::WarcRecord(record) => places.push((record.number, record.byte)),
            other => panic!("{other:?}"),
        });
        places
    };
    let ends = |parts: &[Vec<u8>]| {
        let starts = parts.iter().scan(0, |end, part| {
            let start = *end;
            *end += part.len() as u64;
            Some(Some(start))
        });
        (1..).zip(starts).collect::<Vec<(u64, Option<u64>)>>()
    };
    assert_eq!(places(&records.concat()), ends(&records));
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    assert_eq!(places(&members.concat()), ends(&members));
    let whole = gzip(&records.concat());
    assert_eq!(places(&whole), [(1, Some(0)), (2, None), (3, None), (4, None)]);
}

#[test]
fn a_million_empty_members() {
    let empty = gzip(b"");
    let mut bytes = empty.repeat(500_000);
    bytes.extend(gzip(&record("response", b"one")));
    bytes.extend(empty.repeat(500_000));
    bytes.extend(gzip(&record("response", b"two")));
    let expected = [Ok(b"one".to_vec()), Ok(b"two".to_vec())];
    assert_eq!(bodies(&bytes, 1 << 20, &Limits::default()), expected);
}

#[test]
fn a_million_members_of_a_byte() {
    let whole = record("response", &vec![b'x'; 100_000]);
    let mut bytes: Vec<u8> = whole.iter().flat_map(|byte| gzip(&[*byte])).collect();
    bytes.extend(gzip(&record("response", b"two")));
    let found = bodies(&bytes, 1 << 20, &Limits::default());
    assert_eq!(found, [Ok(vec![b'x'; 100_000]), Ok(b"two".to_vec())]);
}

#[test]
fn lengths_that_are_lies() {
    let next = record("response", b"next");
    for length in [u64::MAX, u64::MAX - 1, 1 << 62, 5000, 3] {
        let head = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n");
        let lying = [head.as_bytes(), b"body\r\n\r\n"].concat();
        for bytes in [[&lying[..], &next].concat(), [gzip(&lying), gzip(&next)].concat()] {
            for file in [100, 10_000] {
                let limits = Limits { file, ..Limits::default() };
                let found = bodies(&bytes, 50, &limits);
                assert_eq!(found.len(), 2, "{length} {file} {found:?}");
                let reason = found[0].as_ref().unwrap_err();
                assert!(reason.starts_with("not a valid WARC record: "), "{reason}");
                assert_eq!(found[1], Ok(b"next".to_vec()), "{length} {file}");
            }
        }
    }
}

/// Endless header lines with nothing after them.
struct Headers(u64);

impl Read for Headers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(usize::try_from(self.0).unwrap_or(usize::MAX));
        for (at, byte) in buffer[..length].iter_mut().enumerate() {
            *byte = if at % 80 == 79 { b'\n' } else { b'x' };
        }
        self.0 -= length as u64;
        Ok(length)
    }
}

#[test]
fn headers_without_an_end_are_not_kept() {
    let start = &b"WARC/1.0\r\nWARC-Type: response\r\n"[..];
    let next = record("response", b"next");
    let bytes = start.chain(Headers(100 << 20)).chain(&b"\n"[..]).chain(&next[..]);
    let mut found = Vec::new();
    records_of(bytes, false, &Limits::default(), |record| found.push(record));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(matches!(&found[1], WarcEntry::WarcRecord(record) if record.number == 2));
}

#[test]
fn a_large_record_is_passed_over() {
    let large = record("response", &vec![b'y'; 200_000]);
    let other = record("request", &vec![b'y'; 200_000]);
    let next = record("response", b"next");
    let limits = Limits { file: 100_000, ..Limits::default() };
    for bytes in layouts(&[large, other, next]) {
        let found = bodies(&bytes, 999, &limits);
        assert_eq!(found, [Err("large".to_owned()), Ok(b"next".to_vec())]);
    }
}

#[test]
fn members_that_grow_too_much_end_the_file() {
    let limits = Limits { decompressed: 1 << 20, ..Limits::default() };
    let bomb = gzip(&record("response", &vec![b'y'; 2 << 20]));
    let bytes = [gzip(&record("response", b"one")), bomb].concat();
    let found = bodies(&bytes, 999, &limits);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], Ok(b"one".to_vec()));
    assert!(found[1].as_ref().unwrap_err().contains("decompresses to more than the limit"));
}

#[test]
fn magic_everywhere_does_not_slow_the_search() {
    // Each is a member that begins with a record, is damaged after it, and overlaps the next.
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    member.extend([0, 0xff, 0xff, 0, 0]);
    member.extend(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9\r\n");
    let mut bytes = member.repeat(20_000);
    // The last one extends to here; an intact one follows.
    bytes.extend(vec![b'x'; 70_000]);
    bytes.extend(gzip(&record("response", b"last")));
    let found = bodies(&bytes, 1 << 20, &Limits::default());
    assert_eq!(found.last(), Some(&Ok(b"last".to_vec())));
}

#[test]
fn records_in_records_are_not_searched_again_and_again() {
    let cases = [
        "xWARC/1.0\r\nWARC-Type: response\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 60000000\r\n\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 18446744073709551615\r\n\r\n",
    ];
    for part in cases {
        let bytes = [part.repeat(200_000).as_bytes(), b"\n", &record("response", b"last")].concat();
        for bytes in [bytes.clone(), gzip(&bytes)] {
            let found = bodies(&bytes, 1 << 20, &Limits::default());
            assert_eq!(found.last(), Some(&Ok(b"last".to_vec())), "{part:?}");
            assert!(found.len() > 100_000, "{part:?}");
        }
    }
}

#[test]
fn roles_by_type() {
    let types = ["response", "resource", "Conversion", "revisit", "request", "warcinfo", "new"];
    let bytes = types.map(|kind| record(kind, b"x")).concat();
    let mut roles = Vec::new();
    records_of(&bytes[..], false, &Limits::default(), |found| match found {
        WarcEntry::WarcRecord(record) => roles.push(record.role),
        other => panic!("{other:?}"),
    });
    use Role::{Beside, Document, Revisit};
    assert_eq!(roles, [Document, Document, Document, Revisit, Beside, Beside, Beside]);
}
