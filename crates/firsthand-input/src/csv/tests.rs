//! The rows and cells found are those that were written, for any portions and any damage.

use std::io::{self, Cursor as Memory, Read};

use proptest::prelude::*;

use super::cells;
use super::cutter::CsvCutter;
use super::scan::Separators;
use crate::chunk_buffer::CutError;

/// Returns a few bytes per read.
struct Slow(Memory<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    header: Vec<u8>,
    /// The line and the bytes of each row.
    rows: Vec<(u64, Vec<u8>)>,
    trouble: Vec<String>,
}

impl Table {
    fn bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().map(|(_, row)| row.as_slice());
        [self.header.as_slice()].into_iter().chain(rows).collect::<Vec<_>>().concat()
    }
}

/// Everything found with `step` bytes per read and chunks of `chunk` bytes.
fn read(file: &[u8], tabs: bool, chunk: usize, step: usize, longest: usize) -> (Table, Separators) {
    let stream = Box::new(Slow(Memory::new(file.to_vec()), step));
    let mut cutter = CsvCutter::new(stream, chunk, longest);
    let mut table = Table::default();
    let form = match cutter.header(tabs) {
        Ok(Some((raw, form))) => {
            table.header = raw;
            form
        }
        Ok(None) => return (table, Separators { delimiter: b',', line_end: b'\n' }),
        Err(found) => {
            table.trouble.push(format!("{found:?}"));
            return (table, Separators { delimiter: b',', line_end: b'\n' });
        }
    };
    while let Some(found) = cutter.next() {
        match found {
            Ok((bytes, rows)) => {
                let mut from = 0;
                for row in rows {
                    table.rows.push((row.line, bytes[from..row.end].to_vec()));
                    from = row.end;
                }
                assert_eq!(from, bytes.len());
            }
            Err(CutError::TooLong { at: line }) => table.trouble.push(format!("{line} too long")),
            Err(CutError::CutOff { at: line }) => table.trouble.push(format!("{line} cut off")),
            Err(CutError::Failed { at: line, .. }) => table.trouble.push(format!("{line} failed")),
        }
    }
    (table, form)
}

/// The cells of each row after its line number, then the faults.
fn short(file: &str) -> Vec<String> {
    let (table, form) = read(file.as_bytes(), false, 1 << 20, 1 << 20, 1 << 20);
    for (chunk, step) in [(1, 1), (3, 2), (16, 5), (1000, 1)] {
        assert_eq!(read(file.as_bytes(), false, chunk, step, 1 << 20).0, table, "{file:?}");
    }
    if table.trouble.is_empty() && !file.trim_ascii().is_empty() {
        assert_eq!(table.bytes(), file.as_bytes());
    }
    let words = |(line, row): &(u64, Vec<u8>)| {
        let cells: Vec<String> =
            cells::of(row, form).map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect();
        format!("{line}: {}", cells.join(" / "))
    };
    table.rows.iter().map(words).chain(table.trouble.iter().cloned()).collect()
}

#[test]
fn habits_of_real_files() {
    let cases: &[(&str, &[&str])] = &[
        ("id,text\n1,a\n2,b\n", &["2: 1 / a", "3: 2 / b"]),
        ("id,text\r\n1,a\r\n2,b", &["2: 1 / a", "3: 2 / b"]),
        ("id,text\r1,a\r2,b\r", &["2: 1 / a", "3: 2 / b"]),
        ("id,text\n1,a\rb\n", &["2: 1 / a\rb"]),
        ("\u{FEFF}id;text,x\n1;a,b\n", &["2: 1;a / b"]),
        ("\u{FEFF}id;text;x\n1;a,b\n", &["2: 1 / a,b"]),
        ("sep=;\nid;text\n1;a,b\n", &["3: 1 / a,b"]),
        ("\n\nid|text\n1|a\n", &["4: 1 / a"]),
        ("id\ttext\n1\ta,b\n", &["2: 1 / a,b"]),
        ("\"a,b,c\";text;n\n1;x;2\n", &["2: 1 / x / 2"]),
        ("id,\"te\nxt\"\n1,a\n", &["3: 1 / a"]),
        // Quotes.
        ("a,b\n\"1,2\",\"x \"\"y\"\" z\"\n", &["2: 1,2 / x \"y\" z"]),
        ("a,b\n1,\"x\ny\r\nz\"\n2,w\n", &["2: 1 / x\ny\r\nz", "5: 2 / w"]),
        ("a,b\n1,\"\"\n2,\"\"\"\"\n", &["2: 1 / ", "3: 2 / \""]),
        ("a,b\n1,x \"y, z\"\n", &["2: 1 / x \"y /  z\""]),
        ("a,b\n1,\"x\" y\n", &["2: 1 / x y"]),
        ("a,b\n1,\"x\"\r\n2,y\n", &["2: 1 / x", "3: 2 / y"]),
        // A quote that is text.
        ("a,b\n1,\"x\n2,y\n", &["2: 1 / \"x", "3: 2 / y"]),
        ("a,b\n1,\"x\n2,y \"z\" w\n3,v\n", &["2: 1 / \"x", "3: 2 / y \"z\" w", "4: 3 / v"]),
        ("a,\"b\n1,x\n", &["2: 1 / x"]),
        // More and fewer cells than names.
        ("a,b\n1\n1,2,3\n\n,\n", &["2: 1", "3: 1 / 2 / 3", "4: ", "5:  / "]),
        // Empty or nearly empty.
        ("", &[]),
        ("\n \r\n", &[]),
        ("a,b", &[]),
        ("a,b\n", &[]),
        ("a,b\n1,\"x\n y", &["2 cut off"]),
    ];
    for (file, expected) in cases {
        assert_eq!(short(file), *expected, "{file:?}");
    }
}

#[test]
fn a_row_beyond_the_limit_is_passed_over() {
    let long = "x".repeat(300);
    let file = format!("a,b\n1,y\n2,{long}\n3,z\n");
    let open = format!("a,b\n1,y\n2,\"open\n{}3,z\n", "0,line\n".repeat(100));
    for chunk in [1, 50, 1 << 20] {
        let (table, _) = read(file.as_bytes(), false, chunk, 7, 200);
        // A row that fits into a chunk is refused only when its document is built.
        if chunk < 200 {
            assert_eq!(table.trouble, ["3 too long"]);
        }
        assert_eq!(table.rows.first(), Some(&(2, b"1,y\n".to_vec())));
        assert_eq!(table.rows.last(), Some(&(4, b"3,z\n".to_vec())));
        let (table, _) = read(open.as_bytes(), false, chunk, 7, 200);
        assert_eq!(table.rows.last(), Some(&(104, b"3,z\n".to_vec())), "{chunk}");
        assert_eq!(table.trouble, ["3 too long"]);
    }
}

fn quoted(cell: &str, always: bool) -> String {
    if always || cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

proptest! {
    #[test]
    fn cells_come_back(
        rows in prop::collection::vec(prop::collection::vec("[a-c\",;\n\r\té ]{0,6}", 3), 1..12),
        always: bool,
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        end_of_last: bool,
        chunk in 1usize..60,
        step in 1usize..20,
    ) {
        let mut file = format!("id,text,url{line_end}");
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell, always)).collect();
            file += &cells.join(",");
            if number + 1 < rows.len() || end_of_last {
                file += line_end;
            }
        }
        let (table, form) = read(file.as_bytes(), false, chunk, step, 1 << 20);
        prop_assert_eq!(table.bytes(), file.as_bytes());
        let found: Vec<Vec<String>> = table.rows.iter().map(|(_, row)| {
            cells::of(row, form).map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect()
        }).collect();
        prop_assert_eq!(found, rows);
        let mut from = table.header.len();
        for (line, row) in &table.rows {
            let before = file.as_bytes()[..from].iter().filter(|byte| **byte == b'\n').count();
            prop_assert_eq!(*line, before as u64 + 1);
            from += row.len();
        }
    }

    #[test]
    fn any_file_is_rows_or_trouble(
        file in "(id,text\n)?[a\",;\n\r\t|]{0,120}",
        chunk in 1usize..60,
        step in 1usize..20,
    ) {
        let (table, _) = read(file.as_bytes(), false, chunk, step, 1 << 20);
        prop_assert_eq!(&table, &read(file.as_bytes(), false, 1 << 20, 1 << 20, 1 << 20).0);
        match table.trouble.is_empty() {
            true if !file.trim_ascii().is_empty() => {
                prop_assert_eq!(table.bytes(), file.as_bytes());
            }
            _ => prop_assert!(file.as_bytes().starts_with(&table.bytes())),
        }
        for longest in [1, 5, 20] {
            if table.header.len() < longest {
                read(file.as_bytes(), true, 1, step, longest);
            }
        }
    }

    #[test]
    fn well_formed_rows_are_read_as_by_another_parser(
        cells in prop::collection::vec(("[a\", é]{0,5}", any::<bool>()), 1..6),
    ) {
        let row: Vec<String> = cells.iter().map(|(cell, always)| quoted(cell, *always)).collect();
        let row = row.join(",") + "\n";
        let (mut output, mut ends) = ([0; 200], [0; 10]);
        let (_, read, _, count) =
            csv_core::Reader::new().read_record(row.as_bytes(), &mut output, &mut ends);
        prop_assert_eq!(read, row.len());
        let starts = [0].into_iter().chain(ends);
        let expected: Vec<&[u8]> =
            starts.zip(ends).take(count).map(|(from, to)| &output[from..to]).collect();
        let form = Separators { delimiter: b',', line_end: b'\n' };
        let found: Vec<_> = cells::of(row.as_bytes(), form).collect();
        // The other parser skips empty lines.
        prop_assert!(found == expected || row == "\n");
    }
}
