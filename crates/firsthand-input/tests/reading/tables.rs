//! Tables and JSON files: their documents and errors.

use firsthand::settings::Reading;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use firsthand_input::{
    Exceeded, Fields, Kind, Limit, ParquetKept, Raw, ReadOptions, Reason, Unit, open, read_bytes,
};
use parquet::arrow::ArrowWriter;

use crate::{Folder, read_all};

/// The ids and texts of a file in memory, and its error messages.
fn short(name: &str, bytes: impl AsRef<[u8]>) -> Vec<String> {
    short_with(name, bytes, &ReadOptions::default())
}

fn short_with(name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> Vec<String> {
    let items = read_bytes(name, bytes.as_ref(), options);
    let words = |item| match item {
        Ok(firsthand::Document { id, text, .. }) => format!("{id}: {text}"),
        Err(error) => format!("! {error}"),
    };
    items.map(words).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn csv_in_many_habits() {
    let expected = ["1: Hello, world", "2: Line one\nline two", "3: "];
    let rows = [("1", "Hello, world"), ("2", "Line one\nline two"), ("3", "")];
    for (name, delimiter) in [("a.csv", ","), ("a.csv", ";"), ("a.csv", "|"), ("a.tsv", "\t")] {
        for line_end in ["\n", "\r\n"] {
            let mut file = ["\"Text\"", "extra", " ID "].join(delimiter) + line_end;
            for (id, text) in rows {
                file += &[&format!("\"{text}\""), "x", id].join(delimiter);
                file += line_end;
            }
            assert_eq!(short(name, &file), expected, "{file:?}");
            assert_eq!(short(name, format!("\u{FEFF}{file}")), expected, "{file:?}");
            assert_eq!(short(name, utf16(&file)), expected, "{file:?}");
        }
    }
}

#[test]
fn csv_in_other_character_sets() {
    let latin = b"id,text\n1,Le bac de nuit s'est \xE9chou\xE9 peu avant minuit\n2,bless\xE9\n";
    let expected = ["1: Le bac de nuit s'est échoué peu avant minuit", "2: blessé"];
    assert_eq!(short("a.csv", latin), expected);
    // The first 64 KiB are ASCII.
    let plain: String = (0..5000).map(|id| format!("{id},plain text of row {id}\n")).collect();
    let late = [b"id,text\n", plain.as_bytes(), b"x,\"d\xE9j\xE0 vu\"\n"].concat();
    assert_eq!(short("a.csv", late).last().unwrap(), "x: déjà vu");
    let broken = "id,text\n1,Fähre und Wörter für Ämter\n2,Fähre nach Öland \u{0}".as_bytes();
    let broken = [broken, b"\xFF\n"].concat();
    assert_eq!(short("a.csv", broken)[1], "2: Fähre nach Öland \u{0}\u{FFFD}");
}

#[test]
fn rows_with_too_few_or_too_many_cells() {
    let file = "text,id\nshort\nlong,7,more,and more\n,8\n";
    assert_eq!(short("a.csv", file), ["a.csv:2: short", "7: long", "8: "]);
}

#[test]
fn the_first_column_with_a_text_counts() {
    let file = "body,content,id\nb,c,1\nb,,2\n,,3\n";
    assert_eq!(short("a.csv", file), ["1: c", "2: b", "3: "]);
    let fields = Fields { text: vec!["Inhalt".into()], ..Fields::default() };
    let options =
        ReadOptions { reading: Reading { fields, ..Reading::default() }, ..ReadOptions::default() };
    assert_eq!(short_with("a.csv", "id,INHALT\n1,x\n", &options), ["1: x"]);
}

#[test]
fn a_table_without_text_is_one_failure() {
    let said = short("a.csv", "id,titel\n1,x\n2,y\n");
    assert_eq!(said.len(), 1);
    let wanted = "no column is called text or content or body or html; there are id, titel";
    assert!(said[0].contains(wanted), "{said:?}");
}

#[test]
fn places_are_lines() {
    let folder = Folder::new();
    let path = folder.write("a.csv", "text\n\"one\n\ntwo\"\n\nthree\n");
    let options = ReadOptions::default();
    let mut lines = Vec::new();
    for batch in open(&[path], &options).unwrap() {
        for (item, raw) in batch.documents(&options).zip(batch.raw()) {
            lines.push(item.unwrap().place.line_number().unwrap());
            let Raw::Row { row, header } = raw else { panic!("{raw:?}") };
            assert!(row.ends_with(b"\n") && header.raw() == b"text\n" && !header.tabs());
        }
    }
    assert_eq!(lines, [2, 6]);
}

#[test]
fn a_row_beyond_the_limit_does_not_end_the_table() {
    let mut options = ReadOptions::default();
    options.reading.limits.line = 1000;
    let long = "x".repeat(5000);
    for quote in ["\"", ""] {
        for batch_bytes in [10, 1 << 20] {
            options.batch_bytes = batch_bytes;
            let file = format!("id,text\n1,a\n2,{quote}{long}{quote}\n3,b\n");
            let said = short_with("a.csv", file, &options);
            assert_eq!((said.len(), &*said[0], &*said[2]), (3, "1: a", "3: b"));
            assert!(said[1].contains("line 3: the line is longer than the limit of 1000 bytes"));
            assert!(said[1].contains("the line is longer than the limit"), "{}", said[1]);
        }
    }
}

#[test]
fn json_arrays_objects_and_lines() {
    let expected = ["1: a", "2: b"];
    let one = r#"{"id":1,"text":"a"}"#;
    let two = r#"{"id":2,"text":"b"}"#;
    let files = [
        format!("[{one},{two}]"),
        format!("[\n  {one},\n  {two}\n]\n"),
        format!("{one}\n{two}\n"),
        format!("{one}{two}"),
        format!("\u{FEFF}[{one},{two}]"),
    ];
    for file in files {
        assert_eq!(short("a.json", &file), expected, "{file}");
        assert_eq!(short("a.json", utf16(file.trim_start_matches('\u{FEFF}'))), expected);
    }
    assert_eq!(short("a.json", one), ["1: a"]);
    assert_eq!(short("a.json", "[]"), [""; 0]);
    assert_eq!(short("a.json", r#"[{"text":"a"}]"#), ["a.json:1: a"]);
}

#[test]
fn what_is_wrong_with_a_json_file() {
    let good = r#"{"id":1,"text":"a"}"#;
    let deep = format!("[{}{},{good}]", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let long = format!("[{{\"text\":\"{}\"}},{good}]", "x".repeat(2000));
    let cases = [
        (format!("[17,{good}]"), 0, "item 1: a JSON number where an object"),
        (format!("[{{\"id\":2}},{good}]"), 0, "item 1: no text"),
        (format!("[{{,}},{good}]"), 0, "item 1: not valid JSON: "),
        (format!("[{good} {good}]"), 1, "item 2: not a valid JSON file: no comma"),
        (format!("x {good}"), 0, "item 1: not a valid JSON file: \"x\" where an element"),
        (format!("[{good},"), 1, "item 2: not a valid JSON file: it ends before the array"),
        (format!("[{good},{{\"te"), 1, "item 2: not a valid JSON file: it ends within"),
        (deep, 0, "item 1: JSON nested deeper than the limit of 128"),
        (long, 0, "item 1: the line is longer than the limit of 1000 bytes"),
    ];
    let mut options = ReadOptions::default();
    options.reading.limits.line = 1000;
    for (file, at, words) in cases {
        let said = short_with("a.json", &file, &options);
        assert!(said[at].starts_with(&format!("! a.json, {words}")), "{said:?}");
        assert!(said.contains(&"1: a".to_owned()), "{said:?}");
    }
}

#[test]
fn a_json_element_is_copied_as_it_came() {
    let folder = Folder::new();
    let path = folder.write("a.json", "[ {\"text\" : \"a\"} ,\n{\"text\":\"\\u0062\"}]");
    let options = ReadOptions::default();
    let batches: Vec<_> = open(&[path], &options).unwrap().collect();
    let elements: Vec<&[u8]> = batches
        .iter()
        .flat_map(|batch| batch.raw())
        .map(|raw| if let Raw::Element(bytes) = raw { bytes } else { panic!("{raw:?}") })
        .collect();
    assert_eq!(elements, [&b"{\"text\" : \"a\"}"[..], b"{\"text\":\"\\u0062\"}"]);
}

pub(crate) fn parquet(ids: &[i64], texts: &[&str]) -> Vec<u8> {
    let columns: [(&str, ArrayRef); 2] = [
        ("id", Arc::new(Int64Array::from(ids.to_vec()))),
        ("text", Arc::new(StringArray::from(texts.to_vec()))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn parquet_from_disk_memory_and_compressed() {
    let table = parquet(&[1, 2], &["a", "b"]);
    assert_eq!(short("a.parquet", &table), ["1: a", "2: b"]);
    let packed = zstd::encode_all(&*table, 1).unwrap();
    assert_eq!(short("a.parquet.zst", &packed), ["1: a", "2: b"]);
    let folder = Folder::new();
    let path = folder.write("a.parquet", &table);
    let (documents, errors) = read_all(std::slice::from_ref(&path), &ReadOptions::default());
    assert_eq!((documents.len(), errors.len()), (2, 0));
    let options = ReadOptions::default();
    let mut batches = open(&[path], &options).unwrap();
    let total = batches.total_bytes().unwrap();
    let batch = batches.next().unwrap();
    let place = batch.documents(&options).next().unwrap().unwrap().place;
    assert_eq!(place.at.unwrap().unit, Unit::Row);
    assert!(batches.consumed_bytes() > 0 && batches.consumed_bytes() <= total);
}

#[test]
fn rows_of_parquet_are_kept_under_all_their_columns() {
    let table = parquet(&[1, 2, 3], &["a", "b", "c"]);
    let options = ReadOptions {
        reading: Reading { kind: Some(Kind::Parquet), ..Reading::default() },
        ..ReadOptions::default()
    };
    let batch = firsthand_input::open_bytes("table", &table, &options).next().unwrap();
    let Some(Raw::Cells(group, 0)) = batch.raw().next() else { panic!("no rows") };
    let mut kept = ParquetKept::new(Vec::new(), group.table()).unwrap();
    kept.write(group, &[Some(0), None, Some(2)]).unwrap();
    let kept = kept.finish().unwrap();
    assert_eq!(short("kept.parquet", &kept), ["1: a", "3: c"]);
}

#[test]
fn a_limit_names_itself() {
    let table = parquet(&[1], &[&"x".repeat(2000)]);
    let mut options = ReadOptions::default();
    options.reading.limits.line = 1000;
    let error = read_bytes("a.parquet", &table, &options).next().unwrap().unwrap_err();
    assert_eq!(error.reason, Reason::Beyond(Exceeded { limit: Limit::Line, value: 1000 }));
    assert_eq!(error.place.to_string(), "a.parquet, row 1");
}
