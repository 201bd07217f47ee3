//! Columns of all types, and pages of all kinds.

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array,
    Int64Array, LargeStringArray, StringViewArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use parquet::basic::Encoding;
use parquet::file::properties::WriterVersion;
use proptest::prelude::*;

use super::*;

fn array(array: impl arrow_array::Array + 'static) -> ArrayRef {
    Arc::new(array)
}

/// The only document of a table with this column, and a text unless the column is one.
fn only(name: &str, column: ArrayRef) -> firsthand::Document {
    let mut columns = vec![(name, column)];
    if name != "text" {
        columns.push(("text", strings(&[Some("t")])));
    }
    let bytes = table(&batch(columns), properties(Codec::SNAPPY));
    let mut items = read(&bytes, &ReadOptions::default());
    assert_eq!(items.len(), 1);
    items.remove(0).unwrap().document
}

#[test]
fn texts_of_all_types() {
    let dictionary: DictionaryArray<Int32Type> = ["café"].into_iter().collect();
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("ca"), None, Some("fé")]);
    let cases = [
        (strings(&[Some("café")]), "café"),
        (array(LargeStringArray::from(vec!["café"])), "café"),
        (array(StringViewArray::from(vec!["café"])), "café"),
        (
            array(BinaryArray::from(vec![&b"caf\xE9 cr\xE8me br\xFBl\xE9e"[..]])),
            "café crème brûlée",
        ),
        (array(dictionary), "café"),
        (array(list.finish()), "ca\nfé"),
        (strings(&[None]), ""),
        (strings(&[Some("")]), ""),
    ];
    for (column, text) in cases {
        assert_eq!(only("text", column.clone()).text, text, "{:?}", column.data_type());
    }
}

#[test]
fn ids_of_all_types() {
    let decimal = Decimal128Array::from(vec![-1205]).with_precision_and_scale(30, 2).unwrap();
    let cases = [
        (array(Int64Array::from(vec![-17])), "-17"),
        (array(UInt64Array::from(vec![u64::MAX])), "18446744073709551615"),
        (array(Float64Array::from(vec![1.5])), "1.5"),
        (array(BooleanArray::from(vec![true])), "true"),
        (array(decimal), "-12.05"),
        (array(Date32Array::from(vec![-1])), "1969-12-31"),
        (array(Int64Array::from(vec![None])), "t.parquet:1"),
    ];
    for (column, id) in cases {
        assert_eq!(only("id", column.clone()).id, id, "{:?}", column.data_type());
    }
}

#[test]
fn times_of_all_types() {
    let time = 1_000_000_000_123;
    let cases = [
        (array(TimestampMillisecondArray::from(vec![time])), time),
        (array(TimestampMicrosecondArray::from(vec![time * 1000 + 7])), time),
        (array(TimestampNanosecondArray::from(vec![time * 1_000_000])), time),
        (array(TimestampMillisecondArray::from(vec![time]).with_timezone("+02:00")), time),
        (array(TimestampMillisecondArray::from(vec![-5])), -5),
        // Parquet knows no seconds: they come as numbers.
        (array(TimestampSecondArray::from(vec![1_000_000_000])), 1_000_000_000_000),
        (array(Date32Array::from(vec![11_016])), 951_782_400_000),
        (strings(&[Some("2000-02-29")]), 951_782_400_000),
    ];
    for (column, time) in cases {
        assert_eq!(only("date", column.clone()).time, Some(time), "{:?}", column.data_type());
    }
}

#[test]
fn columns_are_known_by_any_case() {
    let columns = vec![
        ("Title", strings(&[Some("T")])),
        ("TEXT", strings(&[Some("x")])),
        ("other", strings(&[Some("o")])),
    ];
    let items = read(&table(&batch(columns), properties(Codec::SNAPPY)), &ReadOptions::default());
    let item = items[0].as_ref().unwrap();
    assert_eq!((item.document.text.as_str(), item.document.title.as_deref()), ("x", Some("T")));
    assert_eq!(item.place.to_string(), "t.parquet, row 1");
}

#[test]
fn a_table_without_text_says_so_once() {
    let ids = ("id", strings(&[Some("1"), Some("2")]));
    let said = failure(&table(&batch(vec![ids.clone()]), properties(Codec::SNAPPY)));
    assert!(said.contains("there are id"), "{said}");
    let numbers = ("text", array(Int64Array::from(vec![1, 2])));
    let said = failure(&table(&batch(vec![ids, numbers]), properties(Codec::SNAPPY)));
    assert!(said.contains("column \"text\" holds structures or numbers"), "{said}");
}

fn codec() -> impl Strategy<Value = Codec> {
    prop::sample::select(vec![
        Codec::UNCOMPRESSED,
        Codec::SNAPPY,
        Codec::ZSTD(Default::default()),
        Codec::GZIP(Default::default()),
        Codec::BROTLI(Default::default()),
        Codec::LZ4,
        Codec::LZ4_RAW,
    ])
}

fn encoding() -> impl Strategy<Value = Option<Encoding>> {
    prop::sample::select(vec![
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        Some(Encoding::DELTA_BYTE_ARRAY),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_come_back(
        rows in prop::collection::vec(prop::option::of("[a-cé]{0,8}"), 0..600),
        codec in codec(),
        encoding in encoding(),
        is_new: bool,
        page_rows in 1usize..200,
        group_rows in 1usize..400,
        batch_bytes in prop::sample::select(vec![1, 50, 1 << 20]),
    ) {
        let version =
            if is_new { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
        let mut properties = properties(codec)
            .set_writer_version(version)
            .set_data_page_row_count_limit(page_rows)
            .set_write_batch_size(page_rows)
            .set_max_row_group_row_count(Some(group_rows));
        if let Some(encoding) = encoding {
            properties = properties
                .set_dictionary_enabled(false)
                .set_column_encoding("text".into(), encoding);
        }
        let texts: Vec<Option<&str>> = rows.iter().map(Option::as_deref).collect();
        let ids: Vec<u64> = (0..rows.len() as u64).collect();
        let mut lists = ListBuilder::new(StringBuilder::new());
        rows.iter().for_each(|row| lists.append_value(row.iter().chain(row).map(Some)));
        let columns = vec![
            ("text", strings(&texts)),
            ("id", array(UInt64Array::from(ids))),
            ("html", array(lists.finish())),
        ];
        let bytes = table(&batch(columns), properties);
        let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
        let items = read(&bytes, &options);
        prop_assert_eq!(items.len(), rows.len());
        for (number, (item, row)) in items.into_iter().zip(&rows).enumerate() {
            let item = item.unwrap();
            prop_assert_eq!(&item.document.text, row.as_deref().unwrap_or_default());
            prop_assert_eq!(item.document.id, number.to_string());
            prop_assert_eq!(item.place.at.unwrap().number, number as u64 + 1);
        }
    }
}
