//! What is kept is as it was, whatever its type.

use arrow_array::builder::{
    FixedSizeBinaryBuilder, Int32Builder, ListBuilder, MapBuilder, StringBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{
    BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int64Array, StructArray, TimestampMicrosecondArray, TimestampSecondArray,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};

use std::fs::File;
use std::io::Write;

use super::*;
use crate::Raw;
use crate::cell::{Cell, CellType};
use crate::parquet::ParquetKept;

const ROWS: usize = 1000;

/// A batch with columns of many types, some of them nested.
fn many() -> RecordBatch {
    let every = |n: usize| move |row: &usize| (!row.is_multiple_of(n)).then_some(*row);
    let rows = || (0..ROWS).collect::<Vec<_>>();
    let texts: Vec<Option<String>> =
        rows().iter().map(every(7)).map(|row| row.map(|row| format!("text {row}"))).collect();
    let words: Vec<Option<&str>> =
        rows().iter().map(|row| ["ferry", "aground"].get(row % 3).copied()).collect();
    let dictionary: DictionaryArray<Int32Type> = words.into_iter().collect();
    let mut lists = ListBuilder::new(ListBuilder::new(Int32Builder::new()));
    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    let mut fixed = FixedSizeBinaryBuilder::new(3);
    for row in 0..ROWS {
        for inner in 0..row % 4 {
            lists.values().append_value((0..inner as i32).map(Some));
        }
        lists.append(row % 5 != 0);
        maps.keys().append_value("key");
        maps.values().append_option((row % 3 > 0).then_some(row as i32));
        maps.append(row % 11 != 0).unwrap();
        fixed.append_value([row as u8, 1, 2]).unwrap();
    }
    let integers = Int64Array::from(
        rows().iter().map(every(3)).map(|row| row.map(|row| row as i64)).collect::<Vec<_>>(),
    );
    let pair = StructArray::from(vec![
        (Arc::new(Field::new("n", DataType::Int64, true)), Arc::new(integers.clone()) as ArrayRef),
        (
            Arc::new(Field::new("s", DataType::Utf8, true)),
            Arc::new(StringArray::from(texts.clone())) as ArrayRef,
        ),
    ]);
    let times: Vec<i64> = rows().iter().map(|row| *row as i64 * 1_000_000_007).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from(texts))),
        ("words", Arc::new(dictionary)),
        ("lists", Arc::new(lists.finish())),
        ("maps", Arc::new(maps.finish())),
        ("fixed", Arc::new(fixed.finish())),
        ("integers", Arc::new(integers)),
        ("pair", Arc::new(pair)),
        (
            "zoned",
            Arc::new(TimestampMicrosecondArray::from(times.clone()).with_timezone("Europe/Berlin")),
        ),
        ("seconds", Arc::new(TimestampSecondArray::from(times.clone()))),
        ("days", Arc::new(Date32Array::from(vec![17; ROWS]))),
        (
            "money",
            Arc::new(
                Decimal128Array::from(
                    times.iter().map(|time| i128::from(*time)).collect::<Vec<_>>(),
                )
                .with_precision_and_scale(25, 3)
                .unwrap(),
            ),
        ),
        (
            "truth",
            Arc::new(BooleanArray::from(rows().iter().map(|row| row % 2 == 0).collect::<Vec<_>>())),
        ),
        ("float", Arc::new(Float32Array::from(vec![0.1; ROWS]))),
        ("double", Arc::new(Float64Array::from(vec![-0.5; ROWS]))),
    ];
    let batch = batch(columns);
    let metadata: std::collections::HashMap<_, _> =
        [("origin".to_owned(), "a test".to_owned())].into();
    let schema = Schema::clone(&batch.schema()).with_metadata(metadata);
    RecordBatch::try_new(Arc::new(schema), batch.columns().to_vec()).unwrap()
}

/// Copies the rows that are to be kept of some tables.
fn copy(tables: &[&[u8]], options: &ReadOptions, keep: impl Fn(u64) -> bool) -> Vec<u8> {
    let mut kept: Option<ParquetKept<'_, Vec<u8>>> = None;
    for batch in tables.iter().flat_map(|table| open_bytes("t.parquet", table, options)) {
        let mut rows = Vec::new();
        let mut group = None;
        for (raw, item) in batch.raw().zip(batch.documents(options)) {
            let Raw::Cells(of, row) = raw else { panic!("{raw:?}") };
            assert_eq!(row, rows.len());
            let number = item.unwrap().place.at.unwrap().number;
            rows.push(keep(number).then_some(number));
            group = Some(of);
        }
        let group = group.unwrap();
        let kept = kept.get_or_insert_with(|| ParquetKept::new(Vec::new(), group.table()).unwrap());
        assert!(kept.matches(group));
        kept.write(group, &rows).unwrap();
    }
    kept.unwrap().finish().unwrap()
}

/// A table in a file that vanishes.
fn on_disk(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// A whole table by another reader.
fn whole(bytes: &[u8]) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(on_disk(bytes)).unwrap();
    let schema = Arc::clone(builder.schema());
    let batches: Vec<RecordBatch> = builder.build().unwrap().map(Result::unwrap).collect();
    concat_batches(&schema, &batches).unwrap()
}

#[test]
fn values_of_all_types_come_out_as_they_were() {
    let batch = many();
    let chosen: BooleanArray = (1..=ROWS).map(|row| Some(row % 3 == 0 || row > 900)).collect();
    for codec in [Codec::SNAPPY, Codec::ZSTD(Default::default()), Codec::UNCOMPRESSED] {
        let properties = properties(codec)
            .set_max_row_group_row_count(Some(300))
            .set_data_page_row_count_limit(64)
            .set_write_batch_size(32)
            .set_key_value_metadata(Some(vec![KeyValue::new("made".into(), "here".to_owned())]));
        let bytes = table(&batch, properties);
        let expected = filter_record_batch(&whole(&bytes), &chosen).unwrap();
        for batch_bytes in [1, 1 << 20] {
            let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
            let kept = copy(&[&bytes], &options, |row| row % 3 == 0 || row > 900);
            assert_eq!(whole(&kept), expected);
            let [before, after] = [&bytes, &kept]
                .map(|bytes| SerializedFileReader::new(on_disk(bytes)).unwrap().metadata().clone());
            let (old, new) = (before.file_metadata(), after.file_metadata());
            assert_eq!(old.schema(), new.schema());
            assert_eq!(old.key_value_metadata(), new.key_value_metadata());
            // As many row groups as there were, however small the parts they were read in.
            assert_eq!(after.num_row_groups(), before.num_row_groups());
            assert_eq!(after.row_group(0).column(0).compression(), codec);
        }
    }
}

#[test]
fn tables_with_the_same_columns_go_into_one() {
    let one = table(&batch(vec![("text", strings(&[Some("a"), None]))]), properties(Codec::SNAPPY));
    let other = table(&batch(vec![("text", strings(&[Some("b")]))]), properties(Codec::SNAPPY));
    let kept = copy(&[&one, &other], &ReadOptions::default(), |_| true);
    let expected = batch(vec![("text", strings(&[Some("a"), None, Some("b")]))]);
    assert_eq!(whole(&kept), expected);
    let none = copy(&[&one], &ReadOptions::default(), |_| false);
    assert_eq!(whole(&none).num_rows(), 0);
}

#[test]
fn other_columns_do_not_match() {
    let options = ReadOptions::default();
    let one = table(&batch(vec![("text", strings(&[Some("a")]))]), properties(Codec::SNAPPY));
    let columns = vec![("text", strings(&[Some("a")])), ("id", strings(&[Some("1")]))];
    let other = table(&batch(columns), properties(Codec::SNAPPY));
    let [one, other] = [one, other].map(|bytes| open_bytes("t.parquet", &bytes, &options).next());
    let (one, other) = (one.unwrap(), other.unwrap());
    let (Some(Raw::Cells(one, _)), Some(Raw::Cells(other, _))) =
        (one.raw().next(), other.raw().next())
    else {
        panic!("no rows")
    };
    assert!(!ParquetKept::new(Vec::new(), one.table()).unwrap().matches(other));
}

#[test]
fn a_damaged_row_group_is_left_out() {
    let options = ReadOptions::default();
    let texts = strings(&[Some("first"), Some("second"), Some("third")]);
    let properties = properties(Codec::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(1));
    let mut bytes = table(&batch(vec![("text", texts)]), properties);
    let at = bytes.windows(6).position(|window| window == b"second").unwrap();
    // The length in front of the word.
    bytes[at - 1] = 0x7F;
    let mut kept: Option<ParquetKept<'_, Vec<u8>>> = None;
    let mut failures = 0;
    for batch in open_bytes("t.parquet", &bytes, &options) {
        let Some(Raw::Cells(group, 0)) = batch.raw().next() else { panic!("no rows") };
        let kept = kept.get_or_insert_with(|| ParquetKept::new(Vec::new(), group.table()).unwrap());
        if let Err(error) = kept.write(group, &[Some(0)]) {
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
            failures += 1;
        }
    }
    assert_eq!(failures, 1);
    let expected = batch(vec![("text", strings(&[Some("first"), Some("third")]))]);
    assert_eq!(whole(&kept.unwrap().finish().unwrap()), expected);
}

#[test]
fn columns_are_added_after_those_that_are_there() {
    let batch = many();
    let bytes = table(&batch, properties(Codec::SNAPPY).set_max_row_group_row_count(Some(300)));
    let added = [("n", CellType::Integer), ("even", CellType::Truth), ("word", CellType::Text)];
    let cell = |row: u64, column: usize| match column {
        0 => Cell::Integer(row as i64),
        1 => Cell::Truth(row.is_multiple_of(2)),
        _ => Cell::from((row > 500).then(|| format!("row {row}"))),
    };
    let options = ReadOptions { batch_bytes: 1, ..ReadOptions::default() };
    let mut extended: Option<ParquetKept<'_, Vec<u8>>> = None;
    let mut row = 0;
    for batch in open_bytes("t.parquet", &bytes, &options) {
        let Some(Raw::Cells(group, 0)) = batch.raw().next() else { panic!("no rows") };
        let extended = extended.get_or_insert_with(|| {
            ParquetKept::with_columns(Vec::new(), group.table(), &added, cell).unwrap()
        });
        let rows: Vec<Option<u64>> = (row..).map(Some).take(group.rows()).collect();
        row += group.rows() as u64;
        extended.write(group, &rows).unwrap();
    }
    let extended = whole(&extended.unwrap().finish().unwrap());
    assert_eq!(extended.num_rows(), ROWS);
    let names: Vec<_> = extended.schema().fields().iter().map(|f| f.name().clone()).collect();
    assert_eq!(names[names.len() - 3..], ["n", "even", "word"]);
    let own: Vec<usize> = (0..names.len() - 3).collect();
    let before = whole(&bytes);
    // Without the types that only Arrow has, values are the same and dictionaries are texts.
    for (name, column) in names.iter().zip(extended.project(&own).unwrap().columns()) {
        let old = before.column_by_name(name).unwrap();
        assert_eq!(old.null_count(), column.null_count(), "{name}");
        if old.data_type() == column.data_type() {
            assert_eq!(old, column, "{name}");
        }
    }
    let numbers = extended.column_by_name("n").unwrap();
    let expected: Int64Array = (0..ROWS as i64).map(Some).collect();
    assert_eq!(numbers, &(Arc::new(expected) as ArrayRef));
    assert_eq!(extended.column_by_name("word").unwrap().null_count(), 501);
}

#[test]
fn members_of_columns_are_fields_by_their_paths() {
    let text = |texts: &[Option<&str>]| {
        let field = Arc::new(Field::new("body", DataType::Utf8, true));
        let other = Arc::new(Field::new("n", DataType::Utf8, true));
        let numbers = strings(&vec![Some("1"); texts.len()]);
        Arc::new(StructArray::from(vec![(other, numbers), (field, strings(texts))])) as ArrayRef
    };
    let meta = text(&[Some("one"), None, Some("three")]);
    let mut options = ReadOptions::default();
    options.reading.fields.text = vec!["meta.body".to_owned()];
    options.reading.fields.id = vec!["meta.n".to_owned()];
    let bytes = table(&batch(vec![("meta", Arc::clone(&meta))]), properties(Codec::SNAPPY));
    assert_eq!(texts(&bytes, &options), ["one", "", "three"]);
    assert_eq!(read(&bytes, &options)[2].as_ref().unwrap().document.id, "1");
    // A column of that very name comes first, whatever its place.
    let plain = strings(&[Some("x"), Some("y"), Some("z")]);
    let columns = vec![("meta.body", Arc::clone(&plain)), ("meta", Arc::clone(&meta))];
    let bytes = table(&batch(columns), properties(Codec::SNAPPY));
    assert_eq!(texts(&bytes, &options), ["x", "y", "z"]);
    let columns = vec![("meta", meta), ("meta.body", plain)];
    let bytes = table(&batch(columns), properties(Codec::SNAPPY));
    assert_eq!(texts(&bytes, &options), ["x", "y", "z"]);
    options.reading.fields.text = vec!["meta.title".to_owned()];
    let said = read(&bytes, &options)[0].as_ref().unwrap_err().to_string();
    assert!(said.contains("no column is called meta.title"), "{said}");
}
